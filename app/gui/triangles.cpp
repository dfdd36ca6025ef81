#include "app/gui/triangles.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace attn {
namespace {

/// Twice the signed area: positive where a → b → c turns to the right on a page whose y points down.
double turn(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double signed_area(std::span<const Point> points) {
    double twice = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point a = points[i];
        const Point b = points[(i + 1) % points.size()];
        twice += a.x * b.y - b.x * a.y;
    }
    return twice;
}

}  // namespace

bool convex(std::span<const Point> points) {
    const std::size_t n = points.size();
    bool left = false;
    bool right = false;
    for (std::size_t i = 0; i < n; ++i) {
        const double t = turn(points[i], points[(i + 1) % n], points[(i + 2) % n]);
        left = left || t < 0.0;
        right = right || t > 0.0;
    }
    return !(left && right);
}

std::vector<std::array<std::size_t, 3>> triangles(std::span<const Point> points) {
    std::vector<std::array<std::size_t, 3>> result;
    std::vector<std::size_t> rest(points.size());
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    const double sign = signed_area(points) < 0.0 ? -1.0 : 1.0;

    const auto is_ear = [&](std::size_t a, std::size_t b, std::size_t c) {
        if (sign * turn(points[a], points[b], points[c]) <= 0.0) return false;
        return std::none_of(rest.begin(), rest.end(), [&](std::size_t other) {
            const Point p = points[other];
            return other != a && other != b && other != c && sign * turn(points[a], points[b], p) >= 0.0 &&
                   sign * turn(points[b], points[c], p) >= 0.0 && sign * turn(points[c], points[a], p) >= 0.0;
        });
    };
    while (rest.size() > 3) {
        const std::size_t n = rest.size();
        std::size_t ear = 0;  // a polygon that crosses itself has none left at some point: cut anywhere
        for (std::size_t i = 0; i < n; ++i) {
            if (is_ear(rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n])) {
                ear = i;
                break;
            }
        }
        result.push_back({rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]});
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    if (rest.size() == 3) result.push_back({rest[0], rest[1], rest[2]});
    return result;
}

}  // namespace attn
