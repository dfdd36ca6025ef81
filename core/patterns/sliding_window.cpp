#include <algorithm>
#include <cstdlib>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

struct Sliding {
    Index radius, dilation, globals, n;
};

bool sees(const Sliding& s, Index q, Index k) {
    if (q < s.globals || k < s.globals) return true;
    const Index distance = std::abs(q - k);
    return distance <= s.radius * s.dilation && distance % s.dilation == 0;
}

void boxes(const Sliding& s, Index q, Boxes& out) {
    if (q < s.globals) return add_run(out, 0, s.n - 1);
    add_run(out, 0, s.globals - 1);
    // The first key of the window that is no global token, in steps of the dilation.
    const Index d = s.dilation;
    const Index before = std::min(s.radius, (q - s.globals) / d);
    const Index after = std::min(s.radius, (s.n - 1 - q) / d);
    out.push_back({q - before * d, 1, 0, before + after + 1, d});
}

}  // namespace

Pattern sliding_window() {
    return {
        .id = "sliding-window",
        .title = "Sliding window",
        .family = Pattern::Family::sequences,
        .source = "Beltagy et al. 2020",
        .see = "Reach grows by the radius a layer; one global token joins any two positions in two.",
        .parameters = {integer_knob("radius", "radius", "keys on either side of the query", 8, 0, 1 << 20),
                       integer_knob("dilation", "dilation", "distance of neighbouring keys", 1, 1, 4096),
                       integer_knob("globals", "global tokens",
                                    "first tokens that see all and are seen by all", 0, 0, 1 << 20),
                       causal_knob()},
        .formula = "N·(2r + 1) + 2·g·N",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                const double n = height * width;
                const auto radius = static_cast<double>(knobs.integer("radius"));
                const auto globals = static_cast<double>(knobs.integer("globals"));
                return n * std::min(2.0 * radius + 1.0, n) + 2.0 * std::min(globals, n) * n;
            },
        .rule =
            [](const Knobs& knobs, Grid grid) {
                const Index n = grid.size();
                const Sliding s{knobs.integer("radius"), knobs.integer("dilation"),
                                std::min(knobs.integer("globals"), n), n};
                Rule rule;
                rule.sees = [s](Index q, Index k) { return sees(s, q, k); };
                rule.boxes = [s](Index q, Boxes& out) { boxes(s, q, out); };
                return rule;
            },
    };
}

}  // namespace attn::rules
