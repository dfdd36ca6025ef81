#include "app/figures/cost_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/figures/format.h"
#include "app/figures/magnitude.h"
#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double end_gap = 9.0;       // from a curve's end to its name
constexpr double axis_height = 36.0;  // ticks and the axis' name
constexpr double mark_height = 18.0;  // the mark's number over the plot
constexpr double line_pitch = 15.0;

/// Plot coordinates of a side and a value.
struct Axes {
    Rect area;
    double low = 0.0, high = 1.0;  // decades
    [[nodiscard]] double x(double side) const {
        const double span = std::log(static_cast<double>(greatest_side) / static_cast<double>(least_side));
        return area.x + area.width * std::log(side / static_cast<double>(least_side)) / span;
    }
    [[nodiscard]] double y(double value) const {
        return area.bottom() - area.height * (std::log10(value) - low) / (high - low);
    }
};

std::pair<double, double> decades(const CostChart& chart) {
    double least = 1e300;
    double greatest = 0.0;
    for (const CostCurve& curve : chart.curves)
        for (const double value : curve.values) {
            if (value < 1.0) continue;
            least = std::min(least, value);
            greatest = std::max(greatest, value);
        }
    if (greatest <= 0.0) return {0.0, 1.0};
    const double low = std::floor(std::log10(least) + 1e-9);
    return {low, std::max(std::ceil(std::log10(greatest) - 1e-9), low + 1.0)};
}

/// Without its knobs, where no other curve is of the same kind.
std::string short_name(const CostChart& chart, std::size_t curve) {
    const CurveSpec& spec = chart.curves[curve].spec;
    const auto same = [&](const CostCurve& other) { return other.spec.model == spec.model; };
    return std::count_if(chart.curves.begin(), chart.curves.end(), same) == 1 ? spec.model->id : spec.name;
}

/// The name of a curve at its end, and its formula where that has room.
struct EndLabel {
    std::size_t curve = 0;
    std::string name;
    std::string formula;
    double y = 0.0;       // where the curve ends
    double placed = 0.0;  // where the label stands
};

/// Moves labels apart, as little as it takes, without changing their order.
void spread(std::vector<EndLabel>& labels, double top, double bottom, double pitch) {
    std::stable_sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    const auto count = static_cast<double>(labels.size());
    pitch = std::min(pitch, (bottom - top) / std::max(count - 1.0, 1.0));
    for (EndLabel& label : labels) label.placed = std::clamp(label.y, top, bottom);
    for (std::size_t i = 1; i < labels.size(); ++i)
        labels[i].placed = std::max(labels[i].placed, labels[i - 1].placed + pitch);
    double limit = bottom;
    for (std::size_t i = labels.size(); i-- > 0;) {
        labels[i].placed = std::min(labels[i].placed, limit);
        limit = labels[i].placed - pitch;
    }
}

struct Chart {
    Canvas& canvas;
    const Page& page;
    const CostChart& data;
    ChartStyle style;
    Axes axes;
    bool formulas = false;   // under or beside the names
    bool two_lines = false;  // formulas have a line of their own

    [[nodiscard]] const Theme& theme() const { return page.theme; }
    [[nodiscard]] double pitch() const { return two_lines ? 2 * line_pitch + 2.0 : line_pitch; }
};

std::vector<EndLabel> end_labels(const Chart& c) {
    std::vector<EndLabel> labels;
    for (std::size_t i = 0; i < c.data.curves.size(); ++i) {
        const CurveSpec& spec = c.data.curves[i].spec;
        labels.push_back(
            {i, c.style.compact ? short_name(c.data, i) : spec.name, spec.model->formula, 0.0, 0.0});
    }
    return labels;
}

/// Decides how the ends are labelled and lays the plot out beside them.
void lay_out(Chart& c, Rect room) {
    double names = 0.0;
    double formulas = 0.0;
    double together = 0.0;
    for (const EndLabel& label : end_labels(c)) {
        const double name = c.canvas.text_width(label.name, Type::emphasis);
        const double formula = c.canvas.text_width(label.formula, Type::caption);
        names = std::max(names, name);
        formulas = std::max(formulas, formula);
        together = std::max(together, name + (label.formula.empty() ? 0.0 : 8.0 + formula));
    }
    const double height = room.height - mark_height - axis_height;
    const auto count = static_cast<double>(c.data.curves.size());
    double right = names;
    if (!c.style.compact && together <= 0.26 * room.width) {
        c.formulas = true;
        right = together;
    } else if (!c.style.compact && std::max(names, formulas) <= 0.3 * room.width &&
               (2 * line_pitch + 2.0) * count <= height) {
        c.formulas = c.two_lines = true;
        right = std::max(names, formulas);
    }
    right = std::min(right, 0.34 * room.width);
    const auto [low, high] = decades(c.data);
    const double left = c.canvas.text_width("10" + superscript(static_cast<Index>(high)), Type::label) + 10.0;
    const double top = c.canvas.snap(room.y + mark_height);
    c.axes = {{c.canvas.snap(room.x + left), top,
               std::max(c.canvas.snap(room.width - left - right - end_gap), 40.0),
               std::max(c.canvas.snap(height), 30.0)},
              low,
              high};
}

void draw_axes(Chart& c) {
    const Rect& area = c.axes.area;
    const TextStyle tick{Type::label, c.theme().muted, Align::right};
    const double per_decade = area.height / (c.axes.high - c.axes.low);
    const auto step = static_cast<Index>(std::ceil(16.0 / per_decade));
    const auto first = static_cast<Index>(c.axes.low);
    for (Index decade = first; decade <= static_cast<Index>(c.axes.high); decade += step) {
        const double y =
            c.canvas.snap(area.bottom() - per_decade * static_cast<double>(decade - first)) + 0.5;
        c.canvas.line({area.x, y}, {area.right(), y}, {c.theme().hairline, 1.0});
        c.canvas.text({area.x - 8.0, y + cap_height(Type::label) / 2}, "10" + superscript(decade), tick);
    }
    const double below = area.bottom() + 8.0 + cap_height(Type::label);
    const double per_octave = area.width / 6.0;
    const Index stride = per_octave >= 30.0 ? 2 : per_octave >= 15.0 ? 4 : 8;
    for (Index side = least_side; side <= greatest_side; side *= stride)
        c.canvas.text({c.axes.x(static_cast<double>(side)), below}, std::to_string(side),
                      {Type::label, c.theme().muted, Align::centre});
    c.canvas.text({area.centre().x, below + 16.0}, "side S of the picture, pixels",
                  {Type::label, c.theme().muted, Align::centre});
}

void draw_curves(Chart& c) {
    for (std::size_t i = c.data.curves.size(); i-- > 0;) {  // the first lies on top
        const CostCurve& curve = c.data.curves[i];
        std::vector<Point> points;
        for (std::size_t p = 0; p < curve.values.size(); ++p)
            if (curve.values[p] >= 1.0)  // less than one position
                points.push_back({c.axes.x(c.data.sides[p]), c.axes.y(curve.values[p])});
        if (points.size() < 2) continue;
        const double width = i < c.style.strong ? 3.0 : 2.0;
        c.canvas.polyline(points, {curve_colour(c.theme(), c.data, i).line, width});
    }
}

void draw_end_labels(Chart& c) {
    const Rect& area = c.axes.area;
    std::vector<EndLabel> labels = end_labels(c);
    for (EndLabel& label : labels) {
        const double last = c.data.curves[label.curve].values.back();
        label.y = last >= 1.0 ? c.axes.y(last) : area.bottom();
    }
    const double extra = c.two_lines ? line_pitch : 0.0;
    spread(labels, area.y + 2.0, area.bottom() - extra, c.pitch());
    const double x = area.right() + end_gap;
    for (const EndLabel& label : labels) {
        const CurveColour colour = curve_colour(c.theme(), c.data, label.curve);
        if (std::abs(label.placed - label.y) > 3.0)
            c.canvas.line({area.right() + 1.0, label.y}, {x - 2.0, label.placed}, {colour.line, 1.0});
        const double baseline = label.placed + cap_height(Type::caption) / 2;
        const double room = c.page.area.right() - page_margin - x;
        const std::string name = c.canvas.fonts().fit(label.name, Type::emphasis, room);
        c.canvas.text({x, baseline}, name, {Type::emphasis, colour.text});
        if (!c.formulas || label.formula.empty()) continue;
        const Point at = c.two_lines
                             ? Point{x, baseline + line_pitch}
                             : Point{x + c.canvas.text_width(label.name, Type::emphasis) + 8.0, baseline};
        c.canvas.text(at, label.formula, {Type::caption, c.theme().muted});
    }
}

void draw_crossings(Chart& c) {
    const Rect& area = c.axes.area;
    std::vector<Rect> taken;
    for (const Crossing& crossing : c.data.crossings) {
        const Point at{c.axes.x(crossing.side), c.axes.y(crossing.value)};
        c.canvas.circle(at, 6.0, rgb(0, 0), {c.theme().ink, 1.5});
        if (c.style.compact) continue;
        const std::string text = crossing_sentence(c.data, crossing);
        const double across = c.canvas.text_width(text, Type::caption);
        Rect box{at.x + 12.0, at.y + 9.0, across, cap_height(Type::caption)};
        if (box.right() > area.right()) box.x = at.x - 12.0 - across;
        if (box.bottom() > area.bottom()) box.y = at.y - 12.0 - box.height;
        const bool free = box.x >= area.x && std::none_of(taken.begin(), taken.end(), [&](const Rect& other) {
                              return box.x < other.right() + 6.0 && other.x < box.right() + 6.0 &&
                                     box.y < other.bottom() + 4.0 && other.y < box.bottom() + 4.0;
                          });
        if (!free) continue;  // the sentence stands under the chart as well
        taken.push_back(box);
        text_on_ground(c.canvas, c.theme(), {box.x, box.bottom()}, text, {Type::caption, c.theme().ink});
    }
}

void draw_mark(Chart& c) {
    const Rect& area = c.axes.area;
    const double x = c.axes.x(static_cast<double>(c.data.side));
    c.canvas.line({x, area.y - 2.0}, {x, area.bottom()}, {c.theme().query, 1.5, true});
    const std::string text = "S = " + std::to_string(c.data.side);
    const double half = c.canvas.text_width(text, Type::emphasis) / 2;
    c.canvas.text({std::clamp(x, area.x + half, area.right() - half), area.y - 7.0}, text,
                  {Type::emphasis, c.theme().query, Align::centre});
    for (std::size_t i = 0; i < c.data.curves.size(); ++i) {
        if (c.data.curves[i].mark_value < 1.0) continue;
        c.canvas.circle({x, c.axes.y(c.data.curves[i].mark_value)}, c.style.compact ? 4.0 : 5.0,
                        curve_colour(c.theme(), c.data, i).line, {c.theme().ground, 1.0});
    }
}

}  // namespace

CurveColour curve_colour(const Theme& theme, const CostChart& chart, std::size_t curve) {
    static constexpr std::array<std::pair<std::string_view, Colour>, 3> own = {
        {{"global", rgb(0xF2B84B)}, {"local", rgb(0x6CC5A4)}, {"axial", rgb(0x7FB2E5)}}};
    static constexpr std::array further = {rgb(0xE58FB1), rgb(0xB79CE8), rgb(0xA9B665), rgb(0xD19A66),
                                           rgb(0x5FC4CF), rgb(0xC9A9A6), rgb(0x9AA7B5)};
    const auto own_colour = [&](std::size_t i) -> const Colour* {
        const std::string& id = chart.curves[i].spec.model->id;
        for (std::size_t before = 0; before < i; ++before)
            if (chart.curves[before].spec.model->id == id) return nullptr;
        for (const auto& [name, colour] : own)
            if (name == id) return &colour;
        return nullptr;
    };
    const Colour* chosen = own_colour(curve);
    if (chosen == nullptr) {
        std::size_t rank = 0;
        for (std::size_t i = 0; i < curve; ++i)
            if (own_colour(i) == nullptr) ++rank;
        chosen = &further[rank % further.size()];
    }
    constexpr double line_ratio = 3.0;
    constexpr double text_ratio = 4.5;
    return {standing_out(theme, *chosen, line_ratio), standing_out(theme, *chosen, text_ratio)};
}

std::string measured(double value, Measure measure, int digits) {
    const bool in_bytes = measure == Measure::bytes_fp16 || measure == Measure::bytes_fp32;
    std::string text = magnitude(value, digits);
    if (!in_bytes) return text;
    return text + (text.find(' ') == std::string::npos ? " B" : "B");
}

std::string name_of(Measure measure) {
    switch (measure) {
        case Measure::entries:
            return "entries of one head’s attention matrix";
        case Measure::multiply_adds:
            return "multiply–adds of scores and values";
        case Measure::flops:
            return "FLOPs of scores and values, a multiply–add counted as two";
        case Measure::bytes_fp16:
            return "bytes of all heads’ matrices, fp16";
        case Measure::bytes_fp32:
            return "bytes of all heads’ matrices, fp32";
    }
    return {};
}

std::string crossing_sentence(const CostChart& chart, const Crossing& crossing) {
    return short_name(chart, crossing.a) + " and " + short_name(chart, crossing.b) +
           " tie at S = " + plain(std::round(crossing.side * 100.0) / 100.0);
}

Hit draw_cost_chart(Canvas& canvas, const Page& page, Rect room, const CostChart& chart, ChartStyle style) {
    Chart c{canvas, page, chart, style, {}};
    lay_out(c, room);
    draw_axes(c);
    draw_curves(c);
    draw_crossings(c);
    draw_mark(c);
    draw_end_labels(c);
    return {.area = c.axes.area,
            .role = Hit::Role::axis,
            .id = "side",
            .low = static_cast<double>(least_side),
            .high = static_cast<double>(greatest_side)};
}

}  // namespace attn
