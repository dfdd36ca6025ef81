#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern criss_cross() {
    return {
        .id = "criss-cross",
        .title = "Criss-cross",
        .family = Pattern::Family::pictures,
        .source = "Huang et al. 2019",
        .see = "Row and column in one softmax, the query itself once; the second layer reaches every cell.",
        .parameters = {causal_knob()},
        .formula = "N·(H + W − 1)",
        .entries = [](const Knobs&, double height,
                      double width) { return height * width * (height + width - 1.0); },
        .rule =
            [](const Knobs&, Grid grid) {
                return cross_rule(leading_axis(grid.height, grid.height),
                                  leading_axis(grid.width, grid.width), grid);
            },
    };
}

}  // namespace attn::rules
