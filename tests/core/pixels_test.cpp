#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/catalog.h"
#include "core/channels.h"
#include "core/convolution.h"
#include "core/error.h"
#include "core/features.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/pairs.h"
#include "core/random.h"
#include "tests/core/mechanism_runs.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// A picture of odd, unequal sides.
Material odd_picture() {
    Random random(3);
    Material material;
    material.colours = Array({3, 9, 14});
    for (float& x : material.colours.values()) x = static_cast<float>(random.uniform());
    material.features = features(material.colours, "cosine", 64, 7);
    material.channels = channels(material.colours);
    return material;
}

Arrays arranged(std::string_view id, const Values& values = {}) {
    const Mechanism& m = mechanism(id);
    std::string said;
    return m.arrange(odd_picture(), Knobs(m.parameters, values), said);
}

Trace scene(std::string_view id, const Values& values = {}) {
    return run(id, arranged(id, values), values);
}

std::string message_of(std::string_view id, const Arrays& arrays, const Values& values = {}) {
    return message_of(mechanism(id), arrays, values);
}

std::vector<Index> keys_of(const Trace& trace, Index query) {
    std::vector<Index> keys;
    const auto row = trace.heads[0].weights.row(query);
    for (std::size_t key = 0; key < row.size(); ++key)
        if (row[key] > 0.0F) keys.push_back(static_cast<Index>(key));
    return keys;
}

// Layers.

Array convolved_by_hand(const Array& x, const Array& w, const Stencil& s) {
    const Index k = w.extent(2);
    const Grid to = convolved({x.extent(1), x.extent(2)}, {k, k}, s);
    Array y({w.extent(0), to.height, to.width});
    std::size_t at = 0;
    for (Index o = 0; o < w.extent(0); ++o)
        for (Index row = 0; row < to.height; ++row)
            for (Index column = 0; column < to.width; ++column, ++at)
                for (Index c = 0; c < x.extent(0); ++c)
                    for (Index tap = 0; tap < k * k; ++tap) {
                        const Index i = row * s.stride - s.padding + tap / k * s.dilation;
                        const Index j = column * s.stride - s.padding + tap % k * s.dilation;
                        if (i < 0 || j < 0 || i >= x.extent(1) || j >= x.extent(2)) continue;
                        const Index from = (c * x.extent(1) + i) * x.extent(2) + j;
                        const Index weight = (o * x.extent(0) + c) * k * k + tap;
                        y.values()[at] += w.values()[static_cast<std::size_t>(weight)] *
                                          x.values()[static_cast<std::size_t>(from)];
                    }
    return y;
}

TEST(Convolution, AgreesWithItsSum) {
    const Array x = random_array({3, 7, 10}, 1);
    const Array w = random_array({2, 3, 3, 3}, 2);
    for (const Stencil& s : {Stencil{1, 0, 1}, Stencil{2, 1, 1}, Stencil{1, 4, 4}, Stencil{3, 2, 2}}) {
        const Array y = convolve({{"w.a", w}}, "a", x, 2, s, 3);
        const Array expected = convolved_by_hand(x, w, s);
        ASSERT_EQ(y.shape(), expected.shape());
        EXPECT_TRUE(vector(y).isApprox(vector(expected), 1e-5F));
    }
}

TEST(Convolution, NamesAKernelThatDoesNotFit) {
    const Array x = random_array({3, 2, 5}, 1);
    const auto message = [&](const Array& w, Index kernel) {
        try {
            convolve({{"w.a", w}}, "a", x, -1, {}, kernel);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_THAT(message(Array({2, 3, 3, 3}), -1), AllOf(HasSubstr("'w.a'"), HasSubstr("2×5")));
    EXPECT_THAT(message(Array({2, 4, 1, 1}), 1), AllOf(HasSubstr("'w.a'"), HasSubstr("got [2, 4, 1, 1]")));
    EXPECT_EQ(message(Array({2, 3}), 1), "no error");
}

TEST(Pool, KeepsTheBorderOfOddMaps) {
    const Array x({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, -9});
    EXPECT_THAT(max_pool(x, 3, {.stride = 2, .padding = 1}).values(), ElementsAre(5, 6, 8, 8));
    EXPECT_THAT(mean_pool(x, 2, {.stride = 2}).values(), ElementsAre(3));
}

TEST(Resize, AlignsCornersOrEdges) {
    const Array x({1, 1, 2}, {0, 3});
    EXPECT_THAT(resize_bilinear(x, {1, 4}, true).values(), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(resize_bilinear(x, {2, 4}, false).values(),
                ElementsAre(0, 0.75F, 2.25F, 3, 0, 0.75F, 2.25F, 3));
    EXPECT_EQ(resize_bilinear(x, {1, 2}, false), x);
    EXPECT_THAT(resize_bilinear(x, {1, 1}, true).values(), ElementsAre(0));
}

TEST(Pairs, AgreeWithMaskedAttentionToAll) {
    const Grid grid{4, 5};
    const Array q = random_array({20, 6}, 1);
    const Array k = random_array({20, 6}, 2);
    const Array v = random_array({20, 4}, 3);
    Layer layer;
    layer.id = "local";
    layer.set = {{"k", Index{3}}};
    const SharedTable table = pair_table({layer, grid});
    const AttendedPairs pairs = attend(q, k, v, *table, {2, 0.5F, 0.8, {}, {}});
    const SharedArray mask = dense(Map(table), Element::flag);
    for (Index head = 0; head < 2; ++head) {
        const auto part = [head](const Array& rows, Index d) {
            Array columns({rows.extent(0), d});
            matrix(columns) = matrix(rows).middleCols(head * d, d);
            return columns;
        };
        const Attended all = attend(part(q, 3), part(k, 3), part(v, 2), 0.5F, {0.8, mask});
        const Map weights(table, pairs.weights, head);
        EXPECT_TRUE(vector(weights.reduced(20, 20)).isApprox(vector(*all.weights), 1e-5F));
        EXPECT_TRUE(matrix(part(*pairs.output, 2)).isApprox(matrix(*all.output), 1e-5F));
    }
}

// Windows.

TEST(StandAlone, WithoutPositionTheKeysMayBeShuffled) {
    for (const std::string edge : {"clip", "zero"}) {
        const Arrays arrays = arranged("sasa");
        const auto output = [&](const std::string& terms, bool shuffled) {
            return *run("sasa", arrays, {{"edge", edge}, {"terms", terms}, {"shuffle", shuffled}})
                        .out.at("out.output");
        };
        EXPECT_TRUE(vector(output("content", true)).isApprox(vector(output("content", false)), 1e-5F));
        EXPECT_FALSE(vector(output("both", true)).isApprox(vector(output("both", false)), 0.01F));
    }
}

TEST(StandAlone, PaddedKeysTakeMass) {
    const auto corner = [](const std::string& edge) {
        const Trace trace = scene("sasa", {{"edge", edge}, {"k", Index{3}}, {"tau", 4.0}});
        float sum = 0.0F;
        for (const float weight : trace.heads[0].weights.row(0)) sum += weight;
        return sum;
    };
    EXPECT_NEAR(corner("clip"), 1.0F, 1e-5F);
    EXPECT_LT(corner("zero"), 0.9F);
}

TEST(Windows, ThatDoNotFitAreNamedBesideTheMap) {
    EXPECT_THAT(message_of("neighborhood", arranged("neighborhood"), {{"k", Index{11}}}),
                AllOf(HasSubstr("window k·dilation = 11"), HasSubstr("'in.x'"), HasSubstr("at least 11×11"),
                      HasSubstr("got 9×14")));
    EXPECT_THAT(message_of("gsa", arranged("gsa"), {{"subsample", Index{10}}}),
                AllOf(HasSubstr("window subsample = 10"), HasSubstr("'in.x'"), HasSubstr("got 9×14")));
}

TEST(Windows, EachSeesItsPatternsKeys) {
    const Index query = 4 * 14 + 1;  // of a 9 × 14 map
    for (const auto& [id, set] : std::vector<std::pair<std::string, Values>>{
             {"sasa", {{"k", Index{3}}}},
             {"neighborhood", {{"k", Index{3}}, {"dilation", Index{2}}}},
             {"lsa", {{"window", Index{4}}}},
             {"swin", {{"window", Index{4}}, {"shift", Index{2}}}},
             {"block-1d", {{"l_q", Index{10}}, {"l_m", Index{7}}}},
             {"block-2d", {{"h_q", Index{3}}, {"w_q", Index{4}}, {"causal", true}}}}) {
        Layer layer;
        layer.id = id == "sasa" ? "local" : id;
        layer.set = set;
        std::vector<Index> expected;
        BoundPattern(layer, {9, 14}).keys(query, expected);
        const Trace trace = scene(id, set);
        EXPECT_EQ(keys_of(trace, query), expected) << id;
        for (Index key = 0; key < Index{126}; ++key)
            EXPECT_EQ(trace.allowed.at(query, key) == 1.0F, std::ranges::binary_search(expected, key)) << id;
    }
}

TEST(Windows, SayWhichArrayDoesNotFit) {
    EXPECT_THAT(
        message_of("neighborhood", arranged("neighborhood"), {{"k", Index{5}}, {"dilation", Index{2}}}),
        AllOf(HasSubstr("'in.x'"), HasSubstr("10"), HasSubstr("[9, 14, 3]")));
    EXPECT_THAT(message_of("lsa", arranged("lsa"), {{"heads", Index{2}}}),
                AllOf(HasSubstr("'w.qkv'"), HasSubstr("2 heads"), HasSubstr("[9, 3]")));
    EXPECT_THAT(message_of("swin", arranged("swin"), {{"H", Index{5}}, {"W", Index{14}}}),
                AllOf(HasSubstr("'in.x'"), HasSubstr("5·14"), HasSubstr("[126, 3]")));
    EXPECT_THAT(message_of("gsa", arranged("gsa"), {{"subsample", Index{5}}}),
                AllOf(HasSubstr("'w.sr'"), HasSubstr("5"), HasSubstr("[3, 3, 4, 4]")));
    EXPECT_THAT(message_of("axial-deeplab", arranged("axial-deeplab"), {{"axis", std::string("row")}}),
                AllOf(HasSubstr("'w.relative'"), HasSubstr("27"), HasSubstr("[12, 17]")));
}

TEST(Windows, HeadsHaveProjectionsOfTheirOwn) {
    for (const std::string id :
         {"sasa", "axial", "axial-deeplab", "neighborhood", "lsa", "gsa", "swin", "class-attention"}) {
        const Trace trace = scene(id, {{"heads", Index{2}}});
        ASSERT_EQ(trace.heads.size(), 2U) << id;
        const Index query = trace.queries.size() / 2;
        const auto first = trace.heads[0].weights.row(query);
        const auto second = trace.heads[1].weights.row(query);
        EXPECT_FALSE(std::ranges::equal(first, second)) << id;
    }
}

TEST(Axial, OneLayerSeesACrossAndTwoSeeAll) {
    const Trace sum = scene("axial");
    EXPECT_EQ(keys_of(sum, 30).size(), 9U + 14U - 1U);
    const Trace both = scene("axial", {{"combine", std::string("sequential")}});
    EXPECT_EQ(keys_of(both, 30).size(), 9U * 14U);
    for (const auto& [trace, mass] : {std::pair{&sum, 2.0F}, std::pair{&both, 1.0F}}) {
        float total = 0.0F;
        for (const float weight : trace->heads[0].weights.row(30)) total += weight;
        EXPECT_NEAR(total, mass, 1e-5F);
    }
    // What the map says is what was averaged: values are the features themselves.
    const Array x = rows_of(arranged("axial").at("in.x"));
    Array weights({1, 126}, std::vector<float>(sum.heads[0].weights.row(30).begin(),
                                               sum.heads[0].weights.row(30).end()));
    EXPECT_TRUE((matrix(weights) * matrix(x)).isApprox(matrix(*sum.output).row(30), 1e-5F));
}

TEST(AxialDeeplab, SpanLimitsTheKeys) {
    const Trace trace = scene("axial-deeplab", {{"m", Index{5}}});
    EXPECT_THAT(keys_of(trace, 4 * 14 + 3),
                ElementsAre(2 * 14 + 3, 3 * 14 + 3, 4 * 14 + 3, 5 * 14 + 3, 6 * 14 + 3));
}

TEST(ClassAttention, LeavesAShareToTheClassToken) {
    const Trace trace = scene("class-attention");
    EXPECT_EQ(trace.keys, (Grid{9, 14}));
    float patches = 0.0F;
    for (const float weight : trace.heads[0].weights.row(0)) patches += weight;
    EXPECT_NEAR(patches + trace.out.at("out.weights")->values()[0], 1.0F, 1e-5F);
}

// Gates.

TEST(Gates, AreHalfWithoutSharpness) {
    for (const auto& [id, gate] :
         std::vector<std::pair<std::string, std::string>>{{"attention-gate", "out.gate"},
                                                          {"rga-s", "out.gate"},
                                                          {"rga-c", "out.gate"},
                                                          {"ran", "out.mask"},
                                                          {"bam", "out.gate"},
                                                          {"bilinear", "out.gate"},
                                                          {"cbam", "out.channel_gate"},
                                                          {"cbam", "out.spatial_gate"}}) {
        EXPECT_THAT(scene(id, {{"beta", 0.0}}).out.at(gate)->values(), Each(0.5F)) << id;
        const SharedArray gates = scene(id, {{"beta", 3.0}}).out.at(gate);
        const auto sharp = gates->values();
        const auto [least, most] = std::ranges::minmax_element(sharp);
        EXPECT_GT(*most - *least, 0.2F) << id << ": a scene should show open and closed gates";
    }
}

TEST(Gates, OnTheCoarseGridAreResampled) {
    const Trace coarse = scene("attention-gate");
    EXPECT_EQ(coarse.keys, (Grid{4, 7}));
    EXPECT_EQ(coarse.out.at("out.gate")->shape(), (Shape{9, 14}));
    const Trace fine = scene("attention-gate", {{"coarse", false}});
    EXPECT_EQ(fine.keys, (Grid{9, 14}));
    EXPECT_EQ(case_knobs(mechanism("attention-gate"), {{"grid", false}}),
              (Values{{"beta", 1.0}, {"coarse", false}}));
}

TEST(Ran, BothDepthsAreArranged) {
    const Trace trace = scene("ran", {{"depth", Index{2}}});
    EXPECT_EQ(trace.heads.size(), 3U);
    EXPECT_EQ(trace.keys, (Grid{9, 14}));
    // Residual blocks at the identity: the trunk is the input.
    EXPECT_EQ(*trace.out.at("out.trunk"), arranged("ran").at("in.x"));
}

TEST(CrossCovariance, ChannelsAreMostLikeThemselves) {
    const Trace trace = scene("xca");
    EXPECT_EQ(trace.queries, (Grid{1, 8}));
    for (Index channel = 0; channel < 8; ++channel)
        EXPECT_NEAR(trace.heads[0].scores.at(channel, channel), 8.0F, 1e-4F) << channel;
    EXPECT_EQ(scene("xca", {{"heads", Index{4}}}).heads.size(), 4U);
}

}  // namespace
}  // namespace attn
