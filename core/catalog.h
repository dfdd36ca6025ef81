#pragma once

#include <span>
#include <string_view>

#include "core/mechanism.h"

namespace attn {

/// Every mechanism, in the order of the catalogue panel. An explicit table: no static constructors.
std::span<const Mechanism> mechanisms();

/// The mechanism of that id. Throws UsageError naming the id and the nearest ids there are.
const Mechanism& mechanism(std::string_view id);

/// The knobs of a case file (its `p.*` without the prefix), checked against the mechanism's schema;
/// `mechanism` itself is left out. τ and β that the file does not set are 1, whatever the default in a
/// window. Throws Error naming a knob that the mechanism does not have or whose value is not legal.
Values case_knobs(const Mechanism& mechanism, const Values& from_file);

}  // namespace attn
