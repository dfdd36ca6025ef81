#include "core/pattern_layer.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/id_list.h"

namespace attn {

namespace {

/// The keys first … last.
struct Run {
    Index first;
    Index last;
};
using Runs = std::vector<Run>;

/// Boxes as runs: ascending, disjoint, and not touching.
Runs runs_of(const Boxes& boxes) {
    Runs runs;
    for (const Box& box : boxes)
        for (Index i = 0; i < box.rows; ++i) {
            const Index first = box.first + i * box.row_step;
            if (box.column_step == 1)
                runs.push_back({first, first + box.columns - 1});
            else
                for (Index j = 0; j < box.columns; ++j)
                    runs.push_back({first + j * box.column_step, first + j * box.column_step});
        }
    if (!std::ranges::is_sorted(runs, {}, &Run::first)) std::ranges::sort(runs, {}, &Run::first);
    Runs joined;
    for (const Run& run : runs) {
        if (!joined.empty() && joined.back().last + 1 >= run.first)
            joined.back().last = std::max(joined.back().last, run.last);
        else
            joined.push_back(run);
    }
    return joined;
}

Runs in_both(const Runs& a, const Runs& b) {
    Runs common;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Index first = std::max(a[i].first, b[j].first);
        const Index last = std::min(a[i].last, b[j].last);
        if (first <= last) common.push_back({first, last});
        if (a[i].last < b[j].last)
            ++i;
        else
            ++j;
    }
    return common;
}

Runs outside(const Runs& runs, Index n) {
    Runs rest;
    Index next = 0;
    for (const Run& run : runs) {
        if (run.first > next) rest.push_back({next, run.first - 1});
        next = run.last + 1;
    }
    if (next < n) rest.push_back({next, n - 1});
    return rest;
}

/// The part of a box that does not lie after the query, as at most two boxes.
void add_up_to(const Box& box, Index query, Boxes& out) {
    if (box.first > query) return;
    const auto columns_up_to = [&](Index first) {
        return std::min(box.columns, (query - first) / box.column_step + 1);
    };
    const Index end = box.first + (box.columns - 1) * box.column_step;  // of the first row
    Index whole = 0;
    if (end <= query) whole = box.rows == 1 ? 1 : std::min(box.rows, (query - end) / box.row_step + 1);
    Box part = box;
    part.rows = whole;
    if (whole > 0) out.push_back(part);
    const Index next = box.first + whole * box.row_step;
    if (whole < box.rows && next <= query)
        out.push_back({next, 1, box.row_step, columns_up_to(next), box.column_step});
}

/// Drops the keys after the query in raster order.
Rule made_causal(Rule rule) {
    Rule causal;
    causal.sees = [sees = std::move(rule.sees)](Index q, Index k) { return k <= q && sees(q, k); };
    causal.boxes = [boxes = std::move(rule.boxes)](Index q, Boxes& out) {
        Boxes all;
        boxes(q, all);
        for (const Box& box : all) add_up_to(box, q, out);
    };
    causal.stored = std::move(rule.stored);
    causal.outlines = std::move(rule.outlines);
    return causal;
}

Rule combined(Layer::Kind kind, std::vector<Rule> parts, Index n) {
    const auto shared = std::make_shared<const std::vector<Rule>>(std::move(parts));
    Rule rule;
    rule.sees = [=](Index q, Index k) {
        const auto sees = [=](const Rule& part) { return part.sees(q, k); };
        return kind == Layer::Kind::both     ? std::ranges::all_of(*shared, sees)
               : kind == Layer::Kind::either ? std::ranges::any_of(*shared, sees)
                                             : !sees(shared->front());
    };
    rule.boxes = [=](Index q, Boxes& out) {
        Boxes boxes;
        Runs runs;
        for (std::size_t i = 0; i < shared->size(); ++i) {
            if (kind != Layer::Kind::either) boxes.clear();
            (*shared)[i].boxes(q, boxes);
            if (kind == Layer::Kind::both) runs = i == 0 ? runs_of(boxes) : in_both(runs, runs_of(boxes));
        }
        if (kind != Layer::Kind::both) runs = runs_of(boxes);
        if (kind == Layer::Kind::none) runs = outside(runs, n);
        for (const Run& run : runs) out.push_back({run.first, 1, 0, run.last - run.first + 1, 1});
    };
    return rule;
}

Rule rule_of(const Layer& layer, Grid grid) {
    if (layer.kind != Layer::Kind::pattern) {
        std::vector<Rule> parts;
        for (const Layer& part : layer.parts) parts.push_back(rule_of(part, grid));
        return combined(layer.kind, std::move(parts), grid.size());
    }
    const Pattern& made_of = pattern(layer.id);
    const Knobs knobs(made_of.parameters, layer.set);
    Rule rule = made_of.rule(knobs, grid);
    const bool causal = find(made_of.parameters, "causal") != nullptr && knobs.flag("causal");
    return causal && made_of.causal_by_raster ? made_causal(std::move(rule)) : rule;
}

/// The layer with every knob brought to its kind. Throws UsageError.
Layer checked_layer(Layer layer) {
    if (layer.kind == Layer::Kind::pattern) {
        const Pattern& made_of = pattern(layer.id);
        for (auto& [id, value] : layer.set) {
            const Parameter* knob = find(made_of.parameters, id);
            if (knob == nullptr)
                throw UsageError("pattern '" + layer.id + "' has no knob '" + id + "'; it has " +
                                 id_list(made_of.parameters));
            value = checked(*knob, value);
        }
        return layer;
    }
    const std::size_t parts = layer.parts.size();
    if (layer.kind == Layer::Kind::none ? parts != 1 : parts < 2)
        throw UsageError("expected two patterns joined by and / or, or one after not, got " +
                         std::to_string(parts));
    for (Layer& part : layer.parts) part = checked_layer(std::move(part));
    return layer;
}

/// Empty, or the first sentence of a checked layer.
std::string problem_of(const Layer& layer, Grid grid) {
    if (layer.kind == Layer::Kind::pattern) {
        const Pattern& made_of = pattern(layer.id);
        return made_of.problem == nullptr ? std::string()
                                          : made_of.problem(Knobs(made_of.parameters, layer.set), grid);
    }
    for (const Layer& part : layer.parts)
        if (std::string sentence = problem_of(part, grid); !sentence.empty()) return sentence;
    return {};
}

Layer legal(Layer layer, Grid grid) {
    if (grid.height < 1 || grid.width < 1)
        throw Error("expected a grid of at least one cell, got " + std::to_string(grid.height) + "×" +
                    std::to_string(grid.width));
    layer = checked_layer(std::move(layer));
    if (const std::string sentence = problem_of(layer, grid); !sentence.empty()) throw Error(sentence);
    return layer;
}

Index total(const Boxes& boxes) {
    Index sum = 0;
    for (const Box& box : boxes) sum += box.size();
    return sum;
}

}  // namespace

std::optional<std::string> problem(const Layer& layer, Grid grid) {
    try {
        legal(layer, grid);
    } catch (const Error& error) {
        return error.what();
    }
    return std::nullopt;
}

std::optional<double> formula_entries(const Layer& layer, double height, double width) {
    if (layer.kind != Layer::Kind::pattern) return std::nullopt;
    const Pattern& made_of = pattern(layer.id);
    if (made_of.entries == nullptr) return std::nullopt;
    return made_of.entries(Knobs(made_of.parameters, layer.set), height, width);
}

BoundPattern::BoundPattern(Layer layer, Grid grid)
    : layer_(legal(std::move(layer), grid)),
      grid_(grid),
      rule_(std::make_shared<const Rule>(rule_of(layer_, grid))) {}

void BoundPattern::keys(Index query, std::vector<Index>& out) const {
    Boxes boxes;
    rule_->boxes(query, boxes);
    out.clear();
    for (const Box& box : boxes)
        for (Index i = 0; i < box.rows; ++i)
            for (Index j = 0; j < box.columns; ++j)
                out.push_back(box.first + i * box.row_step + j * box.column_step);
    if (!std::ranges::is_sorted(out)) std::ranges::sort(out);  // windows that wrap
}

void BoundPattern::boxes(Index query, Boxes& out) const {
    out.clear();
    rule_->boxes(query, out);
}

Index BoundPattern::count(Index query) const {
    if (rule_->count) return rule_->count(query);
    Boxes boxes;
    rule_->boxes(query, boxes);
    return total(boxes);
}

Index BoundPattern::stored(Index query) const {
    return rule_->stored ? rule_->stored(count(query)) : count(query);
}

Outlines BoundPattern::outlines(Index query) const {
    return rule_->outlines ? rule_->outlines(query) : Outlines{};
}

void BoundPattern::mask_row(Index query, std::span<unsigned char> row) const {
    std::ranges::fill(row, static_cast<unsigned char>(0));
    Boxes boxes;
    rule_->boxes(query, boxes);
    for (const Box& box : boxes)
        for (Index i = 0; i < box.rows; ++i)
            for (Index j = 0; j < box.columns; ++j)
                row[static_cast<std::size_t>(box.first + i * box.row_step + j * box.column_step)] = 1;
}

std::vector<BoundPattern> bind(std::span<const Layer> stack, Grid grid) {
    std::vector<BoundPattern> bound;
    for (const Layer& layer : stack) bound.emplace_back(layer, grid);
    return bound;
}

}  // namespace attn
