#include <array>
#include <cmath>

#include "app/gui/sheets.h"
#include "app/gui/widgets.h"

namespace attn {
namespace {

const std::vector<std::string>& themes() {
    static const std::vector<std::string> all = {"light", "dark", "print"};
    return all;
}

std::string dimensions(Size size) {
    return std::to_string(std::lround(size.width)) + " × " + std::to_string(std::lround(size.height));
}

/// A caption and a row of choices under it; changes `selected`. Returns where the next may begin.
double pick(Ui& ui, std::string_view id, std::string_view caption, Rect area,
            const std::vector<std::string>& labels, std::size_t& selected, bool enabled = true) {
    ui.text(area.x, area.y + 10, caption, Type::body, enabled ? ui.theme().ink : ui.theme().muted);
    const SegmentEvent event = segments(ui, id, {area.x + 70, area.y - 3, area.width - 70, segment_height},
                                        labels, selected, enabled);
    if (event.clicked) selected = *event.clicked;
    return area.y + 44;
}

}  // namespace

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> all = {"png", "svg", "pdf"};
    return all;
}

std::string export_name(const Scene& scene, std::string_view format) {
    return name_of(scene) + "." + std::string(format);
}

void draw_export(Ui& ui, Workbench& bench, SheetState& state, Rect card) {
    const Theme& theme = ui.theme();
    const double x = card.x + 24;
    const double width = card.width - 48;
    ui.text(x, card.y + 32, "Export the figure", Type::title, theme.ink);
    draw_prompt(ui, state, {x, card.y + 58, width, 32}, "file");

    // The ending that was typed and the format that was picked are one.
    const std::string ending = std::filesystem::path(state.text).extension().string();
    for (std::size_t i = 0; i < export_formats().size(); ++i) {
        if (ending == "." + export_formats()[i]) state.format = i;
    }
    const std::size_t before = state.format;
    double y =
        pick(ui, "export.format", "format", {x, card.y + 112, width, 0}, export_formats(), state.format);
    if (state.format != before) {
        state.text =
            std::filesystem::path(state.text).replace_extension(export_formats()[state.format]).string();
        ui.state().focus_on("sheet.text", state.text);
    }
    const Size natural = figure(bench.scene().figure).natural;
    const std::vector<std::string> sizes = {"natural " + dimensions(natural),
                                            "as on screen " + dimensions(bench.figure_area)};
    y = pick(ui, "export.size", "size", {x, y, width, 0}, sizes, state.size);
    y = pick(ui, "export.scale", "scale", {x, y, width, 0}, {"1", "2", "3", "4"}, state.scale,
             state.format == 0);
    y = pick(ui, "export.theme", "theme", {x, y, width, 0}, themes(), state.theme);

    std::error_code failure;
    const bool there = !state.text.empty() && std::filesystem::exists(state.text, failure);
    const bool asked = there && state.replacing == state.text;
    ui.text(x, card.bottom() - 38,
            asked   ? "a file of that name is there: replace it?"
            : there ? "a file of that name is there"
                    : "the scene is kept inside the file",
            Type::caption, there ? theme.warning : theme.muted);
    const Rect go{card.right() - 24 - 96, card.bottom() - 54, 96, 32};
    if (!button(ui, "export.go", go, asked ? "Replace" : "Export", true) && !state.accepted) return;
    state.accepted = false;
    if (state.text.empty()) return;
    if (there && !asked) {
        state.replacing = state.text;
        return;
    }
    bench.sheet = Sheet::none;
    bench.save_figure(state.text, {.format = export_formats()[state.format],
                                   .size = state.size == 0 ? natural : bench.figure_area,
                                   .scale = static_cast<double>(state.scale + 1),
                                   .theme = themes()[state.theme]});
}

}  // namespace attn
