#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern column() {
    return {
        .id = "column",
        .title = "Column",
        .family = Pattern::Family::pictures,
        .source = "Ho et al. 2019",
        .see = "One of the two axes: however many layers, a query never leaves its column.",
        .parameters = {span_knob(), causal_knob()},
        .formula = "N·min(m, √N)",
        .entries = [](const Knobs& knobs, double height,
                      double width) { return height * width * span_of(knobs, height); },
        .sentence = span_sentence,
        .rule =
            [](const Knobs& knobs, Grid grid) {
                return product_rule(span_axis(knobs, grid.height), identity_axis(grid.width), grid);
            },
    };
}

}  // namespace attn::rules
