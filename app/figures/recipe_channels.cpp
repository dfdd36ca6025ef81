#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {
namespace {

constexpr double talking_height = 34.0;  ///< a cell high enough for two lines

/// Two columns while the cells can carry their names, else nearly a square.
Grid arrangement(Index channels) {
    constexpr Index few = 16;
    const Index columns =
        channels <= few ? 2 : static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(channels))));
    return {(channels + columns - 1) / columns, columns};
}

/// A name and a number inside a cell: over each other, or beside each other where the cell is low.
void write_pair(Canvas& canvas, Rect cell, const std::string& name, const std::string& number, Colour quiet,
                Colour ink) {
    constexpr double inset = 8.0;
    constexpr double least_height = 15.0;
    constexpr double least_width = 64.0;
    if (cell.width < least_width || cell.height < least_height) return;
    const double room = cell.width - 2 * inset;
    if (cell.height >= talking_height) {
        const double middle = cell.centre().y;
        canvas.text({cell.x + inset, middle - 4.0}, canvas.fonts().fit(name, Type::label, room),
                    {Type::label, quiet});
        canvas.text({cell.x + inset, middle + 12.0}, number, {Type::emphasis, ink});
        return;
    }
    const double baseline = middle_baseline(cell.y, cell.height, Type::label);
    const double left = room - canvas.text_width(number, Type::label) - inset;
    canvas.text({cell.x + inset, baseline}, canvas.fonts().fit(name, Type::label, left),
                {Type::label, quiet});
    canvas.text({cell.right() - inset, baseline}, number, {Type::label, ink, Align::right});
}

/// Cells past the last channel stay empty.
void draw_numbers(Stage& stage, const Panel& panel, std::span<const float> values, const HeatMap& map,
                  std::string_view name) {
    const double opacity = stage.opacity(name);
    for (std::size_t c = 0; c < values.size(); ++c) {
        const Rect cell = panel.cell(static_cast<Index>(c)).inset(0.5);
        const Colour colour =
            colour_of(map.cells->position[c], map.cells->classes[c], *map.cells, map.colouring);
        const Colour shown = mix(stage.page.theme.ground, colour, opacity);
        stage.canvas.fill(cell, shown);
        const Colour ink = stage.lit(name) ? readable_on(shown) : stage.page.theme.muted;
        write_pair(stage.canvas, cell, name_of(stage.page, stage.reading, static_cast<Index>(c), false),
                   significant(static_cast<double>(values[c])), ink, ink);
    }
}

/// The channel's map after its gate, with its name beside it where there is room.
void draw_maps(Stage& stage, const Panel& panel) {
    const Array& output = *stage.page.result.trace.output;
    const Array& before = *stage.page.result.channels;
    const auto size = static_cast<std::size_t>(output.extent(1) * output.extent(2));
    Colouring colouring = weight_colouring(stage.page.theme);
    for (Index c = 0; c < output.extent(0); ++c) {
        const Rect cell = panel.cell(c).inset(0.5);
        const auto at = static_cast<std::size_t>(c) * size;
        colouring.range = range_of(before.values().subspan(at, size));
        const Panel map = square_cells(stage.canvas, cell, output.extent(1), output.extent(2));
        stage.canvas.heat_map(map.rect,
                              heat_map(stage.page, "after " + std::to_string(c),
                                       output.values().subspan(at, size), output.extent(2), colouring),
                              stage.opacity("multiply"));
        const Rect beside{map.rect.right(), cell.y, cell.right() - map.rect.right(), cell.height};
        const auto gate = static_cast<double>(stage.reading.weights[static_cast<std::size_t>(c)]);
        const Theme& theme = stage.page.theme;
        const bool lit = stage.lit("multiply");
        write_pair(stage.canvas, beside, name_of(stage.page, stage.reading, c, false),
                   "× " + significant(gate), lit ? theme.muted : faded(theme, theme.muted),
                   lit ? theme.ink : faded(theme, theme.ink));
    }
}

}  // namespace

double channel_panels(Stage& stage, Rect room) {
    const Reading& reading = stage.reading;
    const auto channels = static_cast<Index>(reading.weights.size());
    const Grid grid = arrangement(channels);
    const double column = (room.width - 2 * gutter) / 3;
    const double below = colour_bar_height + under_panel;
    const double height = std::min(room.height - caption_height - below, column);
    const Size cell{column / static_cast<double>(grid.width), height / static_cast<double>(grid.height)};
    const std::array names = {"score", "squash", "multiply"};
    const std::array formulas = {&stage.formulas.score, &stage.formulas.squash, &stage.formulas.multiply};
    double bottom = room.y;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Point corner{room.x + static_cast<double>(i) * (column + gutter), room.y + caption_height};
        const Panel panel = cells_of(stage.canvas, corner, cell, grid.height, grid.width);
        caption(stage.canvas, stage.page.theme, panel.rect.x, panel.rect.right(), room.y,
                {names[i], *formulas[i], !stage.lit(names[i])});
        if (i < 2) {
            Colouring colouring = i == 0 ? stage.scores() : stage.weights();
            if (i == 1) colouring.range = {.kind = Range::Kind::fixed, .low = 0.0, .high = 1.0};
            colouring.scale = Scale::linear;  // a gate is no share: 0…1 is all there is
            const auto values = i == 0 ? reading.scores : reading.weights;
            const HeatMap map = heat_map(stage.page, names[i], values, channels, colouring);
            draw_numbers(stage, panel, values, map, names[i]);
            stage.bar_under(panel.rect, names[i], map, i == 0 ? "" : "1: identity");
        } else {
            draw_maps(stage, panel);
            stage.note_under(panel.rect, names[i], "each on its own scale before the gate");
        }
        frame(stage.canvas, stage.page.theme, panel.cell(reading.key).inset(0.5), stage.page.theme.ink);
        stage.hits.push_back(
            {.area = panel.rect, .rows = panel.rows, .columns = panel.columns, .role = Hit::Role::channels});
        bottom = panel.rect.bottom() + below;
    }
    return bottom;
}

}  // namespace attn
