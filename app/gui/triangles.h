#pragma once

#include <array>
#include <span>
#include <vector>

#include "app/canvas.h"

namespace attn {

/// Whether a simple polygon has no dent.
bool convex(std::span<const Point> points);

/// A simple polygon as triangles of indices into its corners (ear clipping, O(n²) for the shapes that figures
/// draw).
std::vector<std::array<std::size_t, 3>> triangles(std::span<const Point> points);

}  // namespace attn
