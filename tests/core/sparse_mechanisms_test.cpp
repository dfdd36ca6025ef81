#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/catalog.h"
#include "core/matrix.h"
#include "tests/core/mechanism_runs.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Arrays projected(Index n, Index channels) {
    return {{"in.q", random_array({n, channels}, 1)},
            {"in.k", random_array({n, channels}, 2)},
            {"in.v", random_array({n, channels}, 3)}};
}

/// Every row is the softmax of that head's scores over exactly the keys that `sees` names, to the 1e-5 that
/// routing's mean over clusters takes off.
template <class Sees>
void expect_softmax_over(const Trace& trace, std::size_t head, const Sees& sees) {
    const Head& shown = trace.heads.at(head);
    for (Index i = 0; i < shown.weights.rows(); ++i) {
        double sum = 0.0;
        for (Index j = 0; j < shown.weights.columns(); ++j)
            if (sees(i, j)) sum += std::exp(static_cast<double>(shown.scores.at(i, j)));
        for (Index j = 0; j < shown.weights.columns(); ++j) {
            const double expected =
                sees(i, j) ? std::exp(static_cast<double>(shown.scores.at(i, j))) / sum : 0.0;
            ASSERT_NEAR(shown.weights.at(i, j), expected, 2e-5) << head << ": " << i << ", " << j;
        }
    }
}

TEST(Strided, SeesItsPartsOnARowThatTheStrideDoesNotDivide) {
    const auto local = [](Index i, Index j) { return j <= i && i - j < 4; };
    const auto column = [](Index i, Index j) { return j <= i && (i - j) % 4 == 0; };
    const auto both = [&](Index i, Index j) { return local(i, j) || column(i, j); };
    const auto shown = [](const char* part) {
        return run("strided", projected(11, 6),
                   {{"l", Index{4}}, {"part", std::string(part)}, {"heads", Index{2}}});
    };
    for (const std::size_t head : {0U, 1U}) {
        expect_softmax_over(shown("union"), head, both);
        expect_softmax_over(shown("local"), head, local);
        expect_softmax_over(shown("column"), head, column);
    }
    EXPECT_EQ(*shown("union").out.at("out.strided_output"), *shown("column").out.at("out.output"));
    EXPECT_THAT(message_of(mechanism("strided"), projected(11, 6), {{"heads", Index{4}}}),
                AllOf(HasSubstr("'in.q'"), HasSubstr("4 heads"), HasSubstr("[11, 6]")));
}

TEST(Fixed, HeadsTakeTurnsAtSummaries) {
    const Values knobs = {{"l", Index{5}}, {"c", Index{2}}, {"heads", Index{4}}, {"variants", Index{2}}};
    const Trace trace = run("fixed", projected(13, 8), knobs);
    for (const Index head : {0, 1, 2, 3})
        expect_softmax_over(trace, static_cast<std::size_t>(head), [&](Index i, Index j) {
            const Index place = j % 5;
            const bool summary = head % 2 == 0 ? place >= 3 : place == 1 || place == 2;
            return j <= i && (j / 5 == i / 5 || summary);
        });
    Values wrong = knobs;
    wrong["variants"] = Index{4};
    EXPECT_THAT(message_of(mechanism("fixed"), projected(13, 8), wrong),
                AllOf(HasSubstr("'variants'"), HasSubstr("at most l / c = 2"), HasSubstr("got 4")));
    wrong["variants"] = Index{3};
    EXPECT_THAT(message_of(mechanism("fixed"), projected(13, 8), wrong), HasSubstr("divides the 4 heads"));
}

Arrays words_and_projections(Index n) {
    Arrays arrays = {{"in.x", random_array({n, 4}, 1)}};
    std::uint64_t seed = 2;
    for (const char* name :
         {"w.query", "w.key", "w.value", "w.query_global", "w.key_global", "w.value_global"})
        arrays[name] = random_array({4, 4}, seed++);
    arrays["in.global_index"] = Array({3}, {6, 1, 6}, Element::index);
    return arrays;
}

TEST(SlidingWindow, GlobalWordsSeeAllAndAreSeenByAll) {
    const Arrays arrays = words_and_projections(9);
    const Trace trace = run("sliding-window", arrays, {{"radius", Index{1}}, {"dilation", Index{2}}});
    const auto global = [](Index i) { return i == 1 || i == 6; };
    expect_softmax_over(
        trace, 0, [&](Index i, Index j) { return i == j || std::abs(i - j) == 2 || global(i) || global(j); });
    const Matrix q = matrix(arrays.at("in.x")) * matrix(arrays.at("w.query_global")).transpose();
    const Matrix k = matrix(arrays.at("in.x")) * matrix(arrays.at("w.key_global")).transpose();
    const Matrix v = matrix(arrays.at("in.x")) * matrix(arrays.at("w.value_global")).transpose();
    const Matrix alpha = ((q.row(6) * k.transpose()) / 2.0F).array().exp().matrix();
    const Matrix y = alpha * v / alpha.sum();
    for (Index c = 0; c < 4; ++c) EXPECT_NEAR(matrix(*trace.out.at("out.output"))(6, c), y(0, c), 1e-5F);

    const Trace causal = run("sliding-window", arrays, {{"radius", Index{1}}, {"causal", true}});
    expect_softmax_over(causal, 0,
                        [&](Index i, Index j) { return j <= i && (i - j <= 1 || global(i) || global(j)); });
}

TEST(SlidingWindow, NamesAGlobalWordThatIsNotThere) {
    Arrays arrays = words_and_projections(6);
    EXPECT_THAT(message_of(mechanism("sliding-window"), arrays, {}),
                AllOf(HasSubstr("'in.global_index'"), HasSubstr("0 to 5"), HasSubstr("got 6")));
}

/// Three pairs of words, each pair in a direction of its own, out of order.
Arrays three_topics() {
    Array x({1, 6, 3});
    for (const auto& [word, topic, length] :
         {std::tuple{0, 0, 1.0F}, {1, 1, 2.0F}, {2, 2, 1.5F}, {3, 0, 1.5F}, {4, 1, 1.0F}, {5, 2, 2.0F}})
        matrix(x, 6, 3)(word, topic) = length;
    Array means({1, 3, 3});
    matrix(means, 3, 3).setIdentity();
    return {{"in.q", x}, {"in.k", x}, {"in.v", x}, {"w.means", means}};
}

TEST(Routing, WordsOfOneTopicMeet) {
    const Trace trace = run("routing", three_topics(), {{"members", Index{2}}});
    expect_softmax_over(trace, 0, [](Index i, Index j) { return i % 3 == j % 3; });
    EXPECT_THAT(trace.out.at("out.q_index")->values(), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(Routing, OneClusterOfAllIsPlainAttention) {
    Arrays arrays = {{"in.q", random_array({1, 7, 5}, 1)},
                     {"in.k", random_array({1, 9, 5}, 2)},
                     {"in.v", random_array({1, 9, 4}, 3)},
                     {"w.means", random_array({1, 1, 5}, 4)}};
    EXPECT_THAT(message_of(mechanism("routing"), arrays, {{"members", Index{8}}}),
                AllOf(HasSubstr("'members'"), HasSubstr("at most the 7"), HasSubstr("got 8")));
    arrays["in.q"] = random_array({1, 9, 5}, 1);
    for (const bool causal : {false, true}) {
        const Trace trace = run("routing", arrays, {{"members", Index{9}}, {"causal", causal}});
        expect_softmax_over(trace, 0, [&](Index i, Index j) { return !causal || j <= i; });
    }
}

TEST(Routing, AWordInNoClusterGetsNothing) {
    Arrays arrays = three_topics();
    Array means({1, 2, 3});
    matrix(means, 2, 3).setIdentity();  // nobody takes the third topic
    arrays["w.means"] = means;
    const Trace trace = run("routing", arrays, {{"members", Index{2}}});
    EXPECT_THAT(trace.blind, ElementsAre(2, 5));
    EXPECT_TRUE(matrix(*trace.output).row(2).isZero(0.0F));
    for (Index j = 0; j < 6; ++j) EXPECT_EQ(trace.heads[0].weights.at(5, j), 0.0F);
}

TEST(Routing, ASharedWordLooksAtItselfOnlyWhenAlone) {
    Arrays arrays = three_topics();
    arrays.erase("in.k");
    const Trace trace =
        run("routing", arrays, {{"members", Index{2}}, {"shared_qk", true}, {"causal", true}});
    for (Index i = 0; i < 3; ++i) {
        EXPECT_NEAR(trace.heads[0].weights.at(i, i), 1.0F, 1e-4F) << "the first of its cluster";
        EXPECT_NEAR(trace.heads[0].weights.at(i + 3, i), 1.0F, 1e-4F);
    }
}

TEST(Routing, ArrangedWordsTakeEveryKnob) {
    Material material;
    material.keys = random_array({7, 16}, 1);
    for (const bool shared : {false, true}) {
        const Values values = {
            {"clusters", Index{20}}, {"memory", Index{2}}, {"shared_qk", shared}, {"causal", true}};
        const Trace trace = run_arranged("routing", material, values);
        EXPECT_EQ(trace.out.at("out.weights")->shape(), (Shape{1, 7, 1, 3})) << "as many clusters as words";
    }
}

}  // namespace
}  // namespace attn
