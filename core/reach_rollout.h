#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/map.h"

namespace attn {

/// Content-weighted reach (attention rollout, Abnar and Zuidema 2020): A_L ··· A_1, the weights that
/// positions hand on through L layers, in place of 0 and 1.
struct Rollout {
    /// Per layer, input first, the weights of its heads [N, N], which are averaged; repeated from the first
    /// when more layers are asked for.
    std::vector<std::vector<Map>> layers;
    bool residual = false;  ///< ½(A + I) in place of A; its rows sum to 1 as well
};

/// One query's row of the product, N numbers that sum to 1. Costs `layers` passes over the maps. Throws Error
/// in one sentence where rollout means nothing: maps that are not square or not of one size, rows that do not
/// sum to 1 (divided by N, the Gaussian of local-p, gates, queries with every key masked); Cancelled when
/// stopped.
std::vector<double> rollout_row(const Rollout& rollout, Index query, Index layers,
                                const std::stop_token& stop = {});

/// Empty, or that sentence.
std::string rollout_problem(const Rollout& rollout);

}  // namespace attn
