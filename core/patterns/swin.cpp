#include <string>

#include "core/patterns/all.h"
#include "core/patterns/windows.h"

namespace attn::rules {

Pattern swin() {
    return {
        .id = "swin",
        .title = "Shifted windows",
        .family = Pattern::Family::pictures,
        .source = "Liu et al. 2021",
        .see = "Windows alone never speak to each other: the shift of every other layer joins them.",
        .parameters = {partition_knob(),
                       integer_knob("shift", "shift", "windows moved down and right; no wrap-around", 0, 0,
                                    4096),
                       causal_knob()},
        .formula = "N·w²",
        .entries = partition_entries,
        .problem = [](const Knobs& knobs, Grid) -> std::string {
            const Index window = knobs.integer("window");
            const Index shift = knobs.integer("shift");
            if (shift < window) return {};
            return "expected a shift less than the window of " + std::to_string(window) + ", got " +
                   std::to_string(shift);
        },
        .rule =
            [](const Knobs& knobs, Grid grid) {
                return partition_rule(grid, knobs.integer("window"), knobs.integer("shift"));
            },
    };
}

}  // namespace attn::rules
