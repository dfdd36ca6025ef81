#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/question.h"
#include "core/error.h"
#include "core/recipe.h"

namespace attn {
namespace {

constexpr std::size_t most_kept = 32;
constexpr Index curve_points = 193;

std::string key_of(const std::vector<Layer>& layers, Grid grid, bool skip) {
    return format_stack(layers) + '\n' + std::to_string(grid.height) + 'x' + std::to_string(grid.width) +
           (skip ? " skip" : "");
}

std::string key_of(const CurveSpec& curve) {
    std::string key = curve.model->id + '/' + std::to_string(curve.patch);
    for (const auto& [id, value] : curve.set) key += ' ' + id + '=' + format(value);
    return key;
}

/// Whether rows are products or few: then a tile and a map cost next to nothing.
bool covers_at_once(const Stack& stack) {
    const Grid grid = stack.grid();
    constexpr Index few = 256;
    constexpr Index short_side = 128;
    const bool products = std::ranges::all_of(
        stack.layers, [](const BoundPattern& layer) { return layer.product() != nullptr; });
    return grid.size() <= few || (products && std::max(grid.height, grid.width) <= short_side);
}

/// Whether some rule was typed: each of its pairs costs an evaluation.
bool is_typed(const Layer& layer) {
    if (layer.kind == Layer::Kind::pattern) return pattern(layer.id).family == Pattern::Family::own;
    return std::ranges::any_of(layer.parts, is_typed);
}

LayerEntries entries_of(const BoundPattern& layer, const std::stop_token& stop) {
    constexpr Index pairs = Index{1} << 23U;
    const Index n = layer.size();
    LayerEntries entries;
    entries.formula = formula_entries(layer.layer(), static_cast<double>(layer.grid().height),
                                      static_cast<double>(layer.grid().width));
    if (is_typed(layer.layer()) && n > pairs / n)
        entries.estimate = estimated_entries(layer, std::clamp<Index>(pairs / n, 16, 256), stop);
    else
        entries.exact = exact_entries(layer, stop);
    return entries;
}

const std::vector<double>& curve_sides() {
    static const std::vector<double> sides = [] {
        std::vector<double> all;
        const double ratio = static_cast<double>(greatest_side) / static_cast<double>(least_side);
        for (Index i = 0; i < curve_points; ++i)
            all.push_back(static_cast<double>(least_side) *
                          std::pow(ratio, static_cast<double>(i) / static_cast<double>(curve_points - 1)));
        return all;
    }();
    return sides;
}

Grid mark_grid(Index side, Index patch) {
    const Index cells = std::max<Index>(side / patch, 1);
    return {cells, cells};
}

/// Curves whose every crossing is known, of one measure.
struct Curves {
    std::vector<std::function<double(double)>> functions;
    std::vector<std::vector<double>> values;
    std::vector<Crossing> crossings;
};

Curves make_curves(const Question& question, const std::stop_token& stop) {
    Curves made;
    for (const CurveSpec& curve : question.curves) {
        made.functions.push_back(
            cost_curve(*curve.model, curve.set, question.measure, static_cast<double>(curve.patch)));
        std::vector<double>& values = made.values.emplace_back();
        for (const double side : curve_sides()) values.push_back(made.functions.back()(side));
    }
    for (std::size_t b = 0; b < made.functions.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) {
            if (stop.stop_requested()) throw Cancelled();
            for (const double side :
                 crossings(made.functions[a], made.functions[b], static_cast<double>(least_side),
                           static_cast<double>(greatest_side)))
                made.crossings.push_back({a, b, side, made.functions[a](side)});
        }
    return made;
}

/// What is known of a stack on a grid whatever the query.
struct StackFacts {
    std::string name;
    std::shared_ptr<const Stack> stack;
    std::vector<LayerEntries> entries;
    std::shared_ptr<const std::vector<Index>> keys;
    std::shared_ptr<const CoverageMap> cover;
    std::shared_ptr<const std::vector<std::int32_t>> all_hops;
    Index all_hops_layers = 0;
};

/// A map that forgets everything when it is full.
template <class Value>
Value& kept_under(std::map<std::string, Value>& kept, const std::string& key) {
    if (kept.size() >= most_kept && !kept.contains(key)) kept.clear();
    return kept[key];
}

/// What the last layer brings, a step in from the corner so that more than one way leads there.
Index telling_key(const Stack& stack, const Reach& reach, Index query) {
    const Grid grid = stack.grid();
    const std::int32_t deepest = *std::ranges::max_element(reach.hops);
    if (deepest < 1) return query;
    Index key = stack.size() - 1;
    while (reach.hops[static_cast<std::size_t>(key)] != deepest) --key;
    const Index inner = key - (grid.height > 1 ? grid.width + 1 : 1);
    const bool inside = inner >= 0 && (grid.height == 1 || key % grid.width > 0);
    return inside && reach.hops[static_cast<std::size_t>(inner)] == deepest ? inner : key;
}

/// Null where the key is not on the grid.
std::shared_ptr<const Ways> ways_of(const Followed& followed, Index wished, const std::stop_token& stop) {
    const Stack& stack = *followed.stack;
    if (wished >= stack.size()) return nullptr;
    constexpr Index few = 4096;
    auto ways = std::make_shared<Ways>();
    ways->key = wished >= 0 ? wished : telling_key(stack, followed.reach, followed.query);
    ways->bridges = bridges(stack, followed.query, ways->key, followed.depth(), stop);
    ways->paths = paths(stack, followed.query, followed.depth(), stop);
    ways->any_key = stack.size() <= few || std::ranges::none_of(followed.layers, is_typed);
    return ways;
}

Followed follow(const StackFacts& facts, const std::vector<Layer>& layers, const Question& question,
                const std::stop_token& stop) {
    Followed followed;
    followed.layers = layers;
    followed.name = facts.name;
    followed.stack = facts.stack;
    followed.query = question.query;
    followed.reach = reach(*facts.stack, question.query, question.layers, stop);
    followed.coverage = coverage(*facts.stack, question.query, stop);
    followed.entries = facts.entries;
    followed.cover = facts.cover;
    followed.keys = facts.keys;
    if (question.all_hops) followed.all_hops = facts.all_hops;
    if (question.key) followed.ways = ways_of(followed, *question.key, stop);
    return followed;
}

std::shared_ptr<const std::vector<std::int32_t>> hops_of_all(const StackFacts& facts, Index layers,
                                                             const std::stop_token& stop) {
    auto all = std::make_shared<std::vector<std::int32_t>>();
    Followed row;
    row.stack = facts.stack;
    for (row.query = 0; row.query < facts.stack->size(); ++row.query) {
        row.reach = reach(*facts.stack, row.query, layers, stop);
        for (Index key = 0; key < facts.stack->size(); ++key) all->push_back(row.seen_at(key));
    }
    return all;
}

}  // namespace

std::int32_t Followed::seen_at(Index key) const {
    if (key == query) return stack->skip || stack->layer(1).sees(query, query) ? 1 : 0;
    return std::max(reach.hops[static_cast<std::size_t>(key)], 0);
}

struct PatternEvaluator::Kept {
    std::map<std::string, StackFacts> stacks;
    std::map<std::string, Curves> curves;
    std::map<std::string, Cost> costs;
    std::map<std::string, LayerEntries> typed;
    std::map<std::string, std::shared_ptr<const ScaleExperiment>> experiments;

    StackFacts& facts_of(const std::vector<Layer>& layers, const Question& question,
                         const std::stop_token& stop);
    const Cost& cost_of(const CurveSpec& curve, Grid grid, const std::stop_token& stop);
    CostChart chart_of(const Question& question, const std::stop_token& stop);
    ScaleFindings scale_of(const ScaleSpec& asked);
};

StackFacts& PatternEvaluator::Kept::facts_of(const std::vector<Layer>& layers, const Question& question,
                                             const std::stop_token& stop) {
    StackFacts& facts = kept_under(stacks, key_of(layers, question.grid, question.skip));
    if (!facts.stack) {
        facts.name = stack_name(layers);
        facts.stack = std::make_shared<const Stack>(make_stack(layers, question.grid, question.skip));
    }
    if (facts.entries.empty()) {
        std::vector<LayerEntries> entries;
        for (const BoundPattern& layer : facts.stack->layers) entries.push_back(entries_of(layer, stop));
        facts.entries = std::move(entries);
    }
    constexpr Index few = 4096;
    if (!facts.keys && (question.keys || question.grid.size() <= few))
        facts.keys = std::make_shared<const std::vector<Index>>(keys_per_query(facts.stack->layers.front()));
    if (!facts.cover && (question.cover || covers_at_once(*facts.stack)))
        facts.cover = std::make_shared<const CoverageMap>(coverage_map(*facts.stack, stop));
    if (question.all_hops && facts.all_hops_layers != question.layers) {
        facts.all_hops = hops_of_all(facts, question.layers, stop);
        facts.all_hops_layers = question.layers;
    }
    return facts;
}

const Cost& PatternEvaluator::Kept::cost_of(const CurveSpec& curve, Grid grid, const std::stop_token& stop) {
    Cost& found = kept_under(
        costs, key_of(curve) + '@' + std::to_string(grid.height) + 'x' + std::to_string(grid.width));
    if (found.id.empty()) found = cost(*curve.model, curve.set, grid, stop);
    return found;
}

CostChart PatternEvaluator::Kept::chart_of(const Question& question, const std::stop_token& stop) {
    CostChart chart;
    chart.measure = question.measure;
    chart.side = question.side;
    if (!question.curves.empty()) {
        std::string key = std::to_string(static_cast<int>(question.measure));
        for (const CurveSpec& curve : question.curves) key += '\n' + key_of(curve);
        Curves& shapes = kept_under(curves, key);
        if (shapes.functions.empty()) shapes = make_curves(question, stop);
        chart.sides = curve_sides();
        chart.crossings = shapes.crossings;
        for (std::size_t i = 0; i < question.curves.size(); ++i) {
            const CurveSpec& spec = question.curves[i];
            chart.curves.push_back({spec, shapes.values[i],
                                    shapes.functions[i](static_cast<double>(question.side)),
                                    cost_of(spec, mark_grid(question.side, spec.patch), stop)});
        }
    }
    if (question.preset != nullptr) {
        const CostPreset& preset = *question.preset;
        const Grid grid{std::max<Index>(preset.grid.height / preset.patch, 1),
                        std::max<Index>(preset.grid.width / preset.patch, 1)};
        chart.preset = cost_of({{}, &cost_model(preset.model), preset.set, 1}, grid, stop);
        chart.preset_global = cost_of({{}, &cost_model("global"), {}, 1}, preset.grid, stop);
    }
    for (const Layer& layer : question.typed) {
        const Grid grid = mark_grid(question.side, 1);
        LayerEntries& entries = kept_under(typed, key_of({layer}, grid, false));
        if (!entries.exact && !entries.estimate) entries = entries_of(BoundPattern(layer, grid), stop);
        chart.typed.push_back(entries);
    }
    return chart;
}

ScaleFindings PatternEvaluator::Kept::scale_of(const ScaleSpec& asked) {
    auto& experiment =
        kept_under(experiments, std::to_string(asked.keys) + " keys, seed " + std::to_string(asked.seed));
    if (!experiment) experiment = std::make_shared<const ScaleExperiment>(asked.keys, asked.seed);
    ScaleFindings found{experiment, experiment->at(asked.d), experiment->row(asked.d), {}, {}};
    found.unscaled = found.scaled = found.scores;
    softmax_rows(found.unscaled, asked.keys, 1.0);
    softmax_rows(found.scaled, asked.keys, std::sqrt(static_cast<double>(asked.d)));
    return found;
}

PatternEvaluator::PatternEvaluator() : kept_(std::make_unique<Kept>()) {}
PatternEvaluator::~PatternEvaluator() = default;

std::shared_ptr<const Findings> PatternEvaluator::answer(const Question& question,
                                                         const std::stop_token& stop) {
    auto findings = std::make_shared<Findings>();
    for (const std::vector<Layer>& layers : question.stacks)
        findings->followed.push_back(follow(kept_->facts_of(layers, question, stop), layers, question, stop));
    findings->cost = kept_->chart_of(question, stop);
    if (question.scale) findings->scale = kept_->scale_of(*question.scale);
    return findings;
}

}  // namespace attn
