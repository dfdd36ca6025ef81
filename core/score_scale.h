#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/array.h"

namespace attn {

/// What a softmax makes of rows of scores. But for the variance, which is of all scores, each number is the
/// median over the rows: what a typical query sees.
struct SoftmaxFacts {
    double variance = 0.0;       ///< mean of e², the mean of e being 0
    double largest = 0.0;        ///< weight
    double entropy = 0.0;        ///< nats
    double gradient = 0.0;       ///< ∂α/∂e = α(1 − α) of the largest weight
    double mean_gradient = 0.0;  ///< the same, mean over the keys
};

/// The facts at one number of features.
struct ScalePoint {
    Index d = 1;
    SoftmaxFacts unscaled;  ///< of softmax(q·k)
    SoftmaxFacts scaled;    ///< of softmax(q·k / √d)
};

/// Why scores are divided by √d (Vaswani et al. 2017, section 3.2.1), by experiment: queries and keys of
/// independent normal numbers of mean 0 and variance 1. Of d features the first d of each are used, so that
/// the same experiment serves every d. Immutable once made.
class ScaleExperiment {
  public:
    static constexpr Index most_features = 512;
    static constexpr Index queries = 256;

    /// Throws Error where there are fewer than two keys.
    ScaleExperiment(Index keys, std::uint64_t seed);

    [[nodiscard]] Index keys() const { return keys_.extent(0); }
    /// For d from 1 to most_features, about five to the doubling.
    [[nodiscard]] std::span<const ScalePoint> curve() const { return curve_; }
    /// Throws Error where d is not in 1…most_features.
    [[nodiscard]] ScalePoint at(Index d) const;
    /// q·k of the first query with every key.
    [[nodiscard]] std::vector<float> row(Index d) const;

  private:
    Array queries_;  ///< [queries, most_features]
    Array keys_;     ///< [keys, most_features]
    std::vector<ScalePoint> curve_;
};

}  // namespace attn
