#include "app/figures/equation.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"

namespace attn {
namespace {

constexpr double line_height = 26.0;
constexpr std::string_view arrow = "  →  ";

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
}

/// The source's formula for this query and this key; a letter that depends on both goes without their
/// numbers.
std::string with_indices(std::string_view formula, Index query, Index key) {
    std::string text(formula);
    for (const std::string_view pair : {"ᵢⱼ", "ₜⱼ"}) replace_all(text, pair, "");
    for (const std::string_view asks : {"ᵢ", "ₜ"}) replace_all(text, asks, subscript(query));
    replace_all(text, "ⱼ", subscript(key));
    return text;
}

/// Up to the first comma outside brackets: what follows explains the formula.
std::string_view essence(std::string_view formula) {
    int depth = 0;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        if (formula[i] == '(' || formula[i] == '[') ++depth;
        if (formula[i] == ')' || formula[i] == ']') --depth;
        if (formula[i] == ',' && depth == 0) return formula.substr(0, i);
    }
    return formula;
}

struct Sides {
    std::string_view left, right;
};

Sides sides_of(std::string_view formula) {
    const std::size_t at = formula.find(" = ");
    if (at == std::string_view::npos) return {formula, ""};
    return {formula.substr(0, at), formula.substr(at + 3)};
}

/// What is weighed in "y = Σ α v": all behind the weight.
std::string_view value_of(std::string_view right) {
    const std::size_t at = right.rfind("α");
    if (at == std::string_view::npos) return right;
    std::string_view rest = right.substr(at + std::string_view("α").size());
    for (bool going = true; going;) {
        going = false;
        for (const std::string_view skipped : {"ᵢ", "ₜ", "ⱼ", " ", "·"}) {
            if (!rest.starts_with(skipped)) continue;
            rest.remove_prefix(skipped.size());
            going = true;
        }
    }
    return rest;
}

/// "exp(0.912/0.15) / Σ": how this squash makes a weight of a score.
Runs squashing(const Trace& trace, const Run& score, Colour ink) {
    const bool plainly = trace.sharpness == 1.0;
    const std::string sharpness = plain(trace.sharpness);
    switch (trace.squash) {
        case Squash::softmax:
            return {{"exp(", ink}, score, {plainly ? ") / Σ" : "/" + sharpness + ") / Σ", ink}};
        case Squash::sigmoid:
            return {{plainly ? "σ(" : "σ(" + sharpness + "·", ink}, score, {")", ink}};
        case Squash::divide:
            return {score, {" / " + grouped(std::llround(trace.sharpness)), ink}};
        case Squash::hard:
            return {{"[", ink}, score, {" is the largest]", ink}};
    }
    return {};
}

Runs multiplying(const Mechanism& shown, const Run& weight, Index query, Index key, bool gates, Colour ink) {
    const Sides formula = sides_of(essence(shown.multiply));
    const std::string result = with_indices(formula.left, query, key);
    if (gates) return {{result + " = ", ink}, weight, {" · x" + subscript(key), ink}};
    return {{result + " += ", ink}, weight, {" · " + with_indices(value_of(formula.right), query, key), ink}};
}

struct Setting {
    std::vector<Runs> lines;
    Type type = Type::formula;
};

std::vector<Runs> broken(const Canvas& canvas, double room, const Equation& steps, Type type) {
    std::vector<Runs> lines(1);
    for (const Runs* step : {&steps.score, &steps.squash, &steps.multiply}) {
        Runs& line = lines.back();
        if (line.empty()) {
            line = *step;
            continue;
        }
        Runs longer = line;
        longer.push_back({std::string(arrow), step->front().colour});
        longer.insert(longer.end(), step->begin(), step->end());
        if (width(canvas, longer, type) <= room) {
            line = std::move(longer);
        } else {
            Runs next{{"→  ", step->front().colour}};
            next.insert(next.end(), step->begin(), step->end());
            lines.push_back(std::move(next));
        }
    }
    return lines;
}

/// One line where a smaller type makes it one.
Setting set_lines(const Canvas& canvas, double room, const Equation& steps) {
    Setting large{broken(canvas, room, steps, Type::formula)};
    if (large.lines.size() == 1) return large;
    Setting small{broken(canvas, room, steps, Type::lead), Type::lead};
    return small.lines.size() < large.lines.size() ? small : large;
}

}  // namespace

Formulas formulas_of(const Page& page) {
    const Mechanism& shown = *page.result.mechanism;
    Formulas formulas{std::string(essence(shown.score)), "", std::string(essence(shown.multiply))};
    // One mechanism, four scores: its formula lists them all, the page shows the one that is set.
    if (find(shown.parameters, "pairwise") != nullptr) {
        const std::string& kind = Knobs(shown.parameters, page.scene.set).text("pairwise");
        formulas.score = kind == "gaussian"        ? "eᵢⱼ = xᵢ·xⱼ"
                         : kind == "concatenation" ? "eᵢⱼ = ReLU(w·[θᵢ, φⱼ])"
                                                   : "eᵢⱼ = θᵢ·φⱼ";
    }
    const std::string name(sides_of(shown.squash).left);
    switch (page.result.trace.squash) {
        case Squash::softmax:
            formulas.squash = name + " = softmax(e / τ)";
            break;
        case Squash::sigmoid:
            formulas.squash = name + " = σ(β·e)";
            break;
        case Squash::divide:
            formulas.squash = name + " = e / N";
            break;
        case Squash::hard:
            formulas.squash = name + " = 1 at the largest e";
            break;
    }
    return formulas;
}

Equation equation(const Page& page, const Reading& reading) {
    const Mechanism& shown = *page.result.mechanism;
    const Trace& trace = page.result.trace;
    const Colour ink = page.theme.ink;
    const auto number = [&](float value) {
        return Run{significant(static_cast<double>(value)), page.theme.query};
    };
    const Run score = number(reading.head->scores.at(reading.shown, reading.key));
    const Run weight = number(reading.head->weights.at(reading.shown, reading.key));
    const bool masked = !trace.allowed.empty() && trace.allowed.at(reading.shown, reading.key) == 0.0F;

    const Formulas formulas = formulas_of(page);
    Equation steps;
    steps.score = {{with_indices(formulas.score, reading.shown, reading.key) + " = ", ink}, score};
    const std::string_view name = sides_of(shown.squash).left;
    steps.squash = {{with_indices(name, reading.shown, reading.key) + " = ", ink}};
    const Runs middle = masked ? Runs{{"masked", ink}} : squashing(trace, score, ink);
    steps.squash.insert(steps.squash.end(), middle.begin(), middle.end());
    steps.squash.push_back({" = ", ink});
    steps.squash.push_back(weight);
    steps.multiply =
        multiplying(shown, weight, reading.shown, reading.key, trace.squash == Squash::sigmoid, ink);
    return steps;
}

double equation_height(const Canvas& canvas, double room, const Equation& steps) {
    return line_height * static_cast<double>(set_lines(canvas, room, steps).lines.size());
}

double draw_equation(Canvas& canvas, const Theme& theme, Rect room, Equation steps, std::string_view lit) {
    const auto recede = [&](Runs& step, std::string_view name) {
        if (lit == "all" || lit == name) return;
        for (Run& run : step) run.colour = faded(theme, run.colour);
    };
    recede(steps.score, "score");
    recede(steps.squash, "squash");
    recede(steps.multiply, "multiply");
    const Setting set = set_lines(canvas, room.width, steps);
    double top = room.y;
    for (const Runs& line : set.lines) {
        draw(canvas, {room.x, middle_baseline(top, line_height, set.type)}, line, set.type);
        top += line_height;
    }
    return top;
}

}  // namespace attn
