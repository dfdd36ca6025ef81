#pragma once

#include <span>
#include <string>

#include "app/canvas.h"
#include "app/figure.h"
#include "app/figures/memo.h"
#include "core/grid.h"
#include "core/map.h"

namespace attn {

/// A rectangle of equal cells, row-major.
struct Panel {
    Rect rect;
    Index rows = 1, columns = 1;
    [[nodiscard]] double cell_width() const { return rect.width / static_cast<double>(columns); }
    [[nodiscard]] double cell_height() const { return rect.height / static_cast<double>(rows); }
    [[nodiscard]] Rect cell(Index row, Index column) const;
    [[nodiscard]] Rect cell(Index piece) const { return cell(piece / columns, piece % columns); }
    [[nodiscard]] Rect row(Index r) const {
        return {rect.x, rect.y + cell_height() * static_cast<double>(r), rect.width, cell_height()};
    }
};

/// The largest square cells that fit into the room, at its top left: whole device pixels where there is at
/// least one for each cell.
Panel square_cells(const Canvas& canvas, Rect room, Index rows, Index columns);
/// Cells of this size or a little less, whole device pixels where there is at least one.
Panel cells_of(const Canvas& canvas, Point corner, Size cell, Index rows, Index columns);

/// The keys' panel inside the queries': pooled keys are larger cells, and rows that the pool drops stay
/// empty.
Panel keys_panel(const Panel& queries, Grid keys);

/// How this result's weights are coloured: on the scale asked for, or about zero where some are negative.
Colouring weight_shades(const Page& page, Scale scale);

/// Numbers ready to be drawn. `name` names all that they depend on beside the result and the colouring.
HeatMap heat_map(const Page& page, const std::string& name, std::span<const float> values, Index columns,
                 const Colouring& colouring, std::span<const float> allowed = {}, Index keys = 0);
/// A whole map in no more cells than `room` has pixels on this canvas.
HeatMap heat_map(const Canvas& canvas, const Page& page, const std::string& name, const Map& map, Size room,
                 const Colouring& colouring, const Map& allowed = {});

/// From the least to the greatest of these numbers, to be shared among several maps.
Range range_of(std::span<const float> values);

/// What the numbers of a whole map are like; `name` as of its heat map.
struct MapFacts {
    Range range;         ///< from the least to the greatest
    bool flags = false;  ///< all are 0 or 1
};
MapFacts facts_of(const Page& page, const std::string& name, const Map& map);

/// The colours of cells [3, H, W], sRGB 0…1, as a picture whose every cell is `zoom` pixels: hard edges on
/// any canvas.
std::shared_ptr<const Picture> cell_picture(const Page& page, const std::string& name,
                                            std::span<const float> colours, Grid grid, Index zoom);

/// A frame about a cell, with a halo that parts it from any colour under it.
void frame(Canvas& canvas, const Theme& theme, Rect cell, Colour colour);

/// A dot in a cell, with the same halo.
void dot(Canvas& canvas, const Theme& theme, Rect cell, Colour colour);

/// The ramp, 8 high over the panel's width, with its ends and `middle` under it; 26 high in all.
inline constexpr double colour_bar_height = 26.0;
inline constexpr double under_panel = 6.0;  ///< from a picture to its colour bar
void colour_bar(Canvas& canvas, const Page& page, Point corner, double width, const HeatMap& map,
                std::string_view middle, double opacity = 1.0);

/// What a colour bar says between its ends: nothing for a linear scale.
std::string_view name_of(Scale scale);

}  // namespace attn
