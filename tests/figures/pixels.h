#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/canvas.h"

namespace attn {

/// A decoded picture, as a viewer would show it.
struct Pixels {
    int width = 0, height = 0;
    std::vector<Colour> colours;
    [[nodiscard]] Colour at(int x, int y) const { return colours[static_cast<std::size_t>(y * width + x)]; }
    /// Pixels that differ from `ground`, as a rectangle; empty when there are none.
    [[nodiscard]] Rect ink(Colour ground) const;
};

/// Throws Error when these are not a PNG's bytes.
Pixels decode_png(std::string_view bytes);

/// What `draw` draws on a page of white, as pixels: through the PNG canvas at this scale.
Pixels rasterise(const Fonts& fonts, Size size, double scale, const std::function<void(Canvas&)>& draw);

/// What a viewer's command writes to its standard output when it is given a file of these bytes; `%` in
/// `command` stands for the file's path. Nothing when the tool is not installed.
std::optional<std::string> view(const std::string& tool, const std::string& arguments,
                                std::string_view bytes);

/// How many pixels inside `area` (in points) differ from the cell of the map they lie in, none with cells
/// whose edges are whole pixels. Pixels nearer than `margin` pixels to an edge between cells are left out.
int wrong_pixels(const Pixels& pixels, double scale, Rect area, const HeatMap& map, double margin);

/// How many pixels inside `area` have a colour that no cell has: what seams and blur would give.
int foreign_pixels(const Pixels& pixels, double scale, Rect area, const HeatMap& map);

}  // namespace attn
