#include "core/patterns/local_window.h"

#include <algorithm>

namespace attn::rules {

namespace {

/// Cells from the first key of an axis to its last.
Progression extent(const std::vector<Progression>& keys) {
    const Progression& p = keys.front();
    return {p.first, (p.count - 1) * p.step + 1, 1};
}

Outlines window_outlines(const Product& product, Index q, Index width) {
    const Progression rows = extent(product.rows[static_cast<std::size_t>(q / width)]);
    const Progression columns = extent(product.columns[static_cast<std::size_t>(q % width)]);
    return {{{rows.first, columns.first, rows.count, columns.count}}, {}};
}

}  // namespace

Parameter window_knob() {
    return integer_knob("k", "window", "keys a side, as \"k counts\" says", 7, 1, 4096);
}

Parameter dilation_knob(Index initial) {
    return integer_knob("dilation", "dilation", "distance of neighbouring keys", initial, 1, 1024);
}

Parameter k_is_knob() {
    Parameter p;
    p.id = "k_is";
    p.label = "k counts";
    p.help = "libraries disagree by one key: say which";
    p.kind = Parameter::Kind::choice;
    p.initial = std::string("side");
    p.choices = {{"side", "side", "k keys a side, the query included"},
                 {"radius", "radius", "k keys on either side of the query: 2k + 1"},
                 {"lookback", "back", "k keys before and including the query"},
                 {"lookback-beside", "beside", "k keys before the query, and the query"}};
    return p;
}

Parameter edge_knob() {
    Parameter p;
    p.id = "edge";
    p.label = "at the border";
    p.help = "what becomes of a window that leaves the grid";
    p.kind = Parameter::Kind::choice;
    p.initial = std::string("clip");
    p.choices = {{"clip", "clip", "keys outside do not exist"},
                 {"shift", "shift", "the window moves inwards and keeps its size"},
                 {"zero", "zero",
                  "keys outside are zeros: seen by nobody, but stored, and they take mass with score 0"},
                 {"wrap", "wrap", "the grid continues at its other end"}};
    return p;
}

LocalWindow local_window(const Knobs& knobs, Index dilation) {
    const Index k = knobs.integer("k");
    const std::string& counts = knobs.text("k_is");
    LocalWindow local;
    local.window.dilation = dilation;
    if (counts == "side") {
        local.window.low = -(k / 2);
        local.window.high = k - 1 - k / 2;
    } else if (counts == "radius") {
        local.window.low = -k;
        local.window.high = k;
    } else {
        local.window.low = counts == "lookback" ? 1 - k : -k;
    }
    const std::string& edge = knobs.text("edge");
    local.edge = edge == "clip"    ? EdgeRule::clip
                 : edge == "shift" ? EdgeRule::shift
                 : edge == "zero"  ? EdgeRule::zero
                                   : EdgeRule::wrap;
    return local;
}

Rule window_rule(const LocalWindow& local, Grid grid) {
    Rule rule = product_rule(window_axis(grid.height, local.window, local.edge),
                             window_axis(grid.width, local.window, local.edge), grid);
    if (local.edge == EdgeRule::zero) {
        const Index size = local.window.size();
        const Index padded = (grid.height > 1 ? size : 1) * (grid.width > 1 ? size : 1);
        rule.stored = [padded](Index) { return padded; };
    }
    if (local.edge != EdgeRule::wrap)
        rule.outlines = [product = rule.product, w = grid.width](Index q) {
            return window_outlines(*product, q, w);
        };
    return rule;
}

std::string window_problem(const LocalWindow& local, Grid grid) {
    if (local.edge != EdgeRule::shift) return {};
    const Index reach = local.window.size() * local.window.dilation;
    for (const Index side : {grid.height, grid.width})
        if (side > 1 && reach > side)
            return "expected a window that can move inwards on a " + std::to_string(grid.height) + "×" +
                   std::to_string(grid.width) + " grid, got " + std::to_string(local.window.size()) +
                   " keys at dilation " + std::to_string(local.window.dilation) + ", which need a side of " +
                   std::to_string(reach) + ": choose a smaller k or dilation, or another rule at the border";
    return {};
}

double window_entries(const LocalWindow& local, double height, double width) {
    const auto size = static_cast<double>(local.window.size());
    return height * width * std::min(size, height) * std::min(size, width);
}

std::string window_sentence(const LocalWindow& local) {
    const Index before = -local.window.low;
    const Index after = local.window.high;
    std::string text = std::to_string(local.window.size()) + (local.window.size() == 1 ? " key" : " keys") +
                       " a side: " + (before > 0 ? std::to_string(before) + " left, " : "") + "itself" +
                       (after > 0 ? ", " + std::to_string(after) + " right" : "");
    if (local.window.dilation > 1) text += ", every " + std::to_string(local.window.dilation) + " cells";
    return text;
}

}  // namespace attn::rules
