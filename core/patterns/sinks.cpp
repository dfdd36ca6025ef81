#include <algorithm>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern sinks() {
    return {
        .id = "sinks",
        .title = "Attention sinks",
        .family = Pattern::Family::sequences,
        .source = "Xiao et al. 2023",
        .see =
            "The first keys stay in sight of every query; what leaves the window is reached through layers "
            "only.",
        .parameters = {integer_knob("window", "window", "last keys, the query included", 16, 1, 1 << 20),
                       integer_knob("sinks", "sinks", "first keys that stay visible", 4, 0, 1 << 20)},
        .formula = "N·(w + s)",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                const double n = height * width;
                return n * std::min(static_cast<double>(knobs.integer("window") + knobs.integer("sinks")), n);
            },
        .rule =
            [](const Knobs& knobs, Grid) {
                const Index window = knobs.integer("window");
                const Index first = knobs.integer("sinks");
                Rule rule;
                rule.sees = [=](Index q, Index k) { return k <= q && (q - k < window || k < first); };
                rule.boxes = [=](Index q, Boxes& out) {
                    const Index low = std::max(q - window + 1, Index{0});
                    add_run(out, 0, std::min(first, low) - 1);
                    add_run(out, low, q);
                };
                return rule;
            },
    };
}

}  // namespace attn::rules
