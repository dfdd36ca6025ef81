#include <algorithm>
#include <string>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

struct Parts {
    Index l, c;
    bool row, column;
    /// Where the last c of a block begin within it.
    [[nodiscard]] Index tail() const { return std::max(l - c, Index{0}); }
};

Parts parts_of(const Knobs& knobs, Index positions) {
    const std::string& part = knobs.text("part");
    return {stride_of(knobs, positions), knobs.integer("c"), part != "column", part != "row"};
}

bool sees(const Parts& parts, Index q, Index k) {
    if (k > q) return false;
    return (parts.row && k / parts.l == q / parts.l) || (parts.column && k % parts.l >= parts.tail());
}

void boxes(const Parts& parts, Index q, Boxes& out) {
    const Index l = parts.l;
    const Index own = q / l * l;
    if (parts.column && own > 0) out.push_back({parts.tail(), own / l, l, l - parts.tail(), 1});
    if (parts.row || parts.column) add_run(out, own + (parts.row ? 0 : parts.tail()), q, l);
}

double entries(const Knobs& knobs, double height, double width) {
    const double n = height * width;
    const double l = stride_of(knobs, n);
    const std::string& part = knobs.text("part");
    const double c = std::min(static_cast<double>(knobs.integer("c")), l);
    return n * ((part != "column" ? l : 0.0) + (part != "row" ? c * n / l : 0.0));
}

Parameter part_knob() {
    Parameter p;
    p.id = "part";
    p.label = "part";
    p.help = "the two attentions of the source, apart or in one head";
    p.kind = Parameter::Kind::choice;
    p.initial = std::string("union");
    p.choices = {{"row", "row", "the own block up to the query"},
                 {"column", "column", "the last c keys of every block, up to the query"},
                 {"union", "both", "both in one head"}};
    return p;
}

}  // namespace

Pattern fixed() {
    return {
        .id = "fixed",
        .title = "Fixed",
        .family = Pattern::Family::sequences,
        .source = "Child et al. 2019",
        .see = "The last c of every block summarise it for all that follows.",
        .parameters = {stride_knob(),
                       integer_knob("c", "summary",
                                    "keys at the end of each block that all later queries see", 4, 1,
                                    1 << 20),
                       part_knob()},
        .formula = "N·(l + c·N/l)",
        .entries = entries,
        .rule =
            [](const Knobs& knobs, Grid grid) {
                const Parts parts = parts_of(knobs, grid.size());
                Rule rule;
                rule.sees = [parts](Index q, Index k) { return sees(parts, q, k); };
                rule.boxes = [parts](Index q, Boxes& out) { boxes(parts, q, out); };
                rule.outlines = [parts, grid](Index q) {
                    const Index own = q / parts.l * parts.l;
                    return Outlines{run_regions(own, own + parts.l - 1, grid), {}};
                };
                return rule;
            },
    };
}

}  // namespace attn::rules
