#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/matrix.h"
#include "tests/core/mechanism_runs.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Words, PaddingTakesNoWeight) {
    const Arrays arrays = {{"in.h_t", random_array({4, 6}, 1)}, {"in.h_s", random_array({7, 6}, 2)}};
    const Trace trace = run("dot", arrays, {{"valid", Index{3}}});
    const Array& weights = *trace.out.at("out.weights");
    expect_rows_sum_to_one(weights);
    EXPECT_TRUE(matrix(weights).rightCols(4).isZero(0.0F));
    EXPECT_THAT(message_of(mechanism("dot"), arrays, {{"valid", Index{8}}}),
                AllOf(HasSubstr("'valid'"), HasSubstr("7"), HasSubstr("8")));
}

TEST(Words, ArrangedWordsFindTheirTranslation) {
    for (const std::string_view id : {"additive", "dot", "general", "concat"}) {
        const Trace trace = run_arranged(id, toy_material());
        for (Index word = 0; word < 4; ++word) {
            EXPECT_GT(trace.heads[0].weights.at(word, word), 0.4F) << id << " word " << word;
            EXPECT_LT(trace.heads[0].weights.at(word, word), 0.95F) << id << " word " << word;
        }
    }
}

TEST(Location, LooksAtPlacesWhateverStandsThere) {
    Arrays arrays = {{"in.h_t", random_array({4, 6}, 1)},
                     {"in.h_s", random_array({7, 5}, 2)},
                     {"w.a", random_array({9, 6}, 3)}};
    const Trace one = run("location", arrays);
    arrays["in.h_s"] = random_array({7, 5}, 4);
    EXPECT_EQ(*one.out.at("out.weights"), *run("location", arrays).out.at("out.weights"));

    arrays["w.a"] = random_array({3, 6}, 3);  // fewer positions than words: the rest take no weight
    const Trace trace = run("location", arrays);
    expect_rows_sum_to_one(*trace.out.at("out.weights"));
    EXPECT_TRUE(matrix(*trace.out.at("out.weights")).rightCols(4).isZero(0.0F));
}

TEST(LocalM, StaysAtTheLastWordOfAShortSource) {
    const Arrays arrays = {{"in.h_t", random_array({6, 4}, 1)},
                           {"in.h_s", random_array({3, 5}, 2)},
                           {"w.a", random_array({5, 4}, 3)}};
    const Trace trace = run("local-m", arrays, {{"D", Index{0}}});
    for (Index t = 0; t < 6; ++t) EXPECT_EQ(trace.heads[0].weights.at(t, std::min<Index>(t, 2)), 1.0F);
    const Trace padded = run("local-m", arrays, {{"D", Index{0}}, {"valid", Index{2}}});
    EXPECT_EQ(padded.heads[0].weights.at(5, 1), 1.0F);
}

TEST(LocalP, GathersAboutThePredictedPosition) {
    Arrays arrays = {{"in.h_t", random_array({2, 4}, 1)},
                     {"in.h_s", Array({9, 4}, 1.0F)},
                     {"w.a", random_array({4, 4}, 3)},
                     {"w.p", Array({1, 4})},
                     {"b.p", Array({1}, 100.0F)}};
    const double place = 5.3;  // of 9: v = σ⁻¹(5.3 / 9), since tanh is 1
    arrays["w.vp"] = Array({1}, static_cast<float>(std::log(place / (9.0 - place))));
    const Trace trace = run("local-p", arrays, {{"D", Index{3}}});
    EXPECT_NEAR(trace.out.at("out.pt")->values()[0], place, 1e-5);
    for (Index s = 0; s < 9; ++s) {  // equal words: the softmax is 1/7 in 2 … 8
        const double z = (static_cast<double>(s) - place) / 1.5;
        const double expected = s >= 2 && s <= 8 ? std::exp(-0.5 * z * z) / 7.0 : 0.0;
        EXPECT_NEAR(trace.heads[0].weights.at(1, s), expected, 1e-6) << s;
    }
}

TEST(LocalP, ArrangedWordsPredictTheirOwnPart) {
    const Trace trace = run_arranged("local-p", toy_material());
    for (Index t = 0; t < 5; ++t)
        EXPECT_NEAR(trace.out.at("out.pt")->values()[static_cast<std::size_t>(t)],
                    9.0 * (static_cast<double>(t) + 0.5) / 5.0, 1e-3);
}

TEST(MultiHead, HeadsMadeByHandDoWhatTheySay) {
    Material material = toy_material();
    matrix(material.keys).row(6) = matrix(material.keys).row(2);  // a repeated word
    const Trace trace = run_arranged("multi-head", material);
    ASSERT_EQ(trace.heads.size(), 4U);
    for (Index i = 0; i < 9; ++i) {
        EXPECT_GT(trace.heads[0].weights.at(i, i), 0.9F) << "itself";
    }
    for (Index i = 1; i < 9; ++i) {
        EXPECT_GT(trace.heads[1].weights.at(i, i - 1), 0.9F) << "previous word";
    }
    EXPECT_NEAR(trace.heads[1].weights.at(0, 5), 1.0F / 9.0F, 1e-4F) << "nothing is before the first";
    EXPECT_GT(trace.heads[2].weights.at(2, 6), 0.3F) << "same word";
    EXPECT_GT(trace.heads[2].weights.at(2, 6) + trace.heads[2].weights.at(2, 2), 0.9F);
    EXPECT_GT(trace.heads[2].weights.at(4, 4), 0.9F) << "a word that comes once";
    EXPECT_LT(trace.heads[3].weights.at(2, 6), trace.heads[2].weights.at(2, 6)) << "content is softer";
}

TEST(MultiHead, HeadsMustDivideTheChannels) {
    const Arrays arrays = {{"in.x", random_array({5, 6}, 1)},
                           {"w.q", random_array({8, 6}, 2)},
                           {"w.k", random_array({8, 6}, 3)},
                           {"w.v", random_array({6, 6}, 4)}};
    EXPECT_THAT(message_of(mechanism("multi-head"), arrays, {{"heads", Index{3}}}),
                AllOf(HasSubstr("'w.q'"), HasSubstr("3 heads"), HasSubstr("[8, 6]")));
    EXPECT_THAT(message_of(mechanism("multi-head"), arrays, {{"heads", Index{4}}}),
                AllOf(HasSubstr("'w.v'"), HasSubstr("4 heads"), HasSubstr("[6, 6]")));
}

TEST(Cross, TakesKeysAndValuesOfOtherWidths) {
    Arrays arrays = {{"in.x", random_array({3, 6}, 1)}, {"in.y", random_array({5, 7}, 2)},
                     {"in.z", random_array({5, 3}, 3)}, {"w.q", random_array({4, 6}, 4)},
                     {"w.k", random_array({4, 7}, 5)},  {"w.v", random_array({6, 3}, 6)},
                     {"w.o", random_array({2, 6}, 7)}};
    const Trace trace = run("cross", arrays, {{"heads", Index{2}}});
    EXPECT_EQ(trace.out.at("out.output")->shape(), (Shape{3, 2}));
    for (std::size_t h = 0; h < 2; ++h) {  // head h from its own rows of the weights
        const auto first = static_cast<Index>(2 * h);
        const Matrix q = matrix(arrays["in.x"]) * matrix(arrays["w.q"]).middleRows(first, 2).transpose();
        const Matrix k = matrix(arrays["in.y"]) * matrix(arrays["w.k"]).middleRows(first, 2).transpose();
        const Matrix e = q * k.transpose() / std::sqrt(2.0F);
        for (Index i = 0; i < 3; ++i) {
            const float sum = e.row(i).array().exp().sum();
            for (Index j = 0; j < 5; ++j)
                EXPECT_NEAR(trace.heads[h].weights.at(i, j), std::exp(e(i, j)) / sum, 1e-5F);
        }
    }
    arrays["in.z"] = random_array({4, 3}, 3);
    EXPECT_THAT(message_of(mechanism("cross"), arrays),
                AllOf(HasSubstr("'in.z'"), HasSubstr("5"), HasSubstr("[4, 3]")));
}

/// Regions whose scores are 0, log 2 and log 5 for any state: the chances are 1/8, 2/8 and 5/8.
Arrays three_regions(std::vector<float> u) {
    const auto states = static_cast<Index>(u.size());
    Array v({1}, 10.0F);
    Array annotations({3, 1});
    const std::vector<double> scores = {0.0, std::log(2.0), std::log(5.0)};
    for (std::size_t i = 0; i < 3; ++i)
        annotations.values()[i] = static_cast<float>(std::atanh(scores[i] / 10.0));
    return {{"in.features", annotations},
            {"in.h", Array({states, 1}, 1.0F)},
            {"w.ctx", Array({1, 1}, 1.0F)},
            {"w.query", Array({1, 1}, 0.0F)},
            {"w.v", v},
            {"in.u", Array({states}, u)}};
}

TEST(Hard, DrawsByTheSummedWeights) {
    const Arrays arrays = three_regions({0.0F, 0.12F, 0.13F, 0.37F, 0.38F, 1.0F});
    const Trace trace = run("hard", arrays);
    EXPECT_THAT(trace.out.at("out.sample_index")->values(), ElementsAre(0, 0, 1, 1, 2, 2));
    EXPECT_THAT(trace.out.at("out.argmax_index")->values(), Each(2));
    EXPECT_EQ(trace.output, trace.out.at("out.output_sample").get());
    const Trace most = run("hard", arrays, {{"pick", std::string("argmax")}});
    EXPECT_EQ(most.output, most.out.at("out.output_argmax").get());
    Arrays wrong = arrays;
    wrong["in.u"].values()[0] = 1.5F;
    EXPECT_THAT(message_of(mechanism("hard"), wrong), HasSubstr("'in.u'"));
}

TEST(Hard, DrawsEachRegionAsOftenAsItsWeight) {
    Arrays arrays = three_regions(std::vector<float>(4000));
    arrays.erase("in.u");
    const Trace trace = run("hard", arrays);
    const Array& mask = *trace.out.at("out.sample_mask");
    EXPECT_NEAR(matrix(mask).col(0).mean(), 0.125F, 0.02F);
    EXPECT_NEAR(matrix(mask).col(2).mean(), 0.625F, 0.02F);
    EXPECT_EQ(mask, *run("hard", arrays).out.at("out.sample_mask")) << "the same seed draws the same";
    EXPECT_NE(mask, *run("hard", arrays, {{"draw", Index{8}}}).out.at("out.sample_mask"));
}

TEST(Soft, RegionsLieOnAGridThatHoldsThemAll) {
    const Arrays arrays = three_regions({0.5F});
    EXPECT_EQ(run("soft", arrays, {{"H", Index{3}}, {"W", Index{1}}}).keys, (Grid{3, 1}));
    EXPECT_EQ(run("soft", arrays).keys, (Grid{1, 3}));
    EXPECT_THAT(message_of(mechanism("soft"), arrays, {{"H", Index{2}}, {"W", Index{2}}}),
                AllOf(HasSubstr("'in.features'"), HasSubstr("2·2"), HasSubstr("[3, 1]")));
}

}  // namespace
}  // namespace attn
