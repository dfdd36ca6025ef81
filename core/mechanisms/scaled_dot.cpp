#include <cmath>
#include <utility>

#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Parameter scale() {
    return {
        .id = "scale",
        .label = "scale",
        .help =
            "multiplies q·k; 1/√d keeps the variance of the scores at 1 whatever the number of features d",
        .low = 0.001,
        .high = 10.0,
        .scale = Parameter::Scale::logarithmic,
        .automatic = "1/√d",
    };
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& queries = require(arrays, "in.q", {-1, -1});
    const Index n = queries.extent(0);
    const Index d = queries.extent(1);
    const Array& keys = require(arrays, "in.k", {-1, d});
    const Index m = keys.extent(0);
    const Array& values = require(arrays, "in.v", {m, -1});

    // Score, squash, multiply.
    const double given = knobs.real("scale");
    const double factor = given == 0.0 ? 1.0 / std::sqrt(static_cast<double>(d)) : given;
    const Softmax softmax{knobs.real("tau"), knobs.flag("causal") ? causal_mask(n, m) : nullptr};
    const auto attend_to = [&](const Array& k, const Array& v) {
        return attend(queries, k, v, static_cast<float>(factor), softmax);
    };
    Shuffled moved;
    if (knobs.flag("shuffle")) moved = shuffled(keys, values);
    const Array& placed = moved.order.empty() ? values : moved.values;
    const Attended attended = attend_to(moved.order.empty() ? keys : moved.keys, placed);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(placed), softmax.allowed);
    if (!moved.order.empty()) note_shuffle(trace, std::move(moved.order), *attend_to(keys, values).output);
    trace.sharpness = softmax.tau;
    if (given == 0.0) trace.width = d;
    trace.out["out.output"] = attended.output;
    return trace;
}

/// Self-attention in the source row: every word is query, key and value.
Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& words = offered(material.keys, 2, "a row of words");
    // With the scale 1/√d a word scores 3 with itself: at τ = 1 its relatives keep a visible share.
    const double gain =
        std::sqrt(3.0 * std::sqrt(static_cast<double>(words.extent(1))) / mean_square_length(words));
    const Array x = scaled(words, gain);
    said = "embeddings made by hand, queries = keys = values, scaled so that a word scores 3 with itself";
    return {{"in.q", x}, {"in.k", x}, {"in.v", x}};
}

}  // namespace

Mechanism scaled_dot() {
    return {
        .id = "scaled-dot",
        .title = "Scaled dot-product attention",
        .family = Family::sequences,
        .source = "Vaswani et al. 2017: Attention is all you need, eq. 1",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ)",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the words of one row, or of another",
                .depends_on = "the product of query and key, over √d",
                .squash = "softmax over the keys, those after the query left out when causal",
                .multiply = "weighted mean of the values: the matrix of weights times the matrix of values",
                .sits = "in every layer of a transformer, once per head",
                .see = "A word attends to the words like it; causal cuts the upper triangle off before the "
                       "softmax, so each "
                       "row still sums to 1.",
                .misreading = "Without √d the softmax saturates and its gradients vanish, they do not "
                              "explode; and weights "
                              "and values multiply as matrices, not element by element.",
            },
        .parameters = {temperature(), causal(), scale(), shuffled_keys()},
        .inputs =
            {
                {"in.q", "[T_q, d]", "queries"},
                {"in.k", "[T_k, d]", "keys"},
                {"in.v", "[T_k, d_v]", "values"},
            },
        .outputs =
            {
                {"out.scores", "[T_q, T_k]", "e, before τ and the mask"},
                {"out.weights", "[T_q, T_k]", "α"},
                {"out.output", "[T_q, d_v]", "y"},
            },
        .figures = {"alignment", "recipe", "rollout", "laboratory"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
