#include <algorithm>
#include <cmath>

#include "app/figures/alignment_marks.h"
#include "app/figures/equation.h"
#include "app/figures/format.h"
#include "app/figures/head_strip.h"
#include "app/figures/heat.h"
#include "app/figures/kinds.h"
#include "app/figures/labels.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"
#include "app/figures/view.h"

namespace attn {
namespace {

constexpr double section_gap = 20.0;
constexpr double largest_cell = 72.0;
constexpr double sums_width = 96.0;   ///< two columns of numbers at the right of the matrix
constexpr double least_row = 13.0;    ///< of a key's name
constexpr double share_width = 40.0;  ///< percentages at the right of the keys

std::vector<Parameter> make_knobs() {
    Parameter mass;
    mass.id = "mass";
    mass.label = "mass drawn";
    mass.help = "lines to the heaviest keys until this share of the row is drawn";
    mass.kind = Parameter::Kind::real;
    mass.group = Parameter::Group::view;
    mass.initial = 0.7;
    mass.low = 0.05;
    return {mass, colour_scale_knob("linear")};
}

const std::vector<Parameter>& knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

struct Board {
    Canvas& canvas;
    const Page& page;
    const Reading& reading;
    Knobs view;
    std::vector<Hit> hits{};

    [[nodiscard]] const Result& result() const { return page.result; }
    [[nodiscard]] const Theme& theme() const { return page.theme; }
    [[nodiscard]] Index queries() const { return result().trace.queries.size(); }
    [[nodiscard]] Index keys() const { return result().trace.keys.size(); }
    /// How many keys the query may see.
    [[nodiscard]] Index seen() const { return keys_seen(result().trace, reading.query); }
    [[nodiscard]] bool one_context() const {
        const auto context = page.scene.set.find("context");
        return context != page.scene.set.end() && std::get<std::string>(context->second) == "fixed";
    }
    [[nodiscard]] std::string weights_measure() const {
        if (one_context()) return "all on the last source state";
        if (const std::string how = how_taken(page); !how.empty()) return "● the key taken: " + how;
        return formulas_of(page).squash;
    }
    /// A word in quotes, or what it is and its number.
    [[nodiscard]] std::string query_name() const { return named(reading.query, true); }
    [[nodiscard]] std::string key_name(Index key) const { return named(key, false); }

  private:
    [[nodiscard]] std::string named(Index piece, bool as_query) const {
        const std::string name = name_of(page, reading, piece, as_query);
        const bool word = !(as_query ? result().query_labels : result().key_labels).empty();
        if (word) return "“" + name + "”";
        return (as_query ? "query " : "key ") + name;
    }
};

/// The heaviest keys that together hold the mass asked for.
std::vector<Index> reached(std::span<const float> weights, double mass) {
    std::vector<Index> keys;
    double drawn = 0.0;
    for (const Index key : by_weight(weights)) {
        const auto weight = static_cast<double>(weights[static_cast<std::size_t>(key)]);
        if (drawn >= mass || weight <= 0.0) break;
        drawn += weight;
        keys.push_back(key);
    }
    return keys;
}

// ---- The matrix
// ------------------------------------------------------------------------------------------------

struct MatrixPlace {
    Labels rows, columns;
    Panel panel;
};

/// Cells nearly square: few queries and many keys, or the reverse, still fill the room.
Size cell_size(Size room, Index rows, Index columns) {
    constexpr double stretch = 1.7;
    double across = std::min(room.width / static_cast<double>(columns), largest_cell);
    double down = std::min(room.height / static_cast<double>(rows), largest_cell);
    across = std::min(across, stretch * down);
    down = std::min(down, std::max(stretch * across, 18.0));
    return {std::max(across, 0.25), std::max(down, 0.25)};
}

MatrixPlace place_matrix(const Board& b, Rect room) {
    MatrixPlace place;
    const double height = room.height - caption_height - colour_bar_height - under_panel;
    const double label_room = room.width * 0.3;
    const double guess = height / static_cast<double>(b.queries());
    place.rows = row_labels(b.canvas, b.result().query_labels, b.queries(), guess, label_room);
    const double width = room.width - place.rows.depth - sums_width;
    Size cell = cell_size({width, height}, b.queries(), b.keys());
    place.columns = column_labels(b.canvas, b.result().key_labels, b.keys(), cell.width);
    cell = cell_size({width, height - place.columns.depth}, b.queries(), b.keys());
    place.rows = row_labels(b.canvas, b.result().query_labels, b.queries(), cell.height, label_room);
    place.panel =
        cells_of(b.canvas, {room.x + place.rows.depth, room.y + caption_height + place.columns.depth}, cell,
                 b.queries(), b.keys());
    return place;
}

/// Sum and effective number of keys of every row; of the query's alone where the rows are too low for type.
void draw_sums(Board& b, const Panel& panel) {
    const double first = panel.rect.right() + 46.0;
    const double second = panel.rect.right() + sums_width;
    const TextStyle head{Type::label, b.theme().muted, Align::right};
    b.canvas.text({first, panel.rect.y - 5.0}, "Σ α", head);
    b.canvas.text({second, panel.rect.y - 5.0}, "exp H", head);
    for (Index q = 0; q < b.queries(); ++q) {
        const bool own = q == b.reading.query;
        if (panel.cell_height() < least_row && !own) continue;
        const RowFacts row = facts(b.reading.head->weights.row(q));
        const Rect line = panel.row(q);
        const double baseline = middle_baseline(line.y, line.height, Type::label);
        const TextStyle style{Type::label, own ? b.theme().query : b.theme().muted, Align::right};
        b.canvas.text({first, baseline}, significant(row.sum), style);
        b.canvas.text({second, baseline}, row.shares ? significant(row.effective) : "—", style);
    }
}

MatrixPlace draw_matrix(Board& b, Rect room) {
    MatrixPlace place = place_matrix(b, room);
    const Panel& panel = place.panel;
    const Colouring colouring = weight_shades(b.page, colour_scale(b.view));
    caption(b.canvas, b.theme(), room.x, panel.rect.right() + sums_width, room.y,
            {"weights, a row for each query", b.weights_measure()});
    draw_row_labels(b.canvas, b.theme(), panel, place.rows,
                    {.accent = b.reading.query, .strong = {b.reading.shown}});
    Lit column_lit;
    if (b.page.focus.key) column_lit.strong.push_back(b.reading.key);
    draw_column_labels(b.canvas, b.theme(), panel, place.columns, column_lit);
    const HeatMap map = heat_map(b.canvas, b.page, "matrix", b.reading.head->weights,
                                 {panel.rect.width, panel.rect.height}, colouring, b.result().trace.allowed);
    b.canvas.heat_map(panel.rect, map);
    draw_sums(b, panel);
    draw_predicted(b.canvas, b.page, panel, b.reading.query);
    const std::vector<Index>& taken = b.result().trace.picked;
    for (std::size_t q = 0; q < taken.size(); ++q)
        dot(b.canvas, b.theme(), panel.cell(static_cast<Index>(q), taken[q]), b.theme().ink);
    frame(b.canvas, b.theme(), panel.row(b.reading.query), b.theme().query);
    if (b.page.focus.key || b.page.focus.query)
        frame(b.canvas, b.theme(), panel.cell(b.reading.shown, b.reading.key), b.theme().ink);
    colour_bar(b.canvas, b.page, {panel.rect.x, panel.rect.bottom() + under_panel}, panel.rect.width, map,
               name_of(colouring.scale));
    b.hits.push_back(
        {.area = panel.rect, .rows = b.queries(), .columns = b.keys(), .role = Hit::Role::pairs});
    return place;
}

// ---- The lines
// -------------------------------------------------------------------------------------------------

void draw_threads(Board& b, const Panel& from, const Panel& to, const std::vector<Index>& keys) {
    const auto weight_of = [&](Index key) {
        return static_cast<double>(b.reading.weights[static_cast<std::size_t>(key)]);
    };
    const Point start{from.rect.x + 3.0, from.row(b.reading.query).centre().y};
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {  // the heaviest on top
        const double share = weight_of(*key) / weight_of(keys.front());
        Colour colour = b.theme().query;
        colour.a = static_cast<std::uint8_t>(std::lround(70.0 + 185.0 * share));
        b.canvas.line(start, {to.rect.x - 3.0, to.row(*key).centre().y}, {colour, 0.75 + 4.0 * share});
    }
    std::vector<double> written;
    for (const Index key : keys) {
        const Rect row = to.row(key);
        const auto touches = [&](double y) { return std::abs(y - row.y) < least_row - 1.0; };
        if (std::any_of(written.begin(), written.end(), touches)) continue;
        written.push_back(row.y);
        const double weight = weight_of(key);
        b.canvas.text({to.rect.right() + share_width, middle_baseline(row.y, row.height, Type::label)},
                      percent(weight, weight < 0.0995 ? 1 : 0), {Type::label, b.theme().query, Align::right});
    }
}

/// Key names, with their numbers where the matrix has room for numbers only.
std::vector<std::string> key_names(const Board& b, bool numbered) {
    std::vector<std::string> names = b.result().key_labels;
    for (std::size_t i = 0; numbered && i < names.size(); ++i) names[i].insert(0, std::to_string(i) + "  ");
    return names;
}

/// The keys that lines lead to: the one that is taken, or the heaviest.
std::vector<Index> threads_of(const Board& b) {
    const std::vector<Index>& picked = b.result().trace.picked;
    if (!picked.empty()) return {picked[static_cast<std::size_t>(b.reading.query)]};
    return reached(b.reading.weights, b.view.real("mass"));
}

/// "73 % of its mass in 3 keys".
std::string mass_text(const Board& b, const std::vector<Index>& keys) {
    if (b.reading.blind) return "sees no key";
    if (!b.result().trace.picked.empty()) return "takes " + b.key_name(keys.front()) + " alone";
    double drawn = 0.0;
    for (const Index key : keys)
        drawn += static_cast<double>(b.reading.weights[static_cast<std::size_t>(key)]);
    const double sum = facts(b.reading.weights).sum;
    return percent(sum > 0.0 ? drawn / sum : 0.0, 0) + " of its mass in " + std::to_string(keys.size()) +
           (keys.size() == 1 ? " key" : " keys");
}

void draw_lines(Board& b, Rect room, const MatrixPlace& place) {
    const Panel& matrix = place.panel;
    const std::vector<Index> keys = threads_of(b);
    caption(b.canvas, b.theme(), room.x, room.right(), room.y, {b.query_name(), mass_text(b, keys)});
    // Queries stand where their rows do; keys share that height, or take more where they need it.
    const double needed = least_row * static_cast<double>(b.keys());
    const double height = std::min(std::max(matrix.rect.height, needed), room.bottom() - matrix.rect.y);
    const double key_row = height / static_cast<double>(b.keys());
    const Labels from =
        row_labels(b.canvas, b.result().query_labels, b.queries(), matrix.cell_height(), room.width * 0.3);
    const Labels to =
        row_labels(b.canvas, key_names(b, place.columns.numbers), b.keys(), key_row, room.width * 0.6);
    const Panel asks{{room.x + from.depth, matrix.rect.y, 0.0, matrix.rect.height}, b.queries(), 1};
    const Panel answers{{room.right() - share_width - to.depth, matrix.rect.y, 0.0, height}, b.keys(), 1};
    draw_row_labels(b.canvas, b.theme(), asks, from,
                    {.accent = b.reading.query, .strong = {b.reading.shown}});
    std::vector<Index> strong = keys;
    if (b.page.focus.key) strong.push_back(b.reading.key);
    draw_row_labels_right(b.canvas, b.theme(), answers, to, {.accent = {}, .strong = strong});
    Panel threads = answers;
    threads.rect.width = to.depth;
    draw_threads(b, asks, threads, keys);
    b.hits.push_back({.area = {room.x, asks.rect.y, from.depth, asks.rect.height},
                      .rows = b.queries(),
                      .columns = 1,
                      .role = Hit::Role::queries});
    b.hits.push_back({.area = {answers.rect.x, answers.rect.y, to.depth, answers.rect.height},
                      .rows = b.keys(),
                      .columns = 1,
                      .role = Hit::Role::keys});
}

std::vector<Tile> row_tiles(const Board& b) {
    const RowFacts row = facts(b.reading.weights);
    std::vector<Tile> all = {{significant(row.largest),
                              "largest weight of " + b.query_name() + ", on " + b.key_name(row.heaviest)}};
    if (row.shares) {
        all.push_back({significant(row.entropy),
                       "entropy H in nats, at most " + significant(std::log(static_cast<double>(b.seen())))});
        all.push_back({significant(row.effective), "effective keys, exp H, of " + std::to_string(b.seen())});
    } else {
        all.push_back({significant(row.sum), "sum of the row"});
    }
    if (const auto place = predicted(b.page, b.reading.query)) {
        const Index half = Knobs(b.result().mechanism->parameters, b.page.scene.set).integer("D");
        all.push_back({significant(*place), "predicted position p, the tick"});
        all.push_back({std::to_string(2 * half + 1) + " of " + std::to_string(b.keys()),
                       "source words scored, 2D + 1"});
    }
    if (!b.result().trace.picked.empty()) {
        const Index key = b.result().trace.picked[static_cast<std::size_t>(b.reading.query)];
        all.push_back({significant(static_cast<double>(b.reading.weights[static_cast<std::size_t>(key)])),
                       "weight of the key taken, " + b.key_name(key)});
    }
    return all;
}

/// Every head's matrix, small.
HeadStrip strip_of(const Board& b, Rect body) {
    const double shape = static_cast<double>(b.keys()) / static_cast<double>(b.queries());
    const auto draw_map = [&b](const Page& page, Rect rect) {
        const Colouring colouring = weight_shades(page, colour_scale(b.view));
        b.canvas.heat_map(rect, heat_map(b.canvas, page, "small", head_choice(page).head->weights,
                                         {rect.width, rect.height}, colouring, page.result.trace.allowed));
    };
    return {b.page, body.width, 0.17 * body.height, std::clamp(shape, 0.6, 1.7), draw_map};
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    Rect body = sheet(canvas, page, blind_warning(page));
    const Reading reading = read(page);
    Board b{canvas, page, reading, Knobs(knobs(), page.scene.set)};
    const HeadStrip strip = strip_of(b, body);
    strip.draw(canvas, {body.x, body.y}, b.hits);
    body.y += strip.height();
    body.height -= strip.height();
    const std::vector<Tile> facts_of_row = row_tiles(b);
    const double tiles_block = tiles_height(canvas, body.width, facts_of_row);
    const Rect main{body.x, body.y, body.width, body.height - tiles_block - section_gap - 8.0};
    // Many keys stand in two columns, and their lines need room beside them.
    const bool many = least_row * static_cast<double>(b.keys()) > main.height - 2 * caption_height;
    const double lines = std::clamp((many ? 0.46 : 0.32) * body.width, 200.0, 420.0);
    constexpr double between = 2 * gutter;
    const MatrixPlace place = draw_matrix(b, {main.x, main.y, main.width - lines - between, main.height});
    const Panel& matrix = place.panel;
    // What the matrix leaves free goes to the lines.
    const double start = std::min(matrix.rect.right() + sums_width + between, main.right() - lines);
    const double width = std::min(main.right() - start, 1.6 * lines);
    draw_lines(b, {start, main.y, width, main.height}, place);
    const double below = matrix.rect.bottom() + under_panel + colour_bar_height + section_gap;
    const double needed = std::min(least_row * static_cast<double>(b.keys()), main.bottom() - matrix.rect.y);
    const double top = std::max(below, matrix.rect.y + needed + section_gap);
    tiles(canvas, page.theme, {body.x, std::min(top, main.bottom() + section_gap), body.width, tiles_block},
          facts_of_row);
    return std::move(b.hits);
}

}  // namespace

Figure alignment_figure() {
    return {.id = "alignment",
            .title = "Alignment",
            .help = "which words each word looks at, as a matrix and as lines",
            .parameters = knobs(),
            .natural = {960.0, 640.0},
            .draw = draw,
            .head_strip = true};
}

}  // namespace attn
