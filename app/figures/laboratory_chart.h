#pragma once

#include <optional>
#include <vector>

#include "app/figure.h"

namespace attn {

/// One number of SoftmaxFacts against d on a logarithmic axis, without and with the division by √d.
struct ScaleChart {
    double SoftmaxFacts::*of = nullptr;
    bool logarithmic = false;  ///< the values' axis
    double low = 0.0, high = 1.0;
    std::vector<double> ticks;
    std::optional<double> reference{};  ///< a dashed line
};

Colour scale_colour(const Theme& theme, bool scaled);

/// Draws it with the mark at d, and the chosen curve strong; returns the axis, along which d is dragged.
Hit draw_scale_chart(Canvas& canvas, const Page& page, Rect room, const ScaleFindings& found,
                     const ScaleChart& chart, bool scaled);

}  // namespace attn
