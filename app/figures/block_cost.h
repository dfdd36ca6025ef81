#pragma once

#include "core/array.h"

namespace attn {

/// What one non-local block costs (Wang et al. 2018, sections 3.3 and 4.1): four 1×1 convolutions between
/// `channels` and `inner` channels, `positions`² scores and as much work for the values. Pooled: a 2×2 max
/// pool on the keys.
struct BlockCost {
    Index keys = 0;
    Index pairs = 0;                ///< entries of the matrix
    double matrix_bytes = 0.0;      ///< in fp32
    Index score_multiply_adds = 0;  ///< as many again for the values
    Index projection_multiply_adds = 0;
    Index weights = 0;
};
BlockCost block_cost(Index channels, Index inner, Index positions, bool pooled);

/// What squeeze-and-excitation adds to a block of C channels with reduction r (Hu et al. 2018, Eq. 3). C ≥ r
/// ≥ 1.
struct GateCost {
    Index first = 0, second = 0;  ///< weights of the two layers, C²/r each
    Index biases = 0;             ///< C/r + C
    Index convolution = 0;        ///< a 3×3 convolution C → C, for comparison
    [[nodiscard]] Index weights() const { return first + second; }
    [[nodiscard]] double share() const {
        return static_cast<double>(weights()) / static_cast<double>(convolution);
    }
};
GateCost gate_cost(Index channels, Index reduction);

/// All the gates of SE-ResNet-50: (2/r) Σ N_s C_s² (Hu et al. 2018, Eq. 5), and how many of them in the last
/// stage.
struct NetworkGates {
    Index weights = 0;
    Index last_stage = 0;
};
NetworkGates se_resnet_50(Index reduction);

}  // namespace attn
