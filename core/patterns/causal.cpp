#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

Pattern causal() {
    return {
        .id = "causal",
        .title = "Causal",
        .family = Pattern::Family::sequences,
        .source = "Vaswani et al. 2017",
        .see =
            "Every query sees what came before it: only the last one ever sees all, however many layers "
            "there are.",
        .parameters = {},
        .formula = "N(N + 1)/2",
        .entries =
            [](const Knobs&, double height, double width) {
                const double n = height * width;
                return n * (n + 1.0) / 2.0;
            },
        .rule =
            [](const Knobs&, Grid) {
                Rule rule;
                rule.sees = [](Index q, Index k) { return k <= q; };
                rule.boxes = [](Index q, Boxes& out) { add_run(out, 0, q); };
                return rule;
            },
    };
}

}  // namespace attn::rules
