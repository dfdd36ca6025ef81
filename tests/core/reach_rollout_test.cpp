#include "core/reach_rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "core/error.h"

namespace {

using attn::Array;
using attn::Index;
using attn::Map;
using testing::HasSubstr;

/// Random rows that sum to 1.
Map weights(Index n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> values(static_cast<std::size_t>(n * n));
    for (Index r = 0; r < n; ++r) {
        double sum = 0.0;
        for (Index c = 0; c < n; ++c)
            sum += values[static_cast<std::size_t>(r * n + c)] = static_cast<float>(random() % 1000 + 1);
        for (Index c = 0; c < n; ++c) {
            auto& value = values[static_cast<std::size_t>(r * n + c)];
            value = static_cast<float>(static_cast<double>(value) / sum);
        }
    }
    return Map(std::make_shared<const Array>(attn::Shape{n, n}, std::move(values)));
}
Map map_of(attn::Shape shape, std::vector<float> values) {
    return Map(std::make_shared<const Array>(std::move(shape), std::move(values)));
}

TEST(Rollout, IsTheProductOfTheMeanMaps) {
    constexpr Index n = 6;
    const attn::Rollout rollout{{{weights(n, 1), weights(n, 2)}, {weights(n, 3)}}, false};
    for (Index q = 0; q < n; ++q) {
        const auto row = attn::rollout_row(rollout, q, 2);  // A₂ A₁
        for (Index k = 0; k < n; ++k) {
            double expected = 0.0;
            for (Index p = 0; p < n; ++p)
                expected += static_cast<double>(rollout.layers[1][0].at(q, p)) * 0.5 *
                            (static_cast<double>(rollout.layers[0][0].at(p, k)) +
                             static_cast<double>(rollout.layers[0][1].at(p, k)));
            EXPECT_NEAR(row[static_cast<std::size_t>(k)], expected, 1e-12);
        }
    }
    const auto third = attn::rollout_row(rollout, 0, 3);  // A₁ again
    EXPECT_NE(third, attn::rollout_row(rollout, 0, 2));
}

TEST(Rollout, SumsToOne) {
    for (const bool residual : {false, true}) {
        const attn::Rollout rollout{{{weights(300, 4), weights(300, 5)}}, residual};
        const auto row = attn::rollout_row(rollout, 17, 12);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-5);
    }
}

TEST(Rollout, ResidualKeepsHalf) {
    const attn::Rollout rollout{{{map_of({2, 2}, {0, 1, 1, 0})}}, true};
    EXPECT_THAT(attn::rollout_row(rollout, 0, 1), testing::ElementsAre(0.5, 0.5));
    EXPECT_THAT(attn::rollout_row({rollout.layers, false}, 0, 3), testing::ElementsAre(0.0, 1.0));
}

TEST(Rollout, IsRefusedWhereItMeansNothing) {
    EXPECT_THAT(attn::rollout_problem({{{map_of({2, 2}, {0.5F, 0.5F, 0.3F, 0.3F})}}}), HasSubstr("got 0.6"));
    EXPECT_THAT(attn::rollout_problem({{{map_of({2, 2}, {1, 0, 0, 0})}}}),
                HasSubstr("row 1"));  // a blind query
    EXPECT_THAT(attn::rollout_problem({{{map_of({1, 3}, {1, 0, 0})}}}), HasSubstr("got 1×3"));
    EXPECT_THAT(attn::rollout_problem({{{weights(3, 1)}, {weights(4, 1)}}}), HasSubstr("3×3"));
    EXPECT_THAT(attn::rollout_problem({}), HasSubstr("at least one layer"));
    EXPECT_EQ(attn::rollout_problem({{{weights(5, 1)}}}), "");
    EXPECT_THROW(attn::rollout_row({{{map_of({1, 1}, {0.5F})}}}, 0, 1), attn::Error);
    EXPECT_THROW(attn::rollout_row({{{weights(5, 1)}}}, 5, 1), attn::Error);
}

}  // namespace
