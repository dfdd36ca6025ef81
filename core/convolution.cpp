#include "core/convolution.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/kernels.h"
#include "core/matrix.h"

namespace attn {

namespace {

Grid grid_of(const Array& map) {
    return {map.extent(1), map.extent(2)};
}

Index convolved(Index side, Index k, const Stencil& s) {
    const Index room = side + 2 * s.padding - s.dilation * (k - 1) - 1;
    return room < 0 ? 0 : room / s.stride + 1;
}

/// Every input cell under the kernel at every output cell: f(output cell, kernel cell, input cell).
template <typename F>
void visit(Grid from, Grid to, Grid kernel, const Stencil& s, F f) {
    for (Index i = 0; i < kernel.height; ++i)
        for (Index j = 0; j < kernel.width; ++j)
            for (Index row = 0; row < to.height; ++row) {
                const Index y = row * s.stride - s.padding + i * s.dilation;
                if (y < 0 || y >= from.height) continue;
                for (Index column = 0; column < to.width; ++column) {
                    const Index x = column * s.stride - s.padding + j * s.dilation;
                    if (x < 0 || x >= from.width) continue;
                    f(row * to.width + column, i * kernel.width + j, y * from.width + x);
                }
            }
}

/// What lies under the kernel at each output cell, [positions, C·kh·kw].
Array unfolded(const Array& map, Grid to, Grid kernel, const Stencil& stencil) {
    const Index channels = map.extent(0);
    const Index inputs = grid_of(map).size();
    Array columns({to.size(), channels * kernel.size()});
    const float* const from = map.values().data();
    float* const out = columns.values().data();
    visit(grid_of(map), to, kernel, stencil, [&](Index position, Index tap, Index input) {
        float* const row = out + position * channels * kernel.size() + tap;
        for (Index c = 0; c < channels; ++c) row[c * kernel.size()] = from[c * inputs + input];
    });
    return columns;
}

/// The weights of a 1×1 convolution may be written as those of a linear layer.
const Array& require_weights(const Arrays& arrays, const std::string& name, Index outputs, Index channels,
                             Index kernel) {
    const Array& weights = require(arrays, name);
    const bool linear = weights.rank() == 2 && (kernel == -1 || kernel == 1);
    return linear ? require(arrays, name, {outputs, channels})
                  : require(arrays, name, {outputs, channels, kernel, kernel});
}

struct Between {
    Index low, high;
    float share;  ///< of high
};

/// Where each output place falls among the inputs.
std::vector<Between> places(Index from, Index to, bool align_corners) {
    std::vector<Between> all;
    for (Index i = 0; i < to; ++i) {
        const auto place = static_cast<double>(i);
        const double steps = static_cast<double>(std::max<Index>(to - 1, 1));
        const double at =
            align_corners
                ? place * static_cast<double>(from - 1) / steps
                : std::max(0.0, (place + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5);
        const Index low = std::min(static_cast<Index>(at), from - 1);
        all.push_back({low, std::min(low + 1, from - 1), static_cast<float>(at - static_cast<double>(low))});
    }
    return all;
}

Grid pooled_grid(const Array& map, Index k, const Stencil& stencil) {
    const Grid to = convolved(grid_of(map), {k, k}, stencil);
    if (to.size() == 0)
        throw Error("expected a map that a window of " + std::to_string(k) + "×" + std::to_string(k) +
                    " fits into, got the shape " + describe(map.shape()));
    return to;
}

}  // namespace

Grid convolved(Grid grid, Grid kernel, const Stencil& stencil) {
    return {convolved(grid.height, kernel.height, stencil), convolved(grid.width, kernel.width, stencil)};
}

Array convolve(const Arrays& arrays, std::string_view name, const Array& map, Index outputs,
               const Stencil& stencil, Index kernel) {
    const std::string weights_name = "w." + std::string(name);
    const Array& w = require_weights(arrays, weights_name, outputs, map.extent(0), kernel);
    const Index made = w.extent(0);
    const Array* bias = find(arrays, "b." + std::string(name), {made});
    const Grid taps = w.rank() == 2 ? Grid{1, 1} : Grid{w.extent(2), w.extent(3)};
    const Grid to = convolved(grid_of(map), taps, stencil);
    if (to.size() == 0)
        throw Error("array '" + weights_name + "': expected a kernel that fits into the map of " +
                    std::to_string(map.extent(1)) + "×" + std::to_string(map.extent(2)) + ", got the shape " +
                    describe(w.shape()));
    const Array columns = unfolded(map, to, taps, stencil);
    Array rows({made, to.size()});
    kernels::scores(w.values().data(), columns.values().data(), made, to.size(), columns.extent(1), 1.0F,
                    rows.values().data());
    if (bias != nullptr) matrix(rows).colwise() += vector(*bias);
    return rows.reshaped({made, to.height, to.width});
}

Array max_pool(const Array& map, Index k, const Stencil& stencil) {
    const Grid to = pooled_grid(map, k, stencil);
    Array pooled({map.extent(0), to.height, to.width}, -std::numeric_limits<float>::infinity());
    const auto from = matrix(map, map.extent(0), grid_of(map).size());
    auto out = matrix(pooled, map.extent(0), to.size());
    visit(grid_of(map), to, {k, k}, stencil, [&](Index position, Index, Index input) {
        out.col(position) = out.col(position).cwiseMax(from.col(input));
    });
    return pooled;
}

Array mean_pool(const Array& map, Index k, const Stencil& stencil) {
    const Grid to = pooled_grid(map, k, stencil);
    Array pooled({map.extent(0), to.height, to.width});
    const auto from = matrix(map, map.extent(0), grid_of(map).size());
    auto out = matrix(pooled, map.extent(0), to.size());
    visit(grid_of(map), to, {k, k}, stencil,
          [&](Index position, Index, Index input) { out.col(position) += from.col(input); });
    out /= static_cast<float>(k * k);
    return pooled;
}

Array resize_bilinear(const Array& map, Grid grid, bool align_corners) {
    const auto rows = places(map.extent(1), grid.height, align_corners);
    const auto columns = places(map.extent(2), grid.width, align_corners);
    Array resized({map.extent(0), grid.height, grid.width});
    float* out = resized.values().data();
    for (Index c = 0; c < map.extent(0); ++c) {
        const float* const plane = map.values().data() + c * map.extent(1) * map.extent(2);
        for (const Between& y : rows) {
            const float* const above = plane + y.low * map.extent(2);
            const float* const below = plane + y.high * map.extent(2);
            for (const Between& x : columns) {
                const float up = above[x.low] + x.share * (above[x.high] - above[x.low]);
                const float down = below[x.low] + x.share * (below[x.high] - below[x.low]);
                *out++ = up + y.share * (down - up);
            }
        }
    }
    return resized;
}

}  // namespace attn
