#include "core/patterns/all.h"
#include "core/patterns/windows.h"

namespace attn::rules {

Pattern lsa() {
    return {
        .id = "lsa",
        .title = "Locally grouped",
        .family = Pattern::Family::pictures,
        .source = "Chu et al. 2021",
        .see = "Windows alone never speak to each other: a gsa layer after it joins them all.",
        .parameters = {partition_knob(), causal_knob()},
        .formula = "N·w²",
        .entries = partition_entries,
        .rule = [](const Knobs& knobs,
                   Grid grid) { return partition_rule(grid, knobs.integer("window"), 0); },
    };
}

}  // namespace attn::rules
