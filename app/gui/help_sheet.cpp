#include <algorithm>
#include <array>
#include <span>

#include "app/gui/actions.h"
#include "app/gui/sheets.h"
#include "app/gui/widgets.h"

namespace attn {
namespace {

constexpr double row_height = 21;

struct Gesture {
    std::string_view keys, help;
};
/// What the pointer does, which is no action.
constexpr std::array gestures = {
    Gesture{"drag in the picture", "move the query"},
    Gesture{"drag a slider", "with Shift: ten times finer"},
    Gesture{"double-click a slider", "back to its default"},
    Gesture{"click its value", "type one"},
    Gesture{"wheel over it", "one step"},
    Gesture{"drop a file", "open it"},
};

void line(Ui& ui, double x, double y, double width, std::string_view keys, std::string_view help) {
    constexpr double keys_width = 132;
    ui.text(x, y + row_height / 2, keys, Type::emphasis, ui.theme().ink);
    ui.text(x + keys_width, y + row_height / 2, ui.fonts().fit(help, Type::caption, width - keys_width),
            Type::caption, ui.theme().muted);
}

/// Where the run of actions with the same help and the same modifiers ends: the arrow keys share a line.
std::size_t same_help(const std::vector<Action>& all, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].help == all[begin].help &&
           all[end].chords.front().mods == all[begin].chords.front().mods) {
        ++end;
    }
    return end;
}

/// "Shift ← → ↑ ↓"
std::string keys_of(std::span<const Action> same) {
    std::string keys = to_string(same.front().chords.front());
    for (const Action& one : same.subspan(1)) {
        keys += ' ';
        keys += to_string({one.chords.front().key, 0});
    }
    return keys;
}

}  // namespace

void draw_help(Ui& ui, Rect card) {
    const double width = (card.width - 60) / 2;
    ui.text(card.x + 20, card.y + 28, "Keys and gestures", Type::title, ui.theme().ink);
    double x = card.x + 20;
    const double top = card.y + 56;
    double y = top;
    std::string_view group;
    const auto head = [&](std::string_view title) {
        std::string capitals(title);
        std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        y += y > top ? 10 : 0;
        y += section_head(ui, {x, y}, capitals);
    };
    const std::vector<Action>& all = actions();
    for (std::size_t i = 0; i < all.size();) {
        if (all[i].group != group) {
            if (all[i].group == "Scene") {  // the second column begins; what the pointer does ends the first
                head("pointer");
                for (const Gesture& gesture : gestures) {
                    line(ui, x, y, width, gesture.keys, gesture.help);
                    y += row_height;
                }
                x += width + 20;
                y = top;
            }
            group = all[i].group;
            head(group);
        }
        const std::size_t end = same_help(all, i);
        line(ui, x, y, width, keys_of({all.data() + i, end - i}), all[i].help);
        y += row_height;
        i = end;
    }
}

}  // namespace attn
