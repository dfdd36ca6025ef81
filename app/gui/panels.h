#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure.h"
#include "app/gui/ui.h"
#include "app/gui/workbench.h"

namespace attn {

/// Where the parts of the window lie, in points. A part without room has width 0.
struct Regions {
    Rect top, catalogue, figure, knobs, status;
};
/// Without a catalogue the figure has its room.
Regions regions(Size window, bool presenting, bool catalogue = true);

/// What the panels remember between frames.
struct PanelState {
    std::string filter;  ///< of the catalogue
    double catalogue_scroll = 0.0;
    std::string catalogue_shown;  ///< the entry that was scrolled into sight when it was selected
    double knobs_scroll = 0.0;
    std::vector<Hit> hits;               ///< of the figure as it was last drawn
    std::optional<std::size_t> grabbed;  ///< the hit in which the query is being dragged
    Focus focus;
    double frames_per_second = 0.0;  ///< of the last run of frames; 0 before there was one
};

void draw_top_bar(Ui& ui, Workbench& bench, Rect area);
void draw_catalogue(Ui& ui, Workbench& bench, PanelState& state, Rect area);
void draw_knobs(Ui& ui, Workbench& bench, PanelState& state, Rect area);
/// Takes the pointer's doings in the figure, lets the bench take over what was computed, and draws the
/// figure.
void draw_figure(Ui& ui, Workbench& bench, PanelState& state, Rect area);
void draw_status(Ui& ui, const Workbench& bench, const PanelState& state, Rect area);

/// Scrolls a panel whose contents are `content` tall by the wheel over it; returns the offset in bounds.
double scrolled(Ui& ui, Rect area, double content, double offset);

}  // namespace attn
