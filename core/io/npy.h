#pragma once

#include <string>
#include <string_view>

#include "core/parameter.h"

namespace attn {

/// A knob as one .npy member: a number or a text of no axes. Throws Error naming it when it is anything else.
Value read_npy_knob(std::string_view bytes, std::string_view name);
std::string write_npy_knob(const Value& value);

}  // namespace attn
