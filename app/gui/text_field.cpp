#include <algorithm>
#include <cmath>

#include "app/gui/widgets.h"
#include "core/utf8.h"

namespace attn {
namespace {

constexpr double padding = 9;

/// The caret position nearest to a distance from the start of the text.
std::size_t caret_at(const Fonts& fonts, const std::string& text, double x) {
    std::size_t best = 0;
    double nearest = std::abs(x);
    for (std::size_t at = 1; at <= text.size(); ++at) {
        if (at < text.size() && continues_utf8(text[at])) continue;
        const double away = std::abs(fonts.width(std::string_view(text).substr(0, at), Type::body) - x);
        if (away >= nearest) continue;
        nearest = away;
        best = at;
    }
    return best;
}

/// How far the text is moved to the left so that the caret is seen.
double scroll_of(double caret, double whole, double room) {
    return std::clamp(caret - room * 0.8, 0.0, std::max(0.0, whole - room));
}

/// The caret position under the pointer.
std::size_t pointed(Ui& ui, Rect inner, const TextEdit& edit) {
    const std::string_view text = edit.text();
    const double caret = ui.fonts().width(text.substr(0, edit.caret()), Type::body);
    const double scroll = scroll_of(caret, ui.fonts().width(text, Type::body), inner.width - 1);
    return caret_at(ui.fonts(), edit.text(), ui.pointer().x - inner.x + scroll);
}

void draw_editing(Ui& ui, Rect inner, const TextEdit& edit) {
    const Fonts& fonts = ui.fonts();
    const std::string_view text = edit.text();
    const auto x_of = [&](std::size_t at) { return fonts.width(text.substr(0, at), Type::body); };
    const double scroll = scroll_of(x_of(edit.caret()), x_of(text.size()), inner.width - 1);
    const double start = inner.x - scroll;
    const Rect selection{start + x_of(edit.selection_begin()), inner.y + 4,
                         x_of(edit.selection_end()) - x_of(edit.selection_begin()), inner.height - 8};
    ui.canvas().fill(selection, mix(ui.theme().panel, ui.theme().bar, 0.35));
    ui.text(start, inner.centre().y, text, Type::body, ui.theme().ink);
    const double caret = ui.canvas().snap(start + x_of(edit.caret()));
    ui.canvas().fill({caret, inner.y + 4, 1, inner.height - 8}, ui.theme().ink);
}

}  // namespace

FieldEvent text_field(Ui& ui, std::string_view id, Rect area, const std::string& text, std::string_view hint,
                      bool rejected) {
    const Theme& theme = ui.theme();
    UiState& state = ui.state();
    const Touch touch = ui.touch(id, area, Cursor::text);
    const Rect inner{area.x + padding, area.y, area.width - 2 * padding, area.height};
    if (touch.pressed && state.focus != id) {
        state.focus_on(std::string(id), text);
        state.drag = {{}, 0.0, ui.pointer().x};
    } else if (state.focus == id && (touch.pressed || (touch.held && ui.pointer().x != state.drag.x))) {
        const bool goes_on = !touch.pressed && state.drag.id == id;  // a drag selects
        state.edit.place(pointed(ui, inner, state.edit), goes_on);
        state.drag = {std::string(id), 0.0, ui.pointer().x};
    }
    const bool focused = state.focus == id;

    FieldEvent event;
    if (focused) {
        state.focus_seen = true;
        event.text = state.edit.text();
        event.changed = event.text != text;
        event.cancelled = state.outcome == UiState::Outcome::cancelled;
        event.submitted = state.outcome == UiState::Outcome::submitted || (Ui::dragging() && !touch.held);
    }
    ui.canvas().fill(area, theme.panel, 4);
    ui.canvas().rect(area, {.colour = rejected ? theme.warning : focused ? theme.muted : theme.hairline}, 4);
    const Ui::Clip inside = ui.clip({area.x + 4, area.y, area.width - 8, area.height});
    if (focused) {
        draw_editing(ui, inner, state.edit);
        if (state.edit.text().empty()) ui.text(inner.x, inner.centre().y, hint, Type::body, theme.muted);
    } else {
        const bool empty = text.empty();
        ui.text(inner.x, inner.centre().y, empty ? hint : std::string_view(text), Type::body,
                empty      ? theme.muted
                : rejected ? theme.warning
                           : theme.ink);
    }
    if (event.cancelled || event.submitted) state.blur();
    return event;
}

}  // namespace attn
