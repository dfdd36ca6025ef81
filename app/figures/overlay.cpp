#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/block_cost.h"
#include "app/figures/format.h"
#include "app/figures/heat.h"
#include "app/figures/kinds.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"
#include "app/figures/view.h"

namespace attn {
namespace {

constexpr double section_gap = 16.0;
constexpr double table_row = 17.0;
constexpr double table_width = 338.0;
constexpr double table_column = 98.0;

std::vector<Parameter> make_knobs() {
    Parameter opacity;
    opacity.id = "opacity";
    opacity.label = "opacity";
    opacity.help = "of the query's weights over the picture";
    opacity.kind = Parameter::Kind::real;
    opacity.group = Parameter::Group::view;
    opacity.initial = 0.8;
    Parameter matrix;
    matrix.id = "matrix";
    matrix.label = "matrix";
    matrix.help = "show the whole matrix, every query's row";
    matrix.kind = Parameter::Kind::toggle;
    matrix.group = Parameter::Group::view;
    matrix.initial = true;
    return {opacity, colour_scale_knob("log"),
            view_choice("range", "colour range", "which weights the ends of the colour scale stand for",
                        {{"row", "this row", "least and greatest weight of this query"},
                         {"matrix", "all rows", "the same colours for every query"}}),
            matrix};
}

const std::vector<Parameter>& knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

struct Scenery {
    Canvas& canvas;
    const Page& page;
    const Reading& reading;
    Knobs view;
    Colouring colouring;
    std::vector<Hit> hits{};

    [[nodiscard]] const Trace& trace() const { return page.result.trace; }
    [[nodiscard]] const Theme& theme() const { return page.theme; }
    /// On the scale × uniform the ends are told as multiples of 1/n.
    [[nodiscard]] double unit() const {
        return colouring.scale == Scale::uniform ? static_cast<double>(trace().keys.size()) : 1.0;
    }
    [[nodiscard]] HeatMap matrix_map(Rect rect) const;
};

/// Colours weights so that equal ones look equal: where all lie within three decades (a linear scale: above
/// 0) the low end is moved down. Else a large τ, which averages everything, would look as sharp as a small
/// one.
template <typename Make>
HeatMap anchored(const Scenery& s, Colouring colouring, Make&& make) {
    HeatMap map = make(colouring);
    if (colouring.range.kind != Range::Kind::automatic || colouring.scale == Scale::rank) return map;
    constexpr double decades = 1e-3;
    const double high = map.cells->shown_high;
    const double low = colouring.scale == Scale::linear ? 0.0 : decades * high;
    if (map.cells->shown_low <= low || high <= 0.0) return map;
    colouring.range = {.kind = Range::Kind::fixed, .low = low / s.unit(), .high = high / s.unit()};
    return make(colouring);
}

HeatMap Scenery::matrix_map(Rect rect) const {
    return anchored(*this, colouring, [&](const Colouring& shades) {
        return heat_map(canvas, page, "matrix", reading.head->weights, {rect.width, rect.height}, shades,
                        trace().allowed);
    });
}

/// The picture as the user gave it; where there is none (own arrays), the ground of unseen cells.
void draw_ground(Scenery& s, Rect rect) {
    if (s.page.result.picture)
        s.canvas.image(rect, s.page.result.picture);
    else
        s.canvas.fill(rect, s.theme().unseen);
}

/// The grid's lines, faint, where the cells are large enough to be told apart.
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

void draw_picture(Scenery& s, const Panel& queries, double top) {
    caption(s.canvas, s.theme(), queries.rect.x, queries.rect.right(), top,
            {s.page.result.picture ? "picture" : "positions",
             "query " + name_of(s.page, s.reading, s.reading.query, true)});
    draw_ground(s, queries.rect);
    draw_grid(s, queries);
    mark(s, queries, true);
    add_hit(s, queries, queries, false);
    const std::string cells = std::to_string(queries.rows) + " × " + std::to_string(queries.columns) + " = " +
                              grouped(queries.rows * queries.columns) + " positions";
    s.canvas.text({queries.rect.x, queries.rect.bottom() + under_panel + cap_height(Type::label)},
                  s.canvas.fonts().fit(cells, Type::label, queries.rect.width),
                  {Type::label, s.theme().muted});
}

void draw_row(Scenery& s, const Panel& queries, double top) {
    Colouring colouring = s.colouring;
    if (s.view.text("range") == "matrix") {
        const Cells& all = *s.matrix_map(queries.rect).cells;
        colouring.range = {
            .kind = Range::Kind::fixed, .low = all.shown_low / s.unit(), .high = all.shown_high / s.unit()};
    }
    const HeatMap map = anchored(s, colouring, [&](const Colouring& shades) {
        return heat_map(s.page, "row " + std::to_string(s.reading.query), s.reading.weights,
                        s.trace().keys.width, shades, s.reading.allowed, s.trace().keys.size());
    });
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

/// The whole matrix in the room of the pictures, its query's row between two lines with arrows at both ends.
void draw_matrix(Scenery& s, Rect rect, double top) {
    const Index rows = s.trace().queries.size();
    const Index columns = s.trace().keys.size();
    caption(s.canvas, s.theme(), rect.x, rect.right(), top,
            {"every query’s row", grouped(rows) + " × " + grouped(columns)});
    const Panel panel{rect, rows, columns};
    const HeatMap map = s.matrix_map(rect);
    s.canvas.heat_map(rect, map);
    const Rect row = panel.row(s.reading.query);
    const double half = std::max(row.height / 2, 1.5);
    const double y = std::clamp(row.centre().y, rect.y + half, rect.bottom() - half);
    const Colour accent = s.theme().query;
    s.canvas.rect({rect.x - 1.0, y - half - 1.0, rect.width + 2.0, 2 * half + 2.0}, {accent, 1.0});
    constexpr double arrow = 6.0;
    const std::array left = {Point{rect.x - 2.0, y}, Point{rect.x - 2.0 - arrow, y - arrow / 1.6},
                             Point{rect.x - 2.0 - arrow, y + arrow / 1.6}};
    s.canvas.polygon(left, accent);
    if (s.page.focus.key || s.page.focus.query)
        frame(s.canvas, s.theme(), panel.cell(s.reading.shown, s.reading.key), s.theme().ink);
    colour_bar(s.canvas, s.page, {rect.x, rect.bottom() + under_panel}, rect.width, map,
               name_of(map.colouring.scale));
    s.hits.push_back({.area = rect, .rows = rows, .columns = columns, .role = Hit::Role::pairs});
}

/// What leaves the block, where that is a picture.
void draw_result(Scenery& s, Rect room) {
    const auto found = s.trace().out.find("out.output");
    if (found == s.trace().out.end() || found->second->rank() != 3 || found->second->extent(0) != 3) return;
    const Grid grid{found->second->extent(1), found->second->extent(2)};
    const Panel panel =
        square_cells(s.canvas, {room.x, room.y + caption_height, room.width, room.height - caption_height},
                     grid.height, grid.width);
    std::string measure = "z";
    if (find(s.page.result.mechanism->parameters, "gamma") != nullptr) {
        const double gamma = Knobs(s.page.result.mechanism->parameters, s.page.scene.set).real("gamma");
        measure = gamma == 0.0 ? "γ = 0: identity" : "γ = " + plain(gamma);
    }
    caption(s.canvas, s.theme(), panel.rect.x,
            std::max(panel.rect.right(), panel.rect.x + std::min(room.width, 150.0)), room.y,
            {"result z", measure});
    const auto zoom = std::max<Index>(1, std::llround(panel.cell_width() * s.canvas.resolution()));
    s.canvas.image(panel.rect, cell_picture(s.page, "z", found->second->values(), grid, zoom));
    mark(s, panel, false);
    add_hit(s, panel, panel, false);
}

/// The most telling first: the last ones go where the room is low.
std::vector<Tile> row_tiles(const Scenery& s) {
    const RowFacts row = facts(s.reading.weights);
    const auto count = static_cast<double>(s.reading.seen);
    std::vector<Tile> all = {{significant(row.largest), "largest weight"}};
    if (row.shares) {
        all.push_back({significant(row.effective), "effective positions"});
        all.push_back({percent(row.top_ten, 1), "mass of the top 10"});
    } else {
        all.push_back({significant(row.sum), "sum of the row"});
    }
    all.push_back({significant(row.largest * count) + " ×", "the uniform weight"});
    return all;
}

/// The cost of the paper's own block (Wang et al. 2018, table 1 and section 4.1), all keys against pooled
/// ones.
void draw_cost(Scenery& s, Rect room) {
    constexpr Index channels = 1024;
    constexpr Index inner = 512;
    constexpr Index positions = Index{4} * 14 * 14;
    const BlockCost all = block_cost(channels, inner, positions, false);
    const BlockCost pooled = block_cost(channels, inner, positions, true);
    const auto row = [&](double baseline, std::string_view name, std::string_view left,
                         std::string_view right, Colour colour) {
        s.canvas.text({room.x, baseline},
                      s.canvas.fonts().fit(name, Type::caption, room.width - 2 * table_column),
                      {Type::caption, s.theme().muted});
        s.canvas.text({room.right() - table_column, baseline}, left, {Type::caption, colour, Align::right});
        s.canvas.text({room.right(), baseline}, right, {Type::caption, colour, Align::right});
    };
    caption(s.canvas, s.theme(), room.x, room.right(), room.y,
            {"the paper’s block", "C = 1,024, inner 512, 4 × 14 × 14"});
    const double rule = s.canvas.snap(room.y + caption_height) + 0.5;
    s.canvas.line({room.x, rule}, {room.right(), rule}, {s.theme().hairline, 1.0});
    double baseline = rule + 16.0;
    const auto next = [&](std::string_view name, const std::string& left, const std::string& right) {
        row(baseline, name, left, right, s.theme().ink);
        baseline += table_row;
    };
    row(baseline, "positions N = " + grouped(positions), "all keys", "pooled 2 × 2", s.theme().muted);
    baseline += table_row;
    next("pairs", grouped(all.pairs), grouped(pooled.pairs));
    next("matrix, fp32", bytes(all.matrix_bytes), bytes(pooled.matrix_bytes));
    next("scores, multiply–adds", grouped(all.score_multiply_adds), grouped(pooled.score_multiply_adds));
    next("values, as many", grouped(all.score_multiply_adds), grouped(pooled.score_multiply_adds));
    next("four projections", grouped(all.projection_multiply_adds), grouped(pooled.projection_multiply_adds));
    next("weights", grouped(all.weights), grouped(pooled.weights));
}

constexpr double table_height = caption_height + 16.0 + 7 * table_row;

/// Result, what the row is like, what the block costs.
void draw_below(Scenery& s, Rect room, double panel_width, double second_column) {
    const bool cost = s.page.result.mechanism->id == "non-local" && room.width >= 600.0;
    constexpr double tiles_width = 126.0;
    const double end = cost ? room.right() - table_width - gutter : room.right();
    const double picture = std::max(std::min(panel_width, end - tiles_width - gutter - room.x), 60.0);
    draw_result(s, {room.x, room.y, picture, std::min(room.height, picture + caption_height)});
    const double start = std::min(second_column, std::max(room.x + picture + gutter, end - tiles_width));
    std::vector<Tile> all = row_tiles(s);
    while (all.size() > 1 && tiles_height(s.canvas, end - start, all) > room.height) all.pop_back();
    tiles(s.canvas, s.theme(), {start, room.y, end - start, room.height}, all);
    if (cost) draw_cost(s, {room.right() - table_width, room.y, table_width, room.height});
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Rect body = sheet(canvas, page, blind_warning(page));
    const Reading reading = read(page);
    const Knobs view(knobs(), page.scene.set);
    Scenery s{canvas, page, reading, view, weight_shades(page, colour_scale(view))};

    const Trace& trace = page.result.trace;
    const Grid grid = trace.queries.height > 1 ? trace.queries : trace.keys;
    const bool matrix = s.view.flag("matrix");
    const double count = matrix ? 3.0 : 2.0;
    const double column = (body.width - (count - 1.0) * gutter) / count;
    const double below = colour_bar_height + under_panel;
    const bool second = body.height >= 330.0;
    const double reserve = second ? std::min(table_height, 0.42 * body.height) + section_gap : 0.0;
    Panel queries = square_cells(
        canvas, {body.x, body.y + caption_height, column, body.height - caption_height - below - reserve},
        grid.height, grid.width);
    const double gap =
        std::min((body.width - count * queries.rect.width) / (count - 1.0), widest_gap(queries.rect.width));
    const double pitch = queries.rect.width + gap;
    const auto at = [&](double i) {
        Panel moved = queries;
        moved.rect.x = canvas.snap(body.x + i * pitch);
        return moved;
    };
    draw_picture(s, at(0.0), body.y);
    draw_row(s, at(1.0), body.y);
    if (matrix) draw_matrix(s, at(2.0).rect, body.y);
    const double bottom = queries.rect.bottom() + below + section_gap;
    if (second)
        draw_below(s, {body.x, bottom, body.width, body.bottom() - bottom}, queries.rect.width,
                   at(1.0).rect.x);
    return std::move(s.hits);
}

}  // namespace

Figure overlay_figure() {
    return {.id = "overlay",
            .title = "One query",
            .help = "a picture, what one of its positions looks at, and every position's row",
            .parameters = knobs(),
            .natural = {960.0, 700.0},
            .draw = draw};
}

}  // namespace attn
