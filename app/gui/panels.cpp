#include "app/gui/panels.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/reading.h"
#include "app/gui/actions.h"
#include "app/gui/widgets.h"
#include "core/catalog.h"
#include "core/pattern.h"
#include "core/utf8.h"

namespace attn {
namespace {

constexpr double margin = 20;
constexpr double row_height = 26;

std::string_view family_title(Family family) {
    switch (family) {
        case Family::sequences:
            return "SEQUENCES";
        case Family::pixels:
            return "PIXELS";
        case Family::channels:
            return "CHANNELS";
    }
    return {};
}

std::string_view family_title(Pattern::Family family) {
    switch (family) {
        case Pattern::Family::pictures:
            return "PICTURES";
        case Pattern::Family::sequences:
            return "SEQUENCES";
        case Pattern::Family::own:
            return "YOURS";
    }
    return {};
}

/// One entry of the catalogue: a mechanism or a pattern.
struct Entry {
    std::string_view id, title, source, head;
    int family = 0;  ///< families stand in this order
    bool selected = false;
};

/// Families together, each in the order of its table.
std::vector<Entry> catalogue_of(const Scene& scene) {
    std::vector<Entry> entries;
    const auto add = [&](const auto& one, std::string_view shown) {
        entries.push_back({one.id, one.title, one.source, family_title(one.family),
                           static_cast<int>(one.family), one.id == shown});
    };
    if (figure(scene.figure).subject == Subject::mechanism) {
        for (const Mechanism& one : mechanisms()) add(one, scene.mechanism);
    } else {
        const bool stacked = scene.set.contains("stack");  // then no one pattern is what is shown
        for (const Pattern& one : patterns()) add(one, stacked ? std::string_view() : scene.pattern);
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.family < b.family; });
    return entries;
}

void choose(Workbench& bench, const Entry& entry) {
    if (bench.subject() == Subject::mechanism) bench.show_mechanism(entry.id);
    if (bench.subject() == Subject::pattern) bench.show_pattern(entry.id);
}

bool matches(const Entry& entry, std::string_view filter) {
    const std::string wanted = lower_ascii(filter);
    return lower_ascii(entry.id).find(wanted) != std::string::npos ||
           lower_ascii(entry.title).find(wanted) != std::string::npos;
}

/// Draws one entry; true when it was chosen.
bool draw_entry(Ui& ui, Rect row, const Entry& entry) {
    const Touch touch = ui.touch("entry." + std::string(entry.id), row, Cursor::hand);
    const Theme& theme = ui.theme();
    if (touch.hovered) {
        if (!entry.selected)
            ui.canvas().fill({row.x, row.y, row.width, row.height}, mix(theme.panel, theme.ink, 0.04));
        ui.state().help = std::string(entry.title);
        if (!entry.source.empty()) ui.state().help.append(" · ").append(entry.source);
    }
    if (entry.selected) ui.canvas().fill({row.right() - 2, row.y, 2, row.height}, theme.query);
    ui.text(row.x + margin, row.centre().y, entry.id, entry.selected ? Type::strong : Type::body, theme.ink);
    return touch.clicked;
}

/// Scrolls to an entry that was selected elsewhere: by the palette, by undo, by a file.
void show_selected(PanelState& state, const Entry& entry, Rect list, Rect row) {
    if (state.catalogue_shown == entry.id) return;
    state.catalogue_shown = entry.id;
    if (row.y >= list.y && row.bottom() <= list.bottom()) return;
    state.catalogue_scroll += row.centre().y - list.centre().y;  // scrolled() keeps it in bounds
}

/// A muted name and its value in ink; returns where the next may begin.
double fact(Ui& ui, double x, double y, std::string_view name, std::string_view value) {
    if (!name.empty()) {
        ui.text(x, y, name, Type::caption, ui.theme().muted);
        x += ui.fonts().width(name, Type::caption) + 5;
    }
    ui.text(x, y, value, Type::emphasis, ui.theme().ink);
    return x + ui.fonts().width(value, Type::emphasis) + 28;
}

/// What the pointer is on, in numbers.
void draw_reading(Ui& ui, const Workbench& bench, const PanelState& state, Rect area) {
    const Page page{bench.shown(), *bench.result(), ui.theme(), area, state.focus, nullptr};
    const Reading reading = read(page);
    const double y = area.centre().y;
    double x = area.x + margin;
    const Trace& trace = page.result.trace;
    const auto score = static_cast<double>(reading.head->scores.at(reading.shown, reading.key));
    const auto weight = static_cast<double>(reading.head->weights.at(reading.shown, reading.key));
    if (trace.squash == Squash::sigmoid) {
        const bool channel = reading.layout == Layout::channels;
        x = fact(ui, x, y, channel ? "channel" : "position", name_of(page, reading, reading.key, false));
        x = fact(ui, x, y, "score", significant(score, 4));
        fact(ui, x, y, "gate", significant(weight, 4));
        return;
    }
    x = fact(ui, x, y, "query", name_of(page, reading, reading.shown, true));
    x = fact(ui, x, y,
             state.focus.key         ? "key"
             : !trace.picked.empty() ? "key taken"
             : reading.self          ? "heaviest other key"
                                     : "heaviest key",
             name_of(page, reading, reading.key, false));
    if (!trace.allowed.empty() && trace.allowed.at(reading.shown, reading.key) == 0.0F) {
        fact(ui, x, y, "weight", "0, masked");
        return;
    }
    x = fact(ui, x, y, "score", significant(score, 4));
    x = fact(ui, x, y, "weight", significant(weight, 4));
    if (trace.squash != Squash::softmax) return;
    const double uniform = weight * static_cast<double>(keys_seen(trace, reading.shown));
    fact(ui, x, y, "", significant(uniform, 3) + " × uniform");
}

/// The query of a pattern, the key under the pointer, and after how many layers it is seen; the mark of cost
/// curves.
void draw_findings(Ui& ui, const Workbench& bench, const PanelState& state, Rect area) {
    const Findings& found = *bench.result()->findings;
    const double y = area.centre().y;
    double x = area.x + margin;
    if (found.scale) {
        x = fact(ui, x, y, "d", grouped(found.scale->point.d));
        x = fact(ui, x, y, "variance of q·k", significant(found.scale->point.unscaled.variance, 4));
        fact(ui, x, y, "of q·k/√d", significant(found.scale->point.scaled.variance, 4));
        return;
    }
    if (found.followed.empty() && found.cost.curves.empty()) return;
    if (found.followed.empty()) {
        x = fact(ui, x, y, "S", grouped(found.cost.side));
        fact(ui, x, y, "N", grouped(found.cost.side * found.cost.side));
        return;
    }
    const Followed& first = found.followed.front();
    const Grid grid = first.stack->grid();
    const auto place = [&](Index at) {
        return grid.height == 1
                   ? std::to_string(at)
                   : "(" + std::to_string(at / grid.width) + ", " + std::to_string(at % grid.width) + ")";
    };
    x = fact(ui, x, y, "query", place(first.query));
    if (!state.focus.key || *state.focus.key >= grid.size()) return;
    const std::int32_t seen = first.seen_at(*state.focus.key);
    x = fact(ui, x, y, "key", place(*state.focus.key));
    fact(ui, x, y, seen > 0 ? "layers" : "", seen > 0 ? std::to_string(seen) : "not seen");
}

/// "0.42 ms · 60 fps": the evaluation, and the last run of frames.
std::string speed_of(const Workbench& bench, const PanelState& state) {
    std::string speed;
    if (bench.result() != nullptr) speed = significant(bench.result()->milliseconds, 2) + " ms";
    if (state.frames_per_second > 0)
        speed += " · " + std::to_string(std::lround(state.frames_per_second)) + " fps";
    return speed;
}

}  // namespace

Regions regions(Size window, bool presenting, bool catalogue) {
    if (presenting) return {{}, {}, {0, 0, window.width, window.height}, {}, {}};
    constexpr double top = 48;
    constexpr double status = 30;
    const double left = !catalogue ? 0 : window.width >= 1200 ? 204 : window.width >= 860 ? 160 : 0;
    const double right = window.width >= 1200 ? 296 : window.width >= 640 ? 250 : 0;
    const double height = std::max(0.0, window.height - top - status);
    return {.top = {0, 0, window.width, top},
            .catalogue = {0, top, left, height},
            .figure = {left, top, window.width - left - right, height},
            .knobs = {window.width - right, top, right, height},
            .status = {0, window.height - status, window.width, status}};
}

double scrolled(Ui& ui, Rect area, double content, double offset) {
    constexpr double notch = 52;
    offset -= ui.take_wheel(area) * notch;
    return std::clamp(offset, 0.0, std::max(0.0, content - area.height));
}

void draw_top_bar(Ui& ui, Workbench& bench, Rect area) {
    const Theme& theme = ui.theme();
    const double y = area.centre().y;
    ui.ground(area, theme.panel);
    ui.canvas().fill({area.x, area.bottom() - 1, area.width, 1}, theme.hairline);
    ui.text(area.x + margin, y, "attnscope", Type::strong, theme.ink);
    double x = area.x + margin + ui.fonts().width("attnscope", Type::strong) + 40;
    Subject last = Subject::mechanism;
    for (const std::string_view id : figures_of(bench.scene())) {
        const Figure& one = figure(id);
        if (one.subject != Subject::mechanism && last == Subject::mechanism) {
            ui.canvas().fill({x - 4, y - 9, 1, 18}, theme.hairline);
            x += 20;
        }
        last = one.subject;
        const bool selected = id == bench.scene().figure;
        const double width = ui.fonts().width(one.title, Type::strong);
        const Touch touch =
            ui.touch("figure." + std::string(id), {x - 12, area.y, width + 24, area.height}, Cursor::hand);
        if (touch.hovered) ui.state().help = one.help;
        ui.text(x + width / 2, y, one.title, selected ? Type::strong : Type::body,
                selected || touch.hovered ? theme.ink : theme.muted, Align::centre);
        if (selected) ui.canvas().fill({x, area.bottom() - 2, width, 2}, theme.query);
        if (touch.clicked && !selected) bench.show_figure(id);
        x += width + 28;
    }
    const double tabs_end = x;
    x = area.right() - margin;
    for (const std::string_view id : {"export", "present", "theme", "open", "find"}) {
        const Action& one = action(id);
        const std::string name(one.name);
        std::string chord = one.id == "theme" ? "" : " " + to_string(one.chords.front());
        double width = ui.fonts().width(name + chord, Type::body);
        if (x - width < tabs_end + 8) chord.clear();
        width = ui.fonts().width(name + chord, Type::body);
        if (x - width < tabs_end) break;
        const Touch touch = ui.touch("action." + std::string(id),
                                     {x - width - 8, area.y + 8, width + 16, area.height - 16}, Cursor::hand);
        if (touch.hovered) ui.state().help = one.help;
        ui.text(x - width, y, name, Type::body, touch.hovered ? theme.ink : theme.muted);
        ui.text(x, y, chord, Type::body, mix(theme.muted, theme.panel, 0.3), Align::right);
        if (touch.clicked) one.run(bench);
        x -= width + 22;
    }
}

void draw_catalogue(Ui& ui, Workbench& bench, PanelState& state, Rect area) {
    if (area.width <= 0) return;
    const Theme& theme = ui.theme();
    ui.ground(area, theme.panel);
    ui.canvas().fill({area.right() - 1, area.y, 1, area.height}, theme.hairline);
    const Rect field{area.x + margin, area.y + 16, area.width - 2 * margin + 4, 28};
    const FieldEvent event =
        text_field(ui, "filter", field, state.filter,
                   bench.subject() == Subject::mechanism ? "filter mechanisms" : "filter patterns");
    if (event.changed) state.filter = event.text;
    if (event.cancelled) state.filter.clear();

    const Rect list{area.x, field.bottom() + 6, area.width, area.bottom() - field.bottom() - 6};
    const Ui::Clip inside = ui.clip(list);
    double y = list.y - state.catalogue_scroll;
    const double begin = y;
    std::string_view head;
    const std::vector<Entry> entries = catalogue_of(bench.scene());
    for (const Entry& one : entries) {
        if (!matches(one, state.filter)) continue;
        if (head != one.head) {
            y += head.empty() ? 8 : 9;
            y += section_head(ui, {area.x + margin, y}, one.head);
            head = one.head;
        }
        const Rect row{area.x, y, area.width - 1, row_height};
        const bool chosen = draw_entry(ui, row, one);
        if (one.selected) show_selected(state, one, list, row);
        const bool first_by_enter = event.submitted && !Ui::dragging() && !state.filter.empty();
        if (chosen || first_by_enter) {
            if (!one.selected) choose(bench, one);
            state.filter.clear();
        }
        y += row_height;
    }
    if (head.empty()) ui.text(area.x + margin, y + 20, "nothing of that name", Type::body, theme.muted);
    state.catalogue_scroll = scrolled(ui, list, y - begin + 12, state.catalogue_scroll);
}

void draw_status(Ui& ui, const Workbench& bench, const PanelState& state, Rect area) {
    const Theme& theme = ui.theme();
    ui.ground(area, theme.panel);
    ui.canvas().fill({area.x, area.y, area.width, 1}, theme.hairline);
    const double y = area.centre().y;
    const std::string speed = bench.computing() ? "computing …" : speed_of(bench, state);
    ui.text(area.right() - margin, y, speed, Type::caption, theme.muted, Align::right);
    const double room = area.width - 3 * margin - ui.fonts().width(speed, Type::caption);
    const Ui::Clip inside = ui.clip({area.x, area.y, room + margin, area.height});
    if (!bench.notice().text.empty()) {
        ui.text(area.x + margin, y, ui.fonts().fit(bench.notice().text, Type::caption, room), Type::caption,
                bench.notice().warning ? theme.warning : theme.ink);
    } else if (!ui.state().help.empty()) {
        ui.text(area.x + margin, y, ui.fonts().fit(ui.state().help, Type::caption, room), Type::caption,
                theme.muted);
    } else if (bench.result() != nullptr && bench.result()->findings != nullptr) {
        draw_findings(ui, bench, state, area);
    } else if (bench.result() != nullptr) {
        draw_reading(ui, bench, state, area);
    }
}

}  // namespace attn
