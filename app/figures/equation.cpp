#include "app/figures/equation.h"

#include <algorithm>
#include <cmath>
#include <optional>

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
    for (const std::string_view pair : {"ⱼ₋ᵢ", "ᵢ₋ⱼ", "ᵢⱼ", "ₜⱼ"}) replace_all(text, pair, "");
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

/// The last factor of a product.
std::string_view last_factor(std::string_view product) {
    for (const std::string_view sign : {" ", "·"})
        if (const std::size_t at = product.rfind(sign); at != std::string_view::npos)
            product = product.substr(at + sign.size());
    return product;
}

/// What is weighed in "y = Σ α v": all behind the weight.
std::string_view value_of(std::string_view right) {
    const std::size_t at = right.rfind("α");
    if (at == std::string_view::npos) return last_factor(right);
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

/// The name alone: "sᵢ" → "s".
std::string_view letter(std::string_view symbol) {
    for (const std::string_view index : {"ᵢ", "ₜ", "ⱼ"})
        if (const std::size_t at = symbol.find(index); at != std::string_view::npos)
            symbol = symbol.substr(0, at);
    return symbol;
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

/// Ink for what is fixed, the query's accent for what is live.
struct Inks {
    Colour ink, live;
    [[nodiscard]] Run number(float value) const { return {significant(static_cast<double>(value)), live}; }
};

/// "α = … · 0.61": what the weight is multiplied by after its squash.
Runs factors_of(const Page& page, const Reading& reading, const Inks& colours) {
    Runs runs;
    for (const Step& step : page.result.trace.steps) {
        if (step.part != Step::Part::factor) continue;
        runs.push_back({" · ", colours.ink});
        runs.push_back(colours.number(map_of(page, step).at(reading.shown, reading.key)));
    }
    return runs;
}

/// "= 0.41 + 0.12": what the score is the sum of.
Runs addends_of_pair(const Page& page, const Reading& reading, const Inks& colours) {
    Runs runs;
    for (const Step& step : page.result.trace.steps) {
        if (step.part != Step::Part::addend) continue;
        runs.push_back({runs.empty() ? " = " : " + ", colours.ink});
        runs.push_back(colours.number(map_of(page, step).at(reading.shown, reading.key)));
    }
    constexpr std::size_t of_one = 2;
    if (runs.size() == of_one) runs.clear();  // that is the score itself
    return runs;
}

/// "= 3.21/2.83": the product and √d.
Runs over_root(const Page& page, float e, const Inks& colours) {
    const Index width = page.result.trace.width;
    if (width == 0) return {};
    const float root = std::sqrt(static_cast<float>(width));
    return {{" = ", colours.ink}, colours.number(e * root), {"/", colours.ink}, colours.number(root)};
}

/// "y₇ += 0.0417 · v₉", or with one key drawn "z₂ += 1 · a₉".
Runs averaging(const Mechanism& shown, const Reading& reading, const Run& weight, const Trace& trace,
               const Inks& colours) {
    const Sides formula = sides_of(essence(shown.multiply));
    Run share = weight;
    if (!trace.picked.empty()) {
        const bool taken = trace.picked[static_cast<std::size_t>(reading.shown)] == reading.key;
        share.text = taken ? "1" : "0";
    }
    return {{with_indices(formula.left, reading.shown, reading.key) + " += ", colours.ink},
            share,
            {" · " + with_indices(value_of(formula.right), reading.shown, reading.key), colours.ink}};
}

/// The one number of the input and of the output that this gate is between, where there is one.
struct Gated {
    float before = 0.0F, after = 0.0F;
};
std::optional<Gated> gated_numbers(const Page& page, const Reading& reading) {
    const Trace& trace = page.result.trace;
    if (!page.result.mechanism->mixed || !trace.gated) return std::nullopt;
    const auto at =
        static_cast<std::size_t>(static_cast<Index>(shown_head(page)) * trace.keys.size() + reading.key);
    return Gated{trace.gated->values()[at], trace.output->values()[at]};
}

/// Whether the gate lies on a coarser grid than what it turns up: it is resampled on the way.
bool is_resampled(const Trace& trace, const Reading& reading) {
    return reading.layout == Layout::picture && trace.gated && trace.gated->rank() == 3 &&
           trace.gated->extent(1) * trace.gated->extent(2) != trace.keys.size();
}

/// "y = 0.4 + 0.73·0.4 = 0.69": the source's own formula, the gate's number in the place of its letter and
/// the input's where the gate is its alone.
Runs gating(const Page& page, const Reading& reading, const Run& weight, const Inks& colours) {
    const Mechanism& shown = *page.result.mechanism;
    const Sides formula = sides_of(essence(shown.multiply));
    const std::string gate(letter(sides_of(shown.squash).left));
    const std::string input(letter(gated_symbol(page)));
    const std::optional<Gated> numbers = gated_numbers(page, reading);
    if (is_resampled(page.result.trace, reading))
        return {{std::string(letter(formula.left)) + " = " + gate + " resampled · " + input, colours.ink}};
    Runs runs{{with_indices(formula.left, reading.key, reading.key) + " = ", colours.ink}};
    std::string_view rest = formula.right;
    const auto take = [&](std::string_view name) {
        if (!rest.starts_with(name)) return false;
        rest.remove_prefix(name.size());
        return true;
    };
    while (!rest.empty()) {
        if (take(gate)) {
            runs.push_back(weight);
            while (take("ᵢ") || take("ⱼ")) {
            }
            if (take(" ")) runs.push_back({"·", colours.ink});
        } else if (numbers && take(input)) {
            runs.push_back(colours.number(numbers->before));
        } else {
            std::size_t length = 1;  // of one letter in UTF-8
            while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U)
                ++length;
            runs.push_back({with_indices(rest.substr(0, length), reading.key, reading.key), colours.ink});
            rest.remove_prefix(length);
        }
    }
    if (reading.layout == Layout::channels)
        runs.push_back(
            {", " + input + " the map of “" + name_of(page, reading, reading.key, false) + "”", colours.ink});
    if (numbers) {
        runs.push_back({" = ", colours.ink});
        runs.push_back(colours.number(numbers->after));
    }
    return runs;
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

std::string gated_symbol(const Page& page) {
    const Mechanism& shown = *page.result.mechanism;
    return std::string(last_factor(sides_of(essence(shown.multiply)).right));
}

bool adds_the_input(const Mechanism& shown) {
    return sides_of(essence(shown.multiply)).right.find(" + ") != std::string_view::npos;
}

Formulas formulas_of(const Page& page) {
    const Mechanism& shown = *page.result.mechanism;
    Formulas formulas{std::string(essence(shown.score)), "", std::string(essence(shown.multiply))};
    // The source's formula lists all the scores that a knob chooses from; the page shows the one that is set.
    const Knobs set(shown.parameters, page.scene.set);
    const auto chosen = [&](std::string_view knob, std::string_view choice) {
        return find(shown.parameters, knob) != nullptr && set.text(knob) == choice;
    };
    if (find(shown.parameters, "pairwise") != nullptr)
        formulas.score = chosen("pairwise", "gaussian")        ? "eᵢⱼ = xᵢ·xⱼ"
                         : chosen("pairwise", "concatenation") ? "eᵢⱼ = ReLU(w·[θᵢ, φⱼ])"
                                                               : "eᵢⱼ = θᵢ·φⱼ";
    if (chosen("terms", "content")) formulas.score = "eᵢⱼ = qᵢ·kⱼ";
    if (chosen("terms", "position")) formulas.score = "eᵢⱼ = qᵢ·rⱼ₋ᵢ";
    if (find(shown.parameters, "scale") != nullptr && set.real("scale") != 0.0)
        formulas.score = "eᵢⱼ = " + plain(set.real("scale")) + "·qᵢ·kⱼ";
    if (shown.mixed && chosen("combine", "product")) formulas.score = "e = e_c·e_s";
    const std::string name(sides_of(shown.squash).left);
    if (const HeadChoice choice = head_choice(page); choice.all) {
        formulas.squash = name + ", " + head_name(page.result, choice.index);
        return formulas;
    }
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
    for (const Step& step : page.result.trace.steps)
        if (step.part == Step::Part::factor)
            formulas.squash += " · " + step.label.substr(0, step.label.find(": "));
    return formulas;
}

Equation equation(const Page& page, const Reading& reading) {
    const Mechanism& shown = *page.result.mechanism;
    const Trace& trace = page.result.trace;
    const Inks colours{page.theme.ink, page.theme.query};
    const bool gates = trace.squash == Squash::sigmoid;
    const Index asking = gates ? reading.key : reading.shown;  // a gate's piece asks for itself
    const Run score = colours.number(reading.head->scores.at(reading.shown, reading.key));
    const Run weight = colours.number(reading.head->weights.at(reading.shown, reading.key));
    const bool masked = !trace.allowed.empty() && trace.allowed.at(reading.shown, reading.key) == 0.0F;
    const auto append = [](Runs& runs, const Runs& more) {
        runs.insert(runs.end(), more.begin(), more.end());
    };

    Equation steps;
    steps.score = {{with_indices(formulas_of(page).score, asking, reading.key), colours.ink}};
    if (!masked) {
        append(steps.score, over_root(page, reading.head->scores.at(reading.shown, reading.key), colours));
        append(steps.score, addends_of_pair(page, reading, colours));
        append(steps.score, {{" = ", colours.ink}, score});
    }
    const std::string_view name = sides_of(shown.squash).left;
    steps.squash = {{with_indices(name, asking, reading.key) + " = ", colours.ink}};
    if (masked) {
        steps.squash.push_back({"masked", colours.ink});
    } else {
        append(steps.squash, squashing(trace, score, colours.ink));
        append(steps.squash, factors_of(page, reading, colours));
    }
    append(steps.squash, {{" = ", colours.ink}, weight});
    steps.multiply =
        gates ? gating(page, reading, weight, colours) : averaging(shown, reading, weight, trace, colours);
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
