#include "app/gui/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {
namespace {

constexpr double rail_y = 27.5;  // of a slider's strip
constexpr double ring = 6.0;

/// A colour for what is there but has no effect now.
Colour faint(const Theme& theme) {
    return mix(theme.muted, theme.panel, 0.45);
}

/// Follows the pointer: straight to it, or a tenth of its way with Shift.
std::optional<double> dragged(Ui& ui, const Touch& touch, const std::string& id, Rect rail, double share) {
    UiState::Drag& drag = ui.state().drag;
    const double x = ui.pointer().x;
    if (touch.pressed) {
        const double there = Ui::shift() ? share : (x - rail.x) / rail.width;
        drag = {id, std::clamp(there, 0.0, 1.0), x};
        return drag.share;
    }
    const bool moves = touch.held || touch.released;  // the last way before it is let go counts too
    if (!moves || drag.id != id || x == drag.x) return std::nullopt;
    const double way = (x - drag.x) / rail.width;
    drag.share = Ui::shift() ? drag.share + way / 10 : (x - rail.x) / rail.width;
    drag.share = std::clamp(drag.share, 0.0, 1.0);
    drag.x = x;
    return drag.share;
}

void draw_rail(Ui& ui, Rect strip, const SliderLook& look, const Touch& touch) {
    const Theme& theme = ui.theme();
    const Colour mark = look.rejected ? theme.warning : look.enabled ? look.accent : theme.hairline;
    const double y = strip.y + rail_y;
    const double at = strip.x + std::clamp(look.share, 0.0, 1.0) * strip.width;
    Canvas& canvas = ui.canvas();
    canvas.fill({strip.x, y - 2, strip.width, 4},
                look.rejected ? mix(theme.panel, theme.warning, 0.35) : theme.hairline, 2);
    if (!look.enabled) return;
    const bool plain = mark == theme.ink;  // the ring is ink, its trail is quieter
    if (at - strip.x > 2) {
        canvas.fill({strip.x, y - 2, at - strip.x, 4}, plain ? mix(theme.panel, theme.muted, 0.6) : mark, 2);
    }
    canvas.circle({at, y}, touch.hovered || touch.held ? ring + 1 : ring, theme.panel,
                  {.colour = mark, .width = 2});
}

/// The value at the right, which becomes a field when it is clicked.
void typed_value(Ui& ui, Rect strip, const SliderLook& look, SliderEvent& event) {
    const Theme& theme = ui.theme();
    const std::string id = look.id + ".value";
    const double shown = ui.fonts().width(look.value, Type::strong);
    if (ui.state().focus == id) {
        const double width = std::clamp(strip.width * 0.5, 60.0, 130.0);
        const FieldEvent field = text_field(ui, id, {strip.right() - width, strip.y - 2, width, 23},
                                            look.value, {}, look.rejected);
        if (field.submitted) event.typed = field.text;
        return;
    }
    const double width = std::min(std::max(shown, 24.0) + 8, strip.width);
    const Touch touch = ui.touch(id, {strip.right() - width, strip.y, width + 4, 20}, Cursor::text);
    const Colour colour = look.rejected ? theme.warning : look.enabled ? theme.ink : faint(theme);
    ui.text(strip.right(), strip.y + 10, look.value, Type::strong, colour, Align::right);
    if (!look.enabled) return;
    if (touch.hovered) {
        ui.canvas().fill({strip.right() - shown, strip.y + 18, shown, 1}, theme.muted);
        ui.state().help = "click to type a value";
    }
    if (touch.clicked) ui.state().focus_on(id, look.value);
}

}  // namespace

SliderEvent slider(Ui& ui, Point at, double width, const SliderLook& look) {
    const Theme& theme = ui.theme();
    const Rect strip{at.x, at.y, width, slider_height};
    SliderEvent event;
    const Rect grip{strip.x - ring, strip.y + rail_y - 10, strip.width + 2 * ring, 20};
    const Touch name = ui.touch(look.id + ".name", {strip.x, strip.y, strip.width * 0.6, 18});
    const Touch rail = ui.touch(look.id, grip, look.enabled ? Cursor::hand : Cursor::arrow);
    if (name.hovered || rail.hovered) ui.state().help = look.help;
    if ((name.hovered || rail.hovered) && !look.enabled) ui.state().tip = look.help;

    const double room = strip.width - ui.fonts().width(look.value, Type::strong) - 10;
    ui.text(strip.x, strip.y + 10, ui.fonts().fit(look.label, Type::body, room), Type::body,
            look.enabled ? theme.ink : faint(theme));
    typed_value(ui, strip, look, event);
    draw_rail(ui, strip, look, rail);
    if (!look.enabled) return event;

    if (rail.doubled) {
        event.reset = true;
    } else {
        event.share = dragged(ui, rail, look.id, {strip.x, strip.y, strip.width, 1}, look.share);
    }
    if (rail.doubled) ui.state().drag.id.clear();  // the rest of this press moves nothing
    event.released = rail.released;
    event.steps = ui.take_wheel(grip);
    return event;
}

std::size_t segment_columns(const Fonts& fonts, std::span<const std::string> labels, double width) {
    double widest = 0.0;
    double sum = 0.0;
    for (const std::string& label : labels) {
        const double needed = fonts.width(label, Type::emphasis) + 8;
        widest = std::max(widest, needed);
        sum += needed;
    }
    if (sum <= width) return labels.size();
    const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(width / widest)));
    // Even rows: four choices of which three would fit stand two and two.
    const std::size_t rows = (labels.size() + most - 1) / most;
    return (labels.size() + rows - 1) / rows;
}

double segments_height(const Fonts& fonts, std::span<const std::string> labels, double width) {
    const std::size_t columns = std::max<std::size_t>(1, segment_columns(fonts, labels, width));
    const std::size_t rows = (labels.size() + columns - 1) / columns;
    return static_cast<double>(rows) * segment_height;
}

SegmentEvent segments(Ui& ui, std::string_view id, Rect area, std::span<const std::string> labels,
                      std::optional<std::size_t> selected, bool enabled) {
    const Theme& theme = ui.theme();
    const std::size_t columns = std::max<std::size_t>(1, segment_columns(ui.fonts(), labels, area.width));
    const bool one_row = columns == labels.size();
    std::vector<double> widths(columns, area.width / static_cast<double>(columns));
    const bool even = std::all_of(labels.begin(), labels.end(), [&](const std::string& label) {
        return ui.fonts().width(label, Type::emphasis) + 8 <= widths[0];
    });
    if (one_row && !even) {  // unequal words share what is left over
        double sum = 0.0;
        for (std::size_t i = 0; i < columns; ++i) {
            widths[i] = ui.fonts().width(labels[i], Type::emphasis);
            sum += widths[i];
        }
        for (double& width : widths) width += (area.width - sum) / static_cast<double>(columns);
    }
    SegmentEvent event;
    double x = area.x;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t column = i % columns;
        if (column == 0) x = area.x;
        const std::size_t row = i / columns;
        const Rect cell{x, area.y + static_cast<double>(row) * segment_height, widths[column],
                        segment_height};
        x += widths[column];
        const Touch touch =
            ui.touch(std::string(id) + "." + std::to_string(i), cell, enabled ? Cursor::hand : Cursor::arrow);
        const bool chosen = selected == i;
        if (chosen && enabled) ui.canvas().fill(cell.inset(1), mix(theme.panel, theme.ink, 0.07), 3);
        const Colour colour = !enabled ? faint(theme) : chosen || touch.hovered ? theme.ink : theme.muted;
        const Type type = chosen ? Type::emphasis : Type::caption;
        ui.text(cell.centre().x, cell.centre().y, ui.fonts().fit(labels[i], type, cell.width - 4), type,
                colour, Align::centre);
        if (touch.hovered) event.hovered = i;
        if (touch.clicked && enabled) event.clicked = i;
    }
    ui.canvas().rect({area.x, area.y, area.width, segments_height(ui.fonts(), labels, area.width)},
                     {.colour = theme.hairline}, 4);
    return event;
}

bool toggle(Ui& ui, std::string_view id, Rect row, std::string_view label, bool on, bool enabled) {
    const Theme& theme = ui.theme();
    const Touch touch = ui.touch(id, row, enabled ? Cursor::hand : Cursor::arrow);
    const double y = row.centre().y;
    ui.text(row.x, y, ui.fonts().fit(label, Type::body, row.width - 64), Type::body,
            enabled ? theme.ink : faint(theme));
    const Rect rail{row.right() - 22, y - 2, 22, 4};
    ui.text(rail.x - 10, y, on ? "on" : "off", on && enabled ? Type::strong : Type::body,
            !enabled ? faint(theme)
            : on     ? theme.ink
                     : theme.muted,
            Align::right);
    ui.canvas().fill(rail, on && enabled ? mix(theme.panel, theme.muted, 0.6) : theme.hairline, 2);
    if (enabled) {
        ui.canvas().circle({on ? rail.right() - 5 : rail.x + 5, y}, 5, theme.panel,
                           {.colour = touch.hovered || on ? theme.ink : theme.muted, .width = 2});
    }
    return touch.clicked && enabled;
}

bool button(Ui& ui, std::string_view id, Rect area, std::string_view label, bool strong) {
    const Theme& theme = ui.theme();
    const Touch touch = ui.touch(id, area, Cursor::hand);
    const Colour base = strong ? theme.ink : theme.panel;
    ui.canvas().fill(area, touch.hovered ? mix(base, strong ? theme.panel : theme.ink, 0.1) : base, 4);
    if (!strong) ui.canvas().rect(area, {.colour = theme.hairline}, 4);
    ui.text(area.centre().x, area.centre().y, label, Type::strong, strong ? theme.panel : theme.ink,
            Align::centre);
    return touch.clicked;
}

double section_head(Ui& ui, Point at, std::string_view title) {
    // Capitals want a little air between them.
    double x = at.x;
    for (const std::uint32_t code_point : code_points(title)) {
        const std::string letter = to_utf8(code_point);
        ui.text(x, at.y + 11.5, letter, Type::label, ui.theme().muted);
        x += ui.fonts().width(letter, Type::label) + 0.8;
    }
    return 27;
}

}  // namespace attn
