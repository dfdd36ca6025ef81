#pragma once

#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/trace.h"

namespace attn {

/// The pieces that mechanisms are built from. Inside a mechanism a piece (a word, a position) is a row, [N,
/// C], whatever the shape it came in, so that one set of functions serves sequences and maps: a 1×1
/// convolution is a linear layer.

SharedArray share(Array array);

/// [C, H, W] as rows [H·W, C], and back.
Array rows_of(const Array& map);
Array map_of(const Array& rows, Grid grid);
/// The same when it is looked at.
LateArray late_map(SharedArray rows, Grid grid);

/// Columns of `a`, then columns of `b`: [a ; b] for each of the N rows.
Array joined(const Array& a, const Array& b);

/// y = W x + b for each row x, with W = `w.NAME` [outputs, inputs] and b = `b.NAME` [outputs], 0 where it is
/// missing. `outputs` = -1 takes what W has.
Array linear(const Arrays& arrays, std::string_view name, const Array& rows, Index outputs = -1);
/// The same where the layer may be left out: a missing W is the identity, and `outputs` must then be the
/// inputs.
Array linear_or_identity(const Arrays& arrays, std::string_view name, const Array& rows, Index outputs = -1);

/// Batch normalisation at inference of each column, in place: (x − mean) / √(var + eps) · gamma + beta, from
/// `NAME.gamma` and so on ([C]; eps a number). Leaves the rows alone where there is no `NAME.gamma`.
void batch_norm(const Arrays& arrays, std::string_view name, Array& rows);

/// 2×2 maximum with stride 2 of each column of rows that lie on `grid`; an odd last row or column of cells is
/// dropped.
Array max_pool(const Array& rows, Grid grid);
Grid pooled(Grid grid);

/// e[i, j] = v · tanh(query i + key j) + bias, for queries [n, A], keys [m, A] and v [A].
Array additive_scores(const Array& queries, const Array& keys, const Array& v, float bias);
/// e[i, j] = scale · query i · key j, for queries [n, d] and keys [m, d].
Array dot_scores(const Array& queries, const Array& keys, float scale);

/// Masks [n, m], 1 where the query may look at the key; null where it may look at all.
SharedArray causal_mask(Index n, Index m);  ///< keys up to the query, from the first of each
SharedArray padding_mask(Index n, Index m,
                         Index valid_keys);  ///< the first `valid_keys`; null for all of them

/// How attend squashes: softmax with temperature τ > 0 over the allowed keys (all, when null).
struct Softmax {
    double tau = 1.0;
    SharedArray allowed;
};

/// 1/τ as the kernels take it. Throws Error where a float cannot hold it.
float sharpness_of(double tau);

/// The queries marked 1 in every head of flags [heads, n].
std::vector<Index> blind_queries(const std::vector<unsigned char>& flags, Index heads);

/// The three steps of one head, or, with a first axis for the heads, of several.
struct Attended {
    SharedArray scores;   ///< [n, m], before τ and the mask
    SharedArray weights;  ///< [n, m]
    SharedArray output;   ///< [n, d_v], heads side by side
    std::vector<Index> blind;
};

/// Squash and multiply: α = softmax(e/τ), y = Σ α v with values [m, d_v].
Attended attend(Array scores, const Array& values, const Softmax& softmax);
/// Score, squash and multiply in one pass, with e = scale · q·k.
Attended attend(const Array& queries, const Array& keys, const Array& values, float scale,
                const Softmax& softmax);

/// The same without a softmax: α = e / m, m the number of keys.
Attended average(Array scores, const Array& values);

/// A trace with `out.scores` and `out.weights`, of one head or, where scores and weights are [heads, n, m],
/// of several; squash, sharpness and steps are left to the caller.
Trace trace_of(const Attended& attended, Grid queries, Grid keys, SharedArray values,
               const SharedArray& allowed = nullptr);

}  // namespace attn
