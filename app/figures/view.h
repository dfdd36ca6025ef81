#pragma once

#include <string>

#include "core/colour.h"
#include "core/parameter.h"

namespace attn {

/// Knobs that several figures have (group view).
Parameter colour_scale_knob(std::string initial);
Scale colour_scale(const Knobs& view);

/// A choice of the group view.
Parameter view_choice(std::string id, std::string label, std::string help, std::vector<Choice> choices);

}  // namespace attn
