#include "core/pairs.h"

#include <algorithm>
#include <utility>

#include "core/matrix.h"

namespace attn {

namespace {

/// Operations below which a second thread costs more than it saves.
constexpr Index worth_a_thread = 1 << 18;

/// One flag per slot; empty where every slot has a key.
std::vector<float> filled(const PairTable& table) {
    if (std::ranges::find(table.key, PairTable::none) == table.key.end()) return {};
    std::vector<float> flags(table.key.size());
    std::ranges::transform(table.key, flags.begin(),
                           [](std::int32_t key) { return key == PairTable::none ? 0.0F : 1.0F; });
    return flags;
}

Array score(const Array& queries, const Array& keys, const PairTable& table, const PairAttention& attention) {
    const Index n = table.queries;
    const Index d = queries.extent(1) / attention.heads;
    Array scores(attention.shape.empty() ? Shape{attention.heads, n, table.slots} : attention.shape);
    const auto q = matrix(queries);
    const auto k = matrix(keys);
    float* const all = scores.values().data();
#pragma omp parallel for schedule(static) if (scores.size() * d > worth_a_thread)
    for (Index row = 0; row < attention.heads * n; ++row) {
        const Index head = row / n;
        const Index query = row % n;
        const std::span<const std::int32_t> seen = table.row(query);
        const std::span<float> e(all + row * table.slots, static_cast<std::size_t>(table.slots));
        const auto asks = q.row(query).segment(head * d, d);
        for (std::size_t s = 0; s < e.size(); ++s)
            if (seen[s] >= 0) e[s] = attention.scale * asks.dot(k.row(seen[s]).segment(head * d, d));
        if (attention.bias) attention.bias(head, query, e);
    }
    return scores;
}

Array multiply(const Array& weights, const Array& values, const PairTable& table, Index heads) {
    const Index n = table.queries;
    const Index d = values.extent(1) / heads;
    Array output({n, values.extent(1)});
    const auto v = matrix(values);
    auto y = matrix(output);
#pragma omp parallel for schedule(static) if (weights.size() * d > worth_a_thread)
    for (Index row = 0; row < heads * n; ++row) {
        const Index head = row / n;
        const std::span<const std::int32_t> seen = table.row(row % n);
        const float* const alpha = weights.values().data() + row * table.slots;
        auto sum = y.row(row % n).segment(head * d, d);
        for (std::size_t s = 0; s < seen.size(); ++s)
            if (seen[s] >= 0) sum += alpha[s] * v.row(seen[s]).segment(head * d, d);
    }
    return output;
}

/// The number of positions the query sees.
Index slots_of(const BoundPattern& pattern, Index query) {
    Boxes boxes;
    pattern.boxes(query, boxes);
    Index count = 0;
    for (const Box& box : boxes) count += box.size();
    return count;
}

}  // namespace

SharedTable pair_table(const BoundPattern& pattern) {
    PairTable table;
    table.queries = table.keys = pattern.size();
    std::vector<Index> seen;
    for (Index query = 0; query < table.queries; ++query)
        table.slots = std::max(table.slots, slots_of(pattern, query));
    table.key.assign(static_cast<std::size_t>(table.queries * table.slots), PairTable::none);
    auto row = table.key.begin();
    for (Index query = 0; query < table.queries; ++query, row += table.slots) {
        pattern.keys(query, seen);
        std::ranges::transform(seen, row, [](Index key) { return static_cast<std::int32_t>(key); });
    }
    return std::make_shared<const PairTable>(std::move(table));
}

AttendedPairs attend(const Array& queries, const Array& keys, const Array& values, const PairTable& table,
                     const PairAttention& attention) {
    Array scores = score(queries, keys, table, attention);
    Array weights = scores;
    const std::vector<float> flags = filled(table);
    const auto size = static_cast<std::size_t>(table.queries * table.slots);
    std::vector<Index> blind;
    for (Index head = 0; head < attention.heads; ++head) {
        const auto rows = weights.values().subspan(static_cast<std::size_t>(head) * size, size);
        blind = softmax_rows(rows, table.slots, attention.tau, flags);
    }
    Array output = multiply(weights, values, table, attention.heads);
    return {std::make_shared<const Array>(std::move(scores)),
            std::make_shared<const Array>(std::move(weights)),
            std::make_shared<const Array>(std::move(output)), std::move(blind)};
}

namespace {

/// Adds the head's numbers, so that a key in two slots has both.
void spread_head(const Array& slots, Index head, const PairTable& table, float* out) {
    const float* from = slots.values().data() + head * table.queries * table.slots;
    for (Index query = 0; query < table.queries; ++query, out += table.keys, from += table.slots) {
        const std::span<const std::int32_t> seen = table.row(query);
        for (std::size_t s = 0; s < seen.size(); ++s)
            if (seen[s] >= 0) out[seen[s]] += from[s];
    }
}

}  // namespace

Array spread(const Array& slots, const PairTable& table) {
    const Index heads = slots.extent(0);
    Array full({heads, table.queries, table.keys});
    for (Index head = 0; head < heads; ++head)
        spread_head(slots, head, table, full.values().data() + head * table.queries * table.keys);
    return full;
}

Map spread_map(SharedArray slots, Index head, SharedTable table) {
    const Index rows = table->queries;
    const Index columns = table->keys;
    return {rows, columns, [slots = std::move(slots), head, table = std::move(table)] {
                Array full({table->queries, table->keys});
                spread_head(*slots, head, *table, full.values().data());
                return full;
            }};
}

std::vector<Map> spread_maps(const SharedArray& slots, const SharedTable& table) {
    std::vector<Map> maps;
    for (Index head = 0; head < slots->extent(0); ++head) maps.push_back(spread_map(slots, head, table));
    return maps;
}

std::vector<Step> content_and_bias(const AttendedPairs& attended, const SharedTable& table,
                                   const PairAttention& attention) {
    if (!attention.bias) return {};
    Array bias(attended.scores->shape());
    const auto slots = static_cast<std::size_t>(table->slots);
    float* row = bias.values().data();
    for (Index head = 0; head < attention.heads; ++head)
        for (Index query = 0; query < table->queries; ++query, row += slots)
            attention.bias(head, query, {row, slots});
    Array content = *attended.scores;
    vector(content) -= vector(bias);
    return {{.id = "content",
             .label = "q·k/√d: content",
             .shape = Step::Shape::pairs,
             .maps = spread_maps(std::make_shared<const Array>(std::move(content)), table),
             .part = Step::Part::addend},
            {.id = "bias",
             .label = "b: by offset alone",
             .shape = Step::Shape::pairs,
             .maps = spread_maps(std::make_shared<const Array>(std::move(bias)), table),
             .part = Step::Part::addend}};
}

Array allowed_pairs(const PairTable& table) {
    Array flags({table.queries, table.keys}, 0.0F, Element::flag);
    float* row = flags.values().data();
    for (Index query = 0; query < table.queries; ++query, row += table.keys)
        for (const std::int32_t key : table.row(query))
            if (key >= 0) row[key] = 1.0F;
    return flags;
}

Map allowed_map(const SharedTable& table) {
    if (table->slots >= table->keys && std::ranges::min(table->key) >= 0) return {};
    return {table->queries, table->keys, [table] { return allowed_pairs(*table); }};
}

Trace trace_of(const AttendedPairs& attended, Grid queries, Grid keys, const SharedTable& table,
               SharedArray values, double tau) {
    Trace trace;
    trace.queries = queries;
    trace.keys = keys;
    for (Index head = 0; head < attended.scores->extent(0); ++head)
        trace.heads.push_back(
            {spread_map(attended.scores, head, table), spread_map(attended.weights, head, table)});
    trace.allowed = allowed_map(table);
    trace.blind = attended.blind;
    trace.sharpness = tau;
    trace.values = std::move(values);
    trace.output = attended.output;
    return trace;
}

}  // namespace attn
