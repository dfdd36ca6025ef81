#include "core/patterns/windows.h"

#include <algorithm>

namespace attn::rules {

Rule partition_rule(Grid grid, Index length, Index shift) {
    Rule rule =
        product_rule(block_axis(grid.height, length, shift), block_axis(grid.width, length, shift), grid);
    rule.outlines = [product = rule.product, w = grid.width](Index q) {
        const Progression& r = product->rows[static_cast<std::size_t>(q / w)].front();
        const Progression& c = product->columns[static_cast<std::size_t>(q % w)].front();
        return Outlines{{{r.first, c.first, r.count, c.count}}, {}};
    };
    return rule;
}

double partition_entries(const Knobs& knobs, double height, double width) {
    const auto w = static_cast<double>(knobs.integer("window"));
    return height * width * std::min(w, height) * std::min(w, width);
}

Parameter partition_knob() {
    Parameter p = integer_knob("window", "window", "side of a window of the partition", 4, 1, 4096);
    p.symbol = std::string("w");
    return p;
}

}  // namespace attn::rules
