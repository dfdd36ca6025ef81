#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas.h"
#include "app/evaluate.h"
#include "app/scene.h"
#include "app/theme.h"

namespace attn {

class Memo;

/// A part of a drawn figure that answers to the pointer: `area` is divided into rows × columns equal cells.
struct Hit {
    enum class Role {
        pieces,    ///< cells are pieces: hovering names the key, pressing and dragging sets the query
        queries,   ///< cells are queries only
        keys,      ///< cells are keys only (bars, a token row)
        pairs,     ///< rows are queries, columns keys: pressing sets the query
        channels,  ///< cells are channels
        heads,  ///< cells are the choices of head_choice: pressing picks one, pressing twice shows it alone
        axis,   ///< a whole-numbered knob lies along x, logarithmic from `low` to `high`: pressing and
                ///< dragging sets it
        mechanism  ///< pressing opens it
    };
    Rect area;
    Index rows = 1;
    Index columns = 1;
    Role role = Role::pieces;
    std::vector<Index>
        order{};        ///< cell → piece where the cells are not in order (sorted bars); empty otherwise
    std::string tip{};  ///< one line shown while hovered; empty for none
    std::string_view id{};         ///< the knob of Role::axis, the mechanism of Role::mechanism
    double low = 0.0, high = 0.0;  ///< of Role::axis
};

/// What the pointer is on: everything linked lights up together.
struct Focus {
    std::optional<Index> query;  ///< hovered as a query
    std::optional<Index> key;    ///< hovered as a key, or a channel
};

/// What a figure gets to draw.
struct Page {
    const Scene& scene;
    const Result& result;
    const Theme& theme;
    Rect area;             ///< to be filled, margins included
    Focus focus;           ///< empty in files
    Memo* memo = nullptr;  ///< kept from frame to frame (app/figures/memo.h); null where one picture is drawn
};

/// What a figure is about, and so which knobs beside its own a scene has.
enum class Subject {
    mechanism,  ///< the scene's mechanism on its input
    pattern,    ///< the scene's pattern, through its layers, on a grid
    none        ///< what its own knobs say
};

/// One kind of figure, as plain data and a function. Register it in app/figures/catalog.cpp.
struct Figure {
    std::string_view id;
    std::string_view title;             ///< as on the tab
    std::string_view help;              ///< one line
    std::vector<Parameter> parameters;  ///< group view (or query)
    Size natural;                       ///< of an exported figure, in points
    std::vector<Hit> (*draw)(const Page& page, Canvas& canvas) = nullptr;
    Subject subject = Subject::mechanism;
    /// What it wants to know, where that is not the mechanism run on its input; its own knobs are then all
    /// that a scene about a mechanism has. Throws UsageError where what is set is not legal together.
    Question (*ask)(const Scene& scene) = nullptr;
    /// What it draws beside the mechanism's trace, and would take long while drawing: adds it to the result,
    /// for the scene's query. Throws Cancelled when stopped.
    void (*add)(const Scene& scene, Result& result, const std::stop_token& stop) = nullptr;
    /// Its numbers as lines of comma-separated values, where they are not the query's row, hops or curves.
    std::string (*csv)(const Scene& scene, const Result& result) = nullptr;
    bool head_strip = false;  ///< it shows small maps of all heads where there are several

    /// Whether one result serves all queries: a mechanism's maps hold them.
    [[nodiscard]] bool holds_every_query() const {
        return subject == Subject::mechanism && ask == nullptr && add == nullptr;
    }
};

std::span<const Figure> figures();
/// Throws UsageError naming the figures there are.
const Figure& figure(std::string_view id);

}  // namespace attn
