#pragma once

#include <cstdint>

#include "core/array.h"

namespace attn {

/// Random numbers that are the same on every system and in every release (the standard library's
/// distributions are not): splitmix64, and Box–Muller for the normal ones.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// 64 random bits.
    std::uint64_t bits();
    /// Uniform in 0 ≤ x < 1, a multiple of 2⁻⁵³.
    double uniform();
    /// Mean 0, variance 1.
    double normal();
    /// Uniform in 0 … count − 1; count > 0.
    Index below(Index count);

  private:
    std::uint64_t state_;
    double spare_ = 0.0;  // Box–Muller makes two at a time
    bool has_spare_ = false;
};

/// A random projection [outputs, inputs]: independent normal numbers of variance 1 / inputs, so that it keeps
/// the mean square of what it projects.
Array random_projection(Index outputs, Index inputs, Random& random);

}  // namespace attn
