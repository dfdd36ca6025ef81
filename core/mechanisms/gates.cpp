#include "core/mechanisms/gates.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/recipe.h"

namespace attn {

namespace {

ConstMatrixView by_channel(const Array& map) {
    return matrix(map, map.extent(0), map.size() / map.extent(0));
}

}  // namespace

Array relu(Array values) {
    vector(values) = vector(values).cwiseMax(0.0F);
    return values;
}

Array gates_of(Array scores, double beta) {
    sigmoid(scores.values(), beta);
    return scores;
}

Array normalised(const Arrays& arrays, std::string_view name, const Array& map) {
    Array rows = rows_of(map);
    batch_norm(arrays, name, rows);
    return map_of(rows, {map.extent(1), map.extent(2)});
}

Array channel_means(const Array& map) {
    Array z({1, map.extent(0)});
    vector(z) = by_channel(map).rowwise().mean();
    return z;
}

Array channel_maxima(const Array& map) {
    Array z({1, map.extent(0)});
    vector(z) = by_channel(map).rowwise().maxCoeff();
    return z;
}

Array times_channels(const Array& x, const Array& gate) {
    Array output(x.shape());
    matrix(output, x.extent(0), x.size() / x.extent(0)) = vector(gate).asDiagonal() * by_channel(x);
    return output;
}

Array times_positions(const Array& x, const Array& gate) {
    Array output(x.shape());
    matrix(output, x.extent(0), x.size() / x.extent(0)) = by_channel(x) * vector(gate).asDiagonal();
    return output;
}

Array times_each(const Array& x, const Array& gate) {
    Array output = x;
    vector(output).array() *= vector(gate).array();
    return output;
}

Trace trace_of_gates(const Array& scores, const Array& gates, Grid keys, SharedArray gated,
                     SharedArray output, double beta) {
    const Index heads = scores.size() / keys.size();
    const Shape shape = {heads, 1, keys.size()};
    const SharedArray all_scores = share(scores.reshaped(shape));
    const SharedArray all_gates = share(gates.reshaped(shape));
    Trace trace;
    trace.queries = {1, 1};
    trace.keys = keys;
    for (Index head = 0; head < heads; ++head)
        trace.heads.push_back({Map(all_scores, head), Map(all_gates, head)});
    trace.squash = Squash::sigmoid;
    trace.sharpness = beta;
    trace.gated = std::move(gated);
    trace.output = std::move(output);
    return trace;
}

CentringLayers centring_layers(const Array& z, Index directions) {
    const Index channels = z.size();
    const Index k = std::clamp<Index>(directions, 1, std::max<Index>(channels - 1, 1));
    const auto c = static_cast<double>(channels);
    Matrix basis(k, channels);  // orthonormal
    for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < channels; ++j)
            basis(i, j) = static_cast<float>(
                std::sqrt(2.0 / c) *
                std::cos(std::numbers::pi * (static_cast<double>(j) + 0.5) * static_cast<double>(i + 1) / c));
    const auto scale = static_cast<float>(1.0 / spread_of(z).deviation);
    CentringLayers layers{Array({2 * k, channels}), Array({channels, 2 * k})};
    matrix(layers.fc1) << basis, -basis;
    matrix(layers.fc2) << scale * basis.transpose(), -scale * basis.transpose();
    return layers;
}

Array averaging(Index rows, Index columns) {
    Array w({rows, columns});
    for (Index r = 0; r < rows; ++r) {
        const Index first = r * columns / rows;
        const Index count = (r + 1) * columns / rows - first;
        matrix(w).row(r).segment(first, count).setConstant(1.0F / static_cast<float>(count));
    }
    return w;
}

Spread spread_of(const Array& values) {
    Spread spread;
    const auto numbers = vector(values).cast<double>().array();
    spread.mean = numbers.mean();
    const double deviation = std::sqrt((numbers - spread.mean).square().mean());
    constexpr double rounding = 1e-6;
    if (deviation > rounding) spread.deviation = deviation;
    return spread;
}

}  // namespace attn
