#include "app/figures/numbers_chart.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"

namespace attn {
namespace {

using Form = PublishedChart::Form;

constexpr double title_height = 17.0;
constexpr double line_pitch = 15.0;
constexpr double head_gap = 8.0;
constexpr double axis_height = 22.0;
constexpr double note_gap = 5.0;
constexpr double column_gap = 10.0;
constexpr double least_plot = 84.0;
constexpr double dot = 4.5;
constexpr double bar = 10.0;
constexpr double bar_pitch = 13.0;  // of two that belong together
constexpr double bar_gap = 5.0;

/// "Kinetics top-1, %; higher is better".
std::string measure_of(const PublishedChart& chart) {
    if (chart.metric.empty()) return {};
    return chart.metric + ", " + chart.unit + "; " + (chart.higher_is_better ? "higher" : "lower") +
           " is better";
}

std::vector<std::string> lines(const Canvas& canvas, std::string_view text, double width) {
    if (text.empty()) return {};
    return canvas.fonts().wrap(text, Type::label, width);
}

/// What stands between the title and the rows: whose bars they are, or the measure in lines.
double head_height(const Canvas& canvas, double width, const PublishedChart& chart) {
    const double measure =
        chart.form == Form::shares
            ? line_pitch
            : line_pitch * static_cast<double>(lines(canvas, measure_of(chart), width).size());
    return title_height + measure + head_gap;
}

/// A label over two bars, and the space under them.
double pair_height(double row) {
    return cap_height(Type::caption) + bar_gap + 2.0 * bar_pitch + 0.5 * row;
}

double rows_height(const PublishedChart& chart, double row) {
    const auto count = static_cast<double>(chart.rows.size());
    return chart.form == Form::shares ? count * pair_height(row) : count * row + axis_height;
}

/// Label, plot, number and difference side by side.
struct Columns {
    double label = 0.0, number = 0.0, difference = 0.0;
    [[nodiscard]] double left() const { return label + column_gap; }
    [[nodiscard]] double right() const {
        return column_gap + number + (difference > 0.0 ? column_gap + difference : 0.0);
    }
};

Columns columns_of(const Canvas& canvas, const PublishedChart& chart) {
    Columns columns;
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
        const PublishedValue& row = chart.rows[i];
        columns.label = std::max(columns.label, canvas.text_width(row.label, Type::caption));
        columns.number = std::max(columns.number, canvas.text_width(row.text(), Type::emphasis));
        columns.difference =
            std::max(columns.difference, canvas.text_width(chart.difference(i), Type::caption));
    }
    return columns;
}

/// A stretch of numbers with round ticks.
struct Axis {
    double low = 0.0, high = 1.0, step = 1.0;
    Rect area;
    [[nodiscard]] double x(double value) const { return area.x + area.width * (value - low) / (high - low); }
};

/// 1, 2 or 5 times a power of ten, so that at most `most` steps fill the span.
double round_step(double span, double most) {
    const double rough = span / most;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1.0 - 1e-9)) return factor * power;
    return 10.0 * power;
}

Axis axis_of(const PublishedChart& chart, Rect area) {
    Axis axis{1e300, -1e300, 1.0, area};
    for (const PublishedValue& row : chart.rows) {
        axis.low = std::min({axis.low, row.low, row.from.value_or(row.low)});
        axis.high = std::max({axis.high, row.high, row.from.value_or(row.high)});
    }
    constexpr double per_tick = 46.0;
    const double most = std::clamp(std::floor(area.width / per_tick), 2.0, 5.0);
    if (chart.form == Form::bars) {
        axis.low = std::min(axis.low, 0.0);
        axis.step = round_step(axis.high - axis.low, most);
        return axis;
    }
    const double least_span = 2.0 * std::pow(10.0, -chart.rows.front().decimals);
    const double pad = std::max(0.12 * (axis.high - axis.low), least_span);
    axis.low -= pad;
    axis.high += pad;
    axis.step = round_step(axis.high - axis.low, most);
    return axis;
}

void draw_axis(Canvas& canvas, const Theme& theme, const Axis& axis) {
    const double baseline = axis.area.bottom() + 6.0 + cap_height(Type::label);
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(axis.step) + 1e-9)));
    for (double tick = std::ceil(axis.low / axis.step - 1e-9) * axis.step;
         tick <= axis.high + 1e-9 * axis.step; tick += axis.step) {
        const double x = canvas.snap(axis.x(tick)) + 0.5;
        canvas.line({x, axis.area.y}, {x, axis.area.bottom()}, {theme.hairline, 1.0});
        const double shown = std::abs(tick) < 1e-9 * axis.step ? 0.0 : tick;
        canvas.text({x, baseline}, fixed(shown, decimals), {Type::label, theme.muted, Align::centre});
    }
}

Colour colour_of(const Theme& theme, bool own) {
    return own ? theme.bar : mix(theme.ground, theme.ink, 0.45);
}

void draw_dots(Canvas& canvas, const Theme& theme, const Axis& axis, const PublishedValue& row, double y) {
    const Colour colour = colour_of(theme, row.own);
    if (row.range()) canvas.line({axis.x(row.low), y}, {axis.x(row.high), y}, {colour, 3.0});
    if (row.from) {
        canvas.line({axis.x(*row.from), y}, {axis.x(row.low), y}, {colour_of(theme, false), 1.5});
        canvas.circle({axis.x(*row.from), y}, dot, theme.ground, {colour_of(theme, false), 1.5});
    }
    const Stroke none{colour, 0.0};
    canvas.circle({axis.x(row.low), y}, dot, colour, none);
    if (row.range()) canvas.circle({axis.x(row.high), y}, dot, colour, none);
}

void draw_bar(Canvas& canvas, const Theme& theme, const Axis& axis, const PublishedValue& row, double y) {
    const double zero = canvas.snap(axis.x(0.0));
    const double tip = canvas.snap(axis.x(row.low));
    canvas.fill({std::min(zero, tip), canvas.snap(y - bar / 2), std::abs(tip - zero), bar},
                colour_of(theme, row.own));
}

/// Rows on one axis.
void draw_rows(Canvas& canvas, const Theme& theme, Rect room, const PublishedChart& chart, double pitch) {
    const Columns columns = columns_of(canvas, chart);
    const double height = pitch * static_cast<double>(chart.rows.size());
    const Axis axis = axis_of(
        chart, {room.x + columns.left(), room.y, room.width - columns.left() - columns.right(), height});
    draw_axis(canvas, theme, axis);
    if (chart.form == Form::dots && chart.against) {
        const double x = canvas.snap(axis.x(chart.rows[*chart.against].low)) + 0.5;
        canvas.line({x, room.y}, {x, room.y + height}, {theme.muted, 1.0, true});
    }
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
        const PublishedValue& row = chart.rows[i];
        const double top = room.y + pitch * static_cast<double>(i);
        const double baseline = middle_baseline(top, pitch, Type::caption);
        canvas.text({room.x, baseline}, row.label, {Type::caption, row.own ? theme.ink : theme.muted});
        if (chart.form == Form::bars)
            draw_bar(canvas, theme, axis, row, top + pitch / 2);
        else
            draw_dots(canvas, theme, axis, row, top + pitch / 2);
        const double number = axis.area.right() + column_gap + columns.number;
        canvas.text({number, baseline}, row.text(), {Type::emphasis, theme.ink, Align::right});
        canvas.text({room.right(), baseline}, chart.difference(i),
                    {Type::caption, theme.muted, Align::right});
    }
}

/// Pairs of bars, each pair on its own scale from 0.
void draw_shares(Canvas& canvas, const Theme& theme, Rect room, const PublishedChart& chart, double pitch) {
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
        const PublishedValue& row = chart.rows[i];
        double top = room.y + pair_height(pitch) * static_cast<double>(i);
        const double baseline = top + cap_height(Type::caption);
        const std::string label =
            row.label + ", " + row.unit + (row.higher_is_better ? "; higher" : "; lower") + " is better";
        canvas.text({room.x, baseline}, label, {Type::caption, theme.ink});
        canvas.text({room.right(), baseline}, chart.difference(i),
                    {Type::caption, theme.muted, Align::right});
        const double widest = std::max(canvas.text_width(row.text(*row.from, false), Type::emphasis),
                                       canvas.text_width(row.text(row.low, false), Type::emphasis));
        const double full = room.width - widest - 8.0;
        top += cap_height(Type::caption) + bar_gap;
        for (const bool own : {false, true}) {
            const double number = own ? row.low : *row.from;
            const double length = canvas.snap(full * number / std::max(row.low, *row.from));
            const double y = top + (own ? bar_pitch : 0.0);
            canvas.fill({room.x, canvas.snap(y + (bar_pitch - bar) / 2), length, bar}, colour_of(theme, own));
            canvas.text({room.x + length + 6.0, middle_baseline(y, bar_pitch, Type::emphasis)},
                        row.text(number, false), {Type::emphasis, own ? theme.ink : theme.muted});
        }
    }
}

/// "■ ResNet-50  ■ full attention".
void draw_legend(Canvas& canvas, const Theme& theme, Point baseline, const PublishedChart& chart) {
    for (const bool own : {false, true}) {
        const std::string& name = own ? chart.to : chart.from;
        canvas.fill({baseline.x, baseline.y - 8.0, 9.0, 9.0}, colour_of(theme, own));
        canvas.text({baseline.x + 14.0, baseline.y}, name, {Type::label, theme.muted});
        baseline.x += 14.0 + canvas.text_width(name, Type::label) + 16.0;
    }
}

}  // namespace

bool published_fits(const Canvas& canvas, double width, const PublishedChart& chart) {
    if (chart.form == Form::shares) return width >= 230.0;
    const Columns columns = columns_of(canvas, chart);
    return width - columns.left() - columns.right() >= least_plot;
}

double published_height(const Canvas& canvas, double width, const PublishedChart& chart,
                        ChartSpacing spacing) {
    const auto note = static_cast<double>(spacing.notes ? lines(canvas, chart.note, width).size() : 0);
    return head_height(canvas, width, chart) + rows_height(chart, spacing.row) +
           (note > 0.0 ? note_gap + line_pitch * note : 0.0);
}

void draw_published(Canvas& canvas, const Theme& theme, Point at, double width, const PublishedChart& chart,
                    ChartSpacing spacing) {
    const auto paragraph = [&](double top, std::string_view text) {
        for (const std::string& line : lines(canvas, text, width)) {
            canvas.text({at.x, top + cap_height(Type::label) + 2.0}, line, {Type::label, theme.muted});
            top += line_pitch;
        }
    };
    canvas.text({at.x, at.y + cap_height(Type::emphasis)},
                canvas.fonts().fit(chart.title, Type::emphasis, width), {Type::emphasis, theme.ink});
    if (chart.form == Form::shares)
        draw_legend(canvas, theme, {at.x, at.y + title_height + cap_height(Type::label) + 2.0}, chart);
    else
        paragraph(at.y + title_height, measure_of(chart));
    const double rows = rows_height(chart, spacing.row);
    const Rect room{at.x, at.y + head_height(canvas, width, chart), width, rows};
    if (chart.form == Form::shares)
        draw_shares(canvas, theme, room, chart, spacing.row);
    else
        draw_rows(canvas, theme, room, chart, spacing.row);
    if (spacing.notes) paragraph(room.bottom() + note_gap, chart.note);
}

}  // namespace attn
