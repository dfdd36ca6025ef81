#pragma once

#include <span>
#include <string_view>

#include "core/mechanism.h"

namespace attn {

/// Every mechanism, in the order of the catalogue panel. An explicit table: no static constructors.
std::span<const Mechanism> mechanisms();

/// The mechanism of that id. Throws UsageError naming the id and the nearest ids there are.
const Mechanism& mechanism(std::string_view id);

}  // namespace attn
