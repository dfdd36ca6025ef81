#include "core/score_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/recipe.h"

namespace attn {
namespace {

constexpr Index keys = 32;

/// Mean of a number over experiments, and the standard error of that mean.
struct Estimate {
    double mean = 0.0, error = 0.0;
};

template <typename Read>
Estimate over_seeds(Read&& read) {
    constexpr int seeds = 24;
    double sum = 0.0;
    double squares = 0.0;
    for (int seed = 0; seed < seeds; ++seed) {
        const double value = read(ScaleExperiment(keys, static_cast<std::uint64_t>(seed)));
        sum += value;
        squares += value * value;
    }
    const double mean = sum / seeds;
    return {mean, std::sqrt((squares / seeds - mean * mean) / (seeds - 1))};
}

TEST(ScoreScale, AProductOfDFeaturesHasVarianceD) {
    for (const Index d : {1, 4, 64, 512}) {
        const Estimate found =
            over_seeds([d](const ScaleExperiment& e) { return e.at(d).unscaled.variance; });
        const auto theory = static_cast<double>(d);
        EXPECT_NEAR(found.mean, theory, 4.0 * found.error) << d;
        EXPECT_LT(found.error, 0.1 * theory) << "too loose to tell";
    }
}

TEST(ScoreScale, DividedBySqrtDTheVarianceStaysOne) {
    const ScaleExperiment experiment(keys, 7);
    for (const ScalePoint& point : experiment.curve()) {
        EXPECT_NEAR(point.scaled.variance, point.unscaled.variance / static_cast<double>(point.d), 1e-12);
        if (point.d < 64) continue;
        EXPECT_NEAR(point.scaled.variance, 1.0, 0.1) << point.d;
    }
    EXPECT_EQ(experiment.at(1).scaled.largest, experiment.at(1).unscaled.largest);  // √1 = 1
}

TEST(ScoreScale, WithoutItTheGradientDies) {
    const ScaleExperiment experiment(keys, 7);
    const ScalePoint few = experiment.at(16);
    const ScalePoint many = experiment.at(512);
    EXPECT_LT(many.unscaled.gradient, 0.1 * few.unscaled.gradient);
    EXPECT_LT(many.unscaled.mean_gradient, 0.1 * few.unscaled.mean_gradient);
    EXPECT_GT(many.unscaled.largest, 0.95);
    EXPECT_NEAR(many.scaled.gradient, few.scaled.gradient, 0.3 * few.scaled.gradient);
    EXPECT_NEAR(many.scaled.entropy, few.scaled.entropy, 0.1 * few.scaled.entropy);
    EXPECT_GT(many.scaled.gradient, 10.0 * many.unscaled.gradient);
}

TEST(ScoreScale, TheGradientIsTheSoftmaxs) {
    std::vector<float> scores = ScaleExperiment(keys, 3).row(16);
    std::vector<float> weights = scores;
    softmax_rows(weights, keys, 1.0);
    const auto largest = std::max_element(weights.begin(), weights.end()) - weights.begin();
    const auto at = static_cast<std::size_t>(largest);
    constexpr float step = 1e-2F;
    scores[at] += step;
    softmax_rows(scores, keys, 1.0);
    const double alpha = weights[at];
    EXPECT_NEAR((static_cast<double>(scores[at]) - alpha) / static_cast<double>(step), alpha * (1.0 - alpha),
                2e-3);
}

TEST(ScoreScale, TheEntropyIsThatOfTheWeights) {
    // Two keys: the median query's entropy and its larger weight are of one and the same row.
    const SoftmaxFacts facts = ScaleExperiment(2, 5).at(3).unscaled;
    const auto most = static_cast<float>(facts.largest);
    EXPECT_NEAR(facts.entropy, entropy(std::vector<float>{most, 1.0F - most}), 2e-3);
}

TEST(ScoreScale, TheCurvePassesThroughEveryPoint) {
    const ScaleExperiment experiment(keys, 7);
    EXPECT_EQ(experiment.curve().front().d, 1);
    EXPECT_EQ(experiment.curve().back().d, ScaleExperiment::most_features);
    for (const ScalePoint& point : experiment.curve()) {
        const ScalePoint again = experiment.at(point.d);
        EXPECT_NEAR(again.unscaled.variance, point.unscaled.variance, 1e-4 * point.unscaled.variance);
        EXPECT_NEAR(again.unscaled.entropy, point.unscaled.entropy, 1e-3);
    }
}

TEST(ScoreScale, RefusesWhatIsNoExperiment) {
    EXPECT_THROW(ScaleExperiment(1, 7), Error);
    EXPECT_THROW(static_cast<void>(ScaleExperiment(keys, 7).at(0)), Error);
    EXPECT_THROW(static_cast<void>(ScaleExperiment(keys, 7).at(513)), Error);
}

}  // namespace
}  // namespace attn
