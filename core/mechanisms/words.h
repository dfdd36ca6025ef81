#pragma once

#include <span>
#include <string_view>

#include "core/array.h"
#include "core/pairs.h"
#include "core/parameter.h"
#include "core/trace.h"

namespace attn {

/// What the mechanisms over words share.

/// e = vᵀ tanh(W s + U h + b) + c of queries s and keys h, with w.query, b.query, w.ctx, b.ctx, w.v and b.v.
struct AdditiveScores {
    Array query;   ///< W s, [n, A]
    Array key;     ///< U h + b, [m, A]
    Array scores;  ///< [n, m]
};
AdditiveScores additive_scores(const Arrays& arrays, const Array& states, const Array& words);

/// Two tanh units per dimension, facing each other: s [tanh(a (q − k) + c) − tanh(a (q − k) − c)] is a bump
/// about q = k.
struct AgreementUnits {
    Array w;  ///< [2 d, d], of the queries; the keys' is its negative
    Array b;  ///< [2 d]
    Array v;  ///< [2 d]
};
AgreementUnits agreement_units(const Array& keys);

/// Luong's attentional vector tanh(W [c ; h]) with w.out and b.out; c itself where there is no w.out.
SharedArray attentional(const Arrays& arrays, const SharedArray& context, const Array& states);

Parameter half_window(Index least);  ///< D
/// The keys with |key − centre of the query| ≤ D among the first `valid`.
SharedTable window_table(std::span<const Index> centres, Index keys, Index valid, Index half_width);

/// Projections of queries from x, keys from y and values from z, heads side by side, an output projection:
/// w.q, w.k, w.v, w.o and their biases, knobs tau, heads and causal.
Trace attend_projected(const Arrays& arrays, const Array& x, const Array& y, const Array& z,
                       const Knobs& knobs);

/// A knob of a pattern, for the mechanism that takes its keys from it.
Parameter knob_of_pattern(std::string_view id, std::string_view knob);

/// Queries, keys and values [n, heads·d] as they come, in.q, in.k and in.v, of one row of words.
struct Projected {
    const Array& q;
    const Array& k;
    const Array& v;
    Index heads;
};
Projected projected(const Arrays& arrays, const Knobs& knobs);
/// e = q·k / √d over the pairs of the table.
AttendedPairs attend(const Projected& words, const PairTable& table, double tau);
/// The pairs of one layer of a pattern over n words.
SharedTable pair_table(Layer layer, Index n);

/// The same made of words: they are query, key and value as they are, a word scoring 3 with itself in one
/// head.
Arrays words_as_projected(const Array& words);

}  // namespace attn
