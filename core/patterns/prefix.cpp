#include <algorithm>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern prefix() {
    return {
        .id = "prefix",
        .title = "Prefix",
        .family = Pattern::Family::sequences,
        .source = "Liu et al. 2018, Raffel et al. 2020",
        .see = "The prefix reads itself both ways; after it everything is causal.",
        .parameters = {integer_knob("length", "prefix", "tokens that all queries see", 8, 0, 1 << 20),
                       causal_knob()},
        .formula = "N(N + 1)/2 + p(p − 1)/2",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                const double n = height * width;
                const double p = std::min(static_cast<double>(knobs.integer("length")), n);
                return n * (n + 1.0) / 2.0 + p * (p - 1.0) / 2.0;
            },
        .rule =
            [](const Knobs& knobs, Grid grid) {
                const Index length = std::min(knobs.integer("length"), grid.size());
                Rule rule;
                rule.sees = [=](Index q, Index k) { return k <= q || k < length; };
                rule.boxes = [=](Index q, Boxes& out) { add_run(out, 0, std::max(q, length - 1)); };
                return rule;
            },
    };
}

}  // namespace attn::rules
