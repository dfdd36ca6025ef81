#include "core/score_scale.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/matrix.h"
#include "core/random.h"
#include "core/recipe.h"

namespace attn {
namespace {

Array normal_rows(Index rows, Index columns, Random& random) {
    Array drawn({rows, columns});
    for (float& number : drawn.values()) number = static_cast<float>(random.normal());
    return drawn;
}

/// Adds what the features from `begin` to `end` give to the scores of queries and keys. Row by row: so small
/// a product gains nothing from Eigen's threads, and waits for them where others work too.
void add_products(const Array& queries, const Array& keys, Index begin, Index end, Matrix& scores) {
    const auto few = matrix(keys).middleCols(begin, end - begin);
    for (Index r = 0; r < scores.rows(); ++r)
        scores.row(r).transpose().noalias() +=
            few * matrix(queries).row(r).segment(begin, end - begin).transpose();
}

/// Of an even number of values the mean of the two in the middle.
double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

/// Of softmax(scores / τ), row by row.
SoftmaxFacts facts_of(const Matrix& scores, double tau) {
    Matrix weights = scores;
    softmax_rows({weights.data(), static_cast<std::size_t>(weights.size())}, weights.cols(), tau);
    std::vector<double> largest;
    std::vector<double> entropies;
    std::vector<double> gradients;
    std::vector<double> mean_gradients;
    for (Index r = 0; r < weights.rows(); ++r) {
        const auto row = weights.row(r);
        const auto most = static_cast<double>(row.maxCoeff());
        largest.push_back(most);
        gradients.push_back(most * (1.0 - most));
        mean_gradients.push_back(static_cast<double>((row.array() * (1.0F - row.array())).mean()));
        // −Σ α ln α without a logarithm per key: ln α lies (e − the largest e) / τ below that of the largest.
        const auto below = scores.row(r).array() - scores.row(r).maxCoeff();
        entropies.push_back(-static_cast<double>((row.array() * below).sum()) / tau - std::log(most));
    }
    return {.variance =
                static_cast<double>(scores.squaredNorm()) / static_cast<double>(scores.size()) / (tau * tau),
            .largest = median(largest),
            .entropy = median(entropies),
            .gradient = median(gradients),
            .mean_gradient = median(mean_gradients)};
}

ScalePoint point_of(const Matrix& scores, Index d) {
    return {d, facts_of(scores, 1.0), facts_of(scores, std::sqrt(static_cast<double>(d)))};
}

/// Whole numbers from 1 to `most`, near equal ratios.
std::vector<Index> spaced(Index most) {
    constexpr double per_doubling = 5.0;
    std::vector<Index> numbers;
    for (double power = 0.0;; power += 1.0 / per_doubling) {
        const Index next = std::min<Index>(std::llround(std::exp2(power)), most);
        if (numbers.empty() || next > numbers.back()) numbers.push_back(next);
        if (next == most) return numbers;
    }
}

}  // namespace

ScaleExperiment::ScaleExperiment(Index keys, std::uint64_t seed) {
    if (keys < 2) throw Error("expected at least 2 keys to share a softmax, got " + std::to_string(keys));
    Random random(seed);
    queries_ = normal_rows(queries, most_features, random);
    keys_ = normal_rows(keys, most_features, random);
    Matrix scores = Matrix::Zero(queries, keys);
    Index before = 0;
    for (const Index d : spaced(most_features)) {  // what the further features add
        add_products(queries_, keys_, before, d, scores);
        before = d;
        curve_.push_back(point_of(scores, d));
    }
}

ScalePoint ScaleExperiment::at(Index d) const {
    if (d < 1 || d > most_features)
        throw Error("expected 1 to " + std::to_string(most_features) + " features, got " + std::to_string(d));
    Matrix scores = Matrix::Zero(queries, keys());
    add_products(queries_, keys_, 0, d, scores);
    return point_of(scores, d);
}

std::vector<float> ScaleExperiment::row(Index d) const {
    std::vector<float> scores(static_cast<std::size_t>(keys()));
    VectorView(scores.data(), keys()) =
        matrix(keys_).leftCols(d) * matrix(queries_).row(0).head(d).transpose();
    return scores;
}

}  // namespace attn
