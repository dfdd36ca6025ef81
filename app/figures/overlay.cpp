#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/block_cost.h"
#include "app/figures/format.h"
#include "app/figures/kinds.h"
#include "app/figures/overlay_parts.h"
#include "app/figures/view.h"

namespace attn {
namespace {

constexpr double section_gap = 16.0;
constexpr double table_row = 17.0;
constexpr double table_width = 338.0;
constexpr double table_column = 98.0;
constexpr double low_strip = 64.0;  ///< of the small maps of heads

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
SharedArray result_picture(const Scenery& s) {
    const auto found = s.trace().out.find("out.output");
    if (found == s.trace().out.end() || found->second->rank() != 3 || found->second->extent(0) != 3)
        return nullptr;
    return found->second;
}

/// "γ = 0.5", "γ = 0: identity", and what z is.
std::pair<std::string, std::string> about_result(const Scenery& s) {
    if (find(s.result().mechanism->parameters, "gamma") == nullptr) return {"z", "weighted means as colours"};
    const double gamma = Knobs(s.result().mechanism->parameters, s.page.scene.set).real("gamma");
    return {gamma == 0.0 ? "γ = 0: identity" : "γ = " + plain(gamma), "z = x + γ y as colours"};
}

void draw_result(Scenery& s, Rect room) {
    const SharedArray z = result_picture(s);
    if (z == nullptr) return;
    const Grid grid{z->extent(1), z->extent(2)};
    constexpr double legend_height = 18.0;
    const Panel panel = square_cells(
        s.canvas, {room.x, room.y + caption_height, room.width, room.height - caption_height - legend_height},
        grid.height, grid.width);
    auto [measure, legend] = about_result(s);
    const double wide = std::max(panel.rect.width, std::min(room.width, 150.0));
    caption(s.canvas, s.theme(), panel.rect.x, panel.rect.x + wide, room.y, {"result z", measure});
    // Sums leave 0…1: then black and white move to the ends of what there is, and the legend says so.
    const Range range = range_of(z->values());
    const double low = std::min(range.low, 0.0);
    const double high = std::max(range.high, 1.0);
    Array shown = *z;
    if (high - low > 1.0) {
        for (float& value : shown.values())
            value = static_cast<float>((static_cast<double>(value) - low) / (high - low));
        legend += ", black " + significant(low) + ", white " + significant(high);
    }
    const auto zoom = std::max<Index>(1, std::llround(panel.cell_width() * s.canvas.resolution()));
    s.canvas.image(panel.rect, cell_picture(s.page, "z", shown.values(), grid, zoom));
    s.canvas.text({panel.rect.x, panel.rect.bottom() + under_panel + cap_height(Type::label)},
                  s.canvas.fonts().fit(legend, Type::label, room.width), {Type::label, s.theme().muted});
    mark(s, panel, false);
    add_hit(s, panel, panel, false);
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
    draw_result(s, {room.x, room.y, picture, room.height});
    const double beside = std::min(second_column, std::max(room.x + picture + gutter, end - tiles_width));
    const double start = result_picture(s) != nullptr ? beside : room.x;
    const HeadStrip strip = strip_of(s, end - start, low_strip);
    const double strip_height = strip.height() > 0.0 ? strip.height() + section_gap : 0.0;
    std::vector<Tile> all = row_tiles(s);
    while (all.size() > 1 && tiles_height(s.canvas, end - start, all) > room.height - strip_height)
        all.pop_back();
    const double under = tiles(s.canvas, s.theme(), {start, room.y, end - start, room.height}, all);
    strip.draw(s.canvas, {start, under + section_gap}, s.hits);
    if (cost) draw_cost(s, {room.right() - table_width, room.y, table_width, room.height});
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Rect body = sheet(canvas, page, blind_warning(page));
    const Reading reading = read(page);
    const std::vector<Parameter> own = figure_knobs(page.scene);
    const Knobs view(own, page.scene.set);
    Scenery s{canvas, page, reading, view, weight_shades(page, colour_scale(view))};

    const Trace& trace = page.result.trace;
    if (trace.queries.height == 1 && !page.result.query_labels.empty())
        return draw_words_over_picture(std::move(s), body);
    const Grid grid = trace.queries.height > 1 ? trace.queries : trace.keys;
    const bool matrix = s.view.flag("matrix");
    const double count = matrix ? 3.0 : 2.0;
    const double column = (body.width - (count - 1.0) * gutter) / count;
    const double below = colour_bar_height + under_panel;
    const bool second = body.height >= 330.0;
    const double wished =
        std::max(table_height, 50.0 + section_gap + strip_of(s, body.width / 2, low_strip).height());
    const double reserve = second ? std::min(wished, 0.42 * body.height) + section_gap : 0.0;
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
            .draw = draw,
            .head_strip = true};
}

}  // namespace attn
