#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {
namespace {

/// An output of three channels as colours: itself where it is one, else about grey.
struct OutputColours {
    std::vector<float> planes;  ///< [3, N]
    std::string note;
};

OutputColours colours_of(const Array& output) {
    const auto [least, greatest] = std::minmax_element(output.values().begin(), output.values().end());
    constexpr float rounding = 0.01F;
    const bool is_colour = *least >= -rounding && *greatest <= 1.0F + rounding && *greatest > 0.1F;
    const float most = std::max({std::abs(*least), std::abs(*greatest), 1e-30F});
    OutputColours colours{{}, "the colours, averaged by α"};
    if (!is_colour)
        colours.note = "y as a colour: grey is 0, ends ±" + significant(static_cast<double>(most));
    const auto cells = static_cast<std::size_t>(output.extent(0));
    colours.planes.resize(3 * cells);
    for (std::size_t i = 0; i < cells; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            const float value = output.values()[3 * i + c];
            colours.planes[c * cells + i] = is_colour ? value : 0.5F + 0.5F * value / most;
        }
    return colours;
}

/// The first channel of an output that is no colour.
std::vector<float> first_channel(const Array& output) {
    const auto step = static_cast<std::size_t>(output.extent(1));
    std::vector<float> channel;
    for (std::size_t at = 0; at < output.values().size(); at += step) channel.push_back(output.values()[at]);
    return channel;
}

void draw_output(Stage& stage, const Panel& panel) {
    const Array& output = *stage.page.result.trace.output;
    const Grid grid = stage.page.result.trace.queries;
    const double opacity = stage.opacity("multiply");
    const Point under{panel.rect.x, panel.rect.bottom() + under_panel};
    if (output.extent(1) == 3) {
        const OutputColours colours = colours_of(output);
        const auto zoom = std::max<Index>(1, std::llround(panel.cell_width() * stage.canvas.resolution()));
        stage.canvas.image(panel.rect, cell_picture(stage.page, "y", colours.planes, grid, zoom), opacity);
        const Theme& theme = stage.page.theme;
        stage.canvas.text({under.x, under.y + cap_height(Type::label)},
                          stage.canvas.fonts().fit(colours.note, Type::label, panel.rect.width),
                          {Type::label, opacity < 1.0 ? faded(theme, theme.muted) : theme.muted});
        return;
    }
    const HeatMap map = heat_map(stage.page, "y", first_channel(output), grid.width, stage.scores());
    stage.canvas.heat_map(panel.rect, map, opacity);
    const std::string note = "channel 0 of " + std::to_string(output.extent(1));
    stage.bar_under(panel.rect, "multiply", map, note);
}

/// The query where it lies, and the key pointed at.
void mark(Stage& stage, const Panel& queries, const Panel& keys, bool output) {
    const Theme& theme = stage.page.theme;
    if (!output || stage.reading.self) frame(stage.canvas, theme, keys.cell(stage.reading.key), theme.ink);
    if (stage.page.result.trace.queries.height > 1)
        frame(stage.canvas, theme, queries.cell(stage.reading.query), theme.query);
}

}  // namespace

Colouring Stage::weights() const {
    return weight_shades(page, scale);
}

void Stage::bar_under(Rect panel, std::string_view name, const HeatMap& map, std::string_view middle) const {
    colour_bar(canvas, page, {panel.x, panel.bottom() + under_panel}, panel.width, map, middle,
               opacity(name));
}

double picture_panels(Stage& stage, Rect room) {
    const Trace& trace = stage.page.result.trace;
    const Reading& reading = stage.reading;
    const bool on_picture = trace.queries.height > 1;
    const Grid grid = on_picture ? trace.queries : trace.keys;
    const double column = (room.width - 2 * gutter) / 3;
    const double below = colour_bar_height + under_panel;
    Panel queries = square_cells(
        stage.canvas, {room.x, room.y + caption_height, column, room.height - caption_height - below},
        grid.height, grid.width);
    const double gap = std::min((room.width - 3 * queries.rect.width) / 2, widest_gap(queries.rect.width));
    const std::string of_query = std::to_string(reading.query);
    const std::array names = {"score", "squash", "multiply"};
    const std::array formulas = {&stage.formulas.score, &stage.formulas.squash, &stage.formulas.multiply};
    for (std::size_t i = 0; i < names.size(); ++i) {
        queries.rect.x = stage.canvas.snap(room.x + static_cast<double>(i) * (queries.rect.width + gap));
        const Panel keys = on_picture ? keys_panel(queries, trace.keys) : queries;
        caption(stage.canvas, stage.page.theme, queries.rect.x, queries.rect.right(), room.y,
                {names[i], *formulas[i], !stage.lit(names[i]), i < 2 ? gap - 12.0 : 0.0});
        stage.canvas.fill(queries.rect, stage.page.theme.unseen);
        if (i == 2 && on_picture) {
            draw_output(stage, queries);
        } else if (i < 2) {
            const HeatMap map =
                i == 0 ? heat_map(stage.page, "scores of " + of_query, reading.scores, trace.keys.width,
                                  stage.scores(), reading.allowed)
                       : heat_map(stage.page, "weights of " + of_query, reading.weights, trace.keys.width,
                                  stage.weights(), reading.allowed, trace.keys.size());
            stage.canvas.heat_map(keys.rect, map, stage.opacity(names[i]));
            stage.bar_under(queries.rect, names[i], map, i == 0 ? "" : name_of(map.colouring.scale));
        }
        mark(stage, queries, keys, i == 2);
        const bool keys_only = i < 2 && !reading.self;
        stage.hits.push_back({.area = keys_only ? keys.rect : queries.rect,
                              .rows = keys_only ? keys.rows : queries.rows,
                              .columns = keys_only ? keys.columns : queries.columns,
                              .role = reading.self ? Hit::Role::pieces
                                      : keys_only  ? Hit::Role::keys
                                                   : Hit::Role::queries});
    }
    return queries.rect.bottom() + below;
}

}  // namespace attn
