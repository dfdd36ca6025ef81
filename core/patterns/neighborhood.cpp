#include "core/patterns/all.h"
#include "core/patterns/local_window.h"

namespace attn::rules {

namespace {

LocalWindow window_of(const Knobs& knobs) {
    const Index k = knobs.integer("k");
    return {{-(k / 2), k - 1 - k / 2, knobs.integer("dilation")}, EdgeRule::shift};
}

}  // namespace

Pattern neighborhood() {
    return {
        .id = "neighborhood",
        .title = "Neighborhood",
        .family = Pattern::Family::pictures,
        .source = "Hassani et al. 2023",
        .see = "At the border the window moves inwards: every query has k×k keys, and corners see further.",
        .parameters = {window_knob(), dilation_knob(1), causal_knob()},
        .formula = "N·k²",
        .entries = [](const Knobs& knobs, double height,
                      double width) { return window_entries(window_of(knobs), height, width); },
        .problem = [](const Knobs& knobs, Grid grid) { return window_problem(window_of(knobs), grid); },
        .sentence = [](const Knobs& knobs, Grid) { return window_sentence(window_of(knobs)); },
        .rule = [](const Knobs& knobs, Grid grid) { return window_rule(window_of(knobs), grid); },
    };
}

}  // namespace attn::rules
