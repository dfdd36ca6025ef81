#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/pair_table.h"
#include "core/pattern_layer.h"
#include "core/trace.h"

namespace attn {

/// The keys of each query in ascending order.
SharedTable pair_table(const BoundPattern& pattern);

struct PairAttention {
    Index heads = 1;
    float scale = 1.0F;
    double tau = 1.0;
    /// Adds to the scores of a head's query, one number per slot; may be empty. Called from several threads.
    std::function<void(Index head, Index query, std::span<float> scores)> bias{};
    Shape shape{};  ///< of scores and weights, where it is not to be [heads, slots]
};

/// The three steps of all heads.
struct AttendedPairs {
    SharedArray scores;   ///< [heads, slots] (or `shape`), before τ; 0 in empty slots
    SharedArray weights;  ///< the same
    SharedArray output;   ///< [queries, heads·d_v], heads side by side
    std::vector<Index> blind;
};

/// e = scale · q·k + bias, α = softmax(e/τ) over the slots, y = Σ α v, for queries [n, heads·d], keys
/// [m, heads·d] and values [m, heads·d_v], heads side by side. Costs the pairs of the table.
AttendedPairs attend(const Array& queries, const Array& keys, const Array& values, const PairTable& table,
                     const PairAttention& attention);

/// Σ α v alone, for weights of the shape that attend gives: [queries, heads·d_v].
Array multiply(const Array& weights, const Array& values, const PairTable& table, Index heads);

/// The pairs of any of several tables of one size.
SharedTable seen_by_some(std::span<const SharedTable> tables);

/// Numbers of the table's slots, [heads, slots], as a map for each head.
std::vector<Map> maps_of(const SharedTable& table, const LateArray& slots, Index heads);
/// What a score with a bias is the sum of: q·k, scaled, and the bias. Keeps `attention.bias`, which must own
/// what it reads, and calls it when they are looked at.
std::vector<Step> content_and_bias(const AttendedPairs& attended, const SharedTable& table,
                                   const PairAttention& attention);

/// 1 for every pair of the table; empty where every query has every key.
Map allowed_map(const SharedTable& table);

/// A map as an array [queries, keys], or one of each head, [heads, queries, keys].
LateArray dense(Map map, Element element = Element::real);
LateArray dense(std::vector<Map> heads, Element element = Element::real);

/// A trace with these heads, over the table's pairs; squash, steps and `out` are left to the caller.
Trace trace_of(const AttendedPairs& attended, Grid queries, Grid keys, const SharedTable& table,
               SharedArray values, double tau);

/// Sets out.weights [heads, queries, keys] and out.mask [queries, keys].
void write_dense(Trace& trace, const SharedTable& table);

}  // namespace attn
