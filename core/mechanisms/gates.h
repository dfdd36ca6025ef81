#pragma once

#include <string_view>

#include "core/array.h"
#include "core/grid.h"
#include "core/trace.h"

namespace attn {

/// What the mechanisms share that turn pieces up or down, each on its own.

/// max(0, x) of each number.
Array relu(Array values);
/// σ(β·e) of each number.
Array gates_of(Array scores, double beta);

/// Batch normalisation at inference of each channel of a map [C, H, W] (see layers.h).
Array normalised(const Arrays& arrays, std::string_view name, const Array& map);

/// Mean and maximum of each channel, [1, C].
Array channel_means(const Array& map);
Array channel_maxima(const Array& map);

/// x [C, H, W] times a gate: one number per channel, per position, or per both.
Array times_channels(const Array& x, const Array& gate);
Array times_positions(const Array& x, const Array& gate);
Array times_each(const Array& x, const Array& gate);

/// A trace of gates: no query asks, so that each head's maps have one row. `scores` and `gates` hold as many
/// heads as fit into them, each of keys.size() numbers; `output` is `gated` after its gates.
Trace trace_of_gates(const Array& scores, const Array& gates, Grid keys, SharedArray gated,
                     SharedArray output, double beta);

// Arrangements.

/// Two layers that leave the mean of the z [1, C] out, and let K directions (cosines over the channels) of
/// the rest through, all of it when K = C − 1, at unit variance: ReLU(z) − ReLU(−z) = z, so that
/// W₂ ReLU(W₁ z) can be any matrix times z.
struct CentringLayers {
    Array fc1;  ///< [2 K, C]
    Array fc2;  ///< [C, 2 K]
};
CentringLayers centring_layers(const Array& z, Index directions);

/// Row r is the mean of the r-th of `rows` nearly equal stretches of the columns.
Array averaging(Index rows, Index columns);

/// Mean and standard deviation of all numbers.
struct Spread {
    double mean = 0.0;
    double deviation = 1.0;  ///< 1 where all are equal
};
Spread spread_of(const Array& values);

}  // namespace attn
