#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/markdown.h"
#include "app/cli/names.h"
#include "app/cli/print.h"
#include "app/figure.h"
#include "core/catalog.h"
#include "core/pattern.h"

namespace attn::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What of the three is asked for.
struct Asked {
    bool mechanisms, patterns, figures;
};

Json entries(Asked asked) {
    Json array = Json::array();
    for (const Mechanism& m : mechanisms())
        if (asked.mechanisms)
            array.push_back({{"kind", "mechanism"},
                             {"id", m.id},
                             {"title", m.title},
                             {"family", name_of(m.family)},
                             {"source", m.source},
                             {"figures", m.figures}});
    for (const Pattern& p : patterns())
        if (asked.patterns)
            array.push_back({{"kind", "pattern"},
                             {"id", p.id},
                             {"title", p.title},
                             {"family", name_of(p.family)},
                             {"source", p.source}});
    for (const Figure& f : figures())
        if (asked.figures)
            array.push_back({{"kind", "figure"},
                             {"id", f.id},
                             {"title", f.title},
                             {"about", name_of(f.subject)},
                             {"help", f.help}});
    return array;
}

std::string mechanism_lines() {
    std::vector<std::vector<std::string>> rows;
    for (const Mechanism& m : mechanisms())
        rows.push_back(
            {std::string(m.id), std::string(m.title), std::string(name_of(m.family)), joined(m.figures)});
    return table(rows, "llll");
}

std::string pattern_lines() {
    std::vector<std::vector<std::string>> rows;
    for (const Pattern& p : patterns())
        rows.push_back(
            {std::string(p.id), std::string(p.title), std::string(name_of(p.family)), std::string(p.source)});
    return table(rows, "llll");
}

std::string figure_lines() {
    std::vector<std::vector<std::string>> rows;
    for (const Figure& f : figures())
        rows.push_back({std::string(f.id), std::string(f.title), std::string(f.help)});
    return table(rows, "lll");
}

std::string markdown(Asked asked) {
    std::string text;
    if (asked.mechanisms)
        for (const Family family : {Family::sequences, Family::pixels, Family::channels})
            text +=
                "## Mechanisms: " + std::string(name_of(family)) + "\n\n" + mechanism_table(family, false);
    if (asked.patterns) text += "## Patterns\n\n" + pattern_table(false);
    if (asked.figures) text += "## Figures\n\n" + figure_table();
    text.pop_back();
    return text;
}

}  // namespace

void run(const List& command) {
    const auto asked_for = [&](std::string_view kind) {
        return command.what.empty() || command.what == kind;
    };
    const Asked asked{asked_for("mechanisms"), asked_for("patterns"), asked_for("figures")};
    if (command.json) return print(entries(asked).dump(2) + '\n');
    if (command.markdown) return print(markdown(asked));
    std::string text;
    const auto add = [&text](const char* heading, const std::string& lines) {
        text += (text.empty() ? "" : "\n") + std::string(heading) + '\n' + lines;
    };
    if (asked.mechanisms) add("Mechanisms (id, title, what is scored, figures)", mechanism_lines());
    if (asked.patterns) add("Patterns (id, title, where, source)", pattern_lines());
    if (asked.figures) add("Figures (id, title, what it shows)", figure_lines());
    print(text);
}

}  // namespace attn::cli
