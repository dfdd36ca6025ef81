#include <algorithm>
#include <string>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

struct Parts {
    Index l;
    bool local, column;
};

Parts parts_of(const Knobs& knobs, Index positions) {
    const std::string& part = knobs.text("part");
    return {stride_of(knobs, positions), part != "column", part != "local"};
}

bool sees(const Parts& parts, Index q, Index k) {
    if (k > q) return false;
    return (parts.local && q - k < parts.l) || (parts.column && (q - k) % parts.l == 0);
}

void boxes(const Parts& parts, Index q, Boxes& out) {
    const Index l = parts.l;
    // Column keys before the local part; without it the query is the last of them.
    const Index far = parts.column ? q / l + (parts.local ? 0 : 1) : 0;
    if (far > 0) out.push_back({q % l, far, l, 1, 1});
    if (parts.local) add_run(out, std::max(q - l + 1, Index{0}), q, l);
}

double entries(const Knobs& knobs, double height, double width) {
    const double n = height * width;
    const double l = stride_of(knobs, n);
    const std::string& part = knobs.text("part");
    return n * ((part != "column" ? l : 0.0) + (part != "local" ? n / l : 0.0));
}

Parameter part_knob() {
    Parameter p;
    p.id = "part";
    p.label = "part";
    p.help = "the two attentions of the source, apart or in one head";
    p.kind = Parameter::Kind::choice;
    p.initial = std::string("union");
    p.choices = {{"local", "local", "the last l keys, the query included"},
                 {"column", "column", "every l-th key before the query"},
                 {"union", "both", "both in one head"}};
    return p;
}

}  // namespace

Pattern strided() {
    return {
        .id = "strided",
        .title = "Strided",
        .family = Pattern::Family::sequences,
        .source = "Child et al. 2019",
        .see =
            "With l as wide as the picture the far keys are the column above: two layers see all that came "
            "before.",
        .parameters = {stride_knob(), part_knob()},
        .formula = "N·(l + N/l), 2·N·√N at l = √N",
        .entries = entries,
        .rule =
            [](const Knobs& knobs, Grid grid) {
                const Parts parts = parts_of(knobs, grid.size());
                Rule rule;
                rule.sees = [parts](Index q, Index k) { return sees(parts, q, k); };
                rule.boxes = [parts](Index q, Boxes& out) { boxes(parts, q, out); };
                return rule;
            },
    };
}

}  // namespace attn::rules
