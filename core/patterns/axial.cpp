#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern axial() {
    return {
        .id = "axial",
        .title = "Axial",
        .family = Pattern::Family::pictures,
        .source = "Ho et al. 2019, Wang et al. 2020",
        .see = "One layer spans the whole row and the whole column; the second reaches every cell.",
        .parameters = {span_knob(), causal_knob()},
        .formula = "2·N·min(m, √N)",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                return height * width * (span_of(knobs, height) + span_of(knobs, width));
            },
        .sentence = span_sentence,
        .rule =
            [](const Knobs& knobs, Grid grid) {
                Rule rule = cross_rule(span_axis(knobs, grid.height), span_axis(knobs, grid.width), grid);
                // Two passes, along the column and along the row: the query itself is a key of both.
                rule.stored = [](Index count) { return count + 1; };
                return rule;
            },
    };
}

}  // namespace attn::rules
