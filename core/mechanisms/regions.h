#pragma once

#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/layers.h"
#include "core/mechanism.h"

namespace attn {

/// What soft and hard attention over the regions of a picture share (Xu et al. 2015): everything but what is
/// done with the weights.

/// Knobs H and W: how the regions lie.
std::vector<Parameter> region_grid();

/// Annotations in.features [L, C], decoder states in.h [T, n], their additive score, softmax and weighted
/// mean.
struct Regions {
    Grid grid;          ///< of the L regions
    Attended attended;  ///< [T, L]; output [T, C]
    SharedArray features;
};
Regions attend_regions(const Arrays& arrays, const Knobs& knobs);

/// Words in place of states and annotations, and units that answer where they agree.
Arrays arrange_regions(const Material& material);

/// The arrays that attend_regions reads.
std::vector<ArraySpec> region_inputs();

}  // namespace attn
