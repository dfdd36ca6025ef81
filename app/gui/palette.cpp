#include <algorithm>
#include <utility>

#include "app/gui/actions.h"
#include "app/gui/sheets.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/utf8.h"

namespace attn {
namespace {

struct Item {
    ListLine line;
    std::function<void(Workbench&)> run;
};

/// Whether every word that was typed is somewhere in the line.
bool matches(const ListLine& line, const std::string& wanted) {
    const std::string text = lower_ascii(line.name + " " + line.detail);
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
        if (text.find(wanted.substr(at, end - at)) == std::string::npos) return false;
        at = end + 1;
    }
    return true;
}

/// What a choice or a toggle can be set to, straight from the schema.
void add_settings(const Workbench& bench, std::vector<Item>& items) {
    for (const Parameter& knob : bench.knobs()) {
        if (!enabled(knob, bench.knobs(), bench.scene().set)) continue;
        const auto add = [&](const std::string& label, const Value& value) {
            items.push_back({{knob.label + ": " + label, "setting"},
                             [id = knob.id, value](Workbench& b) { b.set(id, value); }});
        };
        for (const Choice& choice : knob.choices) add(choice.label, choice.id);
        if (knob.kind == Parameter::Kind::toggle) {
            const bool on = std::get<bool>(value_of(bench.knobs(), bench.scene().set, knob.id));
            add(on ? "off" : "on", !on);
        }
    }
}

std::vector<Item> all_items(const Workbench& bench) {
    std::vector<Item> items;
    for (const Mechanism& one : mechanisms()) {
        items.push_back({{std::string(one.id), std::string(one.title)},
                         [id = one.id](Workbench& b) { b.show_mechanism(id); }});
    }
    for (const Pattern& one : patterns()) {
        items.push_back(
            {{std::string(one.id), std::string(one.title) + ", pattern"}, [id = one.id](Workbench& b) {
                 b.show_figure("reach");
                 b.show_pattern(id);
             }});
    }
    for (const std::string_view id : figures_of(bench.scene())) {
        items.push_back(
            {{std::string(figure(id).title), "figure"}, [id](Workbench& b) { b.show_figure(id); }});
    }
    for (const Action& one : actions()) {
        if (one.id == "find" || one.id == "back" || (one.enabled && !one.enabled(bench))) continue;
        items.push_back({{std::string(one.name), to_string(one.chords.front())}, one.run});
    }
    add_settings(bench, items);
    return items;
}

}  // namespace

void draw_palette(Ui& ui, Workbench& bench, SheetState& state, Rect card) {
    draw_prompt(ui, state, {card.x + 12, card.y + 12, card.width - 24, 34},
                "mechanism, pattern, figure, setting or action");
    const std::string wanted = lower_ascii(state.text);
    std::vector<Item> items = all_items(bench);
    std::erase_if(items, [&](const Item& item) { return !matches(item.line, wanted); });
    std::stable_partition(items.begin(), items.end(),
                          [&](const Item& item) { return lower_ascii(item.line.name).starts_with(wanted); });
    std::vector<ListLine> lines;
    for (const Item& item : items) lines.push_back(item.line);
    const Rect list{card.x + 1, card.y + 54, card.width - 2, card.height - 62};
    const auto chosen = draw_list(ui, state, list, lines);
    if (!chosen) return;
    bench.sheet = Sheet::none;
    try {
        items[*chosen].run(bench);
    } catch (const Error& error) {
        bench.warn(error.what());
    }
}

}  // namespace attn
