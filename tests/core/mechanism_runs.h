#pragma once

#include <string>

#include "core/mechanism.h"

namespace attn {

/// What the tests of mechanisms share.

/// Normal numbers.
Array random_array(Shape shape, std::uint64_t seed);

/// Throws as the mechanism does.
Trace run(std::string_view id, const Arrays& arrays, const Values& values = {});
/// The same with what the mechanism makes of the material.
Trace run_arranged(std::string_view id, const Material& material, const Values& values = {});
/// The sentence that the mechanism refuses the arrays with, or "no error".
std::string message_of(const Mechanism& m, const Arrays& arrays, const Values& values = {});

/// What a scene would offer: a picture of odd, unequal sides, and two rows of words of which the first four
/// agree.
Material toy_material();

void expect_rows_sum_to_one(const Array& weights);

}  // namespace attn
