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

}  // namespace attn
