#include "core/channels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"

namespace attn {

namespace {

constexpr std::array<std::string_view, 8> names = {
    "red", "green", "blue", "brightness", "horizontal edges", "vertical edges", "blur", "saturation",
};

/// One channel that repeats its edge outside.
struct Plane {
    std::span<const float> values;
    Index height, width;

    [[nodiscard]] float at(Index y, Index x) const {
        y = std::clamp<Index>(y, 0, height - 1);
        x = std::clamp<Index>(x, 0, width - 1);
        return values[static_cast<std::size_t>(y * width + x)];
    }
};

/// Brightness that changes from above to below: an edge that runs horizontally.
float horizontal_edge(const Plane& plane, Index y, Index x) {
    const auto row = [&](Index r) { return plane.at(r, x - 1) + 2.0F * plane.at(r, x) + plane.at(r, x + 1); };
    return std::abs(row(y + 1) - row(y - 1)) / 4.0F;
}

float vertical_edge(const Plane& plane, Index y, Index x) {
    const auto column = [&](Index c) {
        return plane.at(y - 1, c) + 2.0F * plane.at(y, c) + plane.at(y + 1, c);
    };
    return std::abs(column(x + 1) - column(x - 1)) / 4.0F;
}

float blur(const Plane& plane, Index y, Index x) {
    constexpr Index reach = 2;
    constexpr float cells = (2 * reach + 1) * (2 * reach + 1);
    float sum = 0.0F;
    for (Index dy = -reach; dy <= reach; ++dy)
        for (Index dx = -reach; dx <= reach; ++dx) sum += plane.at(y + dy, x + dx);
    return sum / cells;
}

}  // namespace

std::span<const std::string_view> channel_names() {
    return names;
}

Array channels(const Array& colours) {
    if (colours.rank() != 3 || colours.extent(0) != 3)
        throw Error("expected colours of shape [3, H, W], got " + describe(colours.shape()));
    const Index height = colours.extent(1);
    const Index width = colours.extent(2);
    const auto cells = static_cast<std::size_t>(height * width);

    Array result({static_cast<Index>(names.size()), height, width});
    const auto channel = [&](std::size_t c) { return result.values().subspan(c * cells, cells); };
    std::ranges::copy(colours.values(), result.values().begin());
    const auto red = channel(0);
    const auto green = channel(1);
    const auto blue = channel(2);
    const auto brightness = channel(3);
    for (std::size_t p = 0; p < cells; ++p) brightness[p] = (red[p] + green[p] + blue[p]) / 3.0F;

    const Plane plane{brightness, height, width};
    for (Index y = 0; y < height; ++y) {
        for (Index x = 0; x < width; ++x) {
            const auto p = static_cast<std::size_t>(y * width + x);
            channel(4)[p] = horizontal_edge(plane, y, x);
            channel(5)[p] = vertical_edge(plane, y, x);
            channel(6)[p] = blur(plane, y, x);
            channel(7)[p] = std::max({red[p], green[p], blue[p]}) - std::min({red[p], green[p], blue[p]});
        }
    }
    return result;
}

}  // namespace attn
