#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "app/figures/bars.h"
#include "app/figures/format.h"
#include "app/figures/kinds.h"
#include "app/figures/labels.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"
#include "app/figures/recipe_steps.h"
#include "app/figures/view.h"

namespace attn {
namespace {

constexpr double least_bars = 48.0;
constexpr double tallest_bars = 190.0;
constexpr double section_gap = 18.0;
constexpr double least_panels = 150.0;
constexpr double narrowest_bars = 190.0;
constexpr double beside_gap = 32.0;

Parameter steps_knob() {
    Parameter knob;
    knob.id = "steps";
    knob.label = "on the way";
    knob.help = "what is computed on the way, in small pictures under the three panels";
    knob.kind = Parameter::Kind::toggle;
    knob.group = Parameter::Group::view;
    knob.initial = true;
    return knob;
}

std::vector<Parameter> make_knobs() {
    return {
        view_choice("step", "step", "one of the three at a time; the others recede",
                    {{"all", "all", "the three together"},
                     {"score", "score", "how well query and key fit"},
                     {"squash", "squash", "scores become weights"},
                     {"multiply", "multiply", "weights times values, added up"}}),
        steps_knob(),
        view_choice("order", "bars", "how the query's weights stand in a row",
                    {{"sorted", "sorted", "the heaviest first"}, {"place", "in place", "as the keys lie"}}),
        colour_scale_knob("linear")};
}

const std::vector<Parameter>& knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

/// The query's row as bars.
struct RowChart {
    Stage& stage;
    bool sorted = true;
    RowFacts row;
    Labels labels;  ///< under the bars, where they stand in place or are few

    RowChart(Stage& drawn_on, bool by_size, double width)
        : stage(drawn_on), sorted(by_size), row(facts(drawn_on.reading.weights)) {
        if (stage.reading.layout == Layout::picture) return;
        const Result& result = stage.page.result;
        const auto count = static_cast<Index>(stage.reading.weights.size());
        const auto& names = stage.reading.layout == Layout::words ? result.key_labels : result.channel_names;
        labels = column_labels(stage.canvas, names, count, width / static_cast<double>(count));
    }

    [[nodiscard]] std::vector<Index> order() const {
        if (sorted) {
            std::vector<Index> seen = by_weight(stage.reading.weights);
            const std::span<const float> allowed = stage.reading.allowed;
            if (!allowed.empty() && !stage.reading.blind)
                std::erase_if(seen, [&](Index k) { return allowed[static_cast<std::size_t>(k)] == 0.0F; });
            return seen;
        }
        std::vector<Index> in_place(stage.reading.weights.size());
        std::iota(in_place.begin(), in_place.end(), Index{0});
        return in_place;
    }

    [[nodiscard]] bool gates() const { return stage.page.result.trace.squash == Squash::sigmoid; }

    [[nodiscard]] std::string name() const {
        const Reading& reading = stage.reading;
        std::string text = reading.layout == Layout::channels ? "the gates"
                           : gates()                          ? "the gates of all positions"
                           : stage.page.result.query_labels.empty()
                               ? "the query’s row"
                               : "the row of “" + name_of(stage.page, reading, reading.query, true) + "”";
        if (!reading.head_name.empty()) text += " · " + reading.head_name;
        return text;
    }

    /// The weight of a dashed line, and what it means.
    [[nodiscard]] std::pair<std::optional<double>, std::string> reference() const {
        if (gates()) {
            const bool adds = adds_the_input(*stage.page.result.mechanism);
            return {1.0, adds ? "dashed: 1 doubles; 0 is the identity" : "dashed: 1, the identity"};
        }
        if (stage.page.result.trace.squash == Squash::divide) return {{}, "they need not sum to 1"};
        const Index seen = stage.reading.seen;
        return {1.0 / static_cast<double>(seen), "dashed: uniform 1/" + grouped(seen)};
    }

    /// As much as fits beside the name.
    [[nodiscard]] std::string measure(double room) const {
        if (stage.reading.blind) return "every key is masked: weights and output are 0";
        const std::string dashed = reference().second;
        const std::string largest = "largest " + significant(row.largest) + " · " + dashed;
        const std::string all = (sorted ? "sorted · " : "in place · ") + largest;
        for (const std::string& text : {all, largest})
            if (stage.canvas.text_width(text, Type::caption) <= room) return text;
        return dashed;
    }

    /// Names under the outermost bars may be wider than a bar.
    [[nodiscard]] double overhang(double width) const {
        if (labels.depth == 0.0) return 0.0;
        double widest = 0.0;
        for (const std::string& text : labels.texts)
            widest = std::max(widest, stage.canvas.text_width(text, Type::label));
        return std::max(0.0, (widest - width / static_cast<double>(labels.texts.size())) / 2);
    }

    void draw(Rect room) {
        const Theme& theme = stage.page.theme;
        const Reading& reading = stage.reading;
        constexpr double apart = 12.0;
        const double named = stage.canvas.text_width(name(), Type::emphasis) + apart;
        caption(stage.canvas, theme, room.x, room.right(), room.y,
                {name(), measure(room.width - named), !stage.lit("squash")});
        const double inset = overhang(room.width);
        const Rect area{room.x + inset, room.y + caption_height, room.width - 2 * inset,
                        room.height - caption_height - labels.depth};
        Bars bars{.values = reading.weights, .order = order(), .lit = reading.key};
        if (reading.self) bars.accent = reading.query;
        if (!reading.blind) bars.reference = reference().first;
        if (gates()) bars.top = 1.0;
        bars.faded = !stage.lit("squash");
        bars.numbered = reading.layout != Layout::picture;
        const DrawnBars drawn = draw_bars(stage.canvas, theme, area, bars);
        stage.hits.push_back(
            {.area = area,
             .rows = 1,
             .columns = drawn.cells.columns,
             .role = reading.layout == Layout::channels ? Hit::Role::channels : Hit::Role::keys,
             .order = drawn.order});
        if (labels.depth == 0.0) return;
        Labels in_order = labels;
        Lit lit;
        for (std::size_t i = 0; i < drawn.order.size(); ++i) {
            in_order.texts[i] = labels.texts[static_cast<std::size_t>(drawn.order[i])];
            if (drawn.order[i] == reading.key) lit.strong.push_back(static_cast<Index>(i));
        }
        draw_column_labels(stage.canvas, theme, drawn.cells, in_order, lit, false);
    }
};

/// How the page is shared: the panels come first, then the steps, then the bars, which stand beside the
/// steps where there is room and else under them.
struct Shares {
    double panels = 0.0;        ///< height at most: they may need less
    double step_picture = 0.0;  ///< 0: no strip
    bool beside = false;
    bool bars = true;
};

/// `useful`: the height above which the panels do not grow.
Shares share_out(const StepStrip& strip, Size all, double useful, double least_of_bars) {
    constexpr double for_strip = 0.36;
    const auto with_strip = [&](double height, double width) {
        const double room = std::max(
            {for_strip * height, height - useful - section_gap, StepStrip::height(StepStrip::least)});
        Shares shares;
        if (height - room - section_gap >= least_panels)
            shares.step_picture = strip.picture_height({width, room});
        shares.panels = height - StepStrip::height(shares.step_picture) - section_gap;
        return shares;
    };
    Shares shares = with_strip(all.height, all.width - beside_gap - narrowest_bars);
    const double width = all.width - beside_gap - narrowest_bars;
    shares.beside = shares.step_picture > 0.0 && strip.width(shares.step_picture) <= width;
    if (shares.beside) return shares;
    for (const bool bars : {true, false}) {
        const double height = all.height - (bars ? least_of_bars : 0.0);
        shares = with_strip(height, all.width);
        shares.bars = bars;
        if (shares.step_picture > 0.0) return shares;
    }
    shares.bars = all.height - least_of_bars >= least_panels;
    shares.panels = all.height - (shares.bars ? least_of_bars : 0.0);
    return shares;
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Rect body = sheet(canvas, page, blind_warning(page));
    const Knobs view(knobs(), page.scene.set);
    const Reading reading = read(page);
    Stage stage{canvas, page, reading, formulas_of(page), view.text("step"), colour_scale(view)};
    const Equation steps = equation(page, reading);
    const double equation_block = equation_height(canvas, body.width, steps) + section_gap + 12.0;

    StepStrip strip(stage);
    if (!view.flag("steps")) strip.clear();
    const bool sorted = view.text("order") == "sorted";
    const RowChart across(stage, sorted, body.width);
    const double around_bars = section_gap + caption_height + across.labels.depth;
    const Shares shares = share_out(strip, {body.width, body.height - equation_block},
                                    useful_height(stage, body.width), around_bars + least_bars);

    const Rect room{body.x, body.y, body.width, shares.panels};
    double bottom = reading.layout == Layout::picture ? picture_panels(stage, room)
                    : reading.layout == Layout::words ? word_panels(stage, room)
                                                      : channel_panels(stage, room);
    Rect bars{body.x, bottom + section_gap, body.width, 0.0};
    if (shares.step_picture > 0.0) {
        const double height = StepStrip::height(shares.step_picture);
        const double width = shares.beside ? strip.width(shares.step_picture) : body.width;
        strip.draw({body.x, bottom + section_gap, width, height}, shares.step_picture);
        if (shares.beside)
            bars = {body.x + width + beside_gap, bars.y, body.width - width - beside_gap, height};
        else
            bars.y += height + section_gap;
        bottom += section_gap + height;
    }
    if (shares.bars) {
        RowChart chart(stage, sorted, bars.width);
        if (!shares.beside) {
            const double left = body.bottom() - equation_block - bottom - around_bars;
            bars.height = std::clamp(left, least_bars, tallest_bars) + caption_height + chart.labels.depth;
            bottom = bars.bottom();
        } else {
            bars.height -= std::max(StepStrip::under - chart.labels.depth, 0.0);
        }
        chart.draw(bars);
    }
    const double rule = canvas.snap(bottom + section_gap) + 0.5;
    canvas.line({body.x, rule}, {body.right(), rule}, {page.theme.hairline, 1.0});
    draw_equation(canvas, page.theme, {body.x, rule + 10.0, body.width, 0.0}, steps, stage.step);
    return std::move(stage.hits);
}

}  // namespace

Figure recipe_figure() {
    return {.id = "recipe",
            .title = "Recipe",
            .help = "score, squash and multiply on the same cells, with the live numbers",
            .parameters = knobs(),
            .natural = {960.0, 700.0},
            .draw = draw};
}

}  // namespace attn
