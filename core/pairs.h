#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/pattern_layer.h"
#include "core/trace.h"

namespace attn {

/// Attention that costs the pairs it scores: every query has a row of slots, and a table says which key
/// stands in each.
struct PairTable {
    static constexpr std::int32_t none = -1;     ///< no key: takes no mass
    static constexpr std::int32_t padding = -2;  ///< a key and a value of zeros: takes mass, gives nothing

    Index queries = 0;
    Index keys = 0;
    Index slots = 0;
    std::vector<std::int32_t> key;  ///< [queries, slots]

    [[nodiscard]] std::span<const std::int32_t> row(Index query) const {
        return std::span(key).subspan(static_cast<std::size_t>(query * slots),
                                      static_cast<std::size_t>(slots));
    }
};
using SharedTable = std::shared_ptr<const PairTable>;

/// The keys of each query in ascending order; as many slots as the query with the most keys has.
SharedTable pair_table(const BoundPattern& pattern);

struct PairAttention {
    Index heads = 1;
    float scale = 1.0F;
    double tau = 1.0;
    /// Adds to the scores of a head's query, one number per slot; may be empty. Called from several threads.
    std::function<void(Index head, Index query, std::span<float> scores)> bias{};
    Shape shape{};  ///< of scores and weights, where it is not to be [heads, queries, slots]
};

/// The three steps of all heads.
struct AttendedPairs {
    SharedArray scores;   ///< [heads, queries, slots] (or `shape`), before τ; 0 in empty slots
    SharedArray weights;  ///< the same
    SharedArray output;   ///< [queries, heads·d_v], heads side by side
    std::vector<Index> blind;
};

/// e = scale · q·k + bias, α = softmax(e/τ) over the slots, y = Σ α v, for queries [n, heads·d], keys
/// [m, heads·d] and values [m, heads·d_v], heads side by side.
AttendedPairs attend(const Array& queries, const Array& keys, const Array& values, const PairTable& table,
                     const PairAttention& attention);

/// [heads, queries, slots] as [heads, queries, keys], 0 where there is no pair.
Array spread(const Array& slots, const PairTable& table);
/// The same of one head as a map that is filled when it is read.
Map spread_map(SharedArray slots, Index head, SharedTable table);
/// The same, one for each head.
std::vector<Map> spread_maps(const SharedArray& slots, const SharedTable& table);
/// What a score with a bias is the sum of: q·k, scaled, and the bias. Calls `attention.bias`.
std::vector<Step> content_and_bias(const AttendedPairs& attended, const SharedTable& table,
                                   const PairAttention& attention);
/// Flags [queries, keys], 1 where the query has the key.
Array allowed_pairs(const PairTable& table);
/// The same as a map that is filled when it is read; empty where every query has every key.
Map allowed_map(const SharedTable& table);

/// A trace with these heads, over the table's pairs; squash, steps and `out` are left to the caller.
Trace trace_of(const AttendedPairs& attended, Grid queries, Grid keys, const SharedTable& table,
               SharedArray values, double tau);

}  // namespace attn
