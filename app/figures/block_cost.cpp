#include "app/figures/block_cost.h"

namespace attn {

BlockCost block_cost(Index channels, Index inner, Index positions, bool pooled) {
    BlockCost cost;
    cost.keys = pooled ? positions / 4 : positions;
    cost.pairs = positions * cost.keys;
    cost.matrix_bytes = 4.0 * static_cast<double>(cost.pairs);
    cost.score_multiply_adds = cost.pairs * inner;
    cost.weights = 4 * channels * inner;                       // θ, φ, g and the one back
    cost.projection_multiply_adds = cost.weights * positions;  // the pool comes after φ and g
    return cost;
}

}  // namespace attn
