#pragma once

#include <functional>
#include <vector>

#include "app/canvas.h"
#include "app/figure.h"

namespace attn {

/// Small maps of all heads in a row, then mean, greatest and least of them; the one that is shown large is
/// framed. One line where the knob `strip` is off, nothing where there is one head.
struct HeadStrip {
    const Page& page;
    double width;         ///< of the room
    double tallest;       ///< that a small map may be
    double aspect = 1.0;  ///< width of a map over its height
    /// Draws the head that its page shows.
    std::function<void(const Page& page, Rect rect)> draw_map;

    /// Height of all, the gap to what follows included.
    [[nodiscard]] double height() const;
    void draw(Canvas& canvas, Point corner, std::vector<Hit>& hits) const;
};

}  // namespace attn
