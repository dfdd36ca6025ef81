#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/heading.h"
#include "app/figures/kinds.h"
#include "app/figures/numbers_chart.h"
#include "app/figures/parts.h"

namespace attn {
namespace {

using Form = PublishedChart::Form;

constexpr double between_charts = 26.0;
constexpr double between_columns = 36.0;
constexpr int most_columns = 3;
constexpr double narrowest_pair = 480.0;  // a room for two columns
constexpr double densest = 15.0;          // from row to row
constexpr double comfortable = 20.0;
constexpr double airiest = 30.0;

/// Where the charts stand, column by column.
struct Placement {
    ChartSpacing spacing;
    std::vector<Point> at;  ///< from the top left of the room
    double width = 0.0;     ///< of each
    double height = 0.0;    ///< of the longest column
};

std::vector<const PublishedChart*> drawn_charts(const PublishedNumbers& numbers) {
    std::vector<const PublishedChart*> charts;
    for (const PublishedChart& chart : numbers.charts)
        if (chart.form != Form::figures) charts.push_back(&chart);
    return charts;
}

double column_width(double room, int columns) {
    return (room + between_columns) / columns - between_columns;
}

bool fit(const Canvas& canvas, double width, const std::vector<const PublishedChart*>& charts) {
    return std::all_of(charts.begin(), charts.end(),
                       [&](const PublishedChart* chart) { return published_fits(canvas, width, *chart); });
}

/// Each chart at the foot of the column that is shortest so far.
Placement place(const Canvas& canvas, double room, const std::vector<const PublishedChart*>& charts,
                int columns, ChartSpacing spacing) {
    Placement placement{spacing, {}, column_width(room, columns), 0.0};
    std::vector<double> ends(static_cast<std::size_t>(columns), 0.0);
    for (const PublishedChart* chart : charts) {
        const auto shortest = std::min_element(ends.begin(), ends.end());
        const auto column = static_cast<double>(shortest - ends.begin());
        placement.at.push_back({column * (placement.width + between_columns), *shortest});
        const double bottom = *shortest + published_height(canvas, placement.width, *chart, spacing);
        placement.height = std::max(placement.height, bottom);
        *shortest = bottom + between_charts;
    }
    return placement;
}

/// In as few columns and as airy as the height allows; where even the densest is too high, without the
/// sentences.
Placement best_place(const Canvas& canvas, Rect room, const std::vector<const PublishedChart*>& charts) {
    struct Limit {
        double row;
        bool notes;
    };
    const auto most = std::min<int>(most_columns, static_cast<int>(charts.size()));
    const int fewest = room.width < narrowest_pair ? 1 : std::min(2, most);
    Placement placement;
    for (const Limit limit : {Limit{comfortable, true}, Limit{densest, true}, Limit{densest, false}})
        for (int columns = fewest; columns <= most; ++columns) {
            if (columns > fewest && !fit(canvas, column_width(room.width, columns), charts)) break;
            for (double row = airiest; row >= limit.row; row -= 1.0) {
                placement = place(canvas, room.width, charts, columns, {row, limit.notes});
                if (placement.height <= room.height) return placement;
            }
        }
    return placement;
}

std::vector<Tile> tiles_of(const PublishedNumbers& numbers) {
    std::vector<Tile> tiles;
    for (const PublishedChart& chart : numbers.charts)
        for (const PublishedValue& row : chart.rows)
            if (chart.form == Form::figures) tiles.push_back({row.text() + ' ' + row.unit, row.label});
    return tiles;
}

Question ask(const Scene& /*scene*/) {
    return {};  // what was published is not computed
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const PublishedNumbers* numbers = published_numbers(page.scene.mechanism);
    Heading heading{.title = std::string(page.result.mechanism->title)};
    if (numbers == nullptr) {
        heading.lead = "Nothing is told here of what was published about it.";
        headed_sheet(canvas, page, heading);
        return {};
    }
    heading.source = "published in " + numbers->source;
    heading.lead = numbers->lead;
    heading.note = numbers->note;
    const Rect body = headed_sheet(canvas, page, heading);
    const std::vector<const PublishedChart*> charts = drawn_charts(*numbers);
    const std::vector<Tile> tiles = tiles_of(*numbers);
    const double foot = tiles.empty() ? 0.0 : tiles_height(canvas, body.width, tiles) + between_charts;
    const Rect room{body.x, body.y, body.width, body.height - foot};
    const Placement placement = best_place(canvas, room, charts);
    for (std::size_t i = 0; i < charts.size(); ++i)
        draw_published(canvas, page.theme, {room.x + placement.at[i].x, room.y + placement.at[i].y},
                       placement.width, *charts[i], placement.spacing);
    const double top = room.y + placement.height + between_charts;
    attn::tiles(canvas, page.theme, {body.x, top, body.width, foot}, tiles);
    return {};
}

/// One line per number: `from` is what it is compared with, `high` the end of a range.
std::string csv(const Scene& scene, const Result& /*result*/) {
    std::string text = "chart,label,value,high,from,unit,metric,better,source\n";
    const PublishedNumbers* numbers = published_numbers(scene.mechanism);
    if (numbers == nullptr) return text;
    for (const PublishedChart& chart : numbers->charts)
        for (const PublishedValue& row : chart.rows)
            text += quoted(chart.title) + ',' + quoted(row.label) + ',' + format(row.low) + ',' +
                    (row.range() ? format(row.high) : "") + ',' + (row.from ? format(*row.from) : "") + ',' +
                    quoted(row.unit) + ',' + quoted(row.metric) + ',' +
                    (row.higher_is_better ? "higher" : "lower") + ',' + quoted(row.source) + '\n';
    return text;
}

}  // namespace

Figure numbers_figure() {
    return {.id = "numbers",
            .title = "Numbers",
            .help = "the published results that made the mechanism matter, with their source",
            .parameters = {},
            .natural = {960.0, 640.0},
            .draw = draw,
            .ask = ask,
            .csv = csv};
}

}  // namespace attn
