#pragma once

#include <span>

#include "core/array.h"

namespace attn {

/// The second of the three steps: how scores become weights.
enum class Squash {
    softmax,  ///< exp(e/τ) / Σ exp(e/τ), keys compete
    sigmoid,  ///< σ(β·e), each on its own
    divide,   ///< e / N, N the number of keys
    hard      ///< 1 at the largest score, 0 elsewhere (the first of equals)
};

/// Softmax with temperature τ ≥ 0 of each row, in place, stable for τ → 0 (τ = 0 is the limit: the largest
/// share the mass) and for scores of ±1e30 and ±inf: keys of score +inf share the mass, and so do all allowed
/// keys of a row whose scores are all −inf. `allowed`, when not empty, has one flag per score: 0 is masked,
/// gets weight 0 and takes no mass. A row with every key masked becomes zeros. Returns those rows. `scores`
/// is rows × columns, row-major. Throws Error when τ is negative or not a number, or a score is NaN.
std::vector<Index> softmax_rows(std::span<float> scores, Index columns, double tau,
                                std::span<const float> allowed = {});

/// σ(β·e) of each number, in place, without overflow.
void sigmoid(std::span<float> scores, double beta);

/// 1 at the first largest allowed score of each row, 0 elsewhere; rows with every key masked become zeros and
/// are returned. Throws Error when a score is NaN.
std::vector<Index> hard_rows(std::span<float> scores, Index columns, std::span<const float> allowed = {});

/// −Σ α ln α in nats of a row of weights (0 ln 0 = 0).
double entropy(std::span<const float> weights);

}  // namespace attn
