#pragma once

#include <optional>
#include <string>

#include "app/figure.h"
#include "app/question.h"

namespace attn {

/// A curve's colour: as a line, and darker where letters need it.
struct CurveColour {
    Colour line, text;
};
/// Global, local and axial have colours of their own; further curves take the next ones.
CurveColour curve_colour(const Theme& theme, const CostChart& chart, std::size_t curve);

/// "2.46 M", "10.07 GB".
std::string measured(double value, Measure measure, int digits = 3);
/// "entries of one head", "FLOPs", …
std::string name_of(Measure measure);

struct ChartStyle {
    bool compact = false;    ///< names alone at the curves' ends, no sentences at crossings
    std::size_t strong = 0;  ///< so many curves, the first ones, are drawn thicker
};

/// Cost against the side of a picture, both axes logarithmic: curves named at their ends, the mark, rings
/// where curves cross. Returns what answers to the pointer: the mark is dragged along the axis.
Hit draw_cost_chart(Canvas& canvas, const Page& page, Rect room, const CostChart& chart, ChartStyle style);

/// "local and axial tie at S = 24.5".
std::string crossing_sentence(const CostChart& chart, const Crossing& crossing);

}  // namespace attn
