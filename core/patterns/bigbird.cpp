#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"
#include "core/random.h"

namespace attn::rules {

namespace {

/// The blocks that each block of queries sees, ascending; empty for a global block, which sees all.
using Table = std::vector<std::vector<Index>>;

bool contains(const std::vector<Index>& sorted, Index value) {
    return std::ranges::binary_search(sorted, value);
}

/// Draws until enough new blocks are found; there are at least as many.
void add_random(std::vector<Index>& seen, Index globals, Index blocks, Index wanted, Random random) {
    const Index left = blocks - globals - static_cast<Index>(seen.size());
    for (Index drawn = std::min(wanted, left); drawn > 0;) {
        const Index block = random.below(blocks);
        if (block < globals) continue;
        const auto place = std::ranges::lower_bound(seen, block);
        if (place != seen.end() && *place == block) continue;
        seen.insert(place, block);
        --drawn;
    }
}

Table table_of(const Knobs& knobs, Index blocks) {
    const Index globals = std::min(knobs.integer("globals"), blocks);
    const auto seed = static_cast<std::uint64_t>(knobs.integer("seed"));
    Table table(static_cast<std::size_t>(blocks));
    for (Index b = globals; b < blocks; ++b) {
        std::vector<Index>& seen = table[static_cast<std::size_t>(b)];
        for (Index near = std::max(b - 1, globals); near <= std::min(b + 1, blocks - 1); ++near)
            seen.push_back(near);
        // A stream per block: more blocks do not change the draws of the first.
        Random streams(seed * 0x10001 + static_cast<std::uint64_t>(b));
        add_random(seen, globals, blocks, knobs.integer("random"), Random(streams.bits()));
    }
    return table;
}

Rule rule(const Knobs& knobs, Grid grid) {
    const Index n = grid.size();
    const Index length = knobs.integer("block");
    const Index blocks = (n + length - 1) / length;
    const Index globals = std::min(knobs.integer("globals"), blocks);
    const auto table = std::make_shared<const Table>(table_of(knobs, blocks));
    Rule made;
    made.sees = [=](Index q, Index k) {
        return q / length < globals || k / length < globals ||
               contains((*table)[static_cast<std::size_t>(q / length)], k / length);
    };
    made.boxes = [=](Index q, Boxes& out) {
        if (q / length < globals) return add_run(out, 0, n - 1);
        if (globals > 0) add_run(out, 0, globals * length - 1);
        for (const Index b : (*table)[static_cast<std::size_t>(q / length)])
            add_run(out, b * length, std::min((b + 1) * length, n) - 1);
    };
    made.outlines = [=](Index q) {
        const Index first = q / length * length;
        return Outlines{run_regions(first, first + length - 1, grid), {}};
    };
    return made;
}

/// The drawn blocks are held: there must not be as many as pairs of positions.
std::string problem(const Knobs& knobs, Grid grid) {
    constexpr Index most = 20'000'000;
    const Index length = knobs.integer("block");
    const Index blocks = (grid.size() + length - 1) / length;
    const Index random = std::min(knobs.integer("random"), blocks);
    if (random == 0 || blocks <= most / random) return {};
    return "expected at most 20,000,000 random blocks in all, got " + std::to_string(blocks) +
           " blocks with " + std::to_string(random) + " each; use larger blocks or fewer of them";
}

}  // namespace

Pattern bigbird() {
    return {
        .id = "bigbird",
        .title = "BigBird",
        .family = Pattern::Family::sequences,
        .source = "Zaheer et al. 2020",
        .see =
            "Window, global and random blocks: every position is two layers away, for a constant number of "
            "keys.",
        .parameters = {integer_knob("block", "block", "tokens of a block", 16, 1, 1 << 20),
                       integer_knob("globals", "global blocks",
                                    "first blocks that see all and are seen by all", 1, 0, 1 << 20),
                       integer_knob("random", "random blocks", "further blocks of each block, none twice", 2,
                                    0, 1024),
                       integer_knob("seed", "seed", "of the random blocks", 1, 0, 1 << 30), causal_knob()},
        .formula = "N·b·(3 + g + r) + g·b·N",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                const double n = height * width;
                const auto b = static_cast<double>(knobs.integer("block"));
                const auto g = static_cast<double>(knobs.integer("globals"));
                const auto r = static_cast<double>(knobs.integer("random"));
                return n * std::min(b * (3.0 + g + r), n) + std::min(g * b, n) * n;
            },
        .problem = problem,
        .rule = rule,
    };
}

}  // namespace attn::rules
