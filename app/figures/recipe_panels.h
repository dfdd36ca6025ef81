#pragma once

#include <string>
#include <vector>

#include "app/figures/equation.h"
#include "app/figures/heat.h"
#include "app/figures/reading.h"

namespace attn {

/// What the three panels of the recipe are drawn with.
struct Stage {
    Canvas& canvas;
    const Page& page;
    const Reading& reading;
    Formulas formulas;
    std::string step;  ///< all, score, squash, multiply
    Scale scale = Scale::linear;
    std::vector<Hit> hits{};

    [[nodiscard]] bool lit(std::string_view name) const { return step == "all" || step == name; }
    [[nodiscard]] double opacity(std::string_view name) const { return lit(name) ? 1.0 : 0.25; }
    [[nodiscard]] Colouring weights() const;
    /// The colour bar of the step of that name under its panel.
    void bar_under(Rect panel, std::string_view name, const HeatMap& map, std::string_view middle = {}) const;
    [[nodiscard]] Colouring scores() const { return score_colouring(page.theme); }
};

/// Score, squash and multiply side by side on the same cells, with captions and colour bars, as large as the
/// room allows. Each returns the bottom of what it drew.
double picture_panels(Stage& stage, Rect room);  ///< the query's row laid over the picture
double word_panels(Stage& stage, Rect room);     ///< the matrices
double channel_panels(Stage& stage, Rect room);  ///< a cell for each channel

}  // namespace attn
