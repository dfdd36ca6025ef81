#include "core/pairs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/kernels.h"
#include "core/layers.h"
#include "core/matrix.h"

namespace attn {

namespace {

/// The bias of an attention as the kernel calls it.
struct Bias {
    const PairTable& table;
    const PairAttention& attention;

    static void add(const void* what, Index head, Index query, float* scores) {
        const Bias& self = *static_cast<const Bias*>(what);
        self.attention.bias(head, query, {scores, static_cast<std::size_t>(self.table.slots(query))});
    }
};

void read_rows(const Map& map, std::span<float> out) {
    const auto width = static_cast<std::size_t>(map.columns());
    for (Index r = 0; r < map.rows(); ++r)
        map.read(r, out.subspan(static_cast<std::size_t>(r) * width, width));
}

}  // namespace

PairTable even_table(Index queries, Index keys, Index slots, std::int32_t fill) {
    PairTable table{queries, keys, {}, {}};
    for (Index query = 0; query <= queries; ++query) table.first.push_back(query * slots);
    table.key.assign(static_cast<std::size_t>(queries * slots), fill);
    return table;
}

SharedTable pair_table(const BoundPattern& pattern) {
    PairTable table{pattern.size(), pattern.size(), {0}, {}};
    table.first.reserve(static_cast<std::size_t>(table.queries) + 1);
    Boxes boxes;
    for (Index query = 0; query < table.queries; ++query) {
        pattern.boxes(query, boxes);
        const auto begin = static_cast<std::ptrdiff_t>(table.key.size());
        for (const Box& box : boxes)
            for (Index i = 0; i < box.rows; ++i)
                for (Index j = 0; j < box.columns; ++j)
                    table.key.push_back(
                        static_cast<std::int32_t>(box.first + i * box.row_step + j * box.column_step));
        if (boxes.size() > 1) std::sort(table.key.begin() + begin, table.key.end());
        table.first.push_back(table.slots());
    }
    return std::make_shared<const PairTable>(std::move(table));
}

AttendedPairs attend(const Array& queries, const Array& keys, const Array& values, const PairTable& table,
                     const PairAttention& attention) {
    const Index heads = attention.heads;
    const Bias bias{table, attention};
    const kernels::Pairs pairs{table.first.data(), table.key.data(), attention.bias ? Bias::add : nullptr,
                               &bias};
    const kernels::Attention all{.q = queries.values().data(),
                                 .k = keys.values().data(),
                                 .v = values.values().data(),
                                 .n = table.queries,
                                 .m = table.keys,
                                 .d = queries.extent(1) / heads,
                                 .dv = values.extent(1) / heads,
                                 .heads = heads,
                                 .scale = attention.scale,
                                 .sharpness = sharpness_of(attention.tau)};
    Array scores(attention.shape.empty() ? Shape{heads, table.slots()} : attention.shape);
    Array weights(scores.shape());
    Array output({table.queries, values.extent(1)});
    std::vector<unsigned char> blind(static_cast<std::size_t>(heads * table.queries));
    kernels::attend_pairs(all, pairs, scores.values().data(), weights.values().data(), output.values().data(),
                          blind.data());
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)),
            blind_queries(blind, heads)};
}

Array multiply(const Array& weights, const Array& values, const PairTable& table, Index heads) {
    const Index d = values.extent(1) / heads;
    Array output({table.queries, values.extent(1)});
    const auto v = matrix(values);
    for (Index head = 0; head < heads; ++head)
        for (Index query = 0; query < table.queries; ++query) {
            const auto keys = table.row(query);
            const float* const alpha = weights.values().data() + head * table.slots() + table.begin(query);
            for (std::size_t s = 0; s < keys.size(); ++s)
                if (keys[s] >= 0)
                    matrix(output).row(query).segment(head * d, d) +=
                        alpha[s] * v.row(keys[s]).segment(head * d, d);
        }
    return output;
}

SharedTable seen_by_some(std::span<const SharedTable> tables) {
    if (tables.size() == 1) return tables.front();
    PairTable all{tables.front()->queries, tables.front()->keys, {0}, {}};
    std::vector<std::int32_t> keys;
    for (Index query = 0; query < all.queries; ++query) {
        keys.clear();
        for (const SharedTable& table : tables)
            std::ranges::copy_if(table->row(query), std::back_inserter(keys),
                                 [](std::int32_t key) { return key >= 0; });
        std::ranges::sort(keys);
        std::ranges::unique_copy(keys, std::back_inserter(all.key));
        all.first.push_back(all.slots());
    }
    return std::make_shared<const PairTable>(std::move(all));
}

std::vector<Map> maps_of(const SharedTable& table, const LateArray& slots, Index heads) {
    std::vector<Map> maps;
    for (Index head = 0; head < heads; ++head) maps.emplace_back(table, slots, head);
    return maps;
}

std::vector<Step> content_and_bias(const AttendedPairs& attended, const SharedTable& table,
                                   const PairAttention& attention) {
    if (!attention.bias) return {};
    const LateArray bias([table, attention, shape = attended.scores->shape()] {
        Array added(shape);
        float* row = added.values().data();
        for (Index head = 0; head < attention.heads; ++head)
            for (Index query = 0; query < table->queries; ++query) {
                const Index slots = table->slots(query);
                attention.bias(head, query, {row, static_cast<std::size_t>(slots)});
                row += slots;
            }
        return added;
    });
    const LateArray content([bias, scores = attended.scores] {
        Array rest = *scores;
        vector(rest) -= vector(*bias);
        return rest;
    });
    return {{.id = "content",
             .label = "q·k/√d: content",
             .shape = Step::Shape::pairs,
             .maps = maps_of(table, content, attention.heads),
             .part = Step::Part::addend},
            {.id = "bias",
             .label = "b: by offset alone",
             .shape = Step::Shape::pairs,
             .maps = maps_of(table, bias, attention.heads),
             .part = Step::Part::addend}};
}

Map allowed_map(const SharedTable& table) {
    const bool all = table->slots() == table->queries * table->keys && std::ranges::min(table->key) >= 0;
    return all ? Map() : Map(table);
}

LateArray dense(Map map, Element element) {
    return LateArray([map = std::move(map), element] {
        Array full({map.rows(), map.columns()}, 0.0F, element);
        read_rows(map, full.values());
        return full;
    });
}

LateArray dense(std::vector<Map> heads, Element element) {
    return LateArray([heads = std::move(heads), element] {
        const Index size = heads.front().rows() * heads.front().columns();
        Array full({std::ssize(heads), heads.front().rows(), heads.front().columns()}, 0.0F, element);
        for (std::size_t head = 0; head < heads.size(); ++head)
            read_rows(heads[head], full.values().subspan(head * static_cast<std::size_t>(size),
                                                         static_cast<std::size_t>(size)));
        return full;
    });
}

Trace trace_of(const AttendedPairs& attended, Grid queries, Grid keys, const SharedTable& table,
               SharedArray values, double tau) {
    Trace trace;
    trace.queries = queries;
    trace.keys = keys;
    for (Index head = 0; head < attended.scores->extent(0); ++head)
        trace.heads.push_back({Map(table, attended.scores, head), Map(table, attended.weights, head)});
    trace.allowed = allowed_map(table);
    trace.blind = attended.blind;
    trace.sharpness = tau;
    trace.values = std::move(values);
    trace.output = attended.output;
    return trace;
}

void write_dense(Trace& trace, const SharedTable& table) {
    std::vector<Map> weights;
    for (const Head& head : trace.heads) weights.push_back(head.weights);
    trace.out["out.weights"] = dense(std::move(weights));
    trace.out["out.mask"] = dense(Map(table), Element::flag);
}

}  // namespace attn
