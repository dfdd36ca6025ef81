#include "app/input/toy_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace attn {
namespace {

constexpr Index side = 192;
constexpr double unit = side / 24.0;  // everything below is in cells of the default grid

using Rgb = std::array<double, 3>;

Rgb blend(const Rgb& a, const Rgb& b, double t) {
    t = std::clamp(t, 0.0, 1.0);
    return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

/// Coverage of a pixel by what lies inside `distance` < 0, one pixel of smoothing.
double coverage(double distance) {
    return std::clamp(0.5 - distance * unit, 0.0, 1.0);
}

struct Ball {
    double y, x, radius;
    Rgb lit, dark;
};

constexpr std::array balls = {
    Ball{4.3, 8.3, 2.1, {1.00, 0.98, 0.86}, {1.00, 0.93, 0.70}},   // the sun
    Ball{12.5, 5.5, 3.3, {0.90, 0.30, 0.20}, {0.58, 0.12, 0.14}},  // the default query lies on it
    Ball{8.2, 17.2, 3.3, {0.92, 0.36, 0.20}, {0.62, 0.15, 0.13}},
    Ball{18.6, 15.6, 2.7, {0.24, 0.50, 0.86}, {0.10, 0.22, 0.52}},
};

Rgb scenery(double y, double x) {
    const Rgb sky = blend({0.25, 0.36, 0.52}, {0.62, 0.66, 0.66}, y / 17.0);
    const double horizon = 16.6 + 1.9 * std::sin(x * 0.30 + 2.4);
    const Rgb hill = blend({0.42, 0.52, 0.30}, {0.22, 0.33, 0.25}, (y - horizon) / 8.0);
    const double furrow = 0.035 * std::sin(2.1 * y + 0.9 * x);
    Rgb colour = blend(sky, {hill[0] + furrow, hill[1] + furrow, hill[2] + furrow}, coverage(horizon - y));
    return colour;
}

Rgb shade(double y, double x) {
    Rgb colour = scenery(y, x);
    for (const Ball& ball : balls) {
        const double away = std::hypot(y - ball.y, x - ball.x);
        const double light = std::hypot(y - ball.y + 0.4 * ball.radius, x - ball.x + 0.35 * ball.radius);
        const Rgb body = blend(ball.lit, ball.dark, light / (1.5 * ball.radius));
        colour = blend(colour, body, coverage(away - ball.radius));
    }
    return colour;
}

}  // namespace

Picture toy_picture() {
    Picture picture{side, side, std::vector<std::uint8_t>(static_cast<std::size_t>(side * side * 3))};
    std::size_t at = 0;
    for (Index row = 0; row < side; ++row) {
        for (Index column = 0; column < side; ++column) {
            const Rgb colour =
                shade((static_cast<double>(row) + 0.5) / unit, (static_cast<double>(column) + 0.5) / unit);
            for (const double channel : colour)
                picture.rgb[at++] =
                    static_cast<std::uint8_t>(std::lround(std::clamp(channel, 0.0, 1.0) * 255.0));
        }
    }
    return picture;
}

double toy_ball_cover(double down, double across) {
    constexpr double cells = 24.0;
    double cover = 0.0;
    for (const Ball& ball : std::span(balls).subspan(1)) {  // the first is the sun
        const double away = std::hypot(cells * down - ball.y, cells * across - ball.x) - ball.radius;
        cover = std::max(cover, std::clamp(0.5 - away, 0.0, 1.0));
    }
    return cover;
}

}  // namespace attn
