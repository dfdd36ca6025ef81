#include "app/figures/overlay_parts.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"

namespace attn {

HeatMap Scenery::anchored(Colouring shades, Index keys,
                          const std::function<HeatMap(const Colouring&)>& make) const {
    HeatMap map = make(shades);
    if (shades.range.kind != Range::Kind::automatic || shades.scale == Scale::rank) return map;
    constexpr double decades = 1e-3;
    const double high = map.cells->shown_high;
    const double low = shades.scale == Scale::linear ? 0.0 : decades * high;
    if (map.cells->shown_low <= low || high <= 0.0) return map;
    // On the scale × uniform the ends are told as multiples of 1/n.
    const double unit = shades.scale == Scale::uniform ? static_cast<double>(keys) : 1.0;
    shades.range = {.kind = Range::Kind::fixed, .low = low / unit, .high = high / unit};
    return make(shades);
}

HeatMap Scenery::matrix_map(Rect rect) const {
    return anchored(colouring, 1, [&](const Colouring& shades) {
        return heat_map(canvas, page, "matrix", reading.head->weights, {rect.width, rect.height}, shades,
                        trace().allowed);
    });
}

HeatMap Scenery::row_map(const Page& of, Index query, Rect rect) const {
    Colouring shades = weight_shades(of, colouring.scale);
    const std::span<const float> allowed =
        trace().allowed.empty() ? std::span<const float>() : trace().allowed.row(query);
    const Index keys = keys_seen(trace(), query);
    if (view.text("range") == "matrix") {
        const HeatMap matrix = matrix_map(rect);
        const Cells& all = *matrix.cells;
        const double unit = shades.scale == Scale::uniform ? static_cast<double>(keys) : 1.0;
        shades.range = {
            .kind = Range::Kind::fixed, .low = all.shown_low / unit, .high = all.shown_high / unit};
    }
    return anchored(shades, keys, [&](const Colouring& colours) {
        return heat_map(of, "row " + std::to_string(query), head_choice(of).head->weights.row(query),
                        trace().keys.width, colours, allowed, keys);
    });
}

void draw_ground(Scenery& s, Rect rect) {
    if (s.page.result.picture)
        s.canvas.image(rect, s.page.result.picture);
    else
        s.canvas.fill(rect, s.theme().unseen);
}

void draw_grid(Scenery& s, const Panel& panel) {
    constexpr double least_cell = 5.0;
    if (std::min(panel.cell_width(), panel.cell_height()) < least_cell) return;
    const Stroke stroke{rgb(0xFFFFFF, 46), 1.0};
    const double half = 0.5 / s.canvas.resolution();
    for (Index c = 1; c < panel.columns; ++c) {
        const double x = panel.cell(0, c).x + half;
        s.canvas.line({x, panel.rect.y}, {x, panel.rect.bottom()},
                      {stroke.colour, 1.0 / s.canvas.resolution()});
    }
    for (Index r = 1; r < panel.rows; ++r) {
        const double y = panel.cell(r, 0).y + half;
        s.canvas.line({panel.rect.x, y}, {panel.rect.right(), y},
                      {stroke.colour, 1.0 / s.canvas.resolution()});
    }
}

void mark(Scenery& s, const Panel& queries, bool key) {
    if (key && (s.page.focus.key || s.page.focus.query))
        frame(s.canvas, s.theme(), keys_panel(queries, s.trace().keys).cell(s.reading.key), s.theme().ink);
    if (s.trace().queries.height > 1)
        frame(s.canvas, s.theme(), queries.cell(s.reading.query), s.theme().query);
}

void add_hit(Scenery& s, const Panel& queries, const Panel& keys, bool on_keys) {
    const bool keys_only = on_keys && !s.reading.self;
    const Panel& panel = keys_only ? keys : queries;
    s.hits.push_back({.area = panel.rect,
                      .rows = panel.rows,
                      .columns = panel.columns,
                      .role = s.reading.self ? Hit::Role::pieces
                              : keys_only    ? Hit::Role::keys
                                             : Hit::Role::queries});
}

void draw_row(Scenery& s, const Panel& queries, double top) {
    const HeatMap map = s.row_map(s.page, s.reading.query, queries.rect);
    const Panel keys = keys_panel(queries, s.trace().keys);
    caption(s.canvas, s.theme(), queries.rect.x, queries.rect.right(), top,
            {"what it looks at", "weights α"});
    draw_ground(s, queries.rect);
    s.canvas.heat_map(keys.rect, map, s.view.real("opacity"));
    mark(s, queries, true);
    add_hit(s, queries, keys, true);
    colour_bar(s.canvas, s.page, {queries.rect.x, queries.rect.bottom() + under_panel}, queries.rect.width,
               map, name_of(map.colouring.scale));
}

HeadStrip strip_of(const Scenery& s, double width, double tallest) {
    const Grid keys = s.trace().keys;
    const auto draw_map = [&s](const Page& page, Rect rect) {
        s.canvas.heat_map(rect, s.row_map(page, s.reading.query, rect));
    };
    return {s.page, width, tallest, static_cast<double>(keys.width) / static_cast<double>(keys.height),
            draw_map};
}

std::vector<Tile> row_tiles(const Scenery& s) {
    const RowFacts row = facts(s.reading.weights);
    std::vector<Tile> all = {{significant(row.largest), "largest weight"}};
    if (row.shares) {
        all.push_back({significant(row.effective), "effective positions"});
        all.push_back({percent(row.top_ten, 1), "mass of the top 10"});
    } else {
        all.push_back({significant(row.sum), "sum of the row"});
    }
    const Index seen = keys_seen(s.trace(), s.reading.query);
    all.push_back({significant(row.largest * static_cast<double>(seen)) + " ×",
                   "the uniform weight 1/" + grouped(seen)});
    return all;
}

}  // namespace attn
