#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/text_edit.h"

namespace attn {

class Workbench;

/// A key with its modifiers, as GLFW numbers them.
struct Chord {
    int key = 0;
    int mods = 0;
    friend bool operator==(const Chord&, const Chord&) = default;
};

/// "Ctrl+Shift+Z", "F5", "←".
std::string to_string(Chord chord);

/// Something that can be done: the one record that the top bar, shortcuts, the command palette and the help
/// sheet are made from.
struct Action {
    std::string_view id;
    std::string_view name;
    std::string_view group;                         ///< head in the help sheet
    std::vector<Chord> chords;                      ///< the first is shown
    std::string_view help;                          ///< one line
    std::function<bool(const Workbench&)> enabled;  ///< empty: always
    std::function<bool(const Workbench&)> on;       ///< for what is on or off; empty otherwise
    std::function<void(Workbench&)> run;
};

/// Every action, in the order of the help sheet.
const std::vector<Action>& actions();
const Action& action(std::string_view id);

/// The enabled action of that key, or nullptr. A key that is held repeats what moves and steps, not what
/// switches.
const Action* action_for(const Keystroke& stroke, const Workbench& bench);

}  // namespace attn
