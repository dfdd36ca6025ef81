#include "app/gui/sheets.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/gui/widgets.h"

namespace attn {
namespace {

constexpr double line_height = 30;

Size size_of(Sheet sheet) {
    switch (sheet) {
        case Sheet::help:
            return {980, 470};
        case Sheet::save:
            return {440, 360};
        default:
            return {560, 440};
    }
}

/// Everything anew when a sheet opens.
void begin_sheet(Workbench& bench, SheetState& state, UiState& ui) {
    state.shown = bench.sheet;
    state.text.clear();
    state.marked = 0;
    state.scroll = 0.0;
    state.accepted = false;
    state.replacing.clear();
    if (bench.sheet == Sheet::open) {
        std::error_code failure;
        if (state.folder.empty()) state.folder = std::filesystem::current_path(failure);
        state.entries = openable(state.folder);
    }
    if (bench.sheet == Sheet::save) {
        state.text = export_name(bench.scene(), export_formats()[state.format]);
        state.theme = bench.theme->dark ? 1 : 0;
    }
    if (bench.sheet == Sheet::help) {
        ui.blur();
    } else {
        ui.focus_on("sheet.text", state.text);
    }
}

}  // namespace

bool handle_in_sheet(const Keystroke& stroke, Workbench& bench, SheetState& state) {
    if (bench.sheet == Sheet::none || bench.sheet != state.shown) return false;
    const auto mark = [&](std::size_t line) {
        state.marked = line;
        state.follow = true;
        return true;
    };
    switch (stroke.key) {
        case GLFW_KEY_ESCAPE:
            bench.sheet = Sheet::none;
            return true;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            state.accepted = true;
            return true;
        case GLFW_KEY_UP:
            return mark(state.marked > 0 ? state.marked - 1 : 0);
        case GLFW_KEY_DOWN:
            return mark(state.marked + 1);
        case GLFW_KEY_PAGE_UP:
            return mark(state.marked > 10 ? state.marked - 10 : 0);
        case GLFW_KEY_PAGE_DOWN:
            return mark(state.marked + 10);
        default:
            return false;
    }
}

bool draw_prompt(Ui& ui, SheetState& state, Rect area, std::string_view hint) {
    if (ui.state().focus != "sheet.text") ui.state().focus_on("sheet.text", state.text);
    const FieldEvent event = text_field(ui, "sheet.text", area, state.text, hint);
    if (!event.changed) return false;
    state.text = event.text;
    state.marked = 0;
    state.scroll = 0.0;
    return true;
}

std::optional<std::size_t> draw_list(Ui& ui, SheetState& state, Rect area,
                                     const std::vector<ListLine>& lines) {
    const Theme& theme = ui.theme();
    if (lines.empty()) {
        ui.text(area.x + 20, area.y + 22, "nothing found", Type::body, theme.muted);
        state.accepted = false;
        return std::nullopt;
    }
    state.marked = std::min(state.marked, lines.size() - 1);
    const double content = static_cast<double>(lines.size()) * line_height;
    if (std::exchange(state.follow, false)) {
        const double top = static_cast<double>(state.marked) * line_height;
        state.scroll =
            std::max(0.0, std::clamp(state.scroll, top + std::min(0.0, line_height - area.height), top));
    }
    std::optional<std::size_t> chosen;
    if (std::exchange(state.accepted, false)) chosen = state.marked;
    const Ui::Clip inside = ui.clip(area);
    const auto first = static_cast<std::size_t>(std::max(0.0, state.scroll / line_height));
    const auto shown = static_cast<std::size_t>(std::max(0.0, area.height) / line_height) + 2;
    for (std::size_t i = first; i < std::min(lines.size(), first + shown); ++i) {
        const Rect row{area.x, area.y + static_cast<double>(i) * line_height - state.scroll, area.width,
                       line_height};
        // A mechanism and a pattern may have one name.
        const std::string id =
            "line." + lines[i].name + (lines[i].detail.empty() ? "" : "." + lines[i].detail);
        const Touch touch = ui.touch(id, row, Cursor::hand);
        if (touch.clicked) chosen = i;
        if (i == state.marked || touch.hovered) {
            ui.canvas().fill(row, mix(theme.panel, theme.ink, i == state.marked ? 0.08 : 0.04));
        }
        const double detail = ui.fonts().width(lines[i].detail, Type::caption);
        const double room = row.width - 52 - std::min(detail, row.width / 2);
        ui.text(row.x + 20, row.centre().y, ui.fonts().fit(lines[i].name, Type::body, room), Type::body,
                theme.ink);
        ui.text(row.right() - 20, row.centre().y,
                ui.fonts().fit(lines[i].detail, Type::caption, row.width / 2), Type::caption, theme.muted,
                Align::right);
    }
    state.scroll = std::clamp(state.scroll - ui.take_wheel(area) * 3 * line_height, 0.0,
                              std::max(0.0, content - area.height));
    return chosen;
}

void draw_sheet(Workbench& bench, SheetState& state, UiState& ui_state, DrawStore& store, Size window,
                double scale) {
    const bool opens = bench.sheet != state.shown;
    if (opens && bench.sheet == Sheet::none) ui_state.blur();
    if (opens) begin_sheet(bench, state, ui_state);
    if (bench.sheet == Sheet::none) return;

    Ui ui("sheet", opens, window, ui_state, store, *bench.theme, scale);
    const Theme& theme = ui.theme();
    Colour veil = theme.ground;
    veil.a = 170;
    ui.canvas().fill({0, 0, window.width, window.height}, veil);
    const Size wanted = size_of(bench.sheet);
    const double width = std::min(wanted.width, window.width - 32);
    const double height = std::min(wanted.height, window.height - 32);
    const Rect card{ui.canvas().snap((window.width - width) / 2),
                    ui.canvas().snap(std::min(window.height * 0.14, (window.height - height) / 2)), width,
                    height};
    ui.canvas().fill(card, theme.panel, 6);
    ui.canvas().rect(card, {.colour = mix(theme.hairline, theme.muted, 0.3)}, 6);
    switch (bench.sheet) {
        case Sheet::palette:
            draw_palette(ui, bench, state, card);
            break;
        case Sheet::help:
            draw_help(ui, card);
            break;
        case Sheet::open:
            draw_open(ui, bench, state, card);
            break;
        case Sheet::save:
            draw_export(ui, bench, state, card);
            break;
        case Sheet::none:
            break;
    }
    if (!opens && ui.touch("outside", {0, 0, window.width, window.height}).clicked &&
        !card.contains(ui.pointer())) {
        bench.sheet = Sheet::none;
    }
}

}  // namespace attn
