#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/figures/heat.h"

namespace attn {

/// The discrete ramp of hops: three greens, then greys.
Colour hop_colour(Index hop);
/// Whole numbers as hop colours: 0 is a cell that is not seen.
Colouring hop_colouring(const Theme& theme);

/// How positions are laid out as cells: the grid itself, a sequence wrapped into rows, or a row per query.
struct CellLayout {
    Index rows = 1, columns = 1;
    Index count = 1;  ///< positions (a wrapped sequence's last row may be short); rows · columns for pairs
    bool wrapped = false;  ///< a sequence, in raster order on the cells
    bool pairs = false;    ///< rows ask, columns are keys

    [[nodiscard]] Hit hit(const Panel& panel) const;
};
CellLayout grid_layout(Grid grid);
CellLayout pair_layout(Grid grid);

/// Cells of whole device pixels where that costs little room, else of this size.
Panel close_cells(const Canvas& canvas, Point corner, double cell, const CellLayout& layout);

/// A frame about a cell, or a dot on it where a frame would hide what lies round it.
void mark_cell(Canvas& canvas, const Theme& theme, Rect cell, Colour colour);

/// Cells coloured by whole numbers, 0 not seen, with gaps between them where they are large enough; with
/// `digits`, the numbers in them where they fit.
struct HopCells {
    std::string name;  ///< for the memo: all that the numbers depend on beside the result
    std::function<std::vector<float>()> values;  ///< one for each position
    bool digits = false;
};
void draw_hop_cells(Canvas& canvas, const Page& page, const Panel& panel, const CellLayout& layout,
                    const HopCells& cells);

/// Gaps between cells in the ground's colour.
void draw_gaps(Canvas& canvas, const Theme& theme, const Panel& panel);

/// Positions lit as dots, or filled where cells are too small for dots. Ascending.
void draw_dots(Canvas& canvas, const Panel& panel, std::span<const Index> positions);

/// The query's block (solid) and its memory (dashed).
void draw_outlines(Canvas& canvas, const Theme& theme, const Panel& panel, const CellLayout& layout,
                   const Outlines& outlines);

/// The query, one square per hop, unseen cells; 14 high. Returns the right end.
double draw_hop_legend(Canvas& canvas, const Theme& theme, Point corner, double width, Index layers,
                       bool unseen);

}  // namespace attn
