#include <algorithm>
#include <string>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

struct Blocks {
    Index l_q, l_m;
    bool both;
    [[nodiscard]] Index first(Index q) const { return q / l_q * l_q; }
    [[nodiscard]] Index low(Index q) const { return std::max(first(q) - l_m, Index{0}); }
    [[nodiscard]] Index high(Index q, Index n) const {
        return std::min(first(q) + l_q + (both ? l_m : 0), n) - 1;
    }
};

Blocks blocks_of(const Knobs& knobs) {
    return {knobs.integer("l_q"), knobs.integer("l_m"), knobs.text("sides") == "both"};
}

Parameter sides_knob() {
    Parameter p;
    p.id = "sides";
    p.label = "memory";
    p.help = "where the l_m further keys lie";
    p.kind = Parameter::Kind::choice;
    p.initial = std::string("back");
    p.choices = {{"back", "before", "l_m keys before the block"},
                 {"both", "around", "and l_m keys after it"}};
    return p;
}

Rule rule(const Knobs& knobs, Grid grid) {
    const Blocks blocks = blocks_of(knobs);
    const Index n = grid.size();
    const bool causal = knobs.flag("causal");
    Rule made;
    made.sees = [=](Index q, Index k) { return k >= blocks.low(q) && k <= blocks.high(q, n); };
    made.boxes = [=](Index q, Boxes& out) { add_run(out, blocks.low(q), blocks.high(q, n)); };
    made.outlines = [=](Index q) {
        const Index first = blocks.first(q);
        const Index last = std::min(first + blocks.l_q, n) - 1;
        Outlines outlines{run_regions(first, last, grid), run_regions(blocks.low(q), first - 1, grid)};
        if (!causal)
            for (const Region& region : run_regions(last + 1, blocks.high(q, n), grid))
                outlines.memory.push_back(region);
        return outlines;
    };
    return made;
}

}  // namespace

Pattern block_1d() {
    Parameter l_q = integer_knob("l_q", "query block", "queries of a block, in raster order", 32, 1, 1 << 20);
    l_q.symbol = "l_q";
    Parameter l_m = integer_knob(
        "l_m", "memory", "further keys on a side (the paper's l_m counts the block too)", 32, 0, 1 << 20);
    l_m.symbol = "l_m";
    return {
        .id = "block-1d",
        .title = "Blocks in raster order",
        .family = Pattern::Family::pictures,
        .source = "Parmar et al. 2018",
        .see = "Local means near in flattened order: a block is a strip of rows, not a neighbourhood.",
        .parameters = {l_q, l_m, sides_knob(), causal_knob()},
        .formula = "N·(l_q + l_m), both sides: N·(l_q + 2·l_m)",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                const Blocks b = blocks_of(knobs);
                const double n = height * width;
                return n * std::min(static_cast<double>(b.l_q + (b.both ? 2 : 1) * b.l_m), n);
            },
        .rule = rule,
    };
}

}  // namespace attn::rules
