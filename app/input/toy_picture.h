#pragma once

#include "core/picture.h"

namespace attn {

/// The project's own picture, 192 × 192: two red balls far apart (one query finds the other), a blue one, a
/// hill, and a bright sun, which wins every raw dot product whatever the query.
Picture toy_picture();

/// How much of a cell of the default grid, its centre at this place in 0…1, lies on a red or blue ball.
double toy_ball_cover(double down, double across);

}  // namespace attn
