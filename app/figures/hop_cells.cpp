#include "app/figures/hop_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "core/pattern.h"

namespace attn {
namespace {

constexpr std::array hop_ramp = {rgb(0x2E6F8E), rgb(0x6CC5A4), rgb(0xC9E4A8), rgb(0xB4BAC1),
                                 rgb(0x969DA5), rgb(0x7A8189), rgb(0x626970), rgb(0x4E545B)};
constexpr double least_gap_cell = 5.0;
constexpr double least_digit_cell = 19.0;
constexpr double least_dot_cell = 8.0;

Ramp make_hop_ramp() {
    Ramp ramp;
    for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = hop_colour(static_cast<Index>(i));
    return ramp;
}

/// Whole numbers as they are: position h has the colour of hop h.
Cells hop_cells(const std::vector<float>& values, const CellLayout& layout) {
    Cells cells;
    cells.height = layout.rows;
    cells.width = layout.columns;
    cells.high = 255.0F;
    cells.shown_high = 255.0;
    cells.position = values;
    cells.position.resize(static_cast<std::size_t>(layout.rows * layout.columns), 0.0F);
    cells.classes.reserve(cells.position.size());
    for (const float value : cells.position)
        cells.classes.push_back(value > 0.0F ? CellClass::value : CellClass::masked);
    return cells;
}

void draw_digits(Canvas& canvas, const Panel& panel, const Cells& cells) {
    for (Index i = 0; i < panel.rows * panel.columns; ++i) {
        const auto hop = static_cast<Index>(cells.position[static_cast<std::size_t>(i)]);
        if (hop == 0) continue;
        const Rect cell = panel.cell(i);
        const Colour under = hop_colour(hop);
        canvas.text({cell.centre().x, middle_baseline(cell.y, cell.height, Type::label)}, std::to_string(hop),
                    {Type::label, mix(under, readable_on(under), 0.72), Align::centre});
    }
}

/// A run of a sequence as rectangles of the rows that it is wrapped into.
void add_wrapped(std::vector<Region>& out, Index first, Index count, Index columns) {
    while (count > 0) {
        const Index column = first % columns;
        const Index length = std::min(count, columns - column);
        out.push_back({first / columns, column, 1, length});
        first += length;
        count -= length;
    }
}

void draw_borders(Canvas& canvas, const Theme& theme, const Panel& panel, const CellLayout& layout,
                  const std::vector<Region>& regions, bool dashed) {
    std::vector<Region> placed;
    for (const Region& region : regions) {
        if (layout.wrapped)
            add_wrapped(placed, region.column, region.width, layout.columns);
        else
            placed.push_back(region);
    }
    const double width = panel.cell_width() >= 10.0 ? 2.0 : 1.5;
    for (const Border& side : outline(placed, {panel.rows, panel.columns})) {
        const Point from{panel.rect.x + panel.cell_width() * static_cast<double>(side.column),
                         panel.rect.y + panel.cell_height() * static_cast<double>(side.row)};
        const double length =
            static_cast<double>(side.length) * (side.down ? panel.cell_height() : panel.cell_width());
        const Point to{from.x + (side.down ? 0.0 : length), from.y + (side.down ? length : 0.0)};
        canvas.line(from, to, {theme.ink, width, dashed});
    }
}

}  // namespace

Colour hop_colour(Index hop) {
    constexpr auto last = static_cast<Index>(hop_ramp.size());
    return hop_ramp[static_cast<std::size_t>(std::clamp<Index>(hop, 1, last) - 1)];
}

Colouring hop_colouring(const Theme& theme) {
    static const Ramp ramp = make_hop_ramp();
    Colouring colouring = weight_colouring(theme);
    colouring.ramp = &ramp;
    return colouring;
}

Panel close_cells(const Canvas& canvas, Point corner, double cell, const CellLayout& layout) {
    const Panel whole = cells_of(canvas, corner, {cell, cell}, layout.rows, layout.columns);
    constexpr double kept = 0.9;
    if (whole.cell_width() >= kept * cell) return whole;
    return {{whole.rect.x, whole.rect.y, canvas.snap(cell * static_cast<double>(layout.columns)),
             canvas.snap(cell * static_cast<double>(layout.rows))},
            layout.rows,
            layout.columns};
}

void mark_cell(Canvas& canvas, const Theme& theme, Rect cell, Colour colour) {
    constexpr double tiny = 4.0;
    if (std::min(cell.width, cell.height) >= tiny) return frame(canvas, theme, cell, colour);
    const Point at = cell.centre();
    canvas.fill({at.x - 2.5, at.y - 2.5, 5.0, 5.0}, theme.ground);
    canvas.fill({at.x - 1.5, at.y - 1.5, 3.0, 3.0}, colour);
}

Hit CellLayout::hit(const Panel& panel) const {
    Hit hit{.area = panel.rect, .rows = rows, .columns = columns};
    if (pairs) hit.role = Hit::Role::pairs;
    if (wrapped)
        for (Index i = 0; i < rows * columns; ++i) hit.order.push_back(std::min(i, count - 1));
    return hit;
}

CellLayout grid_layout(Grid grid) {
    constexpr Index longest_strip = 12;
    if (grid.height > 1 || grid.width <= longest_strip)
        return {.rows = grid.height, .columns = grid.width, .count = grid.size()};
    // A power of two a row, whichever is nearest to a square: places are read off easily.
    const Index columns = Index{1} << std::lround(0.5 * std::log2(static_cast<double>(grid.width)));
    return {.rows = (grid.width + columns - 1) / columns,
            .columns = columns,
            .count = grid.width,
            .wrapped = true};
}

CellLayout pair_layout(Grid grid) {
    return {.rows = grid.size(), .columns = grid.size(), .count = grid.size() * grid.size(), .pairs = true};
}

void draw_gaps(Canvas& canvas, const Theme& theme, const Panel& panel) {
    const double cell = std::min(panel.cell_width(), panel.cell_height());
    if (cell * canvas.resolution() < least_gap_cell || cell < 3.0) return;
    const double pixel = 1.0 / canvas.resolution();
    const double width = std::max(pixel, canvas.snap(cell >= 14.0 ? 1.5 : 1.0));
    const Stroke stroke{theme.ground, width};
    for (Index c = 1; c < panel.columns; ++c) {
        const double x = canvas.snap(panel.cell(0, c).x) - width / 2;
        canvas.line({x, panel.rect.y}, {x, panel.rect.bottom()}, stroke);
    }
    for (Index r = 1; r < panel.rows; ++r) {
        const double y = canvas.snap(panel.cell(r, 0).y) - width / 2;
        canvas.line({panel.rect.x, y}, {panel.rect.right(), y}, stroke);
    }
}

void draw_hop_cells(Canvas& canvas, const Page& page, const Panel& panel, const CellLayout& layout,
                    const HopCells& cells) {
    const auto make = [&] { return hop_cells(cells.values(), layout); };
    const auto shown = page.memo != nullptr
                           ? page.memo->get<Cells>(page.result.key, "hops," + cells.name, make)
                           : std::make_shared<const Cells>(make());
    canvas.heat_map(panel.rect, {shown, hop_colouring(page.theme)});
    draw_gaps(canvas, page.theme, panel);
    if (layout.wrapped && layout.count < layout.rows * layout.columns) {
        const Rect first = panel.cell(layout.count);  // no positions from here to the end of the row
        canvas.fill({first.x, first.y, panel.rect.right() - first.x, first.height}, page.theme.ground);
    }
    if (cells.digits && std::min(panel.cell_width(), panel.cell_height()) >= least_digit_cell)
        draw_digits(canvas, panel, *shown);
}

void draw_dots(Canvas& canvas, const Panel& panel, std::span<const Index> positions) {
    const double cell = std::min(panel.cell_width(), panel.cell_height());
    const Colour light = rgb(0xFFFFFF);
    if (cell >= least_dot_cell) {
        for (const Index p : positions)
            canvas.circle(panel.cell(p).centre(), std::clamp(0.17 * cell, 1.8, 5.0), light,
                          {rgb(0x101418, 150), 1.0});
        return;
    }
    for (std::size_t i = 0; i < positions.size();) {  // runs within a row
        std::size_t end = i + 1;
        while (end < positions.size() && positions[end] == positions[end - 1] + 1 &&
               positions[end] % panel.columns != 0)
            ++end;
        Rect run = panel.cell(positions[i]);
        run.width *= static_cast<double>(end - i);
        canvas.fill(run, rgb(0xFFFFFF, 190));
        i = end;
    }
}

void draw_outlines(Canvas& canvas, const Theme& theme, const Panel& panel, const CellLayout& layout,
                   const Outlines& outlines) {
    draw_borders(canvas, theme, panel, layout, outlines.memory, true);
    draw_borders(canvas, theme, panel, layout, outlines.block, false);
}

double draw_hop_legend(Canvas& canvas, const Theme& theme, Point corner, double width, Index layers,
                       bool unseen) {
    constexpr double square = 12.0;
    constexpr double gap = 7.0;
    constexpr double pitch = 20.0;
    const double baseline = middle_baseline(corner.y, square, Type::caption);
    const double end = corner.x + width;
    double x = corner.x;
    const auto entry = [&](const std::string& text, Colour fill, bool ring) {
        const double across = square + gap + canvas.text_width(text, Type::caption);
        if (x + across > end) return;
        const Rect box{canvas.snap(x), canvas.snap(corner.y), square, square};
        if (ring)
            canvas.rect(box, {fill, 2.0});
        else
            canvas.fill(box, fill);
        canvas.text({x + square + gap, baseline}, text, {Type::caption, theme.muted});
        x += across + pitch;
    };
    entry("the query", theme.query, true);
    const auto last = std::min(layers, static_cast<Index>(hop_ramp.size()));
    const bool brief = layers > 3;  // numbers alone, the word once
    for (Index hop = 1; hop <= last; ++hop) {
        std::string text = std::to_string(hop) + (hop == last && layers > last ? "+" : "");
        if (!brief) text += hop == 1 ? " layer" : " layers";
        if (brief && hop == last) text += " layers";
        entry(text, hop_colour(hop), false);
    }
    if (unseen) entry("not seen", theme.unseen, false);
    return x - pitch;
}

}  // namespace attn
