#pragma once

#include <string>

#include "core/parameter.h"

namespace attn {

/// Where a number stands on a slider's rail. Knobs with an automatic value (0) have it at the rail's left
/// end, a little apart from the range.
double share_of(const Parameter& knob, double number);
/// The number at a place of the rail, rounded to what a pointer can mean: about 200 steps, ten times finer
/// when `fine`.
Value value_at(const Parameter& knob, double share, bool fine);
/// So many notches of the wheel further.
Value stepped(const Parameter& knob, double number, double steps);
/// The number of an integer, real or position value.
double number_of(const Value& value);
/// As the panel shows it: "0.15", "1/√d" where it is automatic.
std::string shown_value(const Parameter& knob, const Value& value);

}  // namespace attn
