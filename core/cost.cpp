#include "core/cost.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/id_list.h"
#include "core/random.h"
#include "core/reach.h"

namespace attn {

namespace {

/// Every knob known and of its kind.
Values checked_values(const CostModel& model, Values set) {
    for (auto& [id, value] : set) {
        const Parameter* knob = find(model.parameters, id);
        if (knob == nullptr)
            throw UsageError("'" + model.id + "' has no knob '" + id + "'; it has " +
                             id_list(model.parameters));
        value = checked(*knob, value);
    }
    return set;
}

/// The knobs of the model that its pattern has.
Layer layer_of(const CostModel& model, const Values& set) {
    Layer layer{Layer::Kind::pattern, model.pattern, {}, {}};
    for (const auto& [id, value] : set)
        if (find(pattern(model.pattern).parameters, id) != nullptr) layer.set[id] = value;
    return layer;
}

std::optional<double> entries_of(const CostModel& model, const Values& set, Extent extent) {
    if (model.entries != nullptr) return model.entries(Knobs(model.parameters, set), extent);
    return formula_entries(layer_of(model, set), extent.height, extent.width);
}

/// Multiply-adds of the scores; those of the values are as many.
double score_of(const CostModel& model, const Knobs& knobs, Extent extent, double entries) {
    if (model.score != nullptr) return model.score(knobs, extent);
    return entries * static_cast<double>(knobs.integer("d"));
}

/// How many attention matrices there are; XCA's count is of all heads together.
double matrices(const CostModel& model, const Knobs& knobs) {
    return find(model.parameters, "heads") == nullptr || model.score != nullptr
               ? 1.0
               : static_cast<double>(knobs.integer("heads"));
}

Index whole(double number) {
    return static_cast<Index>(std::llround(number));
}

Index total(const std::vector<Progression>& keys) {
    Index sum = 0;
    for (const Progression& p : keys) sum += p.count;
    return sum;
}

Index total(const Axis& axis) {
    Index sum = 0;
    for (const auto& keys : axis) sum += total(keys);
    return sum;
}

}  // namespace

Index exact_entries(const BoundPattern& layer, const std::stop_token& stop) {
    const Product* product = layer.product();
    if (product != nullptr && layer.counts_positions()) return total(product->rows) * total(product->columns);
    Index sum = 0;
    const Index n = layer.size();
    std::atomic<bool> failed = false;  // nothing may leave a parallel region
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : sum)
    for (Index q = 0; q < n; ++q) {
        if (failed || stop.stop_requested()) continue;
        try {
            sum += layer.stored(q);
        } catch (const std::exception&) {
            failed = true;
        }
    }
    if (failed) throw Error("the entries of this layer could not be counted: not enough memory");
    if (stop.stop_requested()) throw Cancelled();
    return sum;
}

Estimate estimated_entries(const BoundPattern& layer, Index queries, const std::stop_token& stop) {
    const Index n = layer.size();
    queries = std::clamp(queries, Index{1}, n);
    Random random(1);
    double sum = 0.0;
    double squares = 0.0;
    for (Index i = 0; i < queries; ++i) {
        if (stop.stop_requested()) throw Cancelled();
        // One query from each of as many stretches: rules vary from top to bottom.
        const Index low = i * n / queries;
        const Index high = (i + 1) * n / queries;
        const auto stored = static_cast<double>(layer.stored(low + random.below(high - low)));
        sum += stored;
        squares += stored * stored;
    }
    const auto drawn = static_cast<double>(queries);
    const auto all = static_cast<double>(n);
    const double variance = std::max(squares / drawn - sum / drawn * (sum / drawn), 0.0);
    // The standard error of a mean of draws without return.
    return {all * sum / drawn, all * std::sqrt(variance / drawn * (1.0 - drawn / all))};
}

Cost cost(const CostModel& model, Values set, Grid grid, const std::stop_token& stop) {
    Cost found;
    found.id = model.id;
    found.set = checked_values(model, std::move(set));
    if (grid.height < 1 || grid.width < 1)
        throw Error("expected a grid of at least one cell, got " + std::to_string(grid.height) + "×" +
                    std::to_string(grid.width));
    const Knobs knobs(model.parameters, found.set);
    const Extent extent{static_cast<double>(grid.height), static_cast<double>(grid.width)};
    found.tokens = model.tokens != nullptr ? whole(model.tokens(knobs, extent)) : grid.size();
    if (!model.pattern.empty())
        found.entries_exact = exact_entries(BoundPattern(layer_of(model, found.set), grid), stop);
    const std::optional<double> formula = entries_of(model, found.set, extent);
    if (formula) found.entries = whole(*formula);
    const double entries = formula ? *formula : static_cast<double>(found.entries_exact.value_or(0));
    found.multiply_adds.score = found.multiply_adds.value = whole(score_of(model, knobs, extent, entries));
    const Learned learned = model.learned(knobs, extent);
    found.multiply_adds.projections = whole(learned.projections);
    found.bytes_fp16 = whole(2.0 * entries * matrices(model, knobs));
    found.bytes_fp32 = 2 * found.bytes_fp16;
    found.parameters = {whole(learned.weights), whole(learned.biases)};
    return found;
}

std::function<double(double)> cost_curve(const CostModel& model, Values set, Measure measure, double patch) {
    Values checked = checked_values(model, std::move(set));
    if (!model.curve || !entries_of(model, checked, {8.0, 8.0}))
        throw Error("'" + model.id + "' has no formula that grows with a picture: choose another curve");
    return [&model, set = std::move(checked), measure, patch](double side) {
        const Knobs knobs(model.parameters, set);
        const Extent extent{side / patch, side / patch};
        const double entries = *entries_of(model, set, extent);
        switch (measure) {
            case Measure::entries:
                break;
            case Measure::multiply_adds:
                return 2.0 * score_of(model, knobs, extent, entries);
            case Measure::flops:
                return 4.0 * score_of(model, knobs, extent, entries);
            case Measure::bytes_fp16:
                return 2.0 * entries * matrices(model, knobs);
            case Measure::bytes_fp32:
                return 4.0 * entries * matrices(model, knobs);
        }
        return entries;
    };
}

std::vector<double> crossings(const std::function<double(double)>& a, const std::function<double(double)>& b,
                              double low, double high) {
    // Curves are sums of powers: relative differences beyond rounding tell which is above.
    const auto above = [&](double side) {
        const double difference = a(side) - b(side);
        return std::abs(difference) <= 1e-12 * std::abs(a(side)) ? 0 : difference > 0.0 ? 1 : -1;
    };
    constexpr int steps = 2048;
    std::vector<double> found;
    int before = above(low);
    double from = low;
    for (int i = 1; i <= steps; ++i) {
        const double side = low * std::pow(high / low, static_cast<double>(i) / steps);
        const int now = above(side);
        if (now == 0) continue;
        if (before != 0 && now != before) {
            double left = from;
            double right = side;
            for (int halving = 0; halving < 60; ++halving) {
                const double middle = 0.5 * (left + right);
                const int there = above(middle);
                if (there == 0) {
                    left = right = middle;
                    break;
                }
                (there == before ? left : right) = middle;
            }
            found.push_back(0.5 * (left + right));
        }
        before = now;
        from = side;
    }
    return found;
}

GateCost gate_cost(Index channels, Index r) {
    if (r < 1 || channels < r || channels % r != 0)
        throw Error("expected a reduction r that divides the " + std::to_string(channels) +
                    " channels, got " + std::to_string(r));
    return {2 * channels * channels / r, channels / r + channels, 9 * channels * channels};
}

NetworkGates se_resnet_50(Index r) {
    constexpr std::array<Index, 4> blocks = {3, 4, 6, 3};
    constexpr std::array<Index, 4> channels = {256, 512, 1024, 2048};
    NetworkGates gates;
    Index last = 0;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        last = blocks[stage] * gate_cost(channels[stage], r).weights;
        gates.weights += last;
    }
    gates.last_stage_share = static_cast<double>(last) / static_cast<double>(gates.weights);
    return gates;
}

Index window_as_dear_as_conv3x3(Index d_in, Index d_out) {
    // A position: convolution 9·d_in·d_out; attention 3·d_in·d_out of projections and 2·d_out for each of k²
    // keys.
    const double k = std::sqrt(6.0 * static_cast<double>(d_in * d_out) / (2.0 * static_cast<double>(d_out)));
    return static_cast<Index>(k);
}

}  // namespace attn
