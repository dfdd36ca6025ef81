#pragma once

#include <string_view>

#include "core/layers.h"
#include "core/trace.h"

namespace attn {

/// Attention in several heads: head h reads the h-th of `heads` blocks of neighbouring columns.

/// Channels of one head, of the array's along `axis`. Throws Error naming the array where the heads do not
/// divide them.
Index head_width(const Array& array, Index axis, Index heads, std::string_view name);
/// The columns of head `head`.
Array head_block(const Array& rows, Index heads, Index head);

/// [heads, …, d] as rows with heads side by side, [N, heads·d], and back to [heads, N, d].
Array heads_beside(const Array& apart);
Array heads_apart(const Array& beside, Index heads);

/// Score, squash and multiply of every head, for queries [n, heads·d], keys [m, heads·d] and values [m,
/// heads·d_v]: scores and weights [heads, n, m], output [n, heads·d_v], e = scale · q·k (scale 0 stands for
/// 1/√d). The mask is [n, m], the same for all.
Attended attend_heads(const Array& queries, const Array& keys, const Array& values, Index heads, float scale,
                      const Softmax& softmax);

/// Mean over the heads of [heads, n, m].
Array mean_over_heads(const Array& maps);

/// How several heads become one map.
enum class Combine { mean, greatest, least };
/// Scores and weights of all heads in one, pair by pair: scores of the heads that hold the pair. A row is
/// filled when it is read.
Head combined(const std::vector<Head>& heads, Combine how);

}  // namespace attn
