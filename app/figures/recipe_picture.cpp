#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {
namespace {

/// One of the pictures in a row.
struct Place {
    std::string_view step;
    std::string_view name;
    std::string formula;
    Panel whole;  ///< the picture
    Panel keys;   ///< its keys: larger cells where they are pooled
    double slack = 0.0;
};

/// The grid that the pictures share: the queries', or the keys' where no query lies on the picture.
Grid shared_grid(const Trace& trace) {
    return trace.queries.height > 1 ? trace.queries : trace.keys;
}

std::string channel_note(const Stage& stage, const Planes& planes, Index channel) {
    if (planes.channels == 1) return "";
    const auto& names = stage.page.result.channel_names;
    const auto at = static_cast<std::size_t>(channel);
    std::string note = "channel " + std::to_string(channel + 1) + " of " + std::to_string(planes.channels);
    if (static_cast<Index>(names.size()) == planes.channels && !stage.page.scene.input.arrays())
        note += ", " + names[at];
    return note;
}

std::string colours_note(const Colours& colours, std::string_view genuine) {
    if (colours.genuine) return std::string(genuine);
    return "grey is 0, ends ±" + significant(static_cast<double>(colours.most));
}

/// One channel of what is gated and of what comes out have one range.
Colouring shared_colouring(const Stage& stage, const std::vector<float>& values) {
    const Range range = range_of(values);
    if (range.low < 0.0) {
        Colouring about_zero = stage.scores();
        const double most = std::max(-range.low, range.high);
        about_zero.range = {.kind = Range::Kind::fixed, .low = -most, .high = most};
        return about_zero;
    }
    Colouring colouring = weight_colouring(stage.page.theme);
    colouring.range = range;
    return colouring;
}

/// What gates multiply, and what comes of it, side by side.
void draw_gated(Stage& stage, const Place& input, const Place& output) {
    const Trace& trace = stage.page.result.trace;
    const Planes before = planes_of(*trace.gated);
    const Planes after = planes_of(*trace.output);
    if (as_colours(stage, before) && after.channels == 3) {
        const Colours colours = colours_of({&before, &after});
        draw_colours(stage, input.whole, "x", "multiply", before, colours);
        draw_colours(stage, output.whole, "y", "multiply", after, colours);
        stage.note_under(input.whole.rect, "multiply", colours_note(colours, ""));
        return;
    }
    const Index channel = shown_channel(stage, before);
    std::vector<float> values = before.channel(channel);
    const std::vector<float> results = after.channel(channel);
    std::vector<float> both = values;
    both.insert(both.end(), results.begin(), results.end());
    const Colouring colouring = shared_colouring(stage, both);
    const std::string name = std::to_string(channel);
    const HeatMap first = heat_map(stage.page, "x" + name, values, before.grid.width, colouring);
    const HeatMap second = heat_map(stage.page, "y" + name, results, after.grid.width, colouring);
    stage.canvas.heat_map(input.whole.rect, first, stage.opacity("multiply"));
    stage.canvas.heat_map(output.whole.rect, second, stage.opacity("multiply"));
    stage.bar_under(input.whole.rect, "multiply", first, channel_note(stage, before, channel));
    stage.bar_under(output.whole.rect, "multiply", second);
}

/// A query that lies nowhere on the picture gets one row of features.
void draw_vector(Stage& stage, const Place& place) {
    const Array& output = *stage.page.result.trace.output;
    const auto columns = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(output.size()))));
    const HeatMap map = heat_map(stage.page, "y", output.values(), output.size(), stage.scores());
    const Panel cells = cells_of(stage.canvas, {place.whole.rect.x, place.whole.rect.y},
                                 {place.whole.rect.width / static_cast<double>(columns),
                                  place.whole.rect.width / static_cast<double>(columns)},
                                 (output.size() + columns - 1) / columns, columns);
    for (std::size_t i = 0; i < output.values().size(); ++i) {
        const Rect cell = cells.cell(static_cast<Index>(i)).inset(0.5);
        const Colour colour =
            mix(stage.page.theme.ground,
                colour_of(map.cells->position[i], map.cells->classes[i], *map.cells, map.colouring),
                stage.opacity("multiply"));
        stage.canvas.fill(cell, colour);
        const std::string number = significant(static_cast<double>(output.values()[i]));
        if (stage.canvas.text_width(number, Type::caption) < cell.width - 4.0)
            stage.canvas.text({cell.centre().x, middle_baseline(cell.y, cell.height, Type::caption)}, number,
                              {Type::caption, readable_on(colour), Align::centre});
    }
    stage.bar_under(place.whole.rect, "multiply", map, std::to_string(output.size()) + " features");
}

/// Words that ask the picture: a row of features for each.
void draw_rows(Stage& stage, const Place& place) {
    const Trace& trace = stage.page.result.trace;
    const Array& output = *trace.output;
    const Panel rows{place.whole.rect, trace.queries.size(), 1};
    const HeatMap map = heat_map(stage.page, "y", output.values(), output.extent(1), stage.scores());
    stage.canvas.heat_map(rows.rect, map, stage.opacity("multiply"));
    frame(stage.canvas, stage.page.theme, rows.row(stage.reading.query), stage.page.theme.query);
    stage.bar_under(rows.rect, "multiply", map,
                    std::to_string(rows.rows) + " words × " + std::to_string(output.extent(1)));
}

void draw_output(Stage& stage, const Place& place) {
    const Trace& trace = stage.page.result.trace;
    if (trace.queries.size() == 1) return draw_vector(stage, place);
    if (trace.queries.height == 1 && trace.keys.height > 1) return draw_rows(stage, place);
    const Planes planes = planes_of(stage, *trace.output, trace.queries);
    if (as_colours(stage, planes)) {
        const Colours colours = colours_of({&planes});
        draw_colours(stage, place.whole, "y", "multiply", planes, colours);
        stage.note_under(place.whole.rect, "multiply", colours_note(colours, "the colours, averaged by α"));
        return;
    }
    const HeatMap map = heat_map(stage.page, "y", planes.channel(0), planes.grid.width, stage.scores());
    stage.canvas.heat_map(place.whole.rect, map, stage.opacity("multiply"));
    stage.bar_under(place.whole.rect, "multiply", map, channel_note(stage, planes, 0));
}

void draw_row(Stage& stage, const Place& place, bool weights) {
    const Trace& trace = stage.page.result.trace;
    const Reading& reading = stage.reading;
    const std::string name = (weights ? "weights of " : "scores of ") + std::to_string(reading.query);
    const HeatMap map =
        heat_map(stage.page, name, weights ? reading.weights : reading.scores, trace.keys.width,
                 weights ? stage.weights() : stage.scores_of_query(), reading.allowed, reading.seen);
    stage.canvas.heat_map(place.keys.rect, map, stage.opacity(place.step));
    stage.bar_under(place.whole.rect, place.step, map,
                    weights ? name_of(map.colouring.scale) : std::string_view(reading.head_name));
}

/// The query where it lies, and the key pointed at.
void mark(Stage& stage, const Place& place, bool keys) {
    const Theme& theme = stage.page.theme;
    const Trace& trace = stage.page.result.trace;
    if (keys) frame(stage.canvas, theme, place.keys.cell(stage.reading.key), theme.ink);
    if (trace.queries.height > 1)
        frame(stage.canvas, theme, place.whole.cell(stage.reading.query), theme.query);
}

std::vector<Place> places_of(const Stage& stage, Rect room) {
    const Trace& trace = stage.page.result.trace;
    std::vector<Place> places = {{"score", "score", stage.formulas.score, {}, {}},
                                 {"squash", "squash", stage.formulas.squash, {}, {}}};
    if (trace.gated) places.push_back({"multiply", "input", gated_symbol(stage.page), {}, {}});
    places.push_back({"multiply", "multiply", stage.formulas.multiply, {}, {}});

    const Grid grid = shared_grid(trace);
    const auto count = static_cast<double>(places.size());
    const double height = room.height - caption_height - colour_bar_height - under_panel;
    Panel panel = square_cells(
        stage.canvas, {room.x, room.y + caption_height, (room.width - (count - 1) * gutter) / count, height},
        grid.height, grid.width);
    const double across = panel.rect.width;
    const double gap = std::min((room.width - count * across) / (count - 1), widest_gap(across));
    for (std::size_t i = 0; i < places.size(); ++i) {
        panel.rect.x = stage.canvas.snap(room.x + static_cast<double>(i) * (across + gap));
        places[i].whole = panel;
        places[i].keys = trace.queries.height > 1 ? keys_panel(panel, trace.keys) : panel;
        places[i].slack = i + 1 < places.size() ? gap - 12.0 : room.right() - panel.rect.right();
    }
    return places;
}

}  // namespace

Colouring Stage::weights() const {
    return weight_shades(page, scale);
}

Colouring Stage::scores_of_query() const {
    Colouring colouring = scores();
    const std::vector<std::span<const float>> addends = addends_of(page, reading);
    if (addends.empty()) return colouring;
    double most = 0.0;
    const auto widen = [&](std::span<const float> row) {
        for (std::size_t k = 0; k < row.size(); ++k)
            if (std::isfinite(row[k]) && (reading.allowed.empty() || reading.allowed[k] != 0.0F))
                most = std::max(most, static_cast<double>(std::abs(row[k])));
    };
    widen(reading.scores);
    for (const auto& row : addends) widen(row);
    if (most > 0.0) colouring.range = {.kind = Range::Kind::fixed, .low = -most, .high = most};
    return colouring;
}

void Stage::bar_under(Rect panel, std::string_view name, const HeatMap& map, std::string_view middle) const {
    colour_bar(canvas, page, {panel.x, panel.bottom() + under_panel}, panel.width, map, middle,
               opacity(name));
}

void Stage::note_under(Rect panel, std::string_view name, std::string_view note) const {
    canvas.text({panel.x, panel.bottom() + under_panel + cap_height(Type::label)},
                canvas.fonts().fit(note, Type::label, panel.width),
                {Type::label, lit(name) ? page.theme.muted : faded(page.theme, page.theme.muted)});
}

double useful_height(const Stage& stage, double width) {
    const Trace& trace = stage.page.result.trace;
    if (stage.reading.layout == Layout::words) return 1e6;  // rows of words take what there is
    const double columns = stage.reading.layout == Layout::picture && trace.gated ? 4.0 : 3.0;
    const Grid grid = shared_grid(trace);
    const double aspect = stage.reading.layout == Layout::picture
                              ? static_cast<double>(grid.height) / static_cast<double>(grid.width)
                              : 1.0;
    return (width - (columns - 1) * gutter) / columns * aspect + caption_height + under_panel +
           colour_bar_height;
}

double picture_panels(Stage& stage, Rect room) {
    const Trace& trace = stage.page.result.trace;
    const std::vector<Place> places = places_of(stage, room);
    for (const Place& place : places) {
        caption(stage.canvas, stage.page.theme, place.whole.rect.x, place.whole.rect.right(), room.y,
                {place.name, place.formula, !stage.lit(place.step), place.slack});
        if (place.step != "multiply") stage.canvas.fill(place.whole.rect, stage.page.theme.unseen);
    }
    draw_row(stage, places[0], false);
    draw_row(stage, places[1], true);
    if (trace.gated)
        draw_gated(stage, places[2], places[3]);
    else
        draw_output(stage, places[2]);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& place = places[i];
        const bool of_keys = i < 2 || trace.gated != nullptr;
        if (!of_keys && trace.queries.size() == 1) continue;  // a vector
        mark(stage, place, of_keys || stage.reading.self);
        const Panel& cells = of_keys ? place.keys : place.whole;
        stage.hits.push_back(
            {.area = cells.rect,
             .rows = cells.rows,
             .columns = cells.columns,
             .role = of_keys || stage.reading.self ? stage.keys_role() : Hit::Role::queries});
    }
    return places.front().whole.rect.bottom() + under_panel + colour_bar_height;
}

}  // namespace attn
