#include "core/recipe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/kernels.h"

namespace attn {
namespace {

/// Number of rows, after checking that scores and flags are whole rows and no score is NaN.
Index checked_rows(std::span<const float> scores, Index columns, std::span<const float> allowed) {
    if (!allowed.empty() && allowed.size() != scores.size())
        throw Error("expected one mask flag per score (" + std::to_string(scores.size()) + "), got " +
                    std::to_string(allowed.size()));
    if (scores.empty()) return 0;
    const auto size = static_cast<Index>(scores.size());
    if (columns <= 0 || size % columns != 0)
        throw Error("expected whole rows of " + std::to_string(columns) + " scores, got " +
                    std::to_string(size) + " scores");
    const auto nan = std::find_if(scores.begin(), scores.end(), [](float s) { return std::isnan(s); });
    if (nan != scores.end())
        throw Error("expected scores that are numbers, got NaN in row " +
                    std::to_string((nan - scores.begin()) / columns) + ", column " +
                    std::to_string((nan - scores.begin()) % columns));
    return size / columns;
}

/// One row of scores and its flags.
struct Row {
    std::span<float> scores;
    std::span<const float> allowed;  ///< empty: all

    [[nodiscard]] bool sees(std::size_t key) const { return allowed.empty() || allowed[key] != 0.0F; }
    /// The first key of the largest score, or the number of keys when it sees none.
    [[nodiscard]] std::size_t first_largest() const {
        std::size_t best = scores.size();
        for (std::size_t key = 0; key < scores.size(); ++key)
            if (sees(key) && (best == scores.size() || scores[key] > scores[best])) best = key;
        return best;
    }
};

Row row_of(std::span<float> scores, std::span<const float> allowed, Index row, Index columns) {
    const auto first = static_cast<std::size_t>(row * columns);
    const auto count = static_cast<std::size_t>(columns);
    return {scores.subspan(first, count), allowed.empty() ? allowed : allowed.subspan(first, count)};
}

/// The limit τ → 0: the largest scores of a row share its mass. False when the row sees no key.
bool share_among_largest(const Row& row) {
    const std::size_t first = row.first_largest();
    if (first == row.scores.size()) {
        std::fill(row.scores.begin(), row.scores.end(), 0.0F);
        return false;
    }
    const float largest = row.scores[first];
    Index count = 0;
    for (std::size_t key = first; key < row.scores.size(); ++key)
        if (row.sees(key) && row.scores[key] == largest) ++count;
    const float share = 1.0F / static_cast<float>(count);
    for (std::size_t key = 0; key < row.scores.size(); ++key)
        row.scores[key] = row.sees(key) && row.scores[key] == largest ? share : 0.0F;
    return true;
}

std::vector<Index> coldest_rows(std::span<float> scores, Index rows, Index columns,
                                std::span<const float> allowed) {
    std::vector<Index> blind;
    for (Index r = 0; r < rows; ++r)
        if (!share_among_largest(row_of(scores, allowed, r, columns))) blind.push_back(r);
    return blind;
}

}  // namespace

std::vector<Index> softmax_rows(std::span<float> scores, Index columns, double tau,
                                std::span<const float> allowed) {
    if (!(tau >= 0.0)) throw Error("expected a temperature τ of 0 or more, got " + std::to_string(tau));
    const Index rows = checked_rows(scores, columns, allowed);
    if (rows == 0) return {};

    constexpr double least = 1.0 / std::numeric_limits<float>::max();
    if (tau <= least) return coldest_rows(scores, rows, columns, allowed);
    const float sharpness = std::max(static_cast<float>(1.0 / tau), std::numeric_limits<float>::min());

    std::vector<unsigned char> marks(static_cast<std::size_t>(rows), 0);
    kernels::softmax(scores.data(), rows, columns, sharpness, allowed.empty() ? nullptr : allowed.data(),
                     marks.data());
    std::vector<Index> blind;
    for (Index r = 0; r < rows; ++r)
        if (marks[static_cast<std::size_t>(r)] != 0) blind.push_back(r);
    return blind;
}

void sigmoid(std::span<float> scores, double beta) {
    for (float& score : scores) {
        const double x = beta == 0.0 ? 0.0 : beta * static_cast<double>(score);  // 0 · ∞ would be NaN
        score = static_cast<float>(1.0 / (1.0 + std::exp(-x)));                  // exp = +∞ gives 0
    }
}

std::vector<Index> hard_rows(std::span<float> scores, Index columns, std::span<const float> allowed) {
    const Index rows = checked_rows(scores, columns, allowed);
    std::vector<Index> blind;
    for (Index r = 0; r < rows; ++r) {
        const Row row = row_of(scores, allowed, r, columns);
        const std::size_t chosen = row.first_largest();
        std::fill(row.scores.begin(), row.scores.end(), 0.0F);
        if (chosen < row.scores.size()) {
            row.scores[chosen] = 1.0F;
        } else {
            blind.push_back(r);
        }
    }
    return blind;
}

double entropy(std::span<const float> weights) {
    double sum = 0.0;
    for (const float weight : weights)
        if (weight > 0.0F) sum -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
    return sum;
}

}  // namespace attn
