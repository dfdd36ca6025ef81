#include <algorithm>
#include <numeric>

#include "app/figures/bars.h"
#include "app/figures/format.h"
#include "app/figures/kinds.h"
#include "app/figures/labels.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"
#include "app/figures/view.h"

namespace attn {
namespace {

constexpr double least_bars = 48.0;
constexpr double tallest_bars = 190.0;
constexpr double section_gap = 18.0;

std::vector<Parameter> make_knobs() {
    return {
        view_choice("step", "step", "one of the three at a time; the others recede",
                    {{"all", "all", "the three together"},
                     {"score", "score", "how well query and key fit"},
                     {"squash", "squash", "scores become weights"},
                     {"multiply", "multiply", "weights times values, added up"}}),
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
        if (sorted) return by_weight(stage.reading.weights);
        std::vector<Index> in_place(stage.reading.weights.size());
        std::iota(in_place.begin(), in_place.end(), Index{0});
        return in_place;
    }

    [[nodiscard]] std::string name() const {
        const Reading& reading = stage.reading;
        if (reading.layout == Layout::channels) return "the gates";
        if (stage.page.result.query_labels.empty()) return "the query’s row";
        return "the row of “" + name_of(stage.page, reading, reading.query, true) + "”";
    }

    [[nodiscard]] std::string measure() const {
        const auto count = static_cast<Index>(stage.reading.weights.size());
        if (stage.reading.blind) return "every key is masked: weights and output are 0";
        const std::string start =
            (sorted ? "sorted · " : "in place · ") + std::string("largest ") + significant(row.largest);
        if (stage.reading.layout == Layout::channels) return start + " · dashed: 1, the identity";
        return start + " · dashed: uniform 1/" + grouped(count);
    }

    void draw(Rect room) {
        const Theme& theme = stage.page.theme;
        const Reading& reading = stage.reading;
        caption(stage.canvas, theme, room.x, room.right(), room.y, {name(), measure(), !stage.lit("squash")});
        const Rect area{room.x, room.y + caption_height, room.width,
                        room.height - caption_height - labels.depth};
        Bars bars{.values = reading.weights, .order = order(), .lit = reading.key};
        if (reading.self) bars.accent = reading.query;
        if (reading.layout == Layout::channels)
            bars.top = bars.reference = 1.0;
        else
            bars.reference = 1.0 / static_cast<double>(reading.weights.size());
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

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Rect body = sheet(canvas, page, blind_warning(page));
    const Knobs view(knobs(), page.scene.set);
    const Reading reading = read(page);
    Stage stage{canvas, page, reading, formulas_of(page), view.text("step"), colour_scale(view)};
    const Equation steps = equation(page, reading);
    const double equation_block = equation_height(canvas, body.width, steps) + section_gap + 12.0;

    RowChart chart(stage, view.text("order") == "sorted", body.width);
    const double around_bars = section_gap + caption_height + chart.labels.depth;
    const double least = around_bars + least_bars;
    Rect room{body.x, body.y, body.width, body.height - equation_block - least};
    const bool with_bars = room.height >= 150.0;  // else the pictures need it more
    if (!with_bars) room.height += least;

    double bottom = reading.layout == Layout::picture ? picture_panels(stage, room)
                    : reading.layout == Layout::words ? word_panels(stage, room)
                                                      : channel_panels(stage, room);
    if (with_bars) {
        const double left = body.bottom() - equation_block - bottom - around_bars;
        const double height =
            std::clamp(left, least_bars, tallest_bars) + caption_height + chart.labels.depth;
        chart.draw({body.x, bottom + section_gap, body.width, height});
        bottom += section_gap + height;
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
