#pragma once

#include <vector>

#include "app/scene.h"

namespace attn {

/// The knobs that say how the scene's picture or words become numbers (group input). None for the user's own
/// arrays.
std::vector<Parameter> input_parameters(const Scene& scene, const Mechanism& mechanism);

/// How layers of a pattern are stacked (group layers): how many, each its own, a skip connection.
std::vector<Parameter> layer_parameters();

/// The side S of a picture at which costs are read off.
Parameter side_parameter(Parameter::Group group);

/// Rows and columns of the grid that patterns are laid on (group input).
std::vector<Parameter> grid_parameters();

}  // namespace attn
