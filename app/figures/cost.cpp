#include <algorithm>
#include <cmath>

#include "app/figures/cost_chart.h"
#include "app/figures/format.h"
#include "app/figures/heading.h"
#include "app/figures/kinds.h"
#include "app/figures/magnitude.h"
#include "app/figures/parts.h"
#include "app/input/parameters.h"

namespace attn {
namespace {

constexpr double section_gap = 20.0;
constexpr double row_pitch = 17.0;
constexpr double least_chart = 190.0;

Parameter number(std::string id, std::string symbol, std::string label, std::string help, Index initial,
                 double high, double offered = 0.0) {
    Parameter knob;
    knob.id = std::move(id);
    knob.symbol = std::move(symbol);
    knob.label = std::move(label);
    knob.help = std::move(help);
    knob.kind = Parameter::Kind::integer;
    knob.initial = initial;
    knob.low = 1;
    knob.high = high;
    knob.offered = offered;
    return knob;
}

Parameter curves_knob() {
    Parameter knob;
    knob.id = "curves";
    knob.label = "curves";
    knob.help = "patterns and mechanisms with their own knobs: global; local k=9; swin; xca";
    knob.kind = Parameter::Kind::text;
    knob.group = Parameter::Group::layers;
    knob.initial = std::string("global; local; axial");
    return knob;
}

Parameter choice(std::string id, std::string label, std::string help, std::vector<Choice> choices) {
    Parameter knob;
    knob.id = std::move(id);
    knob.label = std::move(label);
    knob.help = std::move(help);
    knob.kind = Parameter::Kind::choice;
    knob.group = Parameter::Group::layers;
    knob.initial = choices.front().id;
    knob.choices = std::move(choices);
    return knob;
}

std::vector<Parameter> make_knobs() {
    std::vector<Choice> presets = {{"none", "none", "no published setting"}};
    for (const CostPreset& preset : cost_presets())
        presets.push_back({preset.id, preset.label, "one more curve, counted at its own size as well"});
    Parameter patch =
        number("patch", "p", "patch", "side of the square of pixels that is one position", 1, 64);
    patch.unit = "pixels";
    return {
        side_parameter(Parameter::Group::query),
        number("k", "k", "window k", "of every curve with a window that does not set its own", 7, 512, 31),
        number("m", "m", "span m", "of every curve along an axis that does not set its own; ends at the axis",
               256, 4096, 512),
        patch,
        number("d", "d", "width", "channels of all heads together", 64, 65536, 1024),
        number("heads", "h", "heads", "attention matrices of one layer", 1, 1024, 32),
        choice("measure", "measure", "what the curves show",
               {{"entries", "entries", "weights of one head’s attention matrix"},
                {"multiply-adds", "multiply–adds", "of scores and values: entries times 2d"},
                {"flops", "FLOPs", "the same, a multiply–add counted as two"},
                {"fp16", "bytes, fp16", "of all heads’ matrices"},
                {"fp32", "bytes, fp32", "of all heads’ matrices"}}),
        curves_knob(),
        choice("preset", "published", "a setting from a paper", std::move(presets))};
}

const std::vector<Parameter>& own_knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

Measure measure_of(const Knobs& knobs) {
    const std::string& measure = knobs.text("measure");
    if (measure == "multiply-adds") return Measure::multiply_adds;
    if (measure == "flops") return Measure::flops;
    if (measure == "fp16") return Measure::bytes_fp16;
    return measure == "fp32" ? Measure::bytes_fp32 : Measure::entries;
}

Question ask(const Scene& scene) {
    const Knobs knobs(own_knobs(), scene.set);
    Question question;
    question.side = knobs.integer("side");
    question.measure = measure_of(knobs);
    Values common;
    for (const char* id : {"k", "m", "d", "heads"}) common.emplace(id, knobs.integer(id));
    question.curves = parse_curves(knobs.text("curves"), common, knobs.integer("patch"));
    for (const CostPreset& preset : cost_presets()) {
        if (preset.id != knobs.text("preset")) continue;
        question.preset = &preset;
        const std::string name = preset.label.substr(0, preset.label.find(':'));
        question.curves.push_back({name, &cost_model(preset.model), preset.set, preset.patch});
    }
    return question;
}

/// The first curve of that model, if any.
const CostCurve* curve_of(const CostChart& chart, std::string_view id) {
    for (const CostCurve& curve : chart.curves)
        if (curve.spec.model->id == id) return &curve;
    return nullptr;
}

Index entries_of(const Cost& cost) {
    return cost.entries.value_or(cost.entries_exact.value_or(0));
}

/// Whether a window and two axes tie where the formulas say, S = k²/2.
bool ties_at_half_square(const CostChart& chart) {
    return std::any_of(chart.crossings.begin(), chart.crossings.end(), [&](const Crossing& crossing) {
        const CostCurve& local = chart.curves[crossing.a];
        if (local.spec.model->id != "local" || chart.curves[crossing.b].spec.model->id != "axial")
            return false;
        const auto k = static_cast<double>(Knobs(local.spec.model->parameters, local.spec.set).integer("k"));
        return std::abs(crossing.side - k * k / 2.0) < 1e-6 * crossing.side;
    });
}

/// What the picture teaches, as far as its curves are there.
std::string lead_of(const CostChart& chart) {
    std::string lead;
    if (curve_of(chart, "global") != nullptr)
        lead = "Global attention grows with the fourth power of the side: twice the side, 16 times the cost.";
    if (curve_of(chart, "local") != nullptr && curve_of(chart, "axial") != nullptr) {
        if (!lead.empty()) lead += ' ';
        lead += "A window pays for its k², two axes pay for their length";
        lead += ties_at_half_square(chart) ? ": they tie at S = k²/2." : ".";
    }
    if (!lead.empty()) return lead;
    return "Both axes are logarithmic: a straight line is a power of the side, and its slope is the power.";
}

std::string crossings_text(const CostChart& chart) {
    std::string text;
    for (const Crossing& crossing : chart.crossings)
        text += (text.empty() ? "" : "; ") + crossing_sentence(chart, crossing);
    const std::size_t pairs = chart.curves.size() * (chart.curves.size() - 1) / 2;
    const std::string range = std::to_string(least_side) + " … " + std::to_string(greatest_side);
    if (chart.crossings.empty()) return pairs == 0 ? "" : "no crossing for S in " + range;
    return pairs > chart.crossings.size() ? text + "; no other crossing for S in " + range : text;
}

std::string ratio_text(double ratio) {
    return (std::abs(ratio - std::round(ratio)) < 5e-4 * ratio && ratio < 1e6 ? grouped(std::llround(ratio))
                                                                              : significant(ratio)) +
           " ×";
}

std::vector<Tile> tiles_of(const Theme& theme, const CostChart& chart) {
    std::vector<Tile> tiles;
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        const CostCurve& curve = chart.curves[i];
        tiles.push_back(
            {measured(curve.mark_value, chart.measure), curve.spec.name, curve_colour(theme, chart, i).text});
    }
    const CostCurve* global = curve_of(chart, "global");
    const CostCurve* axial = curve_of(chart, "axial");
    if (global != nullptr) {
        const Values& set = global->spec.set;
        const auto heads = set.contains("heads") ? std::get<Index>(set.at("heads")) : Index{1};
        tiles.push_back({measured(static_cast<double>(global->mark.bytes_fp32), Measure::bytes_fp32, 4),
                         "global in fp32, " + (heads == 1 ? "one head" : grouped(heads) + " heads")});
    }
    if (global != nullptr && axial != nullptr) {
        const double ratio = static_cast<double>(entries_of(global->mark)) /
                             static_cast<double>(std::max<Index>(entries_of(axial->mark), 1));
        tiles.push_back({ratio_text(ratio), "global ÷ both axes; ÷ one: " + ratio_text(2.0 * ratio)});
    }
    for (const CostCurve& curve : chart.curves) {
        if (find(curve.spec.model->parameters, "k") == nullptr) continue;
        const bool tables = curve.spec.model->id == "sasa" || curve.spec.model->id == "neighborhood";
        tiles.push_back({grouped(curve.mark.parameters.weights + curve.mark.parameters.biases),
                         "parameters of " + curve.spec.model->id + (tables ? ", more with k" : "")});
        break;
    }
    return tiles;
}

/// A table of curves: formula beside count.
struct Column {
    std::string head;
    std::vector<std::string> cells;
    double width = 0.0;
    Align align = Align::right;
};

std::string optional_count(const std::optional<Index>& count) {
    return count ? grouped(*count) : "—";
}

std::vector<Column> columns_of(const Canvas& canvas, const CostChart& chart) {
    std::vector<Column> columns = {{"one layer", {}, 0.0, Align::left},
                                   {"formula", {}, 0.0, Align::left},
                                   {"positions", {}},
                                   {"entries", {}},
                                   {"weights stored", {}},
                                   {"fp32", {}},
                                   {"multiply–adds", {}},
                                   {"projections", {}},
                                   {"parameters", {}}};
    const auto add = [&](const std::string& name, const std::string& formula, const Cost& cost) {
        const Index learned = cost.parameters.weights + cost.parameters.biases;
        const std::vector<std::string> cells = {
            name,
            formula,
            grouped(cost.tokens),
            optional_count(cost.entries),
            optional_count(cost.entries_exact),
            measured(static_cast<double>(cost.bytes_fp32), Measure::bytes_fp32, 4),
            magnitude(static_cast<double>(cost.multiply_adds.score + cost.multiply_adds.value)),
            magnitude(static_cast<double>(cost.multiply_adds.projections)),
            grouped(learned)};
        for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(cells[i]);
    };
    for (const CostCurve& curve : chart.curves) add(curve.spec.name, curve.spec.model->formula, curve.mark);
    for (Column& column : columns) {
        column.width = canvas.text_width(column.head, Type::label);
        for (const std::string& cell : column.cells)
            column.width = std::max(column.width, canvas.text_width(cell, Type::caption));
    }
    return columns;
}

double total_width(const std::vector<Column>& columns) {
    double sum = -gutter;
    for (const Column& column : columns) sum += column.width + gutter;
    return sum;
}

/// Leaves out what has no room, the least telling first.
std::vector<Column> fitted(std::vector<Column> columns, double room) {
    for (const char* head : {"projections", "multiply–adds", "positions", "fp32", "formula", "parameters"}) {
        if (total_width(columns) <= room) break;
        columns.erase(std::remove_if(columns.begin(), columns.end(),
                                     [&](const Column& column) { return column.head == head; }),
                      columns.end());
    }
    if (!columns.empty() && total_width(columns) > room)
        columns.front().width = std::max(columns.front().width - (total_width(columns) - room), 40.0);
    return columns;
}

double table_height(const CostChart& chart) {
    return 24.0 + row_pitch * static_cast<double>(chart.curves.size());
}

void draw_table(Canvas& canvas, const Page& page, Rect room, const CostChart& chart) {
    const std::vector<Column> columns = fitted(columns_of(canvas, chart), room.width);
    const double head = room.y + cap_height(Type::label);
    const double rule = canvas.snap(head + 6.0) + 0.5;
    canvas.line({room.x, rule}, {room.x + std::max(total_width(columns), 0.0), rule},
                {page.theme.hairline, 1.0});
    double x = room.x;
    for (const Column& column : columns) {
        const double at = column.align == Align::left ? x : x + column.width;
        canvas.text({at, head}, column.head, {Type::label, page.theme.muted, column.align});
        for (std::size_t i = 0; i < column.cells.size(); ++i) {
            const bool name = &column == &columns.front();
            const Colour colour = name                       ? curve_colour(page.theme, chart, i).text
                                  : column.head == "formula" ? page.theme.muted
                                                             : page.theme.ink;
            canvas.text({at, rule + row_pitch * static_cast<double>(i + 1) - 1.0},
                        canvas.fonts().fit(column.cells[i], Type::caption, column.width + 1.0),
                        {Type::caption, colour, column.align});
        }
        x += column.width + gutter;
    }
}

/// The preset at its own size, and what is told of crossings.
std::vector<std::string> sentences_of(const Question& question, const CostChart& chart) {
    std::vector<std::string> lines;
    if (const std::string text = crossings_text(chart); !text.empty()) lines.push_back(text);
    if (question.preset == nullptr || !chart.preset) return lines;
    const CostPreset& preset = *question.preset;
    std::string text = preset.label + ", at its own size: " + grouped(chart.preset->tokens) + " positions, " +
                       grouped(entries_of(*chart.preset)) + " entries";
    if (entries_of(*chart.preset_global) != entries_of(*chart.preset))
        text += preset.patch > 1 ? "; every pixel a position: " + grouped(entries_of(*chart.preset_global))
                                 : "; global attention there: " + grouped(entries_of(*chart.preset_global));
    lines.push_back(text);
    return lines;
}

std::vector<Hit> draw(const Page& page, Canvas& canvas) {
    const CostChart& chart = page.result.findings->cost;
    const Question question = ask(page.scene);
    const Index patch = Knobs(own_knobs(), page.scene.set).integer("patch");
    Heading heading;
    heading.title = "What one layer costs";
    heading.source = name_of(chart.measure) + ", against the side S of the picture";
    heading.lead = lead_of(chart);
    const Index cells = std::max<Index>(chart.side / patch, 1);
    heading.note = "At the mark: S = " + std::to_string(chart.side) +
                   (patch > 1 ? ", patches of " + std::to_string(patch) + " pixels" : std::string()) +
                   ", N = " + grouped(cells * cells) + " positions.";
    const Rect body = headed_sheet(canvas, page, heading);

    std::vector<Tile> tiles = tiles_of(page.theme, chart);
    const std::vector<std::string> lines = sentences_of(question, chart);
    const auto below = [&] {
        return tiles_height(canvas, body.width, tiles) + section_gap + table_height(chart) + 16.0 +
               row_pitch * static_cast<double>(lines.size());
    };
    while (tiles.size() > chart.curves.size() && body.height - below() < least_chart) tiles.pop_back();
    const double height = std::max(body.height - below() - 14.0, 120.0);
    std::vector<Hit> hits = {draw_cost_chart(canvas, page, {body.x, body.y, body.width, height}, chart, {})};
    double y = body.y + height + cap_height(Type::caption) + 8.0;
    for (const std::string& line : lines) {
        canvas.text({body.x, y}, canvas.fonts().fit(line, Type::caption, body.width),
                    {Type::caption, page.theme.muted});
        y += row_pitch;
    }
    y = attn::tiles(canvas, page.theme, {body.x, y, body.width, body.bottom() - y}, tiles) + section_gap;
    draw_table(canvas, page, {body.x, y, body.width, body.bottom() - y}, chart);
    return hits;
}

}  // namespace

Figure cost_figure() {
    return {.id = "cost",
            .title = "Cost",
            .help = "what one layer costs against the side of a picture, pattern beside pattern",
            .parameters = own_knobs(),
            .natural = {960.0, 760.0},
            .draw = draw,
            .subject = Subject::none,
            .ask = ask};
}

}  // namespace attn
