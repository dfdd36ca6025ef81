#pragma once

#include "app/figure.h"
#include "app/figures/numbers_data.h"

namespace attn {

/// How densely charts of published numbers are set.
struct ChartSpacing {
    double row = 20.0;  ///< from row to row
    bool notes = true;  ///< the sentence under a chart
};

/// The height it takes in this width.
double published_height(const Canvas& canvas, double width, const PublishedChart& chart,
                        ChartSpacing spacing);
/// Whether its dots or bars have room beside labels and numbers.
bool published_fits(const Canvas& canvas, double width, const PublishedChart& chart);
void draw_published(Canvas& canvas, const Theme& theme, Point at, double width, const PublishedChart& chart,
                    ChartSpacing spacing);

}  // namespace attn
