#include "core/recipe.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/error.h"

namespace attn {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatEq;
using testing::FloatNear;
using testing::IsEmpty;
using testing::Pointwise;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

std::vector<float> softmax(std::vector<float> scores, double tau, std::vector<float> allowed = {}) {
    softmax_rows(scores, static_cast<Index>(scores.size()), tau, allowed);
    return scores;
}

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 3.0F);
    std::vector<float> values(count);
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
    return values;
}

TEST(Softmax, HasItsExactValues) {
    const float log2 = std::log(2.0F);
    EXPECT_THAT(softmax({0, log2, 2 * log2}, 1.0),
                Pointwise(FloatNear(1e-6F), {1 / 7.0F, 2 / 7.0F, 4 / 7.0F}));
    EXPECT_THAT(softmax({0, log2}, 0.5), Pointwise(FloatNear(1e-6F), {0.2F, 0.8F})) << "τ divides the scores";
}

TEST(Softmax, RowsSumToOneAndIgnoreAShift) {
    for (const Index columns : {1, 3, 8, 19, 784}) {
        for (const double tau : {0.01, 0.15, 1.0, 10.0}) {
            std::vector<float> scores = noise(static_cast<std::size_t>(7 * columns), 11);
            std::vector<float> shifted = scores;
            for (float& s : shifted) s += 4.0F;
            softmax_rows(scores, columns, tau);
            softmax_rows(shifted, columns, tau);
            for (auto row = scores.begin(); row != scores.end(); row += columns)
                EXPECT_NEAR(std::accumulate(row, row + columns, 0.0), 1.0, 1e-5)
                    << columns << " keys, τ " << tau;
            EXPECT_THAT(shifted, Pointwise(FloatNear(static_cast<float>(2e-6 / tau) + 1e-6F), scores));
        }
    }
}

TEST(Softmax, BecomesHardAsTemperatureFalls) {
    std::vector<float> hard = noise(620, 5);
    const std::vector<float> scores = hard;
    hard_rows(hard, 31);  // 20 rows
    for (const double tau : {1e-6, 1e-20, 1e-37, 1e-40, 1e-300, 0.0}) {
        std::vector<float> cold = scores;
        softmax_rows(cold, 31, tau);
        EXPECT_EQ(cold, hard) << "τ " << tau;
    }
}

TEST(Softmax, BecomesUniformAsTemperatureRises) {
    for (const double tau : {1e36, 1e60, std::numeric_limits<double>::infinity()})
        EXPECT_THAT(softmax({-1e30F, 0, 5, 1e30F}, tau), Each(FloatNear(0.25F, 1e-5F))) << "τ " << tau;
}

TEST(Softmax, LargestShareTheMassAtZeroTemperature) {
    EXPECT_THAT(softmax({2, 1, 2, 2}, 0.0, {1, 1, 1, 0}), ElementsAre(0.5F, 0, 0.5F, 0));
}

TEST(Softmax, StandsExtremeScores) {
    for (const double tau : {0.0, 1e-38, 0.01, 1.0, 10.0}) {
        EXPECT_THAT(softmax({1e30F, -1e30F, 0}, tau), ElementsAre(1, 0, 0)) << tau;
        EXPECT_THAT(softmax({largest, -largest, largest}, tau), ElementsAre(0.5F, 0, 0.5F)) << tau;
        EXPECT_THAT(softmax({infinity, 3, infinity, largest}, tau), ElementsAre(0.5F, 0, 0.5F, 0)) << tau;
        EXPECT_THAT(softmax({-infinity, 3, -infinity}, tau), ElementsAre(0, 1, 0)) << tau;
        EXPECT_THAT(softmax({-infinity, -infinity}, tau), ElementsAre(0.5F, 0.5F)) << tau;
        EXPECT_THAT(softmax({-infinity, -infinity, 9}, tau, {0, 1, 0}), ElementsAre(0, 1, 0)) << tau;
        EXPECT_THAT(softmax({infinity, 1, 2}, tau, {0, 1, 0}), ElementsAre(0, 1, 0)) << tau;
    }
}

TEST(Softmax, MaskedKeysTakeNoMassAndBlindRowsAreReported) {
    for (const double tau : {0.0, 0.5}) {
        std::vector<float> scores = {9, 1, 1, 7, 8, 9, 1, 2, 3};
        const std::vector<float> allowed = {0, 1, 1, 0, 0, 0, 1, 0, 0};
        EXPECT_THAT(softmax_rows(scores, 3, tau, allowed), ElementsAre(1));
        EXPECT_THAT(scores, ElementsAre(0, FloatEq(0.5F), FloatEq(0.5F), 0, 0, 0, FloatEq(1), 0, 0));
    }
}

TEST(Softmax, SaysWhatItCannotTake) {
    std::vector<float> scores = {1, 2, 3, 4};
    EXPECT_THROW(softmax_rows(scores, 2, -0.1), Error);
    EXPECT_THROW(softmax_rows(scores, 2, std::nan("")), Error);
    EXPECT_THROW(softmax_rows(scores, 3, 1.0), Error);
    EXPECT_THROW(softmax_rows(scores, 2, 1.0, std::vector<float>{1, 1}), Error);
    scores[3] = std::nanf("");
    EXPECT_THAT(
        [&] { softmax_rows(scores, 2, 1.0); },
        testing::ThrowsMessage<Error>("expected scores that are numbers, got NaN in row 1, column 1"));
    EXPECT_THAT(scores[0], 1) << "nothing is changed";
    EXPECT_THAT(softmax_rows({}, 0, 1.0), IsEmpty());
}

TEST(Sigmoid, IsSteepAndNeverOverflows) {
    std::vector<float> scores = {0, 1, -1, 1e30F, -1e30F, infinity, -infinity};
    sigmoid(scores, 2.0);
    const float s = 1.0F / (1.0F + std::exp(-2.0F));
    EXPECT_THAT(scores, ElementsAre(0.5F, FloatEq(s), FloatNear(1 - s, 1e-7F), 1, 0, 1, 0));
    std::vector<float> flat = {3, -infinity, infinity};
    sigmoid(flat, 0.0);
    EXPECT_THAT(flat, Each(0.5F));
}

TEST(Hard, TakesTheFirstOfEqualsAndReportsBlindRows) {
    std::vector<float> scores = {1, 5, 5, 9, 2, 1, -infinity, -infinity, -infinity};
    const std::vector<float> allowed = {1, 1, 1, 0, 0, 0, 0, 1, 1};
    EXPECT_THAT(hard_rows(scores, 3, allowed), ElementsAre(1));
    EXPECT_THAT(scores, ElementsAre(0, 1, 0, 0, 0, 0, 0, 1, 0));
}

TEST(Entropy, IsZeroWhenCertainAndLargestWhenUniform) {
    EXPECT_EQ(entropy(std::vector<float>{0, 1, 0}), 0.0);
    EXPECT_NEAR(entropy(std::vector<float>(8, 0.125F)), std::log(8.0), 1e-12);
}

}  // namespace
}  // namespace attn
