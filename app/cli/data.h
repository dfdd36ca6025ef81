#pragma once

#include <string>

#include "app/evaluate.h"

namespace attn::cli {

// The numbers behind a figure.

/// Of a mechanism the query's row of every head, one key a line; of a pattern the layer at which each
/// position is first seen (0 the query, −1 not within L); of costs the curves, one side of the picture a
/// line. Throws Error for a figure that has none of these.
std::string data_csv(const Scene& scene, const Result& result);

/// Every `out.*` array and knob, as a case; of a mechanism the query's row too.
std::string data_npz(const Scene& scene, const Result& result);

}  // namespace attn::cli
