#include "app/figures/bars.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double widest_bar = 46.0;
constexpr double number_height = 15.0;
constexpr double number_gap = 4.0;

/// Where a bar's number stands between base line and top.
struct BarAxis {
    Rect room;
    double low = 0.0, high = 1.0;
    [[nodiscard]] double y(double value) const {
        const double share = (std::clamp(value, low, high) - low) / (high - low);
        return room.bottom() - share * room.height;
    }
};

BarAxis axis_of(Rect room, const Bars& bars) {
    BarAxis axis{room, 0.0, bars.top.value_or(0.0)};
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

double widest_number(const Canvas& canvas, const Bars& bars) {
    double widest = 0.0;
    for (const Index each : bars.order)
        widest = std::max(
            widest,
            canvas.text_width(significant(static_cast<double>(bars.values[static_cast<std::size_t>(each)])),
                              Type::label));
    return widest;
}

Colour colour_of(const Theme& theme, const Bars& bars, Index piece) {
    const Colour colour = bars.lit == piece ? theme.ink : bars.accent == piece ? theme.query : theme.bar;
    return bars.faded ? faded(theme, colour) : colour;
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
    const bool numbered = bars.numbered && pitch >= canvas.text_width("0.00", Type::label) &&
                          pitch >= widest_number(canvas, bars) + number_gap;
    const double above = numbered ? number_height : 0.0;
    const BarAxis axis = axis_of({room.x, room.y + above, room.width, room.height - above}, bars);
    const double base = canvas.snap(axis.y(0.0));
    const double gap =
        pitch * canvas.resolution() >= 3.0
            ? canvas.snap(std::max(1.0 / canvas.resolution(), 0.1 * std::min(pitch, widest_bar)))
            : 0.0;
    for (std::size_t bar = 0; bar < shown; ++bar) {
        const Index piece = spokesman(bars, bar * count / shown, (bar + 1) * count / shown);
        drawn.order.push_back(piece);
        const auto value = static_cast<double>(bars.values[static_cast<std::size_t>(piece)]);
        if (!std::isfinite(value)) continue;
        const double narrower = std::max(pitch - widest_bar, 0.0) / 2;
        const double left = canvas.snap(room.x + pitch * static_cast<double>(bar) + narrower);
        const double right = canvas.snap(room.x + pitch * static_cast<double>(bar + 1) - narrower) - gap;
        const double tip = canvas.snap(axis.y(value));
        canvas.fill({left, std::min(tip, base), right - left, std::abs(base - tip)},
                    colour_of(theme, bars, piece));
    }
    const double ground = canvas.snap(base) + 0.5;
    canvas.line({room.x, ground}, {room.right(), ground}, {theme.hairline, 1.0});
    std::optional<double> rule;
    if (bars.reference) {
        rule = canvas.snap(axis.y(*bars.reference)) + 0.5;
        canvas.line({room.x, *rule}, {room.right(), *rule}, {theme.muted, 1.0, true});
    }
    for (std::size_t bar = 0; numbered && bar < shown; ++bar) {
        const Index piece = drawn.order[bar];
        const auto value = static_cast<double>(bars.values[static_cast<std::size_t>(piece)]);
        double baseline = std::min(axis.y(value), base) - 4.0;
        // Not across the dashed line: over it.
        if (rule && baseline > *rule - 3.0 && baseline - cap_height(Type::label) < *rule + 3.0)
            baseline = *rule - 3.0;
        canvas.text({drawn.cells.cell(0, static_cast<Index>(bar)).centre().x, baseline}, significant(value),
                    {Type::label, bars.lit == piece ? theme.ink : theme.muted, Align::centre});
    }
    return drawn;
}

}  // namespace attn
