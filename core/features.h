#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/parameter.h"

namespace attn {

/// What a picture's positions are compared by. `colours` is [3, H, W], sRGB in 0…1. The kinds, with C:
///   raw       3       the colour itself
///   centred   3       minus the picture's channel mean
///   cosine    3       centred, then unit length at each position; zero stays zero
///   position  5       centred colour, then row and column scaled to −1…1 (0 on an axis of one cell)
///   patches   27      the centred 3×3 neighbourhood, edge replicated; channel = 9·colour + 3·dy + dx
///   random    d       the patches through one random projection [d, 27] of variance 1/27, then unit length;
///   W_θ and W_φ
///                     are this one matrix, so that a position is still most like itself
/// Returns [C, H, W]. `d` (1…512) and `seed` matter for random only. Throws Error for another shape, a number
/// that is not finite, or an unknown kind.
Array features(const Array& colours, std::string_view kind, Index d, std::uint64_t seed);

/// The knobs features, d and seed.
std::vector<Parameter> feature_parameters();

}  // namespace attn
