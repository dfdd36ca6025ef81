#include "app/figures/alignment_marks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

std::optional<double> predicted(const Page& page, Index query) {
    const auto& out = page.result.trace.out;
    const auto places = out.find("out.pt");
    if (places == out.end()) return std::nullopt;
    return static_cast<double>(places->second->values()[static_cast<std::size_t>(query)]);
}

void draw_predicted(Canvas& canvas, const Page& page, const Panel& matrix, Index query) {
    if (!predicted(page, query)) return;
    const Theme& theme = page.theme;
    const auto x_of = [&](double place) { return matrix.rect.x + (place + 0.5) * matrix.cell_width(); };
    const auto inside = [&](double x) { return std::clamp(x, matrix.rect.x, matrix.rect.right()); };
    for (Index q = 0; q < matrix.rows; ++q) {
        const Rect row = matrix.row(q);
        const double x = canvas.snap(inside(x_of(*predicted(page, q))));
        const Point top{x, row.y + 0.2 * row.height};
        const Point bottom{x, row.bottom() - 0.2 * row.height};
        canvas.line(top, bottom, {theme.ground, 4.0});
        canvas.line(top, bottom, {q == query ? theme.query : theme.ink, 2.0});
    }
    const Knobs knobs(page.result.mechanism->parameters, page.scene.set);
    const double deviation = static_cast<double>(knobs.integer("D")) / 2.0;
    const Rect row = matrix.row(query);
    std::vector<Point> curve;
    constexpr double reach = 3.2;  // deviations: beyond it the curve lies on its ground
    constexpr int steps = 64;
    for (int i = 0; i <= steps; ++i) {
        const double z = reach * (2.0 * i / steps - 1.0);
        const double x = x_of(*predicted(page, query) + z * deviation);
        if (x < matrix.rect.x || x > matrix.rect.right()) continue;
        curve.push_back({x, row.bottom() - 2.0 - (row.height - 5.0) * std::exp(-z * z / 2)});
    }
    if (curve.size() < 2) return;
    canvas.polyline(curve, {theme.ground, 4.0});
    canvas.polyline(curve, {theme.query, 2.0});
}

}  // namespace attn
