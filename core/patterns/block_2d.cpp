#include <algorithm>
#include <string>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

struct Blocks {
    Index h_q, w_q, h_m, w_m;
    bool around, causal;
    Grid grid;

    [[nodiscard]] Region own(Index q) const {
        return {q / grid.width / h_q * h_q, q % grid.width / w_q * w_q, h_q, w_q};
    }
    /// Block-raster order: the memory of a causal query ends with its own block, whatever lies around it.
    [[nodiscard]] bool up() const { return !around || causal; }
};

Blocks blocks_of(const Knobs& knobs, Grid grid) {
    return {knobs.integer("h_q"),
            knobs.integer("w_q"),
            knobs.integer("h_m"),
            knobs.integer("w_m"),
            knobs.text("sides") == "around",
            knobs.flag("causal"),
            grid};
}

Region above(const Blocks& b, const Region& own) {
    return {own.row - b.h_m, own.column - b.w_m, b.h_m, b.w_q + 2 * b.w_m};
}
Region left(const Blocks& b, const Region& own) {
    return {own.row, own.column - b.w_m, b.h_q, b.w_m};
}
Region around(const Blocks& b, const Region& own) {
    return {own.row - b.h_m, own.column - b.w_m, b.h_q + 2 * b.h_m, b.w_q + 2 * b.w_m};
}

bool inside(const Region& r, Index row, Index column) {
    return row >= r.row && row < r.row + r.height && column >= r.column && column < r.column + r.width;
}

bool sees(const Blocks& b, Index q, Index k) {
    const Region own = b.own(q);
    const Index row = k / b.grid.width;
    const Index column = k % b.grid.width;
    if (!b.up()) return inside(around(b, own), row, column);
    if (inside(own, row, column)) return !b.causal || k <= q;
    return inside(above(b, own), row, column) || inside(left(b, own), row, column);
}

void boxes(const Blocks& b, Index q, Boxes& out) {
    const Region own = b.own(q);
    if (!b.up()) return add_rectangle(out, around(b, own), b.grid);
    add_rectangle(out, above(b, own), b.grid);
    const Region beside = left(b, own);
    if (!b.causal) return add_rectangle(out, {own.row, beside.column, b.h_q, b.w_m + b.w_q}, b.grid);
    // Rows before the query's, its own row as far as the query, and what lies at the left of the rows after
    // it.
    const Index row = q / b.grid.width;
    const Index before = row - own.row;
    add_rectangle(out, {own.row, beside.column, before, b.w_m + b.w_q}, b.grid);
    add_rectangle(out, {row, beside.column, 1, q % b.grid.width - beside.column + 1}, b.grid);
    add_rectangle(out, {row + 1, beside.column, b.h_q - before - 1, b.w_m}, b.grid);
}

Outlines outlines(const Blocks& b, Index q) {
    const Region own = b.own(q);
    std::vector<Region> memory = {above(b, own), left(b, own)};
    if (!b.up()) {
        memory.push_back({own.row, own.column + b.w_q, b.h_q, b.w_m});
        memory.push_back({own.row + b.h_q, own.column - b.w_m, b.h_m, b.w_q + 2 * b.w_m});
    }
    Outlines made{{cut(own, b.grid)}, {}};
    for (const Region& region : memory) {
        const Region r = cut(region, b.grid);
        if (r.height > 0 && r.width > 0) made.memory.push_back(r);
    }
    return made;
}

/// Places of one axis that the memory around a block reaches.
Axis around_axis(Index side, Index length, Index margin) {
    Axis axis;
    for (Index p = 0; p < side; ++p) {
        const Index first = p / length * length;
        const Index low = std::max(first - margin, Index{0});
        axis.push_back({{low, std::min(first + length + margin, side) - low, 1}});
    }
    return axis;
}

Rule rule(const Knobs& knobs, Grid grid) {
    const Blocks blocks = blocks_of(knobs, grid);
    Rule made;
    made.sees = [blocks](Index q, Index k) { return sees(blocks, q, k); };
    made.boxes = [blocks](Index q, Boxes& out) { boxes(blocks, q, out); };
    made.outlines = [blocks](Index q) { return outlines(blocks, q); };
    if (!blocks.up())
        made.product =
            std::make_shared<const Product>(Product{around_axis(grid.height, blocks.h_q, blocks.h_m),
                                                    around_axis(grid.width, blocks.w_q, blocks.w_m)});
    return made;
}

double entries(const Knobs& knobs, double height, double width) {
    const double n = height * width;
    const auto h_q = static_cast<double>(knobs.integer("h_q"));
    const auto w_q = static_cast<double>(knobs.integer("w_q"));
    const auto h_m = static_cast<double>(knobs.integer("h_m"));
    const auto w_m = static_cast<double>(knobs.integer("w_m"));
    const double keys = knobs.text("sides") == "around" ? (h_q + 2 * h_m) * (w_q + 2 * w_m)
                                                        : h_q * w_q + h_m * (w_q + 2 * w_m) + h_q * w_m;
    return n * std::min(keys, n);
}

Parameter named(const std::string& id, const std::string& label, const std::string& help, Index low) {
    Parameter p = integer_knob(id, label, help, 4, low, 4096);
    p.symbol = id;
    return p;
}

Parameter sides_knob() {
    Parameter p;
    p.id = "sides";
    p.label = "memory";
    p.help = "where the further keys lie";
    p.kind = Parameter::Kind::choice;
    p.initial = std::string("up");
    p.choices = {{"up", "above and left", "rows above the block, and columns at its left"},
                 {"around", "around", "on all sides of the block"}};
    return p;
}

}  // namespace

Pattern block_2d() {
    Parameter causal = causal_knob();
    causal.help = "no key after the query in block-raster order: earlier blocks are wholly visible";
    return {
        .id = "block-2d",
        .title = "Blocks of the picture",
        .family = Pattern::Family::pictures,
        .source = "Parmar et al. 2018",
        .see = "Blocks are square on the picture, and all queries of a block share one memory.",
        .parameters = {named("h_q", "block height", "rows of a block of queries", 1),
                       named("w_q", "block width", "columns of a block of queries", 1),
                       named("h_m", "memory height", "rows of memory above the block", 0),
                       named("w_m", "memory width", "columns of memory beside the block", 0), sides_knob(),
                       causal},
        .formula = "N·(h_q·w_q + h_m·(w_q + 2·w_m) + h_q·w_m), around: N·(h_q + 2·h_m)·(w_q + 2·w_m)",
        .entries = entries,
        .rule = rule,
        .causal_by_raster = false,
    };
}

}  // namespace attn::rules
