#include <algorithm>
#include <array>

#include "app/figures/labels.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {
namespace {

constexpr double largest_cell = 44.0;

/// Where the three matrices stand: the rows are shared, the first two have the same columns.
struct Places {
    Labels rows, columns;
    std::array<Panel, 3> panels;
};

Places places_of(const Stage& stage, Rect room) {
    const Result& result = stage.page.result;
    const Index queries = result.trace.queries.size();
    const Index keys = result.trace.keys.size();
    const Index depth = result.trace.output->extent(1);
    Places places;
    const double height = room.height - caption_height - colour_bar_height - under_panel;
    double cell = largest_cell;
    for (int pass = 0; pass < 3; ++pass) {  // labels take room from the cells, and low cells take more labels
        places.rows = row_labels(stage.canvas, result.query_labels, queries, cell, room.width / 4);
        const double column = (room.width - places.rows.depth - 2 * gutter) / 3;
        const double across = column / static_cast<double>(keys);
        places.columns = column_labels(stage.canvas, result.key_labels, keys, std::min(across, cell));
        const double down = (height - places.columns.depth) / static_cast<double>(queries);
        cell = std::max(std::min({across, down, largest_cell}), 1.0 / stage.canvas.resolution());
    }
    const double top = room.y + caption_height + places.columns.depth;
    // Few keys get wider cells: a panel carries its caption and the ends of its colour bar.
    constexpr double narrowest = 104.0;
    const double across = std::max(cell, narrowest / static_cast<double>(keys));
    Point corner{room.x + places.rows.depth, top};
    for (std::size_t i = 0; i < 2; ++i) {
        places.panels[i] = cells_of(stage.canvas, corner, {across, cell}, queries, keys);
        const double used = places.rows.depth + 3 * places.panels[i].rect.width;
        corner.x = places.panels[i].rect.right() +
                   std::min((room.width - used) / 2, widest_gap(places.panels[i].rect.width));
    }
    const double third = std::clamp(room.right() - corner.x, 1.0, places.panels[0].rect.width);
    places.panels[2] =
        cells_of(stage.canvas, corner, {third / static_cast<double>(depth), cell}, queries, depth);
    return places;
}

HeatMap map_of(const Stage& stage, std::size_t panel, const Panel& place) {
    const Trace& trace = stage.page.result.trace;
    const Size room{place.rect.width, place.rect.height};
    if (panel == 0)
        return heat_map(stage.canvas, stage.page, "all scores", stage.reading.head->scores, room,
                        stage.scores(), trace.allowed);
    if (panel == 1)
        return heat_map(stage.canvas, stage.page, "all weights", stage.reading.head->weights, room,
                        stage.weights(), trace.allowed);
    return heat_map(stage.canvas, stage.page, "all outputs", Map(trace.output), room, stage.scores());
}

}  // namespace

double word_panels(Stage& stage, Rect room) {
    const Places places = places_of(stage, room);
    const Reading& reading = stage.reading;
    const Theme& theme = stage.page.theme;
    const std::array names = {"score", "squash", "multiply"};
    const std::array formulas = {&stage.formulas.score, &stage.formulas.squash, &stage.formulas.multiply};
    const Lit row_lit{.accent = reading.query, .strong = {reading.shown}};
    draw_row_labels(stage.canvas, theme, places.panels[0], places.rows, row_lit);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Panel& panel = places.panels[i];
        caption(stage.canvas, theme, panel.rect.x, panel.rect.right(), room.y,
                {names[i], *formulas[i], !stage.lit(names[i])});
        if (i < 2)
            draw_column_labels(stage.canvas, theme, panel, places.columns,
                               {.accent = {}, .strong = {reading.key}});
        const HeatMap map = map_of(stage, i, panel);
        stage.canvas.heat_map(panel.rect, map, stage.opacity(names[i]));
        const std::string features = std::to_string(panel.columns) + " features";
        stage.bar_under(panel.rect, names[i], map,
                        i == 0   ? ""
                        : i == 1 ? name_of(map.colouring.scale)
                                 : std::string_view(features));
        frame(stage.canvas, theme, panel.row(reading.query), theme.query);
        if (i < 2) frame(stage.canvas, theme, panel.cell(reading.shown, reading.key), theme.ink);
        stage.hits.push_back({.area = panel.rect,
                              .rows = panel.rows,
                              .columns = i < 2 ? panel.columns : 1,
                              .role = i < 2 ? Hit::Role::pairs : Hit::Role::queries});
    }
    return places.panels[0].rect.bottom() + under_panel + colour_bar_height;
}

}  // namespace attn
