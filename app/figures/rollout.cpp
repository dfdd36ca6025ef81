#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/bars.h"
#include "app/figures/format.h"
#include "app/figures/heat.h"
#include "app/figures/kinds.h"
#include "app/figures/labels.h"
#include "app/figures/magnitude.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"
#include "app/figures/view.h"
#include "core/error.h"
#include "core/reach_rollout.h"

namespace attn {
namespace {

std::vector<Parameter> make_knobs() {
    Parameter layers;
    layers.id = "layers";
    layers.symbol = "L";
    layers.label = "layers";
    layers.help = "how often the weights are handed on, the same in each layer";
    layers.kind = Parameter::Kind::integer;
    layers.group = Parameter::Group::layers;
    layers.initial = Index{3};
    layers.low = 1;
    layers.high = 64;
    layers.offered = 12;
    Parameter residual;
    residual.id = "residual";
    residual.label = "residual connection";
    residual.help = "½(A + I) in place of A: half of each position passes unchanged; rows still sum to 1";
    residual.kind = Parameter::Kind::toggle;
    residual.group = Parameter::Group::layers;
    residual.initial = false;
    return {layers, residual, colour_scale_knob("log")};
}

const std::vector<Parameter>& own_knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

void add(const Scene& scene, Result& result, const std::stop_token& stop) {
    const Knobs knobs(own_knobs(), scene.set);
    Rollout rollout;
    std::vector<Map>& heads = rollout.layers.emplace_back();
    for (const Head& head : result.trace.heads) heads.push_back(head.weights);
    const bool shuffled = !result.trace.key_order.empty();
    RolledRow rolled{
        .one = {},
        .all = {},
        .problem = shuffled ? "keys are in another order than queries" : rollout_problem(rollout)};
    if (rolled.problem.empty()) {
        const Index query = query_of(scene, result);
        const std::vector<double> one = rollout_row(rollout, query, 1, stop);
        rollout.residual = knobs.flag("residual");
        const std::vector<double> all = rollout_row(rollout, query, knobs.integer("layers"), stop);
        rolled.one.assign(one.begin(), one.end());
        rolled.all.assign(all.begin(), all.end());
    }
    result.rolled = std::move(rolled);
}

struct RolloutPage {
    Canvas& canvas;
    const Page& page;
    const Reading& reading;
    Knobs view;
    const std::vector<float>&one, &all;  ///< the query's rows: of one layer, of L layers
    std::vector<Hit> hits{};

    [[nodiscard]] const Theme& theme() const { return page.theme; }
    [[nodiscard]] Index layers() const { return view.integer("layers"); }
    [[nodiscard]] std::string product() const {
        return (view.flag("residual") ? "row of (½(A + I))" : "row of A") + superscript(layers());
    }
};

/// The colour bar's ends serve both pictures.
Colouring shared_colouring(const RolloutPage& r) {
    Colouring colouring = weight_colouring(r.theme());
    colouring.scale = colour_scale(r.view);
    std::vector<float> both = r.one;
    both.insert(both.end(), r.all.begin(), r.all.end());
    if (colouring.scale == Scale::linear) colouring.range = range_of(both);
    if (colouring.scale == Scale::logarithmic || colouring.scale == Scale::uniform) {
        const double most = *std::max_element(both.begin(), both.end());
        constexpr double decades = 1e-4;
        colouring.range = {.kind = Range::Kind::fixed, .low = decades * most, .high = most};
    }
    return colouring;
}

void draw_row_picture(RolloutPage& r, const Panel& panel, const std::vector<float>& row,
                      const std::string& key, const Caption& text, const Colouring& colouring) {
    caption(r.canvas, r.theme(), panel.rect.x, panel.rect.right(), panel.rect.y - caption_height, text);
    const Grid keys = r.page.result.trace.keys;
    const HeatMap map = heat_map(r.page, key, row, keys.width, colouring, {}, keys.size());
    r.canvas.heat_map(panel.rect, map);
    if (r.page.focus.key) frame(r.canvas, r.theme(), panel.cell(*r.page.focus.key), r.theme().ink);
    frame(r.canvas, r.theme(), panel.cell(r.reading.query), r.theme().query);
    colour_bar(r.canvas, r.page, {panel.rect.x, panel.rect.bottom() + under_panel}, panel.rect.width, map,
               name_of(map.colouring.scale));
    r.hits.push_back({.area = panel.rect, .rows = panel.rows, .columns = panel.columns});
}

void draw_word_bars(RolloutPage& r, Rect room, const std::vector<float>& row, const Caption& text,
                    double top_value) {
    caption(r.canvas, r.theme(), room.x, room.right(), room.y, text);
    const auto count = static_cast<Index>(row.size());
    const Labels names =
        column_labels(r.canvas, r.page.result.key_labels, count, room.width / static_cast<double>(count));
    Bars bars;
    bars.values = row;
    for (Index i = 0; i < count; ++i) bars.order.push_back(i);
    bars.accent = r.reading.query;
    bars.lit = r.page.focus.key;
    bars.reference = 1.0 / static_cast<double>(count);
    bars.top = top_value;
    bars.numbered = true;
    const Rect area{room.x, room.y + caption_height, room.width,
                    std::max(room.height - caption_height - names.depth - 8.0, 20.0)};
    const DrawnBars drawn = draw_bars(r.canvas, r.theme(), area, bars);
    Lit lit;
    lit.accent = r.reading.query;
    if (r.page.focus.key) lit.strong.push_back(*r.page.focus.key);
    draw_column_labels(r.canvas, r.theme(), drawn.cells, names, lit, false);
    r.hits.push_back(
        {.area = drawn.cells.rect, .rows = 1, .columns = drawn.cells.columns, .order = drawn.order});
}

std::vector<Tile> tiles_of(const RolloutPage& r) {
    const RowFacts before = facts(r.one);
    const RowFacts after = facts(r.all);
    return {{significant(before.effective) + " → " + significant(after.effective),
             "effective positions, one → " + layers_in_words(r.layers())},
            {significant(before.largest) + " → " + significant(after.largest), "largest weight"},
            {significant(after.sum, 6), "sum of the row, still 1"}};
}

/// Both rows as pictures or as bars over words; return the bottom.
double draw_pictures(RolloutPage& r, Rect room, const Caption& first, const Caption& second) {
    const Grid keys = r.page.result.trace.keys;
    const double below = colour_bar_height + under_panel;
    const Panel panel = square_cells(
        r.canvas,
        {room.x, room.y + caption_height, (room.width - gutter) / 2, room.height - caption_height - below},
        keys.height, keys.width);
    const Colouring colouring = shared_colouring(r);
    const std::string query = std::to_string(r.reading.query);
    draw_row_picture(r, panel, r.one, "one " + query, first, colouring);
    Panel right = panel;
    const double gap = std::min(room.width - 2 * panel.rect.width, widest_gap(panel.rect.width));
    right.rect.x = r.canvas.snap(panel.rect.right() + gap);
    draw_row_picture(r, right, r.all, "rolled " + query + r.product(), second, colouring);
    return panel.rect.bottom() + below;
}

double draw_word_rows(RolloutPage& r, Rect room, const Caption& first, const Caption& second) {
    constexpr double tallest = 260.0;
    const double top = std::max(*std::max_element(r.one.begin(), r.one.end()),
                                *std::max_element(r.all.begin(), r.all.end()));
    const double half = std::min((room.height - gutter) / 2, tallest);
    draw_word_bars(r, {room.x, room.y, room.width, half}, r.one, first, top);
    draw_word_bars(r, {room.x, room.y + half + gutter, room.width, half}, r.all, second, top);
    return room.y + 2 * half + gutter;
}

void draw_rows(RolloutPage& r, Rect body) {
    const std::string many = "after " + layers_in_words(r.layers());
    const std::string product = r.product();
    const Caption first{"after one layer",
                        r.page.result.trace.heads.size() > 1 ? "mean of heads" : "weights α"};
    const Caption second{many, product};
    const std::vector<Tile> all = tiles_of(r);
    const double foot = tiles_height(r.canvas, body.width, all);
    const Rect room{body.x, body.y, body.width, body.height - foot - gutter};
    const double bottom = r.page.result.trace.keys.height > 1 ? draw_pictures(r, room, first, second)
                                                              : draw_word_rows(r, room, first, second);
    tiles(r.canvas, r.theme(), {body.x, bottom + gutter, body.width, foot}, all);
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Rect body = sheet(canvas, page, blind_warning(page));
    const Reading reading = read(page);
    const Knobs view(own_knobs(), page.scene.set);
    const RolledRow& rolled = *page.result.rolled;
    if (!rolled.problem.empty()) {
        paragraph(canvas, {body.x, body.y + Fonts::em(Type::lead)}, std::min(body.width, 640.0),
                  "There is no rollout here: " + rolled.problem + ".", {Type::lead, page.theme.muted});
        return {};
    }
    RolloutPage r{canvas, page, reading, view, rolled.one, rolled.all};
    draw_rows(r, body);
    return std::move(r.hits);
}

}  // namespace

Figure rollout_figure() {
    return {.id = "rollout",
            .title = "Rollout",
            .help = "what one query sees through several layers of the same weights",
            .parameters = own_knobs(),
            .natural = {960.0, 640.0},
            .draw = draw,
            .add = add};
}

}  // namespace attn
