#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/figures/bars.h"
#include "app/figures/equation.h"
#include "app/figures/format.h"
#include "app/figures/heat.h"
#include "app/figures/kinds.h"
#include "app/figures/labels.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"
#include "core/cost.h"

namespace attn {
namespace {

constexpr double column_gap = 12.0;
constexpr double section_gap = 18.0;
constexpr double number_height = 16.0;  ///< over a bar
constexpr double least_map = 36.0;
constexpr Index most_columns = 24;

struct Gates {
    Canvas& canvas;
    const Page& page;
    const Reading& reading;
    Index count = 0;                 ///< channels shown, from the first
    double pitch = 0.0;              ///< from column to column
    double across = 0.0;             ///< of a column
    std::vector<float> competing{};  ///< softmax(β e)
    std::vector<Hit> hits{};

    [[nodiscard]] const Theme& theme() const { return page.theme; }
    [[nodiscard]] const Trace& trace() const { return page.result.trace; }
    [[nodiscard]] double left(Rect room, Index c) const { return room.x + pitch * static_cast<double>(c); }
    [[nodiscard]] Panel columns(Rect room) const {
        return {{room.x, room.y, pitch * static_cast<double>(count) - column_gap, room.height}, 1, count};
    }
};

/// The same scores through a softmax: weights that compete where gates do not.
std::vector<float> compete(std::span<const float> scores, double beta) {
    std::vector<float> weights(scores.begin(), scores.end());
    for (float& score : weights) score *= static_cast<float>(beta);
    softmax_rows(weights, static_cast<Index>(weights.size()), 1.0);
    return weights;
}

/// Two digits; what is not seen at this height is about 0.
std::string brief(double share) {
    return share < 5e-4 ? "≈ 0" : significant(share, 2);
}

/// A row of channel maps, each coloured over the range it has before the gate.
void draw_maps(Gates& g, Rect room, const Array& maps, const char* name) {
    const Index height = maps.extent(1);
    const Index width = maps.extent(2);
    const auto size = static_cast<std::size_t>(height * width);
    Colouring colouring = weight_colouring(g.theme());
    for (Index c = 0; c < g.count; ++c) {
        const auto at = static_cast<std::size_t>(c) * size;
        colouring.range = range_of(g.page.result.channels->values().subspan(at, size));
        const Panel panel =
            square_cells(g.canvas, {g.left(room, c), room.y, g.across, room.height}, height, width);
        g.canvas.heat_map(panel.rect, heat_map(g.page, name + std::to_string(c),
                                               maps.values().subspan(at, size), width, colouring));
        if (g.page.focus.key == c) frame(g.canvas, g.theme(), panel.rect, g.theme().ink);
    }
    g.hits.push_back({.area = {room.x, room.y, g.pitch * static_cast<double>(g.count), room.height},
                      .rows = 1,
                      .columns = g.count,
                      .role = Hit::Role::channels});
}

/// A gate and, beside it, its softmax weight; both from 0 to 1.
void draw_pairs(Gates& g, Rect room) {
    const double base = g.canvas.snap(room.bottom());
    const double full = room.height - number_height;
    const auto bar = [&](double x, double width, double value, Colour colour) {
        const double tip = g.canvas.snap(base - full * std::clamp(value, 0.0, 1.0));
        g.canvas.fill({g.canvas.snap(x), tip, g.canvas.snap(width), base - tip}, colour);
        return tip;
    };
    const double identity = g.canvas.snap(base - full) + 0.5;
    g.canvas.line({room.x, identity}, {room.right(), identity}, {g.theme().muted, 1.0, true});
    for (Index c = 0; c < g.count; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const auto gate = static_cast<double>(g.reading.weights[i]);
        const auto share = static_cast<double>(g.competing[i]);
        const double x = g.left(room, c);
        const double wide = std::floor(0.36 * g.across);
        const bool lit = g.page.focus.key == c;
        const double tip = bar(x, wide, gate, lit ? g.theme().ink : g.theme().bar);
        const double other = bar(x + wide + 2.0, wide, share, faded(g.theme(), g.theme().ink));
        constexpr double least_column = 52.0;
        if (g.across < least_column) continue;
        text_on_ground(g.canvas, g.theme(), {x, tip - 4.0}, brief(gate), {Type::label, g.theme().ink});
        const double clear = x + g.canvas.text_width(brief(gate), Type::label) + 4.0;
        const double place = std::abs(other - tip) < 12.0 ? std::max(clear, x + wide + 2.0) : x + wide + 2.0;
        text_on_ground(g.canvas, g.theme(), {place, other - 4.0}, brief(share),
                       {Type::label, g.theme().muted});
    }
    g.canvas.line({room.x, base + 0.5}, {room.right(), base + 0.5}, {g.theme().hairline, 1.0});
    g.hits.push_back({.area = {room.x, room.y, g.pitch * static_cast<double>(g.count), room.height},
                      .rows = 1,
                      .columns = g.count,
                      .role = Hit::Role::channels});
}

/// "■ gate  ■ softmax" in place of a measure.
void draw_legend(Gates& g, Rect room) {
    const double baseline = room.y + cap_height(Type::caption) + 1.0;
    struct Entry {
        std::string text;
        Colour colour;
    };
    const std::vector<Entry> entries = {
        {"gates: each on its own", g.theme().bar},
        {"softmax(β·e): weights that compete", faded(g.theme(), g.theme().ink)},
        {"dashed: 1, identity", {}}};
    double needed = -gutter;
    for (const Entry& entry : entries)
        needed += 16.0 + gutter + g.canvas.text_width(entry.text, Type::caption);
    double x = std::max(room.right() - needed, room.x + 170.0);
    for (const Entry& entry : entries) {
        const double width = g.canvas.text_width(entry.text, Type::caption);
        if (x + 16.0 + width > room.right() + 0.5) return;
        if (entry.colour == Colour{})
            g.canvas.line({x, baseline - 4.0}, {x + 10.0, baseline - 4.0}, {g.theme().muted, 1.0, true});
        else
            g.canvas.fill({x, baseline - 9.0, 10.0, 10.0}, entry.colour);
        g.canvas.text({x + 16.0, baseline}, entry.text, {Type::caption, g.theme().muted});
        x += 16.0 + width + gutter;
    }
}

struct RealBlock {
    Index channels = 256, reduction = 16;
    [[nodiscard]] bool legal() const { return channels % reduction == 0; }
};

RealBlock real_block(const Page& page) {
    const std::vector<Parameter>& schema = page.result.mechanism->parameters;
    const Knobs set(schema, page.scene.set);
    RealBlock block;
    if (find(schema, "log2C") != nullptr) block.channels = Index{1} << set.integer("log2C");
    if (find(schema, "r") != nullptr) block.reduction = set.integer("r");
    return block;
}

std::vector<Tile> cost_tiles(const RealBlock& block) {
    if (!block.legal()) return {};
    const GateCost cost = gate_cost(block.channels, block.reduction);
    const NetworkGates network = se_resnet_50(block.reduction);
    return {
        {grouped(cost.weights), "weights, " + grouped(cost.weights / 2) + " + " + grouped(cost.weights / 2)},
        {grouped(cost.biases), "biases, C/r + C"},
        {grouped(cost.conv3x3), "a 3×3 convolution, 9C²"},
        {percent(cost.ratio(), 2), "gate ÷ convolution"},
        {grouped(network.weights),
         "weights in SE-ResNet-50, " + percent(network.last_stage_share, 2) + " in its last stage"}};
}

void draw_cost(Gates& g, Rect room, const RealBlock& block, const std::vector<Tile>& costs) {
    const std::string numbers = "C = " + grouped(block.channels) + ", r = " + grouped(block.reduction);
    caption(g.canvas, g.theme(), room.x, room.right(), room.y, {"cost of a real block", numbers});
    const double top = room.y + caption_height;
    if (!block.legal()) {
        const std::string sentence =
            block.channels < block.reduction
                ? "Expected C ≥ r, got " + numbers +
                      ": the hidden layer would have no unit; lower r or raise C."
                : "Expected r to divide C, got " + numbers + ": choose a power of two.";
        paragraph(g.canvas, {room.x, top + 18.0}, room.width, sentence, {Type::body, g.theme().warning});
        return;
    }
    tiles(g.canvas, g.theme(), {room.x, top, room.width, room.height}, costs);
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Rect body = sheet(canvas, page, blind_warning(page));
    const Reading reading = read(page);
    const Array& before = *page.result.channels;
    Gates g{canvas, page, reading, std::min<Index>(before.extent(0), most_columns)};
    g.pitch = (body.width + column_gap) / static_cast<double>(g.count);
    g.across = g.pitch - column_gap;
    g.competing = compete(reading.scores, page.result.trace.sharpness);

    const RealBlock block = real_block(page);
    std::vector<Tile> costs = cost_tiles(block);
    const Formulas formulas = formulas_of(page);
    const Labels names = column_labels(canvas, page.result.channel_names, g.count, g.pitch);
    const double fixed = 3 * caption_height + names.depth + 2 * section_gap + number_height;
    const auto left_for_pictures = [&] {
        const double cost = costs.empty() ? 48.0 : tiles_height(canvas, body.width, costs);
        return body.height - fixed - section_gap - caption_height - cost - 8.0;
    };
    while (costs.size() > 4 && left_for_pictures() < 3 * least_map + 40.0) costs.pop_back();
    const double aspect = static_cast<double>(before.extent(1)) / static_cast<double>(before.extent(2));
    const double map =
        std::clamp(0.34 * left_for_pictures(), least_map, std::max(g.across * aspect, least_map));
    const double bars = std::clamp(left_for_pictures() - 2 * map, least_map, 1.3 * map + 20.0);

    double top = body.y;
    const auto section = [&](std::string_view name, std::string_view measure) {
        caption(canvas, page.theme, body.x, body.right(), top, {name, measure});
        top += caption_height;
    };
    section("before", "x, each map on its own colour scale");
    const Rect first{body.x, top + names.depth, body.width, map};
    Lit lit;
    if (page.focus.key) lit.strong.push_back(*page.focus.key);
    const double drawn =
        square_cells(canvas, {first.x, first.y, g.across, map}, before.extent(1), before.extent(2))
            .rect.width;
    const Panel over{
        {body.x - (g.pitch - drawn) / 2, first.y, g.pitch * static_cast<double>(g.count), map}, 1, g.count};
    draw_column_labels(canvas, page.theme, over, names, lit);
    draw_maps(g, first, before, "before ");
    top = first.bottom() + section_gap;
    draw_legend(g, {body.x, top, body.width, 0.0});
    section("gates " + formulas.squash, "");
    draw_pairs(g, {body.x, top, body.width, bars + number_height});
    top += bars + number_height + section_gap;
    section("after", formulas.multiply + ", on the scale before");
    draw_maps(g, {body.x, top, body.width, map}, *g.trace().output, "after ");
    top += map + section_gap;
    draw_cost(g, {body.x, top, body.width, body.bottom() - top}, block, costs);
    return std::move(g.hits);
}

}  // namespace

Figure gate_figure() {
    return {.id = "gate",
            .title = "Gates",
            .help = "one number per channel turns its map up or down",
            .parameters = {},
            .natural = {960.0, 700.0},
            .draw = draw};
}

}  // namespace attn
