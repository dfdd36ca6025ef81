#pragma once

#include <span>
#include <string_view>

#include "core/array.h"

namespace attn {

/// The names of the eight filters, as shown.
std::span<const std::string_view> channel_names();

/// Eight filters of a picture, in the order of channel_names(): red, green, blue, brightness (their mean),
/// horizontal and vertical edges (|Sobel| of the brightness over its greatest value 4), blur (5×5 mean of the
/// brightness) and saturation (greatest minus least colour). Edges are replicated. `colours` is [3, H, W] in
/// 0…1; returns [8, H, W] in 0…1. Throws Error for another shape.
Array channels(const Array& colours);

}  // namespace attn
