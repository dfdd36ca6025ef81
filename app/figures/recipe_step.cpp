#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/figures/bars.h"
#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_steps.h"

namespace attn {
namespace {

/// Told apart by hue on light and dark grounds; none is the query's.
constexpr std::array cluster_colours = {rgb(0x3B7DB8), rgb(0x5FA052), rgb(0x9367B0), rgb(0x2BA3A0),
                                        rgb(0xB79A2E), rgb(0x7A7F88), rgb(0xB0688C), rgb(0x5867C9)};

double ratio(Index width, Index height) {
    return static_cast<double>(width) / static_cast<double>(std::max<Index>(height, 1));
}

/// About zero where some are negative, else from the least to the greatest; all the same is low.
Colouring shades(const Stage& stage, Range range) {
    if (range.low < 0.0) return stage.scores();
    Colouring colouring = weight_colouring(stage.page.theme);
    if (range.low == range.high) range.high = range.low + 1.0;
    colouring.range = range;
    return colouring;
}

/// The channel of [C, H, W] that varies most.
Index widest_channel(const Array& map) {
    const auto cells = static_cast<std::size_t>(map.extent(-2) * map.extent(-1));
    Index widest = 0;
    double most = -1.0;
    for (std::size_t begin = 0; begin < map.values().size(); begin += cells) {
        const Range range = range_of(map.values().subspan(begin, cells));
        if (range.high - range.low <= most) continue;
        most = range.high - range.low;
        widest = static_cast<Index>(begin / cells);
    }
    return widest;
}

/// Part of the keys' grid.
struct Window {
    Index row = 0, column = 0;
    Grid size;
};

/// The keys that the query sees and itself, where they lie close together; else all.
Window window_of(const Stage& stage) {
    const Trace& trace = stage.page.result.trace;
    const Grid keys = trace.keys;
    const Window all{0, 0, keys};
    if (stage.reading.allowed.empty() || trace.queries != keys) return all;
    Index top = stage.reading.query / keys.width;
    Index left = stage.reading.query % keys.width;
    Index bottom = top;
    Index right = left;
    for (Index k = 0; k < keys.size(); ++k) {
        if (stage.reading.allowed[static_cast<std::size_t>(k)] == 0.0F) continue;
        top = std::min(top, k / keys.width);
        bottom = std::max(bottom, k / keys.width);
        left = std::min(left, k % keys.width);
        right = std::max(right, k % keys.width);
    }
    const Window close{top, left, {bottom - top + 1, right - left + 1}};
    return 2 * close.size.height <= keys.height && 2 * close.size.width <= keys.width ? close : all;
}

/// The grid of a query's row as it is drawn.
Grid row_grid(const Stage& stage) {
    const Trace& trace = stage.page.result.trace;
    if (trace.queries.height == 1) return trace.keys;
    return trace.queries == trace.keys ? window_of(stage).size : trace.queries;
}

/// One step in its place: `picture` is as wide and high as its shape asks for.
struct StepPicture {
    Stage& stage;
    const Step& step;
    Rect picture;
    double narrowest;

    [[nodiscard]] const Trace& trace() const { return stage.page.result.trace; }
    [[nodiscard]] const Theme& theme() const { return stage.page.theme; }
    [[nodiscard]] bool on_picture() const { return stage.reading.layout == Layout::picture; }
    [[nodiscard]] std::string name() const { return "step " + step.id; }
    [[nodiscard]] std::string_view part() const { return part_of(step); }

    void hit(const Panel& cells, Hit::Role role) const {
        stage.hits.push_back(
            {.area = cells.rect, .rows = cells.rows, .columns = cells.columns, .role = role});
    }
    /// Under what was drawn, as wide as it; the ends need some room.
    void bar(const Panel& drawn, const HeatMap& map, std::string_view middle = {}) const {
        const double across = std::max(drawn.rect.width, std::min(narrowest, picture.width));
        stage.bar_under({drawn.rect.x, drawn.rect.y, across, drawn.rect.height}, part(), map, middle);
    }
    /// Whole pixels leave some of the picture's height: all stand on its lower edge.
    [[nodiscard]] Panel grounded(Panel panel) const {
        panel.rect.y = stage.canvas.snap(picture.bottom() - panel.rect.height);
        return panel;
    }
    [[nodiscard]] Panel map_panel(Grid grid) const {
        const double cell = std::min(picture.width / static_cast<double>(grid.width),
                                     picture.height / static_cast<double>(grid.height));
        constexpr double few = 5.0;  // pixels: whole ones would lose much of the picture
        if (cell * stage.canvas.resolution() >= few)
            return grounded(square_cells(stage.canvas, picture, grid.height, grid.width));
        return grounded({{picture.x, picture.y, stage.canvas.snap(cell * static_cast<double>(grid.width)),
                          stage.canvas.snap(cell * static_cast<double>(grid.height))},
                         grid.height,
                         grid.width});
    }

    void draw() const {
        switch (step.shape) {
            case Step::Shape::pairs:
                return on_picture() ? draw_row() : draw_pairs();
            case Step::Shape::queries:
                return draw_pieces(stage.reading.query, theme().query, Hit::Role::queries);
            case Step::Shape::keys:
                return draw_pieces(
                    stage.reading.key, theme().ink,
                    stage.reading.layout == Layout::channels ? Hit::Role::channels : Hit::Role::keys);
            case Step::Shape::clusters:
                return draw_clusters();
            case Step::Shape::positions:
                return draw_positions();
            case Step::Shape::numbers:
                return draw_numbers();
        }
    }

    /// The query's row over the picture's cells.
    void draw_row() const {
        const Map& map = map_of(stage.page, step);
        const Index row = row_of(stage.reading, map);
        const Window window = window_of(stage);
        std::vector<float> values;
        std::vector<float> allowed;
        std::vector<Index> order;
        for (Index y = window.row; y < window.row + window.size.height; ++y)
            for (Index x = window.column; x < window.column + window.size.width; ++x) {
                const auto key = static_cast<std::size_t>(order.emplace_back(y * trace().keys.width + x));
                values.push_back(map.row(row)[key]);
                if (!stage.reading.allowed.empty()) allowed.push_back(stage.reading.allowed[key]);
            }
        const Grid grid = row_grid(stage);
        const Panel whole = map_panel(grid);
        const Panel keys = trace().queries.height > 1 ? keys_panel(whole, window.size) : whole;
        stage.canvas.fill(whole.rect, theme().unseen);
        const Colouring colouring =
            step.part == Step::Part::addend ? stage.scores_of_query() : shades(stage, range_of(values));
        const HeatMap cells = heat_map(stage.page, name() + " of " + std::to_string(row), values,
                                       window.size.width, colouring, allowed);
        stage.canvas.heat_map(keys.rect, cells, stage.opacity(part()));
        const auto mark = [&](const Panel& panel, Index piece, Colour colour) {
            const auto at = std::ranges::find(order, piece);
            if (at != order.end()) frame(stage.canvas, theme(), panel.cell(at - order.begin()), colour);
        };
        mark(keys, stage.reading.key, theme().ink);
        if (trace().queries == trace().keys)
            mark(keys, stage.reading.query, theme().query);
        else if (trace().queries.height > 1)
            frame(stage.canvas, theme(), whole.cell(stage.reading.query), theme().query);
        stage.hits.push_back({.area = keys.rect,
                              .rows = keys.rows,
                              .columns = keys.columns,
                              .role = stage.keys_role(),
                              .order = order});
        const bool part = window.size != trace().keys;
        bar(keys, cells, part ? std::to_string(grid.height) + "×" + std::to_string(grid.width) : "");
    }

    /// The whole picture: many features in whole pixels would leave much of it empty.
    [[nodiscard]] Panel matrix_panel(const Map& map) const {
        const auto edge = [&](double at) { return stage.canvas.snap(at); };
        const Rect whole{edge(picture.x), edge(picture.y), edge(picture.right()) - edge(picture.x),
                         edge(picture.bottom()) - edge(picture.y)};
        return {whole, map.rows(), map.columns()};
    }

    /// The matrix; among masked pairs 0 means that a part of the pattern has no such pair.
    void draw_pairs() const {
        const Map& map = map_of(stage.page, step);
        const Panel panel = matrix_panel(map);
        const auto [range, flags] = facts_of(stage.page, name(), map);
        Colouring colouring = shades(stage, range);
        if (flags) colouring.range.high = 2.0;
        const bool parts = flags || (!trace().allowed.empty() && colouring.range.low >= 0.0);
        const HeatMap cells = heat_map(stage.canvas, stage.page, name(), map,
                                       {panel.rect.width, panel.rect.height}, colouring, parts ? map : Map());
        stage.canvas.heat_map(panel.rect, cells, stage.opacity(part()));
        const bool asks = trace().queries.size() > 1;
        const Index row = row_of(stage.reading, map);
        frame(stage.canvas, theme(), panel.row(row), asks ? theme().query : theme().ink);
        if (asks) {
            frame(stage.canvas, theme(), panel.cell(stage.reading.shown, stage.reading.key), theme().ink);
            hit(panel, Hit::Role::pairs);
        }
        if (flags)
            stage.note_under(picture, part(), "filled: 1");
        else
            bar(panel, cells);
    }

    /// A row of features for each piece, or the one piece's map where its features are positions.
    void draw_pieces(Index row, Colour colour, Hit::Role role) const {
        const Map map = of_head(stage, map_of(stage.page, step), step.maps.size());
        if (const auto grid = grid_of_rows(stage); grid && map.columns() == grid->size()) {
            const HeatMap cells = heat_map(stage.page, name() + " of " + std::to_string(row), map.row(row),
                                           grid->width, shades(stage, range_of(map.row(row))));
            const Panel panel = map_panel(*grid);
            stage.canvas.heat_map(panel.rect, cells, stage.opacity(part()));
            stage.canvas.rect(panel.rect, {colour, 1.5});
            return bar(panel, cells, name_of(stage.page, stage.reading, row, role == Hit::Role::queries));
        }
        const Panel panel = matrix_panel(map);
        const HeatMap cells =
            heat_map(stage.canvas, stage.page, name(), map, {panel.rect.width, panel.rect.height},
                     shades(stage, facts_of(stage.page, name(), map).range));
        stage.canvas.heat_map(panel.rect, cells, stage.opacity(part()));
        if (map.rows() > 1 && row < map.rows()) frame(stage.canvas, theme(), panel.row(row), colour);
        if (!on_picture()) hit({panel.rect, map.rows(), 1}, role);
        if (map.columns() == 1)
            bar(panel, cells,
                "here " + significant(static_cast<double>(map.at(std::min(row, map.rows() - 1), 0))));
        else
            bar(panel, cells, std::to_string(map.columns()) + " features");
    }

    void draw_clusters() const {
        const Map& map = map_of(stage.page, step);
        const Panel panel = matrix_panel(map);
        stage.canvas.fill(panel.rect, theme().unseen);
        for (Index r = 0; r < map.rows(); ++r)
            for (Index c = 0; c < map.columns(); ++c)
                if (map.at(r, c) != 0.0F)
                    stage.canvas.fill(
                        panel.cell(r, c),
                        mix(theme().ground,
                            cluster_colours[static_cast<std::size_t>(c) % cluster_colours.size()],
                            stage.opacity(part())));
        frame(stage.canvas, theme(), panel.row(stage.reading.query), theme().query);
        hit({panel.rect, map.rows(), 1}, Hit::Role::queries);
        stage.note_under(picture, part(), std::to_string(map.columns()) + " clusters");
    }

    /// The channel that the page is about, else one that shows something.
    [[nodiscard]] Index channel_of(const Planes& planes) const {
        const Array& output = *trace().output;
        const bool as_output = output.rank() == 2 && output.extent(1) == planes.channels;
        if (as_output || stage.page.result.mechanism->mixed) return shown_channel(stage, planes);
        const bool linked =
            stage.reading.layout == Layout::channels && planes.channels == trace().keys.size();
        return linked ? stage.reading.key : widest_channel(*step.array);
    }

    void draw_positions() const {
        const Planes planes = planes_of(*step.array);
        const Panel panel = map_panel(planes.grid);
        if (as_colours(stage, planes)) {
            const Colours colours = colours_of({&planes});
            draw_colours(stage, panel, name(), part(), planes, colours);
            stage.note_under(
                picture, part(),
                colours.genuine ? "colours" : "grey 0, ±" + significant(static_cast<double>(colours.most)));
        } else {
            const Index channel = channel_of(planes);
            const std::vector<float> values = planes.channel(channel);
            const HeatMap map = heat_map(stage.page, name() + " channel " + std::to_string(channel), values,
                                         planes.grid.width, shades(stage, range_of(values)));
            stage.canvas.heat_map(panel.rect, map, stage.opacity(part()));
            bar(panel, map,
                planes.channels == 1
                    ? ""
                    : std::to_string(channel + 1) + " of " + std::to_string(planes.channels));
        }
        mark_positions(panel, planes.grid);
    }

    /// Query and key on a map of the same grid.
    void mark_positions(const Panel& panel, Grid grid) const {
        if (!on_picture()) return;
        const bool of_queries = grid == trace().queries && trace().queries.height > 1;
        const bool of_keys = grid == trace().keys;
        if (of_keys) frame(stage.canvas, theme(), panel.cell(stage.reading.key), theme().ink);
        if (of_queries) frame(stage.canvas, theme(), panel.cell(stage.reading.query), theme().query);
        if (of_keys)
            hit(panel, stage.keys_role());
        else if (of_queries)
            hit(panel, Hit::Role::queries);
    }

    void draw_numbers() const {
        const std::span<const float> values = step.array->values();
        const auto& names = stage.page.result.channel_names;
        const bool of_channels = values.size() == names.size();
        const bool linked = of_channels && stage.reading.layout == Layout::channels;
        Bars bars{.values = values, .order = std::vector<Index>(values.size())};
        std::iota(bars.order.begin(), bars.order.end(), Index{0});
        if (linked) bars.lit = stage.reading.key;
        if (of_channels && stage.page.result.mechanism->mixed)
            bars.lit = static_cast<Index>(shown_head(stage.page));
        bars.faded = !stage.lit(part());
        const DrawnBars drawn = draw_bars(stage.canvas, theme(), picture, bars);
        if (linked) hit(drawn.cells, Hit::Role::channels);
        const Range range = range_of(values);
        stage.note_under(picture, part(),
                         values.size() == 1 ? significant(range.low)
                                            : significant(range.low) + " … " + significant(range.high));
    }
};

}  // namespace

std::string_view part_of(const Step& step) {
    return step.part == Step::Part::factor ? "squash" : "score";
}

double aspect_of(const Stage& stage, const Step& step) {
    constexpr double least = 0.5;
    constexpr double most = 1.5;
    switch (step.shape) {
        case Step::Shape::positions:
            return ratio(step.array->extent(-1), step.array->extent(-2));
        case Step::Shape::numbers:
            return std::clamp(0.12 * static_cast<double>(step.array->size()), least, most);
        default:
            break;
    }
    const Map map = of_head(stage, map_of(stage.page, step), step.maps.size());
    const auto grid = grid_of_rows(stage);
    if (step.shape != Step::Shape::pairs && grid && map.columns() == grid->size())
        return ratio(grid->width, grid->height);
    if (step.shape == Step::Shape::pairs && stage.reading.layout == Layout::picture) {
        const Grid shown = row_grid(stage);
        return ratio(shown.width, shown.height);
    }
    return std::clamp(ratio(map.columns(), map.rows()), least, most);
}

void draw_step(Stage& stage, const Step& step, Rect picture, double narrowest) {
    StepPicture{stage, step, picture, narrowest}.draw();
}

}  // namespace attn
