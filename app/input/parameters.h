#pragma once

#include <vector>

#include "app/scene.h"

namespace attn {

/// The knobs that say how the scene's picture or words become numbers (group input). None for the user's own
/// arrays.
std::vector<Parameter> input_parameters(const Scene& scene, const Mechanism& mechanism);

}  // namespace attn
