#pragma once

#include <functional>
#include <vector>

#include "app/figures/head_strip.h"
#include "app/figures/heat.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"

namespace attn {

/// What the two layouts of the figure `overlay` share: a position of the picture that asks, or a word.
struct Scenery {
    Canvas& canvas;
    const Page& page;
    const Reading& reading;
    Knobs view;
    Colouring colouring;
    std::vector<Hit> hits{};

    [[nodiscard]] const Result& result() const { return page.result; }
    [[nodiscard]] const Trace& trace() const { return page.result.trace; }
    [[nodiscard]] const Theme& theme() const { return page.theme; }

    /// Colours weights so that equal ones look equal: where all lie within three decades (a linear scale:
    /// above 0) the low end is moved down. Else a large τ, which averages everything, would look as sharp as
    /// a small one. `keys` is how many one query may see.
    [[nodiscard]] HeatMap anchored(Colouring shades, Index keys,
                                   const std::function<HeatMap(const Colouring&)>& make) const;
    /// The whole matrix in a rectangle.
    [[nodiscard]] HeatMap matrix_map(Rect rect) const;
    /// One query's row of the head that `page` shows, on the grid of the keys, in the knob's range.
    [[nodiscard]] HeatMap row_map(const Page& of, Index query, Rect rect) const;
};

/// The picture as the user gave it; where there is none (own arrays), the ground of unseen cells.
void draw_ground(Scenery& s, Rect rect);
/// The grid's lines, faint, where the cells are large enough to be told apart.
void draw_grid(Scenery& s, const Panel& panel);
/// The key pointed at, and the query where it lies in the picture.
void mark(Scenery& s, const Panel& queries, bool key);
/// The query's row over the picture with its colour bar, filling `queries`.
void draw_row(Scenery& s, const Panel& queries, double top);
void add_hit(Scenery& s, const Panel& queries, const Panel& keys, bool on_keys);
/// Every head's row of the query, small.
HeadStrip strip_of(const Scenery& s, double width, double tallest);
/// What the row is like; the most telling first.
std::vector<Tile> row_tiles(const Scenery& s);

/// Words that ask a picture: the sentence, the picture, what the word looks at, and every word's own look.
std::vector<Hit> draw_words_over_picture(Scenery s, Rect body);

}  // namespace attn
