#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas.h"
#include "app/figure.h"

namespace attn {

/// The pieces every figure is set from. All sizes are points and multiples of the type sizes.

inline constexpr double page_margin = 28.0;
inline constexpr double gutter = 20.0;
inline constexpr double caption_height = 20.0;  ///< from the top of a caption to the picture under it

/// The most that may lie between pictures of this width in a row, so that they stay one figure.
double widest_gap(double panel_width);

/// Height of capitals and digits of a type.
double cap_height(Type type);
/// The baseline of a line whose capitals stand in the middle of `height`.
double middle_baseline(double top, double height, Type type);

/// Ground, title with source, the sentence that says what to see, the common misreading, and at the foot what
/// the input was made from and `warning`. Returns what is left for the figure.
Rect sheet(Canvas& canvas, const Page& page, std::string_view warning = {});

/// One line over a picture: the name in ink at the left, the measure in muted at the right, which is left out
/// where it has no room: half a formula says nothing. Faded: both recede.
struct Caption {
    std::string_view name;
    std::string_view measure;
    bool faded = false;
    double slack = 0.0;  ///< free room past the right end, for a measure that needs it
};
void caption(Canvas& canvas, const Theme& theme, double left, double right, double top, const Caption& text);

/// A large number over what it counts.
struct Tile {
    std::string number;
    std::string caption;
    std::optional<Colour> colour{};  ///< of the number; ink where there is none
};
/// Left to right under hairlines, in as many rows as it takes. Returns where they end.
double tiles(Canvas& canvas, const Theme& theme, Rect room, const std::vector<Tile>& all);
/// The height that `tiles` takes in this width.
double tiles_height(const Canvas& canvas, double room, const std::vector<Tile>& all);

/// A line of text in several colours.
struct Run {
    std::string text;
    Colour colour;
};
using Runs = std::vector<Run>;
double width(const Canvas& canvas, const Runs& runs, Type type);
void draw(Canvas& canvas, Point baseline, const Runs& runs, Type type);

/// Text with the ground behind it, so that it is read across a rule.
void text_on_ground(Canvas& canvas, const Theme& theme, Point baseline, std::string_view text,
                    const TextStyle& style);

/// A paragraph; returns the baseline of the last line.
double paragraph(Canvas& canvas, Point baseline, double room, std::string_view text, const TextStyle& style);

/// Between the ground and a colour, for what steps back.
Colour faded(const Theme& theme, Colour colour);
/// Darkened until it has this contrast to light ground.
Colour standing_out(const Theme& theme, Colour colour, double ratio);
/// Ink or ground: whichever is read on this colour.
Colour readable_on(Colour ground);

}  // namespace attn
