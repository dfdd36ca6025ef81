#include <algorithm>
#include <array>

#include "app/figures/labels.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {
namespace {

constexpr double largest_cell = 44.0;

Map output_of(const Stage& stage) {
    return of_head(stage, Map(stage.page.result.trace.output));
}

/// Where the three matrices stand: the rows are shared, the first two have the same columns.
struct Places {
    Labels rows, columns;
    std::array<Panel, 3> panels;
};

Places places_of(const Stage& stage, Rect room) {
    const Result& result = stage.page.result;
    const Index queries = result.trace.queries.size();
    const Index keys = result.trace.keys.size();
    const Index depth = output_of(stage).columns();
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
    if (const auto grid = grid_of_rows(stage)) {
        places.panels[2] =
            square_cells(stage.canvas, {corner.x, corner.y, third, places.panels[0].rect.height},
                         grid->height, grid->width);
        return places;
    }
    places.panels[2] =
        cells_of(stage.canvas, corner, {third / static_cast<double>(depth), cell}, queries, depth);
    return places;
}

/// Scores (0) or weights (1).
void draw_pairs(Stage& stage, const Places& places, std::size_t i, std::string_view step) {
    const Trace& trace = stage.page.result.trace;
    const Panel& panel = places.panels[i];
    const Reading& reading = stage.reading;
    draw_column_labels(stage.canvas, stage.page.theme, panel, places.columns,
                       {.accent = {}, .strong = {reading.key}});
    const HeatMap map =
        heat_map(stage.canvas, stage.page, i == 0 ? "all scores" : "all weights",
                 i == 0 ? reading.head->scores : reading.head->weights, {panel.rect.width, panel.rect.height},
                 i == 0 ? stage.scores() : stage.weights(), trace.allowed);
    stage.canvas.heat_map(panel.rect, map, stage.opacity(step));
    stage.bar_under(panel.rect, step, map,
                    i == 0 ? std::string_view(reading.head_name) : name_of(map.colouring.scale));
    frame(stage.canvas, stage.page.theme, panel.row(reading.query), stage.page.theme.query);
    frame(stage.canvas, stage.page.theme, panel.cell(reading.shown, reading.key), stage.page.theme.ink);
    stage.hits.push_back(
        {.area = panel.rect, .rows = panel.rows, .columns = panel.columns, .role = Hit::Role::pairs});
}

/// A row of features for each query, or the query's own map where its features are positions.
void draw_output(Stage& stage, const Panel& panel) {
    const Map output = output_of(stage);
    const Index query = stage.reading.query;
    const Theme& theme = stage.page.theme;
    if (grid_of_rows(stage)) {
        const HeatMap map = heat_map(stage.page, "output of " + std::to_string(query), output.row(query),
                                     panel.columns, stage.scores());
        stage.canvas.heat_map(panel.rect, map, stage.opacity("multiply"));
        stage.canvas.rect(panel.rect, {theme.query, 1.5});
        stage.bar_under(panel.rect, "multiply", map, name_of(stage.page, stage.reading, query, true));
        return;
    }
    const HeatMap map = heat_map(stage.canvas, stage.page, "all outputs", output,
                                 {panel.rect.width, panel.rect.height}, stage.scores());
    stage.canvas.heat_map(panel.rect, map, stage.opacity("multiply"));
    stage.bar_under(panel.rect, "multiply", map, std::to_string(panel.columns) + " features");
    frame(stage.canvas, theme, panel.row(query), theme.query);
    stage.hits.push_back({.area = panel.rect, .rows = panel.rows, .columns = 1, .role = Hit::Role::queries});
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
        const Rect at = places.panels[i].rect;
        const double slack =
            i < 2 ? places.panels[i + 1].rect.x - at.right() - 12.0 : room.right() - at.right();
        caption(stage.canvas, theme, at.x, at.right(), room.y,
                {names[i], *formulas[i], !stage.lit(names[i]), slack});
        if (i < 2)
            draw_pairs(stage, places, i, names[i]);
        else
            draw_output(stage, places.panels[2]);
    }
    return places.panels[0].rect.bottom() + under_panel + colour_bar_height;
}

}  // namespace attn
