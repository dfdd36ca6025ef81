#include "core/patterns/all.h"
#include "core/patterns/local_window.h"

namespace attn::rules {

namespace {

LocalWindow window_of(const Knobs& knobs) {
    return local_window(knobs, knobs.integer("dilation"));
}

}  // namespace

Pattern dilated() {
    return {
        .id = "dilated",
        .title = "Dilated window",
        .family = Pattern::Family::pictures,
        .source = "Child et al. 2019, Hassani and Shi 2022",
        .see = "As many keys as a window, further apart: layers of one dilation never see the cells between.",
        .parameters = {window_knob(), dilation_knob(2), k_is_knob(), edge_knob(), causal_knob()},
        .formula = "N·min(k, √N)²",
        .entries = [](const Knobs& knobs, double height,
                      double width) { return window_entries(window_of(knobs), height, width); },
        .problem = [](const Knobs& knobs, Grid grid) { return window_problem(window_of(knobs), grid); },
        .sentence = [](const Knobs& knobs, Grid) { return window_sentence(window_of(knobs)); },
        .rule = [](const Knobs& knobs, Grid grid) { return window_rule(window_of(knobs), grid); },
    };
}

}  // namespace attn::rules
