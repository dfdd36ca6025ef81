#pragma once

#include "core/mechanism.h"

namespace attn {

/// One per file of this folder; core/catalog.cpp sets their order.
Mechanism additive();
Mechanism dot();
Mechanism scaled_dot();
Mechanism non_local();
Mechanism squeeze_excitation();

}  // namespace attn
