#pragma once

#include <string>
#include <vector>

#include "core/pattern.h"

namespace attn::rules {

/// What several patterns are made of.

// Knobs.
Parameter integer_knob(std::string id, std::string label, std::string help, Index initial, Index low = 1,
                       Index high = 4096);
Parameter stride_knob();  ///< l, automatic: ⌊√N⌋
Parameter span_knob();    ///< m, automatic: the whole axis
Parameter causal_knob();  ///< off

/// ⌊√N⌋ where the knob l is automatic.
Index stride_of(const Knobs& knobs, Index positions);
/// The same for a curve, where N need not be a whole number: √N.
double stride_of(const Knobs& knobs, double positions);
/// The span along an axis of this length: the axis where m is automatic or reaches beyond it.
double span_of(const Knobs& knobs, double side);
/// "span 7: itself and 3 on either side, 7 keys", "the whole axis".
std::string span_sentence(const Knobs& knobs, Grid grid);

// Windows along an axis.

/// Offsets low, …, high from the query, times the dilation.
struct Window {
    Index low = 0;
    Index high = 0;
    Index dilation = 1;
    [[nodiscard]] Index size() const { return high - low + 1; }
};

/// What becomes of a window at the border (see choices of the knob `edge`).
enum class EdgeRule { clip, shift, zero, wrap };

/// The window of every place of an axis; an axis of length 1 has window 1.
Axis window_axis(Index side, const Window& window, EdgeRule edge);
/// |offset| ≤ ⌊m/2⌋ (see span_of).
Axis span_axis(const Knobs& knobs, Index side);
/// Every place sees itself alone.
Axis identity_axis(Index side);
/// Places of the same block ⌊(p − shift)/length⌋; blocks at the ends may be shorter.
Axis block_axis(Index side, Index length, Index shift = 0);
/// Every place sees `count` places from the first.
Axis leading_axis(Index side, Index count);

/// Keys that are rows × columns.
Rule product_rule(Axis rows, Axis columns, Grid grid);
/// Keys of the own column and the own row: column (rows, 1) and row (1, columns), the query itself once.
Rule cross_rule(Axis rows, Axis columns, Grid grid);

// Boxes.

/// Appends the run first … last of positions in raster order; nothing where last < first. Boxes of one
/// pattern share `row_step`, so that sums over them need one pass.
void add_run(Boxes& out, Index first, Index last, Index row_step = 0);
/// Appends a rectangle cut to the grid; nothing where nothing is left.
void add_rectangle(Boxes& out, const Region& region, Grid grid);

// Outlines.

/// The rectangle cut to the grid.
Region cut(const Region& region, Grid grid);
/// The run first … last in raster order, cut to the grid, as up to three regions.
std::vector<Region> run_regions(Index first, Index last, Grid grid);

}  // namespace attn::rules
