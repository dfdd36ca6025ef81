#include <cmath>
#include <string>

#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"
#include "core/random.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Array& y = require(arrays, "in.y", {-1, -1});
    const Array* z = find(arrays, "in.z", {y.extent(0), -1});
    Trace trace = attend_projected(arrays, x, y, z != nullptr ? *z : y, knobs);
    trace.keys = grid_of_rows(arrays, y.extent(0), trace.keys);
    return trace;
}

/// Each head compares the words in eight random directions of its own, the same for queries and keys: what is
/// alike scores high in all heads, the rest differs from head to head.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const Index width = 8;
    const Index rows = knobs.integer("heads") * width;
    const Index d = keys.extent(1);
    Random random(material.seed);
    const Array projection = random_projection(rows, d, random);
    Random random_values(material.seed + 1);
    // A projection of `width` rows keeps width / d of a product on average, and 1/√width is taken after it.
    // A word scores 3 with its like in a row of words; among hundreds of cells it needs more.
    const double match = material.key_grid.size() > 0 ? 8.0 : 3.0;
    const double gain =
        match * static_cast<double>(d) / std::sqrt(static_cast<double>(width)) / mean_square_length(keys);
    said = "random projections, seed " + std::to_string(material.seed) + ", the same for queries and keys";
    Arrays arrays = {{"in.x", queries},
                     {"in.y", keys},
                     {"w.q", scaled(projection, gain)},
                     {"w.k", projection},
                     {"w.v", random_projection(rows, d, random_values)}};
    if (material.key_grid.size() > 0) arrays["in.grid"] = sides_array(material.key_grid);
    return arrays;
}

}  // namespace

Mechanism cross() {
    return {
        .id = "cross",
        .title = "Cross-attention",
        .family = Family::sequences,
        .self_attention = false,
        .over_picture = true,
        .source = "Vaswani et al. 2017: Attention is all you need, section 3.2.3",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, q = W_q x, k = W_k y",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ)",
        .multiply = "oᵢ = Σⱼ αᵢⱼ vⱼ, v = W_v y, the heads side by side, then W_o o",
        .teaching =
            {
                .pieces = "the words (or the cells of a picture) of another row than the one that asks",
                .depends_on = "the product of a query of one row and a key of the other, over √d",
                .squash = "softmax over the keys of the other row, in every head apart",
                .multiply = "weighted mean of the other row's values; the heads are joined and projected",
                .sits = "in every layer of a decoder, between its self-attention and its feed-forward part",
                .see =
                    "Rows and columns are different things: what asks draws from what it is compared with, "
                    "and that never asks back.",
                .misreading = "It is not self-attention between two texts: nothing passes among the queries, "
                              "and keys may be fewer or wider than queries.",
            },
        .parameters = {head_count(2), temperature(), causal(), shuffled_keys()},
        .inputs =
            {
                {"in.x", "[T_q, E]", "what asks"},
                {"in.y", "[T_k, E_k]", "what is looked at"},
                {"in.grid", "[2]", "rows and columns of what is looked at, where it is a picture", true},
                {"in.z", "[T_k, E_v]", "what the values are made from; in.y where missing", true},
                {"w.q", "[h·d, E]", "W_q: the rows of head 1, then of head 2, …"},
                {"b.q", "[h·d]", "added to W_q x", true},
                {"w.k", "[h·d, E_k]", "W_k"},
                {"b.k", "[h·d]", "added to W_k y; the softmax cancels it", true},
                {"w.v", "[h·d_v, E_v]", "W_v"},
                {"b.v", "[h·d_v]", "added to W_v y", true},
                {"w.o", "[O, h·d_v]", "W_o; the identity where missing", true},
                {"b.o", "[O]", "added to W_o o", true},
            },
        .outputs =
            {
                {"out.scores", "[h, T_q, T_k]", "e of each head, before τ and the mask"},
                {"out.weights", "[h, T_q, T_k]", "α of each head"},
                {"out.weights_mean", "[T_q, T_k]", "mean of α over the heads"},
                {"out.output", "[T_q, O]", "W_o o"},
            },
        .figures = {"alignment", "overlay", "recipe", "laboratory"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
