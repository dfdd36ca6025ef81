#include <algorithm>
#include <cmath>

#include "app/figures/reading.h"
#include "app/gui/panels.h"

namespace attn {
namespace {

/// The cell of a hit under the pointer, brought inside.
struct Cell {
    Index row = 0, column = 0;
};

Cell cell_at(const Hit& hit, Point at) {
    const auto place = [](double offset, double length, Index count) {
        const double share = length > 0 ? offset / length : 0.0;
        return std::clamp<Index>(static_cast<Index>(std::floor(share * static_cast<double>(count))), 0,
                                 count - 1);
    };
    return {place(at.y - hit.area.y, hit.area.height, hit.rows),
            place(at.x - hit.area.x, hit.area.width, hit.columns)};
}

/// The piece of a grid that lies where the cell lies: keys may be pooled, so that their grid is coarser.
Index piece_of(const Hit& hit, Cell cell, Grid grid) {
    const Index index = cell.row * hit.columns + cell.column;
    if (!hit.order.empty()) return hit.order[static_cast<std::size_t>(index)];
    if (hit.rows * hit.columns == grid.size() || grid.size() == 0) return index;
    return cell.row * grid.height / hit.rows * grid.width + cell.column * grid.width / hit.columns;
}

/// The value of the knob under the pointer on a logarithmic axis.
Index value_at(const Hit& hit, Point at) {
    const double share = std::clamp((at.x - hit.area.x) / hit.area.width, 0.0, 1.0);
    return std::llround(hit.low * std::pow(hit.high / hit.low, share));
}

bool sets_query(const Hit& hit) {
    return hit.role != Hit::Role::keys && hit.role != Hit::Role::channels && hit.role != Hit::Role::heads;
}

/// Pressing picks a head; pressing twice shows it alone, or all beside it again.
void press_head(Workbench& bench, const Hit& hit, Cell cell, bool twice) {
    const std::string gesture = "head by pointer";
    const auto choice = static_cast<std::size_t>(piece_of(hit, cell, {}));
    for (const auto& [id, value] : show_head(*bench.result(), choice)) bench.set(id, value, gesture);
    if (!twice) return;
    const Knobs view(bench.knobs(), bench.scene().set);
    bench.set("strip", !view.flag("strip"), gesture);
}

Index query_at(const Hit& hit, Cell cell, const Result& result) {
    return hit.role == Hit::Role::pairs ? cell.row : piece_of(hit, cell, result.trace.queries);
}

Focus focus_at(const Hit& hit, Cell cell, const Result& result) {
    switch (hit.role) {
        case Hit::Role::queries:
            return {.query = piece_of(hit, cell, result.trace.queries), .key = {}};
        case Hit::Role::pairs:
            return {.query = cell.row, .key = cell.column};
        case Hit::Role::heads:
            return {};
        default:
            return {.query = {}, .key = piece_of(hit, cell, result.trace.keys)};
    }
}

/// The last drawn hit under the pointer: what is drawn later lies above.
std::optional<std::size_t> hit_at(const std::vector<Hit>& hits, Point at) {
    for (std::size_t i = hits.size(); i-- > 0;) {
        if (hits[i].area.contains(at)) return i;
    }
    return std::nullopt;
}

void follow_pointer(Ui& ui, Workbench& bench, PanelState& state, Rect area) {
    const Touch touch = ui.touch("figure", area);
    const Point at = ui.pointer();
    const std::optional<std::size_t> under = hit_at(state.hits, at);
    const Result* result = bench.result();
    state.focus = {};
    if (result == nullptr) return;
    if (under && state.hits[*under].role == Hit::Role::mechanism) {
        if (touch.hovered) ui.state().tip = state.hits[*under].tip;
        if (touch.pressed) bench.show_mechanism(state.hits[*under].id);
        return;
    }
    if (touch.pressed && under && Ui::control() && find(bench.knobs(), "key") != nullptr) {
        const Hit& hit = state.hits[*under];
        if (const auto key = focus_at(hit, cell_at(hit, at), *result).key) bench.set("key", *key);
    } else if (touch.pressed && under && state.hits[*under].role == Hit::Role::heads) {
        const Hit& hit = state.hits[*under];
        press_head(bench, hit, cell_at(hit, at), touch.doubled);
    } else if (touch.pressed && under && sets_query(state.hits[*under])) {
        state.grabbed = under;
    }
    if (touch.held && state.grabbed && *state.grabbed < state.hits.size()) {
        const Hit& hit = state.hits[*state.grabbed];
        if (hit.role == Hit::Role::axis) {
            bench.set(hit.id, value_at(hit, at), std::string(hit.id) + " by pointer");
        } else {
            bench.set_query(query_at(hit, cell_at(hit, at), *result), "query by pointer");
            state.focus = focus_at(hit, cell_at(hit, at), *result);
        }
    } else if (touch.hovered && under && state.hits[*under].role != Hit::Role::axis) {
        const Hit& hit = state.hits[*under];
        state.focus = focus_at(hit, cell_at(hit, at), *result);
        ui.state().tip = hit.tip;
    }
    if (touch.released) {
        state.grabbed.reset();
        bench.end_gesture();
    }
}

}  // namespace

void draw_figure(Ui& ui, Workbench& bench, PanelState& state, Rect area) {
    bench.figure_area = {area.width, area.height};
    follow_pointer(ui, bench, state, area);
    bench.update();
    if (bench.result() == nullptr) {
        state.hits.clear();
        const Point middle = area.centre();
        if (bench.computing()) {
            ui.text(middle.x, middle.y, "computing …", Type::lead, ui.theme().muted, Align::centre);
        }
        return;
    }
    // The pointer was read on the figure as it was; the new result may have fewer pieces.
    const Trace& trace = bench.result()->trace;
    if (state.focus.query && *state.focus.query >= trace.queries.size()) state.focus.query.reset();
    if (state.focus.key && *state.focus.key >= trace.keys.size()) state.focus.key.reset();
    const Theme& theme = ui.theme();
    const Ui::Clip inside = ui.clip(area);
    const Page page{bench.shown(), *bench.result(), theme, area, state.focus, &bench.memo()};
    ui.expect_ground(area, theme.ground);
    state.hits = figure(bench.shown().figure).draw(page, ui.canvas());
}

}  // namespace attn
