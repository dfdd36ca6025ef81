#include "app/figures/block_cost.h"

#include <array>

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

GateCost gate_cost(Index channels, Index reduction) {
    const Index hidden = channels / reduction;
    return {.first = channels * hidden,
            .second = hidden * channels,
            .biases = hidden + channels,
            .convolution = 9 * channels * channels};
}

NetworkGates se_resnet_50(Index reduction) {
    struct Stage {
        Index blocks, channels;
    };
    constexpr std::array stages = {Stage{3, 256}, Stage{4, 512}, Stage{6, 1024}, Stage{3, 2048}};
    NetworkGates gates;
    for (const Stage& stage : stages) {
        gates.last_stage = stage.blocks * gate_cost(stage.channels, reduction).weights();
        gates.weights += gates.last_stage;
    }
    return gates;
}

}  // namespace attn
