#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern row() {
    return {
        .id = "row",
        .title = "Row",
        .family = Pattern::Family::pictures,
        .source = "Ho et al. 2019",
        .see = "One of the two axes: however many layers, a query never leaves its row.",
        .parameters = {span_knob(), causal_knob()},
        .formula = "N·min(m, √N)",
        .entries = [](const Knobs& knobs, double height,
                      double width) { return height * width * span_of(knobs, width); },
        .sentence = span_sentence,
        .rule =
            [](const Knobs& knobs, Grid grid) {
                return product_rule(identity_axis(grid.height), span_axis(knobs, grid.width), grid);
            },
    };
}

}  // namespace attn::rules
