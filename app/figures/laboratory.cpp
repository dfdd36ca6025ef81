#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/heading.h"
#include "app/figures/kinds.h"
#include "app/figures/laboratory_chart.h"
#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double section_gap = 18.0;
constexpr double axis_width = 34.0;  // numbers at the left of the bars
constexpr double least_bars = 26.0;
constexpr double tallest_bars = 150.0;
constexpr double tile_height = 50.0;
constexpr double least_chart = 56.0;
constexpr double tallest_chart = 300.0;

Parameter whole_number(std::string id, std::string symbol, std::string label, std::string help,
                       Parameter::Group group, Index initial, double low, double high) {
    Parameter knob;
    knob.id = std::move(id);
    knob.symbol = std::move(symbol);
    knob.label = std::move(label);
    knob.help = std::move(help);
    knob.kind = Parameter::Kind::integer;
    knob.group = group;
    knob.initial = initial;
    knob.low = low;
    knob.high = high;
    return knob;
}

std::vector<Parameter> make_knobs() {
    using Group = Parameter::Group;
    Parameter d = whole_number("d", "d", "features", "numbers in a query and in a key", Group::query, 64, 1,
                               static_cast<double>(ScaleExperiment::most_features));
    d.scale = Parameter::Scale::logarithmic;
    Parameter scaling;
    scaling.id = "scaling";
    scaling.label = "divide by √d";
    scaling.help = "q·k/√d in place of q·k";
    scaling.kind = Parameter::Kind::toggle;
    scaling.group = Group::view;
    scaling.initial = true;
    Parameter keys = whole_number("keys", "N", "keys", "that share one softmax", Group::input, 64, 2, 256);
    keys.scale = Parameter::Scale::logarithmic;
    return {d, scaling, keys,
            whole_number("seed", "", "seed", "of the random queries and keys", Group::input, 7, 0, 9999)};
}

const std::vector<Parameter>& own_knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

Question ask(const Scene& scene) {
    const Knobs knobs(own_knobs(), scene.set);
    Question question;
    question.scale = {.keys = knobs.integer("keys"),
                      .seed = static_cast<std::uint64_t>(knobs.integer("seed")),
                      .d = knobs.integer("d")};
    return question;
}

/// One row of numbers as bars about a base line, with dashed rules and the ends of the axis written.
struct BarRow {
    std::vector<float> values;
    double low = 0.0, high = 1.0;
    std::vector<double> rules;
};

void draw_bar_row(Canvas& canvas, const Theme& theme, Rect room, const BarRow& row) {
    const Rect plot{room.x + axis_width, room.y, room.width - axis_width, room.height};
    const auto y = [&](double value) {
        return canvas.snap(plot.bottom() - plot.height * (value - row.low) / (row.high - row.low));
    };
    const double base = y(0.0);
    const double pitch = plot.width / static_cast<double>(row.values.size());
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        const double left = canvas.snap(plot.x + pitch * static_cast<double>(i));
        const double right = canvas.snap(plot.x + pitch * (static_cast<double>(i) + 0.8));
        const double tip = y(static_cast<double>(row.values[i]));
        canvas.fill({left, std::min(tip, base), std::max(right - left, 1.0 / canvas.resolution()),
                     std::abs(base - tip)},
                    theme.bar);
    }
    canvas.line({plot.x, base + 0.5}, {plot.right(), base + 0.5}, {theme.hairline, 1.0});
    for (const double rule : row.rules)
        canvas.line({plot.x, y(rule) + 0.5}, {plot.right(), y(rule) + 0.5}, {theme.muted, 1.0, true});
    const TextStyle tick{Type::label, theme.muted, Align::right};
    const double half = cap_height(Type::label) / 2;
    canvas.text({plot.x - 8.0, y(row.high) + 2 * half}, plain(row.high), tick);
    canvas.text({plot.x - 8.0, row.low < 0.0 ? y(row.low) : base}, plain(row.low), tick);
}

/// What a laboratory page draws.
struct Bench {
    Canvas& canvas;
    const Page& page;
    const ScaleFindings& found;
    bool scaling = true;

    [[nodiscard]] const Theme& theme() const { return page.theme; }
    [[nodiscard]] const SoftmaxFacts& facts() const {
        return scaling ? found.point.scaled : found.point.unscaled;
    }
};

/// The least of 1, 2, 5, 10, … that holds them all.
double round_up(double most) {
    double step = 1.0;
    while (true) {
        for (const double factor : {1.0, 2.0, 5.0})
            if (factor * step >= most) return factor * step;
        step *= 10.0;
    }
}

void draw_rows(const Bench& b, Rect room) {
    const auto count = static_cast<Index>(b.found.scores.size());
    const double divisor = b.scaling ? std::sqrt(static_cast<double>(b.found.point.d)) : 1.0;
    BarRow scores{b.found.scores, 0.0, 0.0, {-1.0, 1.0}};
    double most = 1.0;
    for (float& score : scores.values) {
        score /= static_cast<float>(divisor);
        most = std::max(most, std::abs(static_cast<double>(score)));
    }
    scores.high = round_up(most);
    scores.low = -scores.high;
    const BarRow weights{
        b.scaling ? b.found.scaled : b.found.unscaled, 0.0, 1.0, {1.0 / static_cast<double>(count)}};
    const double bars = (room.height - 2 * caption_height - section_gap) / 2;
    caption(b.canvas, b.theme(), room.x, room.right(), room.y,
            {"scores of one query with " + std::to_string(count) + " keys",
             std::string(b.scaling ? "e = q·k / √d" : "e = q·k") + ", dashed: ±1"});
    draw_bar_row(b.canvas, b.theme(), {room.x, room.y + caption_height, room.width, bars}, scores);
    const double second = room.y + caption_height + bars + section_gap;
    caption(b.canvas, b.theme(), room.x, room.right(), second,
            {"weights", "α = softmax(e), dashed: 1/" + std::to_string(count)});
    draw_bar_row(b.canvas, b.theme(), {room.x, second + caption_height, room.width, bars}, weights);
}

/// What is measured, with its curve against d.
struct Measured {
    std::string number, caption;
    ScaleChart chart;
};

std::vector<Measured> measured(const Bench& b) {
    const SoftmaxFacts& now = b.facts();
    const double uniform = std::log(static_cast<double>(b.found.scores.size()));
    const double most = ScaleExperiment::most_features;
    const ScaleChart variance{.of = &SoftmaxFacts::variance,
                              .logarithmic = true,
                              .low = 0.3,
                              .high = 2.0 * most,
                              .ticks = {1.0, 10.0, 100.0, 1000.0}};
    const ScaleChart entropy{.of = &SoftmaxFacts::entropy,
                             .high = 1.08 * uniform,
                             .ticks = {0.0, 0.5 * uniform, uniform},
                             .reference = uniform};
    const ScaleChart largest{.of = &SoftmaxFacts::largest, .high = 1.05, .ticks = {0.0, 0.5, 1.0}};
    const auto keys = static_cast<double>(b.found.scores.size());
    const double level = (1.0 - 1.0 / keys) / keys;  // where all weights are 1/N
    const ScaleChart gradient{.of = &SoftmaxFacts::mean_gradient,
                              .high = 1.08 * level,
                              .ticks = {0.0, 0.5 * level, level},
                              .reference = level};
    return {{significant(now.variance),
             "variance of e; in theory " + (b.scaling ? "1" : "d = " + std::to_string(b.found.point.d)),
             variance},
            {significant(now.entropy), "entropy, nats; uniform " + significant(uniform), entropy},
            {significant(now.largest), "largest weight α", largest},
            {significant(now.mean_gradient), "gradient α(1 − α), mean of keys", gradient}};
}

void draw_tile(const Bench& b, Rect room, const Measured& one) {
    const double rule = b.canvas.snap(room.y) + 0.5;
    b.canvas.line({room.x, rule}, {room.right(), rule}, {b.theme().hairline, 1.0});
    b.canvas.text({room.x, room.y + 27.0}, one.number, {Type::tile, b.theme().ink});
    b.canvas.text({room.x, room.y + 44.0}, b.canvas.fonts().fit(one.caption, Type::caption, room.width),
                  {Type::caption, b.theme().muted});
}

/// Two coloured lines and what they are, to the right of a caption.
void draw_legend(const Bench& b, Rect room) {
    const double baseline = room.y + cap_height(Type::emphasis) + 1.0;
    double x = room.right();
    for (const bool scaled : {true, false}) {
        const std::string name = scaled ? "q·k / √d" : "q·k";
        const Type type = scaled == b.scaling ? Type::emphasis : Type::caption;
        x -= b.canvas.text_width(name, type);
        b.canvas.text({x, baseline}, name, {type, b.theme().ink});
        x -= 24.0;
        b.canvas.line({x, baseline - 4.0}, {x + 18.0, baseline - 4.0},
                      {scale_colour(b.theme(), scaled), scaled == b.scaling ? 3.0 : 1.5});
        x -= gutter;
    }
}

std::vector<Hit> draw_charts(const Bench& b, Rect room, Index columns) {
    const std::vector<Measured> all = measured(b);
    const auto count = static_cast<Index>(all.size());
    const Index rows = (count + columns - 1) / columns;
    const double pitch = (room.width + gutter) / static_cast<double>(columns);
    const double height = (room.height - caption_height + section_gap) / static_cast<double>(rows);
    caption(b.canvas, b.theme(), room.x, room.right(), room.y, {"against the features d", ""});
    draw_legend(b, room);
    std::vector<Hit> hits;
    for (Index i = 0; i < count; ++i) {
        const Measured& one = all[static_cast<std::size_t>(i)];
        const Rect cell{room.x + pitch * static_cast<double>(i % columns),
                        room.y + caption_height + height * static_cast<double>(i / columns), pitch - gutter,
                        height - section_gap};
        draw_tile(b, cell, one);
        const Rect plot{cell.x, cell.y + tile_height, cell.width, cell.height - tile_height};
        hits.push_back(draw_scale_chart(b.canvas, b.page, plot, b.found, one.chart, b.scaling));
    }
    return hits;
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const ScaleFindings& found = *page.result.findings->scale;
    const Knobs knobs(own_knobs(), page.scene.set);
    const Rect body = headed_sheet(
        canvas, page,
        {.title = "Why scores are divided by √d",
         .source = "Vaswani et al. 2017: Attention is all you need, section 3.2.1",
         .lead =
             "The product of d random numbers of variance 1 with d others has variance d. Divided by √d it "
             "has variance 1 at any d; undivided, the softmax hardens and its gradient dies.",
         .note = std::to_string(ScaleExperiment::queries) + " random queries, " +
                 std::to_string(found.scores.size()) + " random keys, seed " +
                 std::to_string(knobs.integer("seed")) +
                 ". All but the variance are medians over the queries."});
    const Bench bench{canvas, page, found, knobs.flag("scaling")};
    constexpr double width_for_four = 760.0;
    const Index columns = body.width >= width_for_four ? 4 : 2;
    const double lines = columns == 4 ? 1.0 : 2.0;
    const double fixed = 2 * caption_height + section_gap;  // of the rows of bars
    const double least = caption_height + lines * (tile_height + least_chart + section_gap) - section_gap;
    const double left = body.height - gutter - fixed - least;  // to be shared beyond the least
    const double bars = std::clamp(0.5 * (0.45 * left + least_bars), least_bars, tallest_bars);
    const Rect top{body.x, body.y, body.width, fixed + 2 * bars};
    const double charts =
        std::min(body.bottom() - top.bottom() - gutter, least + lines * (tallest_chart - least_chart));
    draw_rows(bench, top);
    return draw_charts(bench, {body.x, top.bottom() + gutter, body.width, charts}, columns);
}

/// One line per d, without the division and with it.
std::string csv(const Scene& /*scene*/, const Result& result) {
    std::string text = "d,scaled,variance,largest_weight,entropy_nats,gradient_of_largest,mean_gradient\n";
    for (const ScalePoint& point : result.findings->scale->experiment->curve())
        for (const bool scaled : {false, true}) {
            const SoftmaxFacts& facts = scaled ? point.scaled : point.unscaled;
            text += std::to_string(point.d) + (scaled ? ",yes" : ",no");
            for (const double number :
                 {facts.variance, facts.largest, facts.entropy, facts.gradient, facts.mean_gradient})
                text += ',' + format(number);
            text += '\n';
        }
    return text;
}

}  // namespace

Figure laboratory_figure() {
    return {
        .id = "laboratory",
        .title = "√d",
        .help = "why scores are divided by √d: random queries and keys, and what their softmax is left with",
        .parameters = own_knobs(),
        .natural = {960.0, 700.0},
        .draw = draw,
        .ask = ask,
        .csv = csv};
}

}  // namespace attn
