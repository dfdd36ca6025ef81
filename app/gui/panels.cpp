#include "app/gui/panels.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/reading.h"
#include "app/gui/actions.h"
#include "app/gui/widgets.h"
#include "core/catalog.h"

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

bool matches(const Mechanism& mechanism, std::string_view filter) {
    const auto lower = [](std::string_view text) {
        std::string low(text);
        std::transform(low.begin(), low.end(), low.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        return low;
    };
    const std::string wanted = lower(filter);
    return lower(mechanism.id).find(wanted) != std::string::npos ||
           lower(mechanism.title).find(wanted) != std::string::npos;
}

/// One entry of the catalogue; true when it was chosen.
bool entry(Ui& ui, Rect row, const Mechanism& mechanism, bool selected) {
    const Touch touch = ui.touch("mechanism." + std::string(mechanism.id), row, Cursor::hand);
    const Theme& theme = ui.theme();
    if (touch.hovered) {
        if (!selected)
            ui.canvas().fill({row.x, row.y, row.width, row.height}, mix(theme.panel, theme.ink, 0.04));
        ui.state().help = std::string(mechanism.title) + " · " + std::string(mechanism.source);
    }
    if (selected) ui.canvas().fill({row.right() - 2, row.y, 2, row.height}, theme.query);
    ui.text(row.x + margin, row.centre().y, mechanism.id, selected ? Type::strong : Type::body, theme.ink);
    return touch.clicked;
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
    const auto at = [&](std::span<const float> row) {
        const auto key = static_cast<std::size_t>(reading.key);
        return key < row.size() ? static_cast<double>(row[key]) : 0.0;
    };
    const double weight = at(reading.weights);
    if (reading.layout == Layout::channels) {
        x = fact(ui, x, y, "channel", name_of(page, reading, reading.key, false));
        x = fact(ui, x, y, "score", significant(at(reading.scores), 4));
        fact(ui, x, y, "gate", significant(weight, 4));
        return;
    }
    x = fact(ui, x, y, "query", name_of(page, reading, reading.shown, true));
    x = fact(ui, x, y, state.focus.key ? "key" : "heaviest key", name_of(page, reading, reading.key, false));
    x = fact(ui, x, y, "score", significant(at(reading.scores), 4));
    x = fact(ui, x, y, "weight", significant(weight, 4));
    const double uniform = weight * static_cast<double>(reading.weights.size());
    fact(ui, x, y, "", significant(uniform, 3) + " × uniform");
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

Regions regions(Size window, bool presenting) {
    if (presenting) return {{}, {}, {0, 0, window.width, window.height}, {}, {}};
    constexpr double top = 48;
    constexpr double status = 30;
    const double left = window.width >= 1200 ? 204 : window.width >= 860 ? 160 : 0;
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
    for (const std::string_view id : mechanism(bench.scene().mechanism).figures) {
        const Figure& one = figure(id);
        const bool selected = id == bench.scene().figure;
        const double width = ui.fonts().width(one.title, Type::strong);
        const Touch touch =
            ui.touch("figure." + std::string(id), {x - 12, area.y, width + 24, area.height}, Cursor::hand);
        if (touch.hovered) ui.state().help = one.help;
        ui.text(x + width / 2, y, one.title, selected ? Type::strong : Type::body,
                selected || touch.hovered ? theme.ink : theme.muted, Align::centre);
        if (selected) ui.canvas().fill({x, area.bottom() - 2, width, 2}, theme.query);
        if (touch.clicked && !selected) bench.change(with_figure(bench.scene(), id));
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
    const FieldEvent event = text_field(ui, "filter", field, state.filter, "filter mechanisms");
    if (event.changed) state.filter = event.text;
    if (event.cancelled) state.filter.clear();

    const Rect list{area.x, field.bottom() + 6, area.width, area.bottom() - field.bottom() - 6};
    ui.push_clip(list);
    double y = list.y - state.catalogue_scroll;
    const double begin = y;
    std::optional<Family> family;
    for (const Mechanism& one : mechanisms()) {
        if (!matches(one, state.filter)) continue;
        if (family != one.family) {
            y += family ? 9 : 8;
            y += section_head(ui, {area.x + margin, y}, family_title(one.family));
            family = one.family;
        }
        const bool selected = one.id == bench.scene().mechanism;
        const bool chosen = entry(ui, {area.x, y, area.width - 1, row_height}, one, selected);
        const bool first_by_enter = event.submitted && !ui.dragging() && !state.filter.empty();
        if ((chosen || first_by_enter) && !selected) bench.change(with_mechanism(bench.scene(), one.id));
        if (chosen || first_by_enter) state.filter.clear();
        y += row_height;
    }
    if (!family) ui.text(area.x + margin, y + 20, "nothing of that name", Type::body, theme.muted);
    ui.pop_clip();
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
    ui.push_clip({area.x, area.y, room + margin, area.height});
    if (!bench.notice().text.empty()) {
        ui.text(area.x + margin, y, ui.fonts().fit(bench.notice().text, Type::caption, room), Type::caption,
                bench.notice().warning ? theme.warning : theme.ink);
    } else if (!ui.state().help.empty()) {
        ui.text(area.x + margin, y, ui.fonts().fit(ui.state().help, Type::caption, room), Type::caption,
                theme.muted);
    } else if (bench.result() != nullptr) {
        draw_reading(ui, bench, state, area);
    }
    ui.pop_clip();
}

}  // namespace attn
