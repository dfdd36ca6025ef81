#include "core/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "core/error.h"
#include "core/reach.h"

namespace {

using attn::Cost;
using attn::Grid;
using attn::Index;
using attn::Measure;
using attn::Values;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

Cost cost(std::string_view id, Grid grid, Values set = {}) {
    return attn::cost(attn::cost_model(id), std::move(set), grid);
}
std::function<double(double)> curve(std::string_view id, Values set = {}, Measure measure = Measure::entries,
                                    double patch = 1.0) {
    return attn::cost_curve(attn::cost_model(id), std::move(set), measure, patch);
}

// What the figure must show.

TEST(CostMustShow, AtTheMark) {
    const Grid mark{224, 224};
    const Cost global = cost("global", mark);
    EXPECT_EQ(global.tokens, 50176);
    EXPECT_THAT(global.entries, Optional(Index{2'517'630'976}));
    EXPECT_THAT(global.entries_exact, Optional(Index{2'517'630'976}));
    EXPECT_NEAR(static_cast<double>(global.bytes_fp32), 10.07e9, 5e6);
    EXPECT_NEAR(static_cast<double>(cost("global", mark, {{"heads", Index{8}}}).bytes_fp32), 80e9, 1e9);
    EXPECT_EQ(global.bytes_fp32, 2 * global.bytes_fp16);

    const Cost local = cost("local", mark);
    EXPECT_THAT(local.entries, Optional(Index{2'458'624}));
    EXPECT_THAT(local.entries_exact, Optional(Index{2'421'136}));
    const Cost axial = cost("axial", mark);
    EXPECT_THAT(axial.entries, Optional(Index{22'478'848}));
    EXPECT_THAT(axial.entries_exact, Optional(Index{22'478'848}));
    EXPECT_EQ(*global.entries / *axial.entries, 112);
    EXPECT_EQ(*global.entries / *cost("row", mark).entries, 224);
}

TEST(CostMustShow, OfASmallMap) {
    const Grid map{56, 56};
    EXPECT_EQ(cost("global", map).tokens, 3136);
    EXPECT_THAT(cost("global", map).entries, Optional(Index{9'834'496}));
    EXPECT_THAT(cost("local", map).entries, Optional(Index{153'664}));
    EXPECT_THAT(cost("local", map).entries_exact, Optional(Index{144'400}));
    EXPECT_THAT(cost("axial", map).entries, Optional(Index{351'232}));
}

TEST(CostMustShow, Curves) {
    EXPECT_THAT(attn::crossings(curve("local"), curve("axial", {{"m", Index{256}}}), 8, 512),
                ElementsAre(testing::DoubleNear(24.5, 1e-9)));
    EXPECT_THAT(attn::crossings(curve("local"), curve("global"), 8, 512), ElementsAre());
    EXPECT_DOUBLE_EQ(curve("global")(448) / curve("global")(224), 16);
    EXPECT_EQ(curve("global", {}, Measure::entries, 16)(224), 38'416);
    EXPECT_EQ(curve("global", {}, Measure::multiply_adds)(8), 4096 * 2 * 64);
    EXPECT_EQ(curve("global", {}, Measure::flops)(8), 4096 * 4 * 64);
    EXPECT_EQ(curve("global", {{"heads", Index{8}}}, Measure::bytes_fp16)(8), 4096 * 2 * 8);
    EXPECT_EQ(curve("global", {}, Measure::bytes_fp32)(8), 4096 * 4);
    EXPECT_THROW(curve("custom"), attn::Error);
    EXPECT_THROW(curve("se"), attn::Error);
}

TEST(CostMustShow, ImageTransformer) {
    const Grid positions{1, 32 * 32 * 3};
    EXPECT_THAT(cost("global", positions).entries, Optional(Index{9'437'184}));
    const Values preset = {{"l_q", Index{256}}, {"l_m", Index{256}}};
    EXPECT_THAT(cost("block-1d", positions, preset).entries, Optional(Index{1'572'864}));
}

TEST(CostMustShow, ConvolutionsWorth) {
    EXPECT_EQ(attn::window_as_dear_as_conv3x3(128, 128), 19);
}

TEST(CostMustShow, Gates) {
    const attn::GateCost gate = attn::gate_cost(256, 16);
    EXPECT_EQ(gate.weights, 8192);
    EXPECT_EQ(gate.biases, 272);
    EXPECT_EQ(gate.conv3x3, 589'824);
    EXPECT_NEAR(gate.ratio(), 0.0139, 5e-5);
    EXPECT_EQ(cost("se", {224, 224}).parameters.weights, 8192);
    EXPECT_EQ(attn::se_resnet_50().weights, 2'514'944);
    EXPECT_NEAR(attn::se_resnet_50().last_stage_share, 0.6254, 5e-5);
    EXPECT_THROW(attn::gate_cost(8, 16), attn::Error);
}

TEST(CostMustShow, NonLocalBlock) {
    const Values video = {{"frames", Index{4}}};
    const Cost block = cost("non-local", {14, 14}, video);
    EXPECT_EQ(block.tokens, 784);
    EXPECT_THAT(block.entries, Optional(Index{614'656}));
    EXPECT_NEAR(static_cast<double>(block.bytes_fp32), 2.46e6, 5e3);
    EXPECT_EQ(block.multiply_adds.score, 314'703'872);
    EXPECT_EQ(block.multiply_adds.value, 314'703'872);
    EXPECT_EQ(block.multiply_adds.projections, 1'644'167'168);
    EXPECT_EQ(block.parameters.weights, 2'097'152);
    Values pooled = video;
    pooled["pooled"] = true;
    EXPECT_THAT(cost("non-local", {14, 14}, pooled).entries, Optional(Index{153'664}));
    EXPECT_EQ(cost("non-local", {14, 14}, pooled).multiply_adds.score, 78'675'968);
}

TEST(Presets, AreLegal) {
    std::vector<Index> entries;
    for (const attn::CostPreset& preset : attn::cost_presets()) {
        const Grid grid{std::max(preset.grid.height / preset.patch, Index{1}),
                        preset.grid.width / preset.patch};
        entries.push_back(*cost(preset.model, grid, preset.set).entries);
    }
    EXPECT_THAT(entries, ElementsAre(50'176 * 30, 50'176 * 112, 50'176 * 130, 1'572'864, 38'416));
}

// Formulas.

TEST(Formula, OfEveryPattern) {
    const Grid grid{16, 16};
    const auto entries = [&](std::string_view id, Values set = {}) {
        return *cost(id, grid, std::move(set)).entries;
    };
    EXPECT_EQ(entries("neighborhood"), 256 * 49);
    EXPECT_EQ(entries("row", {{"m", Index{7}}}), 256 * 7);
    EXPECT_EQ(entries("swin"), 256 * 16);
    EXPECT_EQ(entries("lsa"), 256 * 16);
    EXPECT_EQ(entries("gsa"), 256 * 16);
    EXPECT_EQ(entries("block-1d"), 256 * 64);
    EXPECT_EQ(entries("block-2d"), 256 * (16 + 4 * 12 + 16));
    EXPECT_EQ(entries("block-2d", {{"sides", std::string("around")}}), 256 * 144);
    EXPECT_EQ(entries("sliding-window", {{"globals", Index{2}}}), 256 * 17 + 2 * 2 * 256);
    EXPECT_EQ(entries("strided"), 2 * 256 * 16);
    EXPECT_EQ(entries("criss-cross"), 256 * 31);
    EXPECT_EQ(entries("causal"), 256 * 257 / 2);
    EXPECT_EQ(entries("xca", {{"heads", Index{4}}}), 64 * 64 / 4);
    EXPECT_EQ(cost("xca", grid, {{"heads", Index{4}}}).multiply_adds.score, 256 * 64 * 64 / 4);
    EXPECT_EQ(entries("routing"), 256 * 16);
    EXPECT_FALSE(cost("custom", grid).entries);
    EXPECT_EQ(cost("custom", grid).multiply_adds.score, 64 * *cost("custom", grid).entries_exact);
}

TEST(Formula, IsTheExactCountWhereNoEdgeIsCut) {
    const Grid grid{16, 16};
    for (const char* id : {"global", "causal", "neighborhood", "axial", "row", "column", "criss-cross",
                           "swin", "lsa", "gsa", "prefix"})
        EXPECT_EQ(cost(id, grid).entries, cost(id, grid).entries_exact) << id;
    EXPECT_EQ(cost("local", grid, {{"edge", std::string("zero")}}).entries_exact,
              cost("local", grid).entries);
    EXPECT_EQ(cost("local", grid, {{"edge", std::string("wrap")}}).entries_exact,
              cost("local", grid).entries);
    EXPECT_THAT(cost("local", grid).entries_exact, Optional(Index{10'000}));
}

TEST(ExactEntries, AreTheSumOfTheRows) {
    std::mt19937 random(1);
    for (const attn::Pattern& kind : attn::patterns()) {
        const attn::BoundPattern layer({attn::Layer::Kind::pattern, std::string(kind.id), {}, {}}, {9, 12});
        Index sum = 0;
        for (Index q = 0; q < layer.size(); ++q) sum += layer.stored(q);
        EXPECT_EQ(attn::exact_entries(layer), sum) << kind.id;
    }
}

TEST(ExactEntries, OfLargeGridsFollowFromStructure) {
    const Grid large{512, 512};
    EXPECT_THAT(cost("global", large).entries_exact, Optional(Index{262'144} * 262'144));
    EXPECT_THAT(cost("causal", large).entries_exact, Optional(Index{262'144} * 262'145 / 2));
    EXPECT_THAT(cost("axial", large).entries_exact, Optional(Index{262'144} * 1024));
}

TEST(EstimatedEntries, AreNearTheExactCount) {
    const attn::BoundPattern rule(attn::parse_stack("custom text='k <= q && (q - k) % 7 < 2'").front(),
                                  {40, 40});
    const attn::Estimate estimate = attn::estimated_entries(rule, 200);
    const auto exact = static_cast<double>(attn::exact_entries(rule));
    EXPECT_NEAR(estimate.entries, exact, 2.0 * estimate.error);
    EXPECT_LT(estimate.error, 0.1 * exact);
    EXPECT_EQ(attn::estimated_entries(rule, 9999).entries, exact);
    EXPECT_EQ(attn::estimated_entries(rule, 9999).error, 0.0);
}

TEST(Parameters, StandStillWhileTheWindowGrows) {
    const Grid grid{16, 16};
    const auto weights = [&](std::string_view id, Index k) {
        return cost(id, grid, {{"k", k}}).parameters.weights;
    };
    EXPECT_EQ(weights("local", 3), weights("local", 9));
    EXPECT_EQ(weights("local", 3), 3 * 64 * 64);
    EXPECT_EQ(weights("sasa", 7), 3 * 64 * 64 + 2 * 7 * 32);  // but tables grow
    EXPECT_EQ(weights("sasa", 8), 3 * 64 * 64 + 2 * 9 * 32);
    EXPECT_EQ(cost("sasa", grid).entries, cost("local", grid).entries);
    EXPECT_EQ(cost("multi-head", grid).parameters.weights, 4 * 64 * 64);
    EXPECT_EQ(cost("multi-head", grid).parameters.biases, 4 * 64);
    EXPECT_EQ(cost("gsa", grid).multiply_adds.projections, 2 * 256 * 64 * 64 + 16 * (2 + 16) * 64 * 64);
}

TEST(Cost, RefusesWhatItCannotMean) {
    EXPECT_THROW(cost("locl", {8, 8}), attn::UsageError);
    EXPECT_THROW(cost("local", {8, 8}, {{"span", Index{3}}}), attn::UsageError);
    EXPECT_THROW(cost("local", {8, 8}, {{"k", Index{0}}}), attn::UsageError);
    EXPECT_THROW(cost("neighborhood", {4, 4}), attn::Error);
    EXPECT_THROW(cost("local", {0, 4}), attn::Error);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(attn::cost(attn::cost_model("causal"), {}, {64, 64}, source.get_token()), attn::Cancelled);
}

TEST(Crossings, AreWhereTheOrderChanges) {
    const auto constant = [](double) { return 100.0; };
    const auto square = [](double s) { return s * s; };
    const auto capped = [](double s) { return std::min(s * s, 100.0); };
    EXPECT_THAT(attn::crossings(square, constant, 2, 50), ElementsAre(testing::DoubleNear(10, 1e-9)));
    EXPECT_THAT(attn::crossings(capped, constant, 2, 50), ElementsAre());  // meets, but does not overtake
    EXPECT_THAT(attn::crossings(square, square, 2, 50), ElementsAre());
    EXPECT_THAT(attn::crossings(
                    square, [](double s) { return 12 * s - 20; }, 1, 50),
                ElementsAre(testing::DoubleNear(2, 1e-9), testing::DoubleNear(10, 1e-9)));
}

}  // namespace
