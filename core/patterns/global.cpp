#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern global() {
    return {
        .id = "global",
        .title = "Global",
        .family = Pattern::Family::pictures,
        .source = "Vaswani et al. 2017",
        .see = "One layer sees everything, and pays for every pair.",
        .parameters = {causal_knob()},
        .formula = "N²",
        .entries = [](const Knobs&, double height, double width) { return height * width * height * width; },
        .rule =
            [](const Knobs&, Grid grid) {
                return product_rule(leading_axis(grid.height, grid.height),
                                    leading_axis(grid.width, grid.width), grid);
            },
    };
}

}  // namespace attn::rules
