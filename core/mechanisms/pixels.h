#pragma once

#include <string>
#include <string_view>

#include "core/array.h"
#include "core/grid.h"
#include "core/mechanism.h"
#include "core/pairs.h"
#include "core/parameter.h"
#include "core/pattern_layer.h"

namespace attn {

/// What the mechanisms over pictures share.

Parameter side_of_map(std::string id, std::string label);  ///< H or W of in.x [N, C], 0 for in.grid

/// Heads are equal blocks of channels. Throws Error naming the array, its shape and the channels where they
/// are not.
void require_heads(std::string_view name, const Array& array, Index channels, Index heads);

/// Throws Error naming the knobs, the array and both sizes where a window of `side` positions a side does not
/// fit into the array's map: `window` is "k·dilation".
void require_room(std::string_view window, Index side, std::string_view name, const Array& array, Grid map);

/// 1/√d.
double one_over_root(Index d);

/// One position per row, heads side by side.
struct QueriesKeysValues {
    Array q, k, v;
};
/// w.qkv [3 D, C] with b.qkv: D rows of queries, then of keys, then of values; D is a multiple of the heads.
QueriesKeysValues fused_projection(const Arrays& arrays, const Array& rows, Index heads);

/// Where the N positions of in.x [N, C] lie: the knobs H and W; where they are 0, the two numbers of in.grid;
/// without it a square where N is one, else a row. Throws Error where they do not make N.
Grid grid_of_rows(const Arrays& arrays, const Knobs& knobs, Index positions);
/// The same where the mechanism has no such knobs.
Grid grid_of_rows(const Arrays& arrays, Index positions, Grid fallback);

/// out.output of [N, C] as the heads' answers, through w.o with b.o where they are.
SharedArray projected_output(const Arrays& arrays, const SharedArray& heads_side_by_side);

/// The keys of one axis: the query's own column, or its row, as far as the span m reaches (0: all of it).
SharedTable line_table(Grid grid, bool columns, Index m);
/// Slots [heads, slots] of such a table as a matrix per line and head, [W, heads, H, H] or [H, heads, W, W].
Array by_line(const Array& slots, const PairTable& table, Grid grid, bool columns);

/// Maximum and least of a knob stay; only where it stands at first is this mechanism's own.
Parameter starting_at(Parameter knob, Value initial);

// Arrangements.

/// W_q, W_k [heads·C, C] for a scene's features, and W_v that leaves them as they are. With one head they are
/// compared as they are; each of several has its own random projection, the same for queries and keys; two
/// different ones where the material is untrained. Scaled so that a position scores 6 with itself on the
/// average, where the mechanism multiplies by `scale`. `said` tells which.
struct HeadWeights {
    Array q, k, v;
};
HeadWeights head_weights(const Material& material, Index heads, double scale, std::string& said);
/// Rows of a, of b, …: [Σ rows, columns].
Array stacked(std::initializer_list<const Array*> parts);
/// One head in.q, in.k, in.v [1, N, …]: features are queries and keys, scaled so that a position scores 6
/// with itself on the average, colours are averaged.
Arrays picture_as_heads(const Material& material, std::string& said);
/// in.grid, of a map [C, H, W] and of a grid.
Array grid_array(const Array& map);
Array sides_array(Grid grid);

}  // namespace attn
