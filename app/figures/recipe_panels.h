#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/equation.h"
#include "app/figures/heat.h"
#include "app/figures/reading.h"

namespace attn {

/// What the parts of the recipe are drawn with.
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
    /// Scores about zero; a query's row and what it is the sum of share one range.
    [[nodiscard]] Colouring scores() const { return score_colouring(page.theme); }
    [[nodiscard]] Colouring scores_of_query() const;
    /// The colour bar of the step of that name under its panel.
    void bar_under(Rect panel, std::string_view name, const HeatMap& map, std::string_view middle = {}) const;
    void note_under(Rect panel, std::string_view name, std::string_view note) const;
    /// What answers to the pointer where cells are keys, or keys and queries at once.
    [[nodiscard]] Hit::Role keys_role() const { return reading.self ? Hit::Role::pieces : Hit::Role::keys; }
};

/// Score, squash and multiply side by side on the same cells, with captions and colour bars, as large as the
/// room allows. Each returns the bottom of what it drew.
double picture_panels(Stage& stage, Rect room);  ///< the query's row laid over the picture
double word_panels(Stage& stage, Rect room);     ///< the matrices
double channel_panels(Stage& stage, Rect room);  ///< a cell for each channel

/// The columns of the head shown, where a map of pieces holds several side by side; `apart` is the number of
/// maps that the heads already have.
Map of_head(const Stage& stage, const Map& map, std::size_t apart = 1);
/// The picture whose positions are the features of pieces that are channels; none for others.
std::optional<Grid> grid_of_rows(const Stage& stage);

/// The height of the panels in this width above which they do not grow.
double useful_height(const Stage& stage, double width);

/// Channels over positions: [C, H, W], or a row of C numbers for each position.
struct Planes {
    const Array& array;
    Grid grid;
    Index channels = 1;
    bool in_rows = false;  ///< [N, all], of which these are `channels` from `first`
    Index first = 0;

    [[nodiscard]] std::vector<float> channel(Index c) const;
};
Planes planes_of(const Array& map);
/// Of the head shown, where there are several side by side.
Planes planes_of(const Stage& stage, const Array& rows, Grid grid);

/// Three channels as colours: themselves where all are some, else about grey.
struct Colours {
    bool genuine = true;
    float most = 1.0F;  ///< the largest magnitude, where they are about grey
};
/// How these are to be shown together.
Colours colours_of(std::initializer_list<const Planes*> together);

/// Whether planes are drawn as colours: three, of which none has a gate of its own.
bool as_colours(const Stage& stage, const Planes& planes);
void draw_colours(Stage& stage, const Panel& panel, const std::string& name, std::string_view step,
                  const Planes& planes, const Colours& colours);
/// The one channel of these that the page shows.
Index shown_channel(const Stage& stage, const Planes& planes);

}  // namespace attn
