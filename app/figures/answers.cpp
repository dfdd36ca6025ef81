#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/heading.h"
#include "app/figures/hop_cells.h"
#include "app/figures/kinds.h"
#include "app/figures/magnitude.h"
#include "app/figures/parts.h"
#include "app/figures/reach_parts.h"
#include "app/input/parameters.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr double fact_pitch = 18.0;
constexpr double row_gap = 26.0;
constexpr double legend_height = 26.0;

std::vector<Parameter> make_knobs() {
    Parameter query;  // its range is the grid's
    query.id = "query";
    query.kind = Parameter::Kind::position;
    query.group = Parameter::Group::query;
    query.initial = Index{0};
    Parameter shown;
    shown.id = "patterns";
    shown.label = "patterns";
    shown.help = "side by side, with their knobs: global; local k=7; axial";
    shown.kind = Parameter::Kind::text;
    shown.group = Parameter::Group::layers;
    shown.initial = std::string("global; local; block-1d; block-2d; axial");
    std::vector<Parameter> knobs = {query, shown};
    for (Parameter& knob : layer_parameters())
        if (knob.id != "stack") knobs.push_back(std::move(knob));
    for (Parameter& knob : grid_parameters()) knobs.push_back(std::move(knob));
    knobs.push_back(side_parameter(Parameter::Group::input));
    return knobs;
}

const std::vector<Parameter>& own_knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

bool has_curve(const Layer& layer) {
    return layer.kind == Layer::Kind::pattern && cost_model(layer.id).curve;
}

Question ask(const Scene& scene) {
    constexpr std::size_t most = 24;
    const std::vector<Parameter> schema = attn::schema(scene);
    const Knobs knobs(schema, scene.set);
    Question question;
    question.grid = query_grid(scene);
    question.query = std::clamp<Index>(knobs.integer("query"), 0, question.grid.size() - 1);
    question.layers = knobs.integer("layers");
    question.skip = knobs.flag("skip");
    question.side = knobs.integer("side");
    for (Layer& layer : parse_stack(knobs.text("patterns"))) question.stacks.push_back({std::move(layer)});
    if (question.stacks.size() > most)
        throw UsageError("expected at most " + std::to_string(most) + " patterns, got " +
                         std::to_string(question.stacks.size()));
    for (const std::vector<Layer>& stack : question.stacks) {
        const Layer& layer = stack.front();
        if (has_curve(layer))
            question.curves.push_back({layer_name(layer), &cost_model(layer.id), layer.set, 1});
        else
            question.typed.push_back(layer);
    }
    return question;
}

/// Entries at the mark of each pattern, in their order.
std::vector<std::string> entries_at_mark(const Findings& findings) {
    std::vector<std::string> all;
    std::size_t curve = 0;
    std::size_t typed = 0;
    for (const Followed& followed : findings.followed) {
        if (has_curve(followed.layers.front())) {
            all.push_back(magnitude(findings.cost.curves[curve++].mark_value));
        } else {
            const LayerEntries& entries = findings.cost.typed[typed++];
            all.push_back((entries.exact ? "" : "≈ ") + magnitude(entries.best()));
        }
    }
    return all;
}

struct Fact {
    std::string name, number;
};

/// How much is said under each picture: everything, without where it stops, in short words.
enum class Detail { full, plain, brief };

std::vector<Fact> facts_of(const Followed& followed, const std::string& entries, Index side, Detail detail) {
    const std::string keys = grouped(followed.reach.counts.front());
    std::string here = layers_or_never(followed.coverage.layers);
    if (detail == Detail::full && !followed.coverage.layers)
        here += ": " + grouped(followed.coverage.most) + " of " + grouped(followed.stack->size());
    const std::string worst = followed.cover ? layers_or_never(followed.cover->worst) : "…";
    const std::string at = std::to_string(side) + "²";
    if (detail == Detail::brief)
        return {{"keys", keys}, {"at " + at, entries}, {"layers", here}, {"worst", worst}};
    return {{"keys per query", keys + " · " + share(followed.reach.fraction(1))},
            {"entries at " + at, entries},
            {"layers, this query", here},
            {"layers, worst query", worst}};
}

/// The most that has room under every picture.
Detail detail_for(const Canvas& canvas, const Findings& findings, const std::vector<std::string>& entries,
                  double width) {
    const auto fits = [&](Detail detail) {
        for (std::size_t i = 0; i < findings.followed.size(); ++i)
            for (const Fact& fact : facts_of(findings.followed[i], entries[i], findings.cost.side, detail))
                if (canvas.text_width(fact.name, Type::caption) + 8.0 +
                        canvas.text_width(fact.number, Type::emphasis) >
                    width)
                    return false;
        return true;
    };
    return fits(Detail::full) ? Detail::full : fits(Detail::plain) ? Detail::plain : Detail::brief;
}

constexpr double facts_height = 4 * fact_pitch + 6.0;

/// How many stand in one row so that pictures are largest.
struct Tiling {
    Index columns = 1;
    double cell = 0.0;
    double pitch = 0.0;  // from picture to picture
};

Tiling tiling_of(Index count, const CellLayout& layout, Rect room) {
    Tiling best;
    for (Index columns = 1; columns <= count; ++columns) {
        const Index lines = (count + columns - 1) / columns;
        const auto rows = static_cast<double>(lines);
        const auto across = static_cast<double>(columns);
        const double width = (room.width - (across - 1.0) * gutter) / across;
        const double height = (room.height - (rows - 1.0) * row_gap) / rows - caption_height - facts_height;
        const double cell =
            std::min(width / static_cast<double>(layout.columns), height / static_cast<double>(layout.rows));
        if (cell > best.cell) best = {columns, cell, width + gutter};
    }
    best.cell = std::max(best.cell, 0.5);
    return best;
}

void draw_facts(Canvas& canvas, const Theme& theme, Rect room, const std::vector<Fact>& facts) {
    double baseline = room.y + 14.0;
    for (const Fact& fact : facts) {
        const double needed = canvas.text_width(fact.number, Type::emphasis) + 6.0;
        canvas.text({room.x, baseline}, canvas.fonts().fit(fact.name, Type::caption, room.width - needed),
                    {Type::caption, theme.muted});
        canvas.text({room.right(), baseline}, fact.number, {Type::emphasis, theme.ink, Align::right});
        baseline += fact_pitch;
    }
}

void draw_picture(Canvas& canvas, const Page& page, const Panel& panel, const CellLayout& layout,
                  std::size_t index) {
    const Followed& followed = page.result.findings->followed[index];
    draw_hop_cells(canvas, page, panel, layout,
                   {"answer " + std::to_string(index),
                    [&] {
                        std::vector<float> values;
                        for (Index key = 0; key < followed.stack->size(); ++key)
                            values.push_back(static_cast<float>(followed.seen_at(key)));
                        return values;
                    },
                    false});
    if (page.focus.key && *page.focus.key < followed.stack->size())
        mark_cell(canvas, page.theme, panel.cell(*page.focus.key), page.theme.ink);
    mark_cell(canvas, page.theme, panel.cell(followed.query), page.theme.query);
}

Heading heading_of(const Findings& findings) {
    const Followed& first = findings.followed.front();
    const Grid grid = first.stack->grid();
    Heading heading;
    heading.title = "Which keys may one query look at?";
    heading.source = "query " + place_name(grid, first.query) + " of " +
                     (grid.height > 1 ? std::to_string(grid.height) + " × " + std::to_string(grid.width)
                                      : grouped(grid.width)) +
                     " positions";
    heading.lead = "The same query, one answer per pattern: what it sees in one layer, what " +
                   layers_in_words(first.depth()) + " add, and what that costs.";
    if (first.depth() == 1)
        heading.lead =
            "The same query, one answer per pattern: what it sees in one layer, and what that costs.";
    return heading;
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const Findings& findings = *page.result.findings;
    const Rect body = headed_sheet(canvas, page, heading_of(findings));
    const Followed& first = findings.followed.front();
    const CellLayout layout = grid_layout(first.stack->grid());
    const auto count = static_cast<Index>(findings.followed.size());
    const Tiling tiling = tiling_of(count, layout, {body.x, body.y, body.width, body.height - legend_height});
    const std::vector<std::string> entries = entries_at_mark(findings);

    const double narrowest = std::min(tiling.pitch - gutter, 150.0);
    const double drawn =
        std::max(narrowest, close_cells(canvas, {body.x, body.y}, tiling.cell, layout).rect.width);
    const Detail detail = detail_for(canvas, findings, entries, drawn);

    std::vector<Hit> hits;
    double top = body.y;
    double bottom = top;
    Index deepest = 1;
    bool unseen = false;
    for (Index i = 0; i < count; ++i) {
        if (i > 0 && i % tiling.columns == 0) top = bottom + row_gap;
        const auto at = static_cast<std::size_t>(i);
        const Followed& followed = findings.followed[at];
        const double left = body.x + tiling.pitch * static_cast<double>(i % tiling.columns);
        const Panel panel =
            close_cells(canvas, {canvas.snap(left), canvas.snap(top + caption_height)}, tiling.cell, layout);
        caption(canvas, page.theme, panel.rect.x, panel.rect.x + drawn, top,
                {followed.name, count > 1 ? std::to_string(i + 1) : ""});
        draw_picture(canvas, page, panel, layout, at);
        draw_facts(canvas, page.theme, {panel.rect.x, panel.rect.bottom() + 6.0, drawn, facts_height},
                   facts_of(followed, entries[at], findings.cost.side, detail));
        hits.push_back(layout.hit(panel));
        bottom = panel.rect.bottom() + 6.0 + facts_height;
        const auto& hops = followed.reach.hops;
        deepest = std::max<Index>(deepest, *std::max_element(hops.begin(), hops.end()));
        unseen = unseen || followed.reach.counts.back() < followed.stack->size();
    }
    draw_hop_legend(canvas, page.theme, {body.x, bottom + 10.0}, body.width, deepest, unseen);
    return hits;
}

}  // namespace

Figure answers_figure() {
    return {.id = "answers",
            .title = "Answers",
            .help = "which keys one query may look at, pattern beside pattern",
            .parameters = own_knobs(),
            .natural = {1080.0, 430.0},
            .draw = draw,
            .subject = Subject::none,
            .ask = ask};
}

}  // namespace attn
