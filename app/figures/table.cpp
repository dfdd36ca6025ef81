#include <algorithm>
#include <array>

#include "app/figures/format.h"
#include "app/figures/heading.h"
#include "app/figures/kinds.h"
#include "app/figures/parts.h"
#include "app/figures/view.h"
#include "core/catalog.h"

namespace attn {
namespace {

constexpr double head_height = 24.0;
constexpr double family_height = 28.0;

constexpr std::array<std::string_view, 3> family_ids = {"sequences", "pixels", "channels"};
constexpr std::array<std::string_view, 3> family_heads = {"SEQUENCES", "PIXELS", "CHANNELS"};

/// What is told of each mechanism, the most telling first.
struct Field {
    std::string_view head;
    std::string_view Teaching::*text;
    double share;  ///< of the width that the names leave
};
constexpr std::array<Field, 5> fields = {{{"what is scored", &Teaching::pieces, 0.85},
                                          {"the score is a function of", &Teaching::depends_on, 1.25},
                                          {"squash", &Teaching::squash, 1.1},
                                          {"multiply", &Teaching::multiply, 1.1},
                                          {"where it sits", &Teaching::sits, 0.9}}};
constexpr std::size_t fewest_fields = 2;

std::vector<Parameter> make_knobs() {
    return {view_choice("family", "mechanisms",
                        "whose table it is; where all have no room, those like the shown",
                        {{"all", "all", "every mechanism"},
                         {"sequences", "sequences", "words are scored"},
                         {"pixels", "pixels", "positions of a picture are scored"},
                         {"channels", "channels", "channels are scored"}})};
}

const std::vector<Parameter>& own_knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

/// How closely rows are set.
struct Density {
    Type type;
    double line;  ///< from line to line
    double gap;   ///< between rows
};
constexpr std::array<Density, 4> densities = {{{Type::caption, 15.5, 10.0},
                                               {Type::caption, 15.5, 7.0},
                                               {Type::caption, 15.5, 4.0},
                                               {Type::label, 13.5, 3.0}}};

/// One mechanism with its cells broken into lines.
struct Row {
    const Mechanism* mechanism = nullptr;
    std::vector<std::vector<std::string>> cells;
    double height = 0.0;
};

struct Table {
    double names = 0.0;  ///< width of the first column
    std::vector<double> widths;
    std::vector<Row> rows;
    Density density = densities.front();
    bool mixed = false;  ///< of several families, each under its name
    double height = 0.0;
};

/// The rows of the families in `shown` with the first `count` fields.
Table set_table(const Canvas& canvas, double room, const std::vector<Family>& shown, std::size_t count,
                Density density) {
    Table table;
    table.density = density;
    table.mixed = shown.size() > 1;
    for (const Mechanism& one : mechanisms())
        if (std::find(shown.begin(), shown.end(), one.family) != shown.end())
            table.rows.push_back({&one, {}, 0.0});
    double shares = 0.0;
    for (std::size_t f = 0; f < count; ++f) shares += fields[f].share;
    for (const Row& row : table.rows)
        table.names = std::max(table.names, canvas.text_width(row.mechanism->id, Type::emphasis));
    const double left = room - table.names - gutter * static_cast<double>(count);
    for (std::size_t f = 0; f < count; ++f) table.widths.push_back(left * fields[f].share / shares);
    table.height = head_height + (table.mixed ? family_height * static_cast<double>(shown.size()) : 0.0);
    for (Row& row : table.rows) {
        std::size_t lines = 1;
        for (std::size_t f = 0; f < count; ++f) {
            row.cells.push_back(
                canvas.fonts().wrap(row.mechanism->teaching.*fields[f].text, density.type, table.widths[f]));
            lines = std::max(lines, row.cells.back().size());
        }
        row.height = density.line * static_cast<double>(lines) + density.gap;
        table.height += row.height;
    }
    return table;
}

std::vector<Family> families_of(const std::string& chosen) {
    if (chosen == "all") return {Family::sequences, Family::pixels, Family::channels};
    const auto at = std::find(family_ids.begin(), family_ids.end(), chosen) - family_ids.begin();
    return {static_cast<Family>(at)};
}

/// With as many fields as the height allows, set close before a field is left out; of every family where
/// fields for all have room, else of the one that is shown.
Table best_table(const Canvas& canvas, Rect room, const std::string& chosen, Family current) {
    std::vector<std::vector<Family>> choices = {families_of(chosen)};
    if (chosen == "all") choices.push_back({current});
    Table table;
    for (const std::vector<Family>& shown : choices) {
        const std::size_t least = shown.size() > 1 ? fields.size() - 1 : fewest_fields;
        for (std::size_t count = fields.size(); count >= least; --count)
            for (const Density density : densities) {
                table = set_table(canvas, room.width, shown, count, density);
                if (table.height <= room.height) return table;
            }
    }
    return table;
}

Question ask(const Scene& /*scene*/) {
    return {};  // what mechanisms teach is known
}

/// Draws what is drawn of one row under its rule; returns its hit.
Hit draw_row(Canvas& canvas, const Page& page, Point at, double width, const Table& table, const Row& row) {
    const Theme& theme = page.theme;
    const bool lit = row.mechanism->id == page.scene.mechanism;
    const Rect area{at.x, at.y, width, row.height};
    if (lit)
        canvas.fill({at.x - 8.0, at.y, width + 16.0, row.height - 1.0}, mix(theme.ground, theme.ink, 0.07));
    const double first = at.y + table.density.gap / 2 + cap_height(table.density.type) + 2.0;
    canvas.text({at.x, first}, row.mechanism->id, {Type::emphasis, theme.ink});
    double x = at.x + table.names + gutter;
    for (std::size_t f = 0; f < row.cells.size(); ++f) {
        double baseline = first;
        for (const std::string& line : row.cells[f]) {
            const bool telling = f < fewest_fields || lit;
            canvas.text({x, baseline}, line, {table.density.type, telling ? theme.ink : theme.muted});
            baseline += table.density.line;
        }
        x += table.widths[f] + gutter;
    }
    return {.area = area,
            .role = Hit::Role::mechanism,
            .tip = std::string(row.mechanism->title) + ": open it",
            .id = row.mechanism->id};
}

std::vector<Hit> draw_table(Canvas& canvas, const Page& page, Rect room, const Table& table) {
    const Theme& theme = page.theme;
    double x = room.x;
    double y = room.y + cap_height(Type::label);
    const auto head_of = [](const Row& row) {
        return family_heads[static_cast<std::size_t>(row.mechanism->family)];
    };
    const std::string_view names = table.mixed ? "mechanism" : head_of(table.rows.front());
    canvas.text({x, y}, names, {Type::label, theme.muted});
    x += table.names + gutter;
    for (std::size_t f = 0; f < table.widths.size(); ++f) {
        canvas.text({x, y}, canvas.fonts().fit(fields[f].head, Type::label, table.widths[f]),
                    {Type::label, theme.muted});
        x += table.widths[f] + gutter;
    }
    y = room.y + head_height;
    std::vector<Hit> hits;
    if (!table.mixed) {
        const double rule = canvas.snap(y) - 0.5;
        canvas.line({room.x, rule}, {room.right(), rule}, {theme.hairline, 1.0});
    }
    std::string_view before;
    for (const Row& row : table.rows) {
        const bool begins = table.mixed && before != head_of(row);
        if (y + row.height + (begins ? family_height : 0.0) > room.bottom() + 0.5) break;
        if (begins) {
            const double rule = canvas.snap(y) - 0.5;
            canvas.line({room.x, rule}, {room.right(), rule}, {theme.hairline, 1.0});
            canvas.text({room.x, y + 18.0}, head_of(row), {Type::label, theme.muted});
            y += family_height;
        }
        before = head_of(row);
        hits.push_back(draw_row(canvas, page, {room.x, y}, room.width, table, row));
        y += row.height;
    }
    return hits;
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Knobs knobs(own_knobs(), page.scene.set);
    const Mechanism& shown = mechanism(page.scene.mechanism);
    const Rect room =
        headed_sheet(canvas, page,
                     {.title = "Score, squash, multiply",
                      .lead = "What changes is what gets scored, and what the score is a function of."});
    const Table table = best_table(canvas, room, knobs.text("family"), shown.family);
    return draw_table(canvas, page, room, table);
}

/// One line per mechanism.
std::string csv(const Scene& scene, const Result& /*result*/) {
    const std::vector<Family> shown = families_of(Knobs(own_knobs(), scene.set).text("family"));
    std::string text = "mechanism,title,family";
    for (const Field& field : fields) text += ',' + quoted(field.head);
    text += '\n';
    for (const Mechanism& one : mechanisms()) {
        if (std::find(shown.begin(), shown.end(), one.family) == shown.end()) continue;
        text += std::string(one.id) + ',' + quoted(one.title) + ',' +
                std::string(family_ids[static_cast<std::size_t>(one.family)]);
        for (const Field& field : fields) text += ',' + quoted(one.teaching.*field.text);
        text += '\n';
    }
    return text;
}

}  // namespace

Figure table_figure() {
    return {.id = "table",
            .title = "Table",
            .help = "every mechanism: what gets scored, and what the score is a function of",
            .parameters = own_knobs(),
            .natural = {1440.0, 1680.0},
            .draw = draw,
            .subject = Subject::none,
            .ask = ask,
            .csv = csv};
}

}  // namespace attn
