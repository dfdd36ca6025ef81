#pragma once

#include "core/patterns/rules.h"

namespace attn::rules {

/// A partition of the grid into windows of length × length, moved by `shift` (Swin, Twins).
Rule partition_rule(Grid grid, Index length, Index shift);
/// N·min(w, side) for both axes.
double partition_entries(const Knobs& knobs, double height, double width);
Parameter partition_knob();  ///< window

}  // namespace attn::rules
