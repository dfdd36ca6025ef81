#include "app/gui/actions.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/gui/workbench.h"
#include "core/pattern_layer.h"

namespace attn {
namespace {

constexpr int control = GLFW_MOD_CONTROL;
constexpr int shift = GLFW_MOD_SHIFT;

bool has_query(const Workbench& bench) {
    return bench.queries().size() > 0;
}

/// The knob that walks through score, squash and multiply, where the figure has one.
const Parameter* step_knob(const Workbench& bench) {
    const Parameter* knob = find(bench.knobs(), "step");
    return knob != nullptr && knob->kind == Parameter::Kind::choice ? knob : nullptr;
}

void next_step(Workbench& bench) {
    const Parameter& knob = *step_knob(bench);
    const auto& now = std::get<std::string>(value_of(bench.knobs(), bench.scene().set, knob.id));
    const auto at = std::find_if(knob.choices.begin(), knob.choices.end(),
                                 [&](const Choice& choice) { return choice.id == now; });
    const std::size_t next = (static_cast<std::size_t>(at - knob.choices.begin()) + 1) % knob.choices.size();
    bench.set(knob.id, knob.choices[next].id);
}

void set_zoom(Workbench& bench, double zoom) {
    bench.zoom = std::clamp(zoom, 0.5, 3.0);
}

void toggle_sheet(Workbench& bench, Sheet sheet) {
    bench.sheet = bench.sheet == sheet ? Sheet::none : sheet;
}

std::vector<Action> file_actions() {
    return {
        {"open",
         "Open",
         "Files",
         {{GLFW_KEY_O, control}},
         "open a picture, a scene, a figure or arrays (.npz)",
         {},
         {},
         [](Workbench& bench) { toggle_sheet(bench, Sheet::open); }},
        {"export",
         "Export",
         "Files",
         {{GLFW_KEY_E, control}},
         "write the figure as PNG, SVG or PDF, the scene inside",
         {},
         {},
         [](Workbench& bench) { toggle_sheet(bench, Sheet::save); }},
        {"save",
         "Save scene",
         "Files",
         {{GLFW_KEY_S, control}},
         "write the scene as .json into the current folder",
         {},
         {},
         [](Workbench& bench) { bench.save_scene(); }},
        {"quit",
         "Quit",
         "Files",
         {{GLFW_KEY_Q, control}},
         "close the window",
         {},
         {},
         [](Workbench& bench) { bench.closing = true; }},
    };
}

std::vector<Action> query_actions() {
    const auto moves = [](Index down, Index across) {
        return [down, across](Workbench& bench) { bench.move_query(down, across); };
    };
    std::vector<Action> list;
    const auto add = [&](std::string_view id, std::string_view name, Chord chord, std::string_view help,
                         std::function<void(Workbench&)> run) {
        list.push_back({id, name, "Query", {chord}, help, has_query, {}, std::move(run)});
    };
    add("left", "Query left", {GLFW_KEY_LEFT, 0}, "move the query by one", moves(0, -1));
    add("right", "Query right", {GLFW_KEY_RIGHT, 0}, "move the query by one", moves(0, 1));
    add("up", "Query up", {GLFW_KEY_UP, 0}, "move the query by one", moves(-1, 0));
    add("down", "Query down", {GLFW_KEY_DOWN, 0}, "move the query by one", moves(1, 0));
    add("left-5", "Query left by five", {GLFW_KEY_LEFT, shift}, "move the query by five", moves(0, -5));
    add("right-5", "Query right by five", {GLFW_KEY_RIGHT, shift}, "move the query by five", moves(0, 5));
    add("up-5", "Query up by five", {GLFW_KEY_UP, shift}, "move the query by five", moves(-5, 0));
    add("down-5", "Query down by five", {GLFW_KEY_DOWN, shift}, "move the query by five", moves(5, 0));
    add("first", "First query", {GLFW_KEY_HOME, 0}, "move the query to the first position",
        [](Workbench& bench) { bench.set_query(0, "query by keys"); });
    add("last", "Last query", {GLFW_KEY_END, 0}, "move the query to the last position",
        [](Workbench& bench) { bench.set_query(bench.queries().size() - 1, "query by keys"); });
    return list;
}

std::vector<Action> scene_actions() {
    return {
        {"step",
         "Next step",
         "Scene",
         {{GLFW_KEY_SPACE, 0}},
         "score, squash, multiply: one after another",
         [](const Workbench& bench) { return step_knob(bench) != nullptr; },
         {},
         next_step},
        {"reset",
         "Reset",
         "Scene",
         {{GLFW_KEY_R, 0}},
         "every knob back to its default",
         {},
         {},
         [](Workbench& bench) { bench.reset_all(); }},
        {"undo",
         "Undo",
         "Scene",
         {{GLFW_KEY_Z, control}},
         "take back the last change",
         [](const Workbench& bench) { return bench.history().can_undo(); },
         {},
         [](Workbench& bench) { bench.undo(); }},
        {"redo",
         "Redo",
         "Scene",
         {{GLFW_KEY_Z, control | shift}, {GLFW_KEY_Y, control}},
         "make the change again that was taken back",
         [](const Workbench& bench) { return bench.history().can_redo(); },
         {},
         [](Workbench& bench) { bench.redo(); }},
    };
}

/// The figure of several patterns offers each to be looked at alone.
void pick_pattern(Workbench& bench, std::size_t place) {
    const std::vector<Layer> offered =
        parse_stack(std::get<std::string>(value_of(bench.knobs(), bench.scene().set, "patterns")));
    if (place >= offered.size() || offered[place].kind != Layer::Kind::pattern) return;
    Values setting = offered[place].set;
    for (const char* id : {"rows", "columns", "query", "layers", "skip"}) {
        if (const Parameter* knob = find(bench.knobs(), id))
            setting.emplace(id, value_of({knob, 1}, bench.scene().set, id));
    }
    bench.show_figure("reach");
    Scene next = with_pattern(bench.scene(), offered[place].id);
    set_all(next, setting);
    bench.change(std::move(next));
}

std::vector<Action> pattern_actions() {
    static constexpr std::array<std::array<std::string_view, 2>, 5> names = {
        {{"pattern-1", "First pattern"},
         {"pattern-2", "Second pattern"},
         {"pattern-3", "Third pattern"},
         {"pattern-4", "Fourth pattern"},
         {"pattern-5", "Fifth pattern"}}};
    std::vector<Action> list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        list.push_back({names[i][0],
                        names[i][1],
                        "Answers",
                        {{GLFW_KEY_1 + static_cast<int>(i), 0}},
                        "its reach alone",
                        [](const Workbench& bench) { return find(bench.knobs(), "patterns") != nullptr; },
                        {},
                        [i](Workbench& bench) { pick_pattern(bench, i); }});
    }
    return list;
}

std::vector<Action> window_actions() {
    return {
        {"find",
         "Find",
         "Window",
         {{GLFW_KEY_K, control}},
         "find a mechanism, a figure, a knob or an action",
         {},
         {},
         [](Workbench& bench) { toggle_sheet(bench, Sheet::palette); }},
        {"theme",
         "Theme",
         "Window",
         {{GLFW_KEY_T, 0}},
         "light or dark",
         {},
         [](const Workbench& bench) { return bench.theme->dark; },
         [](Workbench& bench) { bench.theme = bench.theme->dark ? &light_theme() : &dark_theme(); }},
        {"present",
         "Present",
         "Window",
         {{GLFW_KEY_F5, 0}},
         "the figure alone, larger; Esc leaves",
         {},
         [](const Workbench& bench) { return bench.presenting; },
         [](Workbench& bench) { bench.presenting = !bench.presenting; }},
        {"full-screen",
         "Full screen",
         "Window",
         {{GLFW_KEY_F11, 0}},
         "the whole display",
         {},
         [](const Workbench& bench) { return bench.full_screen; },
         [](Workbench& bench) { bench.full_screen = !bench.full_screen; }},
        {"larger",
         "Larger",
         "Window",
         {{GLFW_KEY_EQUAL, control}, {GLFW_KEY_KP_ADD, control}, {GLFW_KEY_EQUAL, control | shift}},
         "everything larger by a tenth",
         {},
         {},
         [](Workbench& bench) { set_zoom(bench, bench.zoom * 1.1); }},
        {"smaller",
         "Smaller",
         "Window",
         {{GLFW_KEY_MINUS, control}, {GLFW_KEY_KP_SUBTRACT, control}},
         "everything smaller by a tenth",
         {},
         {},
         [](Workbench& bench) { set_zoom(bench, bench.zoom / 1.1); }},
        {"natural",
         "Natural size",
         "Window",
         {{GLFW_KEY_0, control}, {GLFW_KEY_KP_0, control}},
         "the size that the display asks for",
         {},
         {},
         [](Workbench& bench) { set_zoom(bench, 1.0); }},
        {"help",
         "Help",
         "Window",
         {{GLFW_KEY_F1, 0}, {GLFW_KEY_SLASH, shift}},
         "all keys on one page",
         {},
         {},
         [](Workbench& bench) { toggle_sheet(bench, Sheet::help); }},
        {"back",
         "Back",
         "Window",
         {{GLFW_KEY_ESCAPE, 0}},
         "close what lies over the window, leave presenting",
         {},
         {},
         [](Workbench& bench) {
             if (bench.sheet != Sheet::none) {
                 bench.sheet = Sheet::none;
             } else if (bench.presenting || bench.full_screen) {
                 bench.presenting = bench.full_screen = false;
             }
             bench.hush();
         }},
    };
}

std::vector<Action> make_actions() {
    std::vector<Action> all;
    for (auto make : {file_actions, query_actions, scene_actions, pattern_actions, window_actions}) {
        for (Action& one : make()) all.push_back(std::move(one));
    }
    return all;
}

std::string key_name(int key) {
    switch (key) {
        case GLFW_KEY_LEFT:
            return "←";
        case GLFW_KEY_RIGHT:
            return "→";
        case GLFW_KEY_UP:
            return "↑";
        case GLFW_KEY_DOWN:
            return "↓";
        case GLFW_KEY_HOME:
            return "Home";
        case GLFW_KEY_END:
            return "End";
        case GLFW_KEY_SPACE:
            return "Space";
        case GLFW_KEY_ESCAPE:
            return "Esc";
        case GLFW_KEY_EQUAL:
            return "+";
        case GLFW_KEY_MINUS:
            return "−";
        case GLFW_KEY_KP_ADD:
            return "keypad +";
        case GLFW_KEY_KP_SUBTRACT:
            return "keypad −";
        case GLFW_KEY_KP_0:
            return "keypad 0";
        default:
            break;
    }
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
    return {static_cast<char>(key)};
}

}  // namespace

std::string to_string(Chord chord) {
    if (chord == Chord{GLFW_KEY_SLASH, shift}) return "?";
    std::string text;
    if ((chord.mods & control) != 0) text += "Ctrl ";
    if ((chord.mods & shift) != 0) text += "Shift ";
    return text + key_name(chord.key);
}

const std::vector<Action>& actions() {
    static const std::vector<Action> all = make_actions();
    return all;
}

const Action& action(std::string_view id) {
    for (const Action& one : actions()) {
        if (one.id == id) return one;
    }
    throw std::logic_error("no action of that id");
}

const Action* action_for(const Keystroke& stroke, const Workbench& bench) {
    if (stroke.key == 0) return nullptr;
    const Chord chord{stroke.key, stroke.mods & (control | shift | GLFW_MOD_ALT | GLFW_MOD_SUPER)};
    for (const Action& one : actions()) {
        if (std::find(one.chords.begin(), one.chords.end(), chord) == one.chords.end()) continue;
        if (stroke.repeat && one.group != "Query" && one.group != "Scene") return nullptr;
        if (!one.enabled || one.enabled(bench)) return &one;
    }
    return nullptr;
}

}  // namespace attn
