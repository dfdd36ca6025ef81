#include "core/mechanisms/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/heads.h"
#include "core/matrix.h"
#include "core/mechanisms/shared.h"
#include "core/pattern.h"

namespace attn {

AdditiveScores additive_scores(const Arrays& arrays, const Array& states, const Array& words) {
    AdditiveScores result{linear(arrays, "query", states), {}, {}};
    const Index units = result.query.extent(1);
    result.key = linear(arrays, "ctx", words, units);
    const Array& v = require(arrays, "w.v", {units});
    const Array* bias = find(arrays, "b.v", {1});
    result.scores =
        additive_scores(result.query, result.key, v, bias != nullptr ? bias->values().front() : 0.0F);
    return result;
}

AgreementUnits agreement_units(const Array& keys) {
    const Index d = keys.extent(1);
    // Lengths in which unrelated words differ by about √2 per dimension, where the bump of c = 1 has lost
    // half its height, 2 tanh 1; the gap between a match and the rest is then about 0.75 per dimension.
    // Made 3.5 in all, it gives a match the better part of a row of ten words, and leaves something to the
    // rest.
    const double a = std::sqrt(static_cast<double>(d) / mean_square_length(keys));
    const double c = 1.0;
    const double s = 3.5 / (0.75 * static_cast<double>(d));

    AgreementUnits units{Array({2 * d, d}), Array({2 * d}, static_cast<float>(c)),
                         Array({2 * d}, static_cast<float>(s))};
    auto rows = matrix(units.w);
    rows.topRows(d).diagonal().setConstant(static_cast<float>(a));
    rows.bottomRows(d).diagonal().setConstant(static_cast<float>(a));
    vector(units.b).tail(d) *= -1.0F;
    vector(units.v).tail(d) *= -1.0F;
    return units;
}

SharedArray attentional(const Arrays& arrays, const SharedArray& context, const Array& states) {
    if (!arrays.contains("w.out")) return context;
    Array output = linear(arrays, "out", joined(*context, states));
    vector(output) = vector(output).array().tanh();
    return share(std::move(output));
}

Parameter half_window(Index least) {
    return {
        .id = "D",
        .symbol = "D",
        .label = "half window",
        .help = "source words on either side of the centre: the softmax runs over 2 D + 1 of them",
        .kind = Parameter::Kind::integer,
        .initial = Index{2},
        .low = static_cast<double>(least),
        .high = 4096,
        .offered = 12,
    };
}

SharedTable window_table(std::span<const Index> centres, Index keys, Index valid, Index half_width) {
    PairTable table{static_cast<Index>(centres.size()), keys, {0}, {}};
    for (const Index centre : centres) {
        const Index last = std::min(centre + half_width, valid - 1);
        for (Index key = std::max<Index>(centre - half_width, 0); key <= last; ++key)
            table.key.push_back(static_cast<std::int32_t>(key));
        table.first.push_back(table.slots());
    }
    return std::make_shared<const PairTable>(std::move(table));
}

Trace attend_projected(const Arrays& arrays, const Array& x, const Array& y, const Array& z,
                       const Knobs& knobs) {
    const Index heads = knobs.integer("heads");
    const Array q = linear(arrays, "q", x);
    head_width(require(arrays, "w.q"), 0, heads, "w.q");
    Array k = linear(arrays, "k", y, q.extent(1));
    Array v = linear(arrays, "v", z);
    head_width(require(arrays, "w.v"), 0, heads, "w.v");

    // Score (over √d of one head), squash, multiply.
    const Index n = q.extent(0);
    const Index m = k.extent(0);
    const Softmax softmax{knobs.real("tau"), knobs.flag("causal") ? causal_mask(n, m) : nullptr};
    Shuffled moved;
    SharedArray unshuffled;
    if (knobs.flag("shuffle")) {
        unshuffled = attend_heads(q, k, v, heads, 0.0F, softmax).output;
        moved = shuffled(k, v);
        k = moved.keys;
        v = moved.values;
    }
    const Attended attended = attend_heads(q, k, v, heads, 0.0F, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(std::move(v)), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.width = q.extent(1) / heads;
    trace.steps = {
        {.id = "q", .label = "q: W_q x", .shape = Step::Shape::queries, .maps = maps_of(share(q))},
        {.id = "k", .label = "k: W_k y", .shape = Step::Shape::keys, .maps = maps_of(share(k))},
        {.id = "v", .label = "v: W_v z", .shape = Step::Shape::keys, .maps = maps_of(trace.values)}};
    if (unshuffled) note_shuffle(trace, std::move(moved.order), *unshuffled);
    trace.out["out.weights_mean"] = share(mean_over_heads(*attended.weights));
    trace.out["out.output"] = share(linear_or_identity(arrays, "o", *attended.output));
    return trace;
}

Parameter knob_of_pattern(std::string_view id, std::string_view knob) {
    return *find(pattern(id).parameters, knob);
}

Projected projected(const Arrays& arrays, const Knobs& knobs) {
    const Index heads = knobs.integer("heads");
    const Array& q = require(arrays, "in.q", {-1, -1});
    head_width(q, 1, heads, "in.q");
    const Array& k = require(arrays, "in.k", q.shape());
    const Array& v = require(arrays, "in.v", {q.extent(0), -1});
    head_width(v, 1, heads, "in.v");
    return {q, k, v, heads};
}

AttendedPairs attend(const Projected& words, const PairTable& table, double tau) {
    const auto d = static_cast<float>(words.q.extent(1) / words.heads);
    return attend(words.q, words.k, words.v, table, {words.heads, 1.0F / std::sqrt(d), tau, {}, {}});
}

SharedTable pair_table(Layer layer, Index n) {
    return pair_table(BoundPattern(std::move(layer), {1, n}));
}

Arrays words_as_projected(const Array& words) {
    const double gain =
        std::sqrt(3.0 * std::sqrt(static_cast<double>(words.extent(1))) / mean_square_length(words));
    const Array x = scaled(words, gain);
    return {{"in.q", x}, {"in.k", x}, {"in.v", x}};
}

}  // namespace attn
