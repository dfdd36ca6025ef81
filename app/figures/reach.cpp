#include <algorithm>
#include <cmath>

#include "app/figures/cost_chart.h"
#include "app/figures/format.h"
#include "app/figures/heading.h"
#include "app/figures/kinds.h"
#include "app/figures/magnitude.h"
#include "app/figures/reach_parts.h"

namespace attn {
namespace {

constexpr double legend_height = 32.0;
constexpr double section_gap = 18.0;
constexpr double cost_height = 172.0;
constexpr double cost_width = 290.0;

struct ReachPage {
    Canvas& canvas;
    const Page& page;
    const Followed& followed;
    Knobs view;
    bool matrix = false;
    CellLayout cells;
    std::optional<CarriedKey> key;
    std::vector<Hit> hits{};

    [[nodiscard]] const Theme& theme() const { return page.theme; }
    [[nodiscard]] Index depth() const { return followed.depth(); }
    [[nodiscard]] Index size() const { return followed.stack->size(); }
    [[nodiscard]] bool with_map() const { return view.text("map") != "none"; }
    [[nodiscard]] double panels() const { return with_map() ? 3.0 : 2.0; }
};

/// How large the pictures may be, and whether they stand beside or under each other.
struct Arrangement {
    double cell = 0.0;
    bool stacked = false;
};

Arrangement arrange(const ReachPage& r, Size room) {
    const double n = r.panels();
    const auto rows = static_cast<double>(r.cells.rows);
    const auto columns = static_cast<double>(r.cells.columns);
    const double beside = std::min((room.width - (n - 1.0) * gutter) / n / columns,
                                   (room.height - caption_height - legend_height) / rows);
    const double under =
        std::min(room.width / columns,
                 (room.height - n * caption_height - legend_height - (n - 1.0) * 10.0) / n / rows);
    constexpr double worth_it = 1.25;
    const bool stacked = under > worth_it * beside;
    return {std::max(stacked ? under : beside, 0.5), stacked};
}

std::vector<float> hops_of_query(const Followed& followed, Index most) {
    std::vector<float> values;
    for (Index key = 0; key < followed.stack->size(); ++key) {
        const std::int32_t hop = followed.seen_at(key);
        values.push_back(hop <= most ? static_cast<float>(hop) : 0.0F);
    }
    return values;
}

std::vector<float> hops_of_all(const Followed& followed, Index most) {
    std::vector<float> values;
    for (const std::int32_t hop : *followed.all_hops)
        values.push_back(hop <= most ? static_cast<float>(hop) : 0.0F);
    return values;
}

Rect cell_of(const ReachPage& r, const Panel& panel, Index key) {
    return r.matrix ? panel.cell(r.followed.query, key) : panel.cell(key);
}

void mark_query(ReachPage& r, const Panel& panel) {
    if (!r.matrix) return mark_cell(r.canvas, r.theme(), panel.cell(r.followed.query), r.theme().query);
    const Rect row = panel.row(r.followed.query);
    const double half = std::max(row.height / 2, 1.5);
    const double y = std::clamp(row.centre().y, panel.rect.y + half, panel.rect.bottom() - half);
    r.canvas.rect({panel.rect.x - 1.0, y - half - 1.0, panel.rect.width + 2.0, 2 * half + 2.0},
                  {r.theme().query, 1.5});
}

void draw_hops(ReachPage& r, const Panel& panel, Index layers) {
    const Followed& followed = r.followed;
    const std::string name = "after " + layers_in_words(layers);
    std::string measure = share_text(followed, layers);
    if (r.canvas.text_width(name, Type::emphasis) + 12.0 + r.canvas.text_width(measure, Type::caption) >
        panel.rect.width)
        measure = measure.substr(measure.rfind("· ") + 3);  // "19.1 %" alone
    caption(r.canvas, r.theme(), panel.rect.x, panel.rect.right(), panel.rect.y - caption_height,
            {name, measure});
    const bool all = layers > 1;
    const std::string key = (r.matrix ? "matrix " : "query ") + std::to_string(layers);
    draw_hop_cells(r.canvas, r.page, panel, r.cells,
                   {key,
                    [&followed, layers, matrix = r.matrix] {
                        return matrix ? hops_of_all(followed, layers) : hops_of_query(followed, layers);
                    },
                    all && !r.matrix});
}

void draw_one_layer(ReachPage& r, const Panel& panel) {
    draw_hops(r, panel, 1);
    if (!r.matrix)
        draw_outlines(r.canvas, r.theme(), panel, r.cells,
                      r.followed.stack->layer(1).outlines(r.followed.query));
    mark_query(r, panel);
    r.hits.push_back(r.cells.hit(panel));
}

void draw_all_layers(ReachPage& r, const Panel& panel) {
    draw_hops(r, panel, r.depth());
    if (r.key && r.view.flag("bridges")) {
        if (!r.matrix) draw_dots(r.canvas, panel, r.key->bridges);
        mark_cell(r.canvas, r.theme(), cell_of(r, panel, r.key->key), r.theme().ink);
    }
    mark_query(r, panel);
    r.hits.push_back(r.cells.hit(panel));
}

/// Every query's own answer.
void draw_map(ReachPage& r, const Panel& panel) {
    const bool cover = r.view.text("map") == "cover";
    std::vector<float> values;
    std::vector<float> known;
    if (cover && r.followed.cover)
        for (const std::int32_t layers : r.followed.cover->layers) {
            values.push_back(static_cast<float>(layers));
            known.push_back(layers > 0 ? 1.0F : 0.0F);
        }
    if (!cover && r.followed.keys)
        for (const Index keys : *r.followed.keys) values.push_back(static_cast<float>(keys));
    if (values.empty()) return;
    const auto whole = static_cast<std::size_t>(panel.rows * panel.columns);
    known.resize(values.size(), 1.0F);
    values.resize(whole, 0.0F);
    known.resize(whole, 0.0F);
    const auto own = static_cast<Index>(values[static_cast<std::size_t>(r.followed.query)]);
    const std::string measure = "this query: " + (cover && own == 0 ? std::string("never") : grouped(own));
    caption(r.canvas, r.theme(), panel.rect.x, panel.rect.right(), panel.rect.y - caption_height,
            {cover ? "layers to cover" : "keys per query", measure});
    const HeatMap map =
        heat_map(r.page, cover ? "cover" : "keys", values, panel.columns, weight_colouring(r.theme()), known);
    r.canvas.heat_map(panel.rect, map);
    draw_gaps(r.canvas, r.theme(), panel);
    if (!r.matrix) mark_query(r, panel);
    const bool never = std::find(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(r.size()),
                                 0.0F) != known.begin() + static_cast<std::ptrdiff_t>(r.size());
    colour_bar(r.canvas, r.page, {panel.rect.x, panel.rect.bottom() + 8.0}, panel.rect.width, map,
               never ? "grey: never" : "");
    r.hits.push_back(grid_layout(r.followed.stack->grid()).hit(panel));
}

/// The legend under the pictures, with what carries the key: at the right, or under it. Returns the bottom.
double draw_legend(ReachPage& r, double left, double right, double top) {
    constexpr double symbol = 12.0;
    constexpr double line = 19.0;
    if (right <= left) return top + symbol;
    const auto& hops = r.followed.reach.hops;
    const Index deepest = std::max<Index>(*std::max_element(hops.begin(), hops.end()), 1);
    const bool unseen = r.followed.reach.counts.back() < r.size();
    const double used = draw_hop_legend(r.canvas, r.theme(), {left, top}, right - left, deepest, unseen);
    if (!r.key) return top + symbol;
    const double width = symbol + 6.0 + r.canvas.text_width(r.key->sentence, Type::caption);
    const bool beside = width <= right - used - 16.0;
    const double x = r.canvas.snap(beside ? right - width : left);
    const double y = beside ? top : top + line;
    r.canvas.rect({x + 1.0, y + 1.0, symbol - 2.0, symbol - 2.0}, {r.theme().ink, 2.0});
    const double room = right - x - symbol - 6.0;
    r.canvas.text({x + symbol + 6.0, middle_baseline(y, symbol, Type::caption)},
                  beside ? r.key->sentence : r.canvas.fonts().fit(r.key->sentence, Type::caption, room),
                  {Type::caption, r.theme().muted});
    return y + symbol;
}

/// The pictures with their legend; returns what they cover.
Rect draw_pictures(ReachPage& r, Rect room, Arrangement arrangement) {
    Panel panel = close_cells(r.canvas, {room.x, room.y + caption_height}, arrangement.cell, r.cells);
    const double gap = std::min((room.width - r.panels() * panel.rect.width) / (r.panels() - 1.0),
                                widest_gap(panel.rect.width));
    const auto next = [&] {
        if (arrangement.stacked)
            panel.rect.y = r.canvas.snap(panel.rect.bottom() + caption_height + 10.0);
        else
            panel.rect.x = r.canvas.snap(panel.rect.right() + gap);
    };
    draw_one_layer(r, panel);
    next();
    draw_all_layers(r, panel);
    double legend_end = panel.rect.right();
    if (r.with_map()) {
        next();
        // In the mask's view queries are not cells: their map is laid out as the grid.
        const CellLayout layout = grid_layout(r.followed.stack->grid());
        const double cell = std::min(panel.rect.width / static_cast<double>(layout.columns),
                                     panel.rect.height / static_cast<double>(layout.rows));
        draw_map(r, r.matrix ? close_cells(r.canvas, {panel.rect.x, panel.rect.y}, cell, layout) : panel);
        if (arrangement.stacked) legend_end = room.x;
    }
    const double bottom = draw_legend(r, room.x, legend_end, panel.rect.bottom() + 10.0) + 10.0;
    return {room.x, room.y, panel.rect.right() - room.x, bottom - room.y};
}

/// Name and number at the mark, a line for each curve and each layer without one.
void draw_cost_table(ReachPage& r, Rect room) {
    constexpr double pitch = 17.0;
    const CostChart& chart = r.page.result.findings->cost;
    double baseline = room.y + cap_height(Type::caption);
    const auto line = [&](const std::string& name, const std::string& number, Colour colour) {
        if (baseline > room.bottom()) return;
        const double needed = r.canvas.text_width(number, Type::emphasis) + 12.0;
        r.canvas.text({room.x, baseline}, r.canvas.fonts().fit(name, Type::caption, room.width - needed),
                      {Type::caption, colour});
        r.canvas.text({room.right(), baseline}, number, {Type::emphasis, r.theme().ink, Align::right});
        baseline += pitch;
    };
    std::size_t typed = 0;
    for (const Layer& layer : r.followed.layers) {
        if (typed >= chart.typed.size()) break;
        if (layer.kind == Layer::Kind::pattern && cost_model(layer.id).curve) continue;
        const LayerEntries& entries = chart.typed[typed++];
        line(layer_name(layer), (entries.exact ? "" : "≈ ") + magnitude(entries.best()), r.theme().ink);
    }
    for (std::size_t i = 0; i < chart.curves.size(); ++i)
        line(chart.curves[i].spec.name, measured(chart.curves[i].mark_value, chart.measure),
             curve_colour(r.theme(), chart, i).text);
}

/// Curves of one layer's cost, and numbers at the mark.
void draw_cost(ReachPage& r, Rect room, bool beside) {
    const CostChart& chart = r.page.result.findings->cost;
    const std::string at =
        "at S = " + std::to_string(chart.side) + ", N = " + grouped(chart.side * chart.side);
    caption(r.canvas, r.theme(), room.x, room.right(), room.y, {"entries of one layer", at});
    Rect plot{room.x, room.y + caption_height, room.width, room.height - caption_height};
    const auto lines = static_cast<double>(chart.curves.size() + chart.typed.size());
    Rect table = plot;
    if (beside) {
        table.height = 17.0 * lines;
        plot.height -= table.height + 12.0;
        table.y = plot.bottom() + 12.0;
    } else {
        table.width = std::min(0.3 * room.width, 250.0);
        table.x = room.right() - table.width;
        plot.width = room.width - table.width - 1.5 * gutter;
        table.y += 18.0;
        table.height -= 18.0;
    }
    const Index own = std::count_if(
        r.followed.layers.begin(), r.followed.layers.end(),
        [](const Layer& layer) { return layer.kind == Layer::Kind::pattern && cost_model(layer.id).curve; });
    r.hits.push_back(draw_cost_chart(r.canvas, r.page, plot, chart,
                                     {.compact = true, .strong = static_cast<std::size_t>(own)}));
    draw_cost_table(r, table);
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Followed& followed = page.result.findings->followed.front();
    const Grid grid = followed.stack->grid();
    const std::vector<Parameter> schema = attn::schema(page.scene);
    const Knobs view(schema, page.scene.set);
    const bool refused = view.text("view") == "matrix" && !followed.all_hops;
    const Rect body = headed_sheet(canvas, page, reach_heading(followed, refused));
    ReachPage r{canvas,
                page,
                followed,
                view,
                followed.all_hops != nullptr,
                followed.all_hops ? pair_layout(grid) : grid_layout(grid),
                carried_key(page, followed)};

    const std::vector<Tile> all = reach_tiles(canvas, body.width, followed);
    const double height = body.height - tiles_height(canvas, body.width, all) - section_gap;
    const Arrangement alone = arrange(r, {body.width, height});
    const Arrangement under = arrange(r, {body.width, height - cost_height - section_gap});
    const Arrangement beside = arrange(r, {body.width - cost_width - 2 * gutter, height});
    constexpr double nearly = 0.85;  // room at the foot is put to use before room at the side
    const bool is_beside = under.cell < nearly * beside.cell;
    const Arrangement with = is_beside ? beside : under;
    constexpr double enough = 0.7;
    const bool cost = view.flag("with_cost") && with.cell >= enough * alone.cell;

    Rect room{body.x, body.y, body.width, height};
    if (cost && is_beside) room.width -= cost_width + 2 * gutter;
    const Rect pictures = draw_pictures(r, room, cost ? with : alone);
    const double top = pictures.bottom() + section_gap / 2;
    const double end = tiles(canvas, page.theme, {body.x, top, body.width, body.bottom() - top}, all);
    if (cost && is_beside) {
        const double left = pictures.right() + 2 * gutter;
        draw_cost(r, {left, body.y, body.right() - left, pictures.height - 10.0}, true);
    } else if (cost) {
        const double from = end + section_gap;
        draw_cost(r, {body.x, from, body.width, std::min(body.bottom() - from, 2.2 * cost_height)}, false);
    }
    return std::move(r.hits);
}

}  // namespace

Figure reach_figure() {
    return {.id = "reach",
            .title = "Reach",
            .help = "which keys one query sees, in one layer and through several",
            .parameters = reach_knobs(),
            .natural = {960.0, 800.0},
            .draw = draw,
            .subject = Subject::pattern,
            .ask = reach_question};
}

}  // namespace attn
