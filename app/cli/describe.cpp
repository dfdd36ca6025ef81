#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json.h"
#include "app/cli/markdown.h"
#include "app/cli/names.h"
#include "app/cli/print.h"
#include "app/figure.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/pattern.h"

namespace attn::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string_view> figures_about(Subject subject) {
    std::vector<std::string_view> ids;
    for (const Figure& f : figures())
        if (f.subject == subject) ids.push_back(f.id);
    return ids;
}

// ------------------------------------------------------------------------------------------------ readable
// text

/// The text in lines of at most 96 characters, the later ones indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    constexpr std::size_t width = 96;
    std::string lines;
    std::size_t used = indent;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::size_t length = code_points(text.substr(0, end)).size();
        if (used > indent && used + 1 + length > width) {
            lines += '\n' + std::string(indent, ' ');
            used = indent;
        } else if (used > indent) {
            lines += ' ';
            ++used;
        }
        lines += text.substr(0, end);
        used += length;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string knob_lines(const std::vector<Parameter>& knobs) {
    Rows rows;
    for (const Parameter& knob : knobs)
        rows.push_back({knob.id, knob.symbol, legal_values(knob), "default " + initial_of(knob)});
    std::string text;
    std::string lines = table(rows, "llll");
    for (const Parameter& knob : knobs) {  // each knob's line, and its meaning under it
        const std::size_t end = lines.find('\n') + 1;
        text += lines.substr(0, end) + "      " + wrapped(meaning_of(knob), 6) + '\n';
        lines.erase(0, end);
    }
    return text;
}

std::string array_lines(const std::vector<ArraySpec>& arrays) {
    Rows rows;
    for (const ArraySpec& array : arrays)
        rows.push_back({std::string(array.name), std::string(array.shape),
                        std::string(array.meaning) + shape_note(array)});
    return table(rows, "lll");
}

std::string readable(const Mechanism& m) {
    std::string text(m.title);
    text += '\n' + std::string(m.source) + "\n\n";
    text += table({{"score", std::string(m.score)},
                   {"squash", std::string(m.squash)},
                   {"multiply", std::string(m.multiply)}},
                  "ll");
    text += '\n';
    for (const auto& [name, sentence] : lessons(m))
        if (!sentence.empty()) text += "  " + std::string(name) + "\n      " + wrapped(sentence, 6) + '\n';
    text += "\nKnobs (--set name=value)\n" + knob_lines(knobs_of(m));
    text += "\nInput arrays of a case (.npz)\n" + array_lines(m.inputs);
    text += "\nOutput arrays\n" + array_lines(m.outputs);
    return text + "\nFigures: " + joined(m.figures) + '\n';
}

std::string readable(const Pattern& p) {
    std::string text = std::string(p.title) + '\n' + std::string(p.source) + "\n\n";
    if (!p.see.empty()) text += "  what to see\n      " + wrapped(p.see, 6) + '\n';
    if (!p.formula.empty()) text += "  entries of one head\n      " + std::string(p.formula) + '\n';
    if (!p.parameters.empty()) text += "\nKnobs (--set name=value)\n" + knob_lines(p.parameters);
    return text + "\nFigures: " + joined(figures_about(Subject::pattern)) + '\n';
}

std::string readable(const Figure& f) {
    std::string text = std::string(f.title) + '\n' + wrapped(f.help, 0) + "\n\n";
    if (!f.parameters.empty()) text += "Knobs (--set name=value)\n" + knob_lines(f.parameters) + '\n';
    text += "Natural size: " + number(f.natural.width) + " × " + number(f.natural.height) + " points\n";
    if (f.subject == Subject::pattern) text += "Shows: every pattern\n";
    if (f.subject != Subject::mechanism) return text;
    std::vector<std::string_view> shown;
    for (const Mechanism& m : mechanisms())
        if (std::ranges::find(m.figures, f.id) != m.figures.end()) shown.push_back(m.id);
    return text + "Shows: " + joined(shown) + '\n';
}

// ----------------------------------------------------------------------------------------------------------
// JSON

Json to_json(const Parameter& knob) {
    Json object = {{"id", knob.id},
                   {"symbol", knob.symbol},
                   {"label", knob.label},
                   {"unit", knob.unit},
                   {"help", knob.help},
                   {"kind", name_of(knob.kind)},
                   {"group", name_of(knob.group)},
                   {"default", knob_json(knob.initial)}};
    if (knob.kind == Parameter::Kind::integer || knob.kind == Parameter::Kind::real) {
        object["low"] = knob.low;
        object["high"] = knob.high;
        object["scale"] = knob.scale == Parameter::Scale::logarithmic ? "log" : "linear";
    }
    for (const Choice& choice : knob.choices)
        object["choices"].push_back({{"id", choice.id}, {"label", choice.label}, {"help", choice.help}});
    if (!knob.enabled_by.empty()) object["enabled"] = {{"by", knob.enabled_by}, {"for", knob.enabled_for}};
    if (!knob.automatic.empty()) object["zero_means"] = knob.automatic;
    return object;
}

Json to_json(const std::vector<Parameter>& knobs) {
    Json array = Json::array();
    for (const Parameter& knob : knobs) array.push_back(to_json(knob));
    return array;
}

Json to_json(const std::vector<ArraySpec>& arrays) {
    Json array = Json::array();
    for (const ArraySpec& spec : arrays)
        array.push_back({{"name", spec.name},
                         {"shape", spec.shape},
                         {"meaning", spec.meaning},
                         {"optional", spec.optional}});
    return array;
}

Json to_json(const Mechanism& m) {
    return {{"kind", "mechanism"},
            {"id", m.id},
            {"title", m.title},
            {"family", name_of(m.family)},
            {"source", m.source},
            {"equation", {{"score", m.score}, {"squash", m.squash}, {"multiply", m.multiply}}},
            {"teaching",
             {{"pieces", m.teaching.pieces},
              {"depends_on", m.teaching.depends_on},
              {"squash", m.teaching.squash},
              {"multiply", m.teaching.multiply},
              {"sits", m.teaching.sits},
              {"see", m.teaching.see},
              {"misreading", m.teaching.misreading}}},
            {"parameters", to_json(knobs_of(m))},
            {"inputs", to_json(m.inputs)},
            {"outputs", to_json(m.outputs)},
            {"figures", m.figures}};
}

Json to_json(const Pattern& p) {
    return {{"kind", "pattern"},
            {"id", p.id},
            {"title", p.title},
            {"family", name_of(p.family)},
            {"source", p.source},
            {"see", p.see},
            {"entries", p.formula},
            {"parameters", to_json(p.parameters)},
            {"figures", figures_about(Subject::pattern)}};
}

Json to_json(const Figure& f) {
    return {{"kind", "figure"},
            {"id", f.id},
            {"title", f.title},
            {"about", name_of(f.subject)},
            {"help", f.help},
            {"natural", {{"width", f.natural.width}, {"height", f.natural.height}}},
            {"parameters", to_json(f.parameters)}};
}

template <typename Entry>
std::string described(const Entry& entry, const Describe& command) {
    if (command.json) return to_json(entry).dump(2) + '\n';
    return command.markdown ? markdown(entry) : readable(entry);
}

/// What an id may be of, in the order in which it is looked for.
constexpr auto kinds = std::to_array<std::string_view>({"figure", "mechanism", "pattern"});

/// An id, and its kind where the command says so: "pattern:axial".
struct Name {
    std::string_view kind, id;
    explicit Name(std::string_view text) : id(text) {
        const std::size_t colon = text.find(':');
        if (colon == std::string_view::npos || std::ranges::find(kinds, text.substr(0, colon)) == kinds.end())
            return;
        kind = text.substr(0, colon);
        id = text.substr(colon + 1);
    }
    [[nodiscard]] bool may_be(std::string_view one) const { return kind.empty() || kind == one; }
};

template <typename Entry>
const Entry* find_in(std::span<const Entry> table, std::string_view id) {
    const auto found = std::ranges::find(table, id, &Entry::id);
    return found == table.end() ? nullptr : &*found;
}

/// That the id names a pattern too, where the readable description is of something else.
std::string also_a_pattern(const Name& name, const Describe& command) {
    if (command.json || command.markdown || !name.kind.empty() || find_in(patterns(), name.id) == nullptr)
        return {};
    return "Which keys it may look at: attnscope describe pattern:" + std::string(name.id) + '\n';
}

}  // namespace

void run(const Describe& command) {
    if (command.id == "all") {
        if (!command.markdown) throw UsageError("'describe all' writes Markdown: add --markdown");
        return print(catalogue());
    }
    const Name name(command.id);
    if (const auto* found = find_in(figures(), name.id); found != nullptr && name.may_be("figure"))
        return print(described(*found, command) + also_a_pattern(name, command));
    if (const auto* found = find_in(mechanisms(), name.id); found != nullptr && name.may_be("mechanism"))
        return print(described(*found, command) + also_a_pattern(name, command));
    if (const auto* found = find_in(patterns(), name.id); found != nullptr && name.may_be("pattern"))
        return print(described(*found, command));
    if (name.kind == "figure") static_cast<void>(figure(name.id));  // these throw, naming what there is
    if (name.kind == "mechanism") static_cast<void>(mechanism(name.id));
    if (name.kind == "pattern") static_cast<void>(pattern(name.id));
    throw UsageError("no mechanism, pattern or figure '" + command.id + "'; 'attnscope list' names them");
}

}  // namespace attn::cli
