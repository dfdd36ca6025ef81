#include "core/patterns/all.h"
#include "core/patterns/local_window.h"

namespace attn::rules {

Pattern local() {
    return {
        .id = "local",
        .title = "Local window",
        .family = Pattern::Family::pictures,
        .source = "Ramachandran et al. 2019",
        .see = "One layer sees its window; each further layer adds half a window on every side.",
        .parameters = {window_knob(), k_is_knob(), edge_knob(), causal_knob()},
        .formula = "N·min(k, √N)²",
        .entries = [](const Knobs& knobs, double height,
                      double width) { return window_entries(local_window(knobs, 1), height, width); },
        .problem = [](const Knobs& knobs, Grid grid) { return window_problem(local_window(knobs, 1), grid); },
        .sentence = [](const Knobs& knobs, Grid) { return window_sentence(local_window(knobs, 1)); },
        .rule = [](const Knobs& knobs, Grid grid) { return window_rule(local_window(knobs, 1), grid); },
    };
}

}  // namespace attn::rules
