#include "app/figures/laboratory_chart.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double mark_height = 20.0;  // the mark's number over the plot
constexpr double axis_height = 20.0;
constexpr double tick_width = 36.0;
constexpr double tick_pitch = 13.0;

struct Axes {
    Rect area;
    const ScaleChart& chart;

    [[nodiscard]] double x(Index d) const {
        const double most = ScaleExperiment::most_features;
        return area.x + area.width * std::log(static_cast<double>(d)) / std::log(most);
    }
    [[nodiscard]] double y(double value) const {
        const auto scaled = [&](double number) { return chart.logarithmic ? std::log(number) : number; };
        const double low = scaled(chart.low);
        const double share =
            (scaled(std::clamp(value, chart.low, chart.high)) - low) / (scaled(chart.high) - low);
        return area.bottom() - area.height * share;
    }
};

void draw_axes(Canvas& canvas, const Theme& theme, const Axes& axes) {
    const Rect& area = axes.area;
    double last = area.bottom() + area.height;
    for (const double tick : axes.chart.ticks) {
        const double y = canvas.snap(axes.y(tick)) + 0.5;
        canvas.line({area.x, y}, {area.right(), y}, {theme.hairline, 1.0});
        if (last - y < tick_pitch) continue;
        last = y;
        const std::string text = plain(tick);
        constexpr std::size_t most_letters = 5;
        canvas.text({area.x - 6.0, y + cap_height(Type::label) / 2},
                    text.size() <= most_letters ? text : significant(tick),
                    {Type::label, theme.muted, Align::right});
    }
    for (Index d = 1; d <= ScaleExperiment::most_features; d *= 8)
        canvas.text({axes.x(d), area.bottom() + 8.0 + cap_height(Type::label)}, std::to_string(d),
                    {Type::label, theme.muted, Align::centre});
    if (!axes.chart.reference) return;
    const double y = canvas.snap(axes.y(*axes.chart.reference)) + 0.5;
    canvas.line({area.x, y}, {area.right(), y}, {theme.muted, 1.0, true});
}

}  // namespace

Colour scale_colour(const Theme& theme, bool scaled) {
    constexpr double line_ratio = 3.0;
    return standing_out(theme, scaled ? rgb(0x7FB2E5) : rgb(0xF2B84B), line_ratio);
}

Hit draw_scale_chart(Canvas& canvas, const Page& page, Rect room, const ScaleFindings& found,
                     const ScaleChart& chart, bool scaled) {
    const Theme& theme = page.theme;
    const Axes axes{{canvas.snap(room.x + tick_width), canvas.snap(room.y + mark_height),
                     std::max(room.width - tick_width - 10.0, 30.0),
                     std::max(room.height - mark_height - axis_height, 10.0)},
                    chart};
    draw_axes(canvas, theme, axes);
    for (const bool which : {!scaled, scaled}) {  // the chosen one lies on top
        std::vector<Point> line;
        for (const ScalePoint& point : found.experiment->curve())
            line.push_back({axes.x(point.d), axes.y((which ? point.scaled : point.unscaled).*chart.of)});
        canvas.polyline(line, {scale_colour(theme, which), which == scaled ? 3.0 : 1.5});
    }
    const double x = axes.x(found.point.d);
    canvas.line({x, axes.area.y - 2.0}, {x, axes.area.bottom()}, {theme.query, 1.5, true});
    const std::string text = "d = " + std::to_string(found.point.d);
    const double half = canvas.text_width(text, Type::emphasis) / 2;
    canvas.text({std::clamp(x, axes.area.x + half, axes.area.right() - half), axes.area.y - 7.0}, text,
                {Type::emphasis, theme.query, Align::centre});
    const SoftmaxFacts& facts = scaled ? found.point.scaled : found.point.unscaled;
    canvas.circle({x, axes.y(facts.*chart.of)}, 4.0, scale_colour(theme, scaled), {theme.ground, 1.0});
    return {.area = axes.area,
            .role = Hit::Role::axis,
            .id = "d",
            .low = 1.0,
            .high = static_cast<double>(ScaleExperiment::most_features)};
}

}  // namespace attn
