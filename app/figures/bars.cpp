#include "app/figures/bars.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr double widest_bar = 46.0;

/// Where a bar's number stands between base line and top.
struct Axis {
    Rect room;
    double low = 0.0, high = 1.0;
    [[nodiscard]] double y(double value) const {
        const double share = (std::clamp(value, low, high) - low) / (high - low);
        return room.bottom() - share * room.height;
    }
};

Axis axis_of(Rect room, const Bars& bars) {
    Axis axis{room, 0.0, bars.top.value_or(0.0)};
    for (const float value : bars.values) {
        if (!std::isfinite(value)) continue;
        axis.low = std::min(axis.low, static_cast<double>(value));
        if (!bars.top) axis.high = std::max(axis.high, static_cast<double>(value));
    }
    if (bars.reference) axis.high = std::max(axis.high, *bars.reference);
    if (axis.high <= axis.low) axis.high = axis.low + 1.0;
    return axis;
}

/// The number among order[begin, end) that a shared bar shows: the lit one, the query's, else the largest.
Index spokesman(const Bars& bars, std::size_t begin, std::size_t end) {
    Index best = bars.order[begin];
    for (std::size_t i = begin; i < end; ++i) {
        const Index each = bars.order[i];
        if (bars.lit == each) return each;
        if (bars.accent == each ||
            (bars.accent != best && std::abs(bars.values[static_cast<std::size_t>(each)]) >
                                        std::abs(bars.values[static_cast<std::size_t>(best)])))
            best = each;
    }
    return best;
}

}  // namespace

DrawnBars draw_bars(Canvas& canvas, const Theme& theme, Rect room, const Bars& bars) {
    DrawnBars drawn;
    const std::size_t count = bars.order.size();
    if (count == 0) return drawn;
    constexpr double narrowest = 2.0;  // device pixels
    const auto most = static_cast<std::size_t>(std::max(1.0, room.width * canvas.resolution() / narrowest));
    const std::size_t shown = std::min(count, most);
    const double pitch = room.width / static_cast<double>(shown);
    drawn.cells = {room, 1, static_cast<Index>(shown)};
    const Axis axis = axis_of(room, bars);
    const double base = axis.y(0.0);
    const double gap =
        pitch * canvas.resolution() >= 3.0 ? std::max(1.0 / canvas.resolution(), 0.12 * pitch) : 0.0;
    for (std::size_t bar = 0; bar < shown; ++bar) {
        const Index piece = spokesman(bars, bar * count / shown, (bar + 1) * count / shown);
        drawn.order.push_back(piece);
        const auto value = static_cast<double>(bars.values[static_cast<std::size_t>(piece)]);
        if (!std::isfinite(value)) continue;
        const double across = std::min(pitch - gap, widest_bar);
        const double centre = room.x + pitch * (static_cast<double>(bar) + 0.5);
        const double left = canvas.snap(centre - across / 2);
        const double right = std::max(canvas.snap(centre + across / 2), left + 1.0 / canvas.resolution());
        const double tip = canvas.snap(axis.y(value));
        const Colour colour = bars.lit == piece ? theme.ink : bars.accent == piece ? theme.query : theme.bar;
        canvas.fill({left, std::min(tip, base), right - left, std::abs(base - tip)}, colour);
    }
    const double ground = canvas.snap(base) + 0.5;
    canvas.line({room.x, ground}, {room.right(), ground}, {theme.hairline, 1.0});
    if (bars.reference) {
        const double y = canvas.snap(axis.y(*bars.reference)) + 0.5;
        canvas.line({room.x, y}, {room.right(), y}, {theme.muted, 1.0, true});
    }
    return drawn;
}

}  // namespace attn
