#pragma once

#include "app/canvas.h"
#include "app/theme.h"

namespace attn {

inline constexpr Size specimen_size{480.0, 300.0};

/// An n × n map with every colour of the ramp, cells of every class in its first row.
HeatMap specimen_heat_map(const Theme& theme, Index n);

/// Everything of the specimen but its words.
void draw_specimen_shapes(Canvas& canvas, const Theme& theme);

/// A small page that calls every virtual of a canvas, on ground that is already filled.
void draw_specimen(Canvas& canvas, const Theme& theme);

}  // namespace attn
