#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/names.h"
#include "app/cli/print.h"
#include "app/figure.h"
#include "core/catalog.h"

namespace attn::cli {
namespace {

using Json = nlohmann::ordered_json;

Json entries(bool with_mechanisms, bool with_figures) {
    Json array = Json::array();
    for (const Mechanism& m : mechanisms())
        if (with_mechanisms)
            array.push_back({{"kind", "mechanism"},
                             {"id", m.id},
                             {"title", m.title},
                             {"family", name_of(m.family)},
                             {"source", m.source},
                             {"figures", m.figures}});
    for (const Figure& f : figures())
        if (with_figures)
            array.push_back({{"kind", "figure"}, {"id", f.id}, {"title", f.title}, {"help", f.help}});
    return array;
}

std::string mechanism_table() {
    std::vector<std::vector<std::string>> rows;
    for (const Mechanism& m : mechanisms())
        rows.push_back(
            {std::string(m.id), std::string(m.title), std::string(name_of(m.family)), joined(m.figures)});
    return table(rows, "llll");
}

std::string figure_table() {
    std::vector<std::vector<std::string>> rows;
    for (const Figure& f : figures())
        rows.push_back({std::string(f.id), std::string(f.title), std::string(f.help)});
    return table(rows, "lll");
}

}  // namespace

void run(const List& command) {
    const bool with_mechanisms = command.what != "figures";
    const bool with_figures = command.what != "mechanisms";
    if (command.json) return print(entries(with_mechanisms, with_figures).dump(2) + '\n');
    std::string text;
    if (with_mechanisms) text += "Mechanisms (id, title, what is scored, figures)\n" + mechanism_table();
    if (with_mechanisms && with_figures) text += '\n';
    if (with_figures) text += "Figures (id, title, what it shows)\n" + figure_table();
    print(text);
}

}  // namespace attn::cli
