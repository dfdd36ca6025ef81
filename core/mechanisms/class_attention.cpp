#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/heads.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

/// [heads, 1, N + 1] without the class token's own place, [heads, 1, N].
SharedArray of_patches(const Array& rows) {
    const Index heads = rows.extent(0);
    const Index patches = rows.extent(2) - 1;
    Array result({heads, 1, patches});
    matrix(result, heads, patches) = matrix(rows, heads, patches + 1).rightCols(patches);
    return share(std::move(result));
}

Grid patch_grid(const Arrays& arrays, Index patches) {
    const Index side = std::llround(std::sqrt(static_cast<double>(patches)));
    return grid_of_rows(arrays, patches, side * side == patches ? Grid{side, side} : Grid{1, patches});
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Index patches = x.extent(0) - 1;
    if (patches < 1)
        throw Error("array 'in.x': expected a class token and at least one patch, got the shape " +
                    describe(x.shape()));
    const Index heads = knobs.integer("heads");
    Array token({1, x.extent(1)});
    matrix(token) = matrix(x).topRows(1);

    // Score: one query, the class token; keys are the patches and itself. Squash, multiply.
    const Array q = linear(arrays, "q", token);
    require_heads("w.q", require(arrays, "w.q"), q.extent(1), heads);
    const Array k = linear(arrays, "k", x, q.extent(1));
    const Array v = linear(arrays, "v", x);
    require_heads("w.v", require(arrays, "w.v"), v.extent(1), heads);
    const double tau = knobs.real("tau");
    const Attended attended = attend_heads(q, k, v, heads, 0.0F, {tau, nullptr});

    Trace trace;
    trace.queries = {1, 1};
    trace.keys = patch_grid(arrays, patches);
    const SharedArray scores = of_patches(*attended.scores);
    const SharedArray weights = of_patches(*attended.weights);
    for (Index head = 0; head < heads; ++head) trace.heads.push_back({Map(scores, head), Map(weights, head)});
    trace.sharpness = tau;
    trace.width = q.extent(1) / heads;
    Array values({patches, v.extent(1)});
    matrix(values) = matrix(v).bottomRows(patches);
    trace.values = share(std::move(values));
    trace.output = attended.output;
    Array itself({heads, 1});
    vector(itself) = matrix(*attended.weights, heads, patches + 1).col(0);
    trace.steps = {{.id = "query",
                    .label = "q: of the class token",
                    .shape = Step::Shape::queries,
                    .maps = maps_of(share(q))},
                   {"itself", "α: on itself", Step::Shape::numbers, share(std::move(itself))}};
    trace.out["out.weights"] = share(attended.weights->reshaped({heads, patches + 1}));
    const SharedArray output = projected_output(arrays, attended.output);
    trace.out["out.output"] = share(output->reshaped({output->extent(1)}));
    return trace;
}

/// The pixel whose colour is farthest from the mean.
Index most_striking(const Array& colours) {
    const auto c = matrix(colours, colours.extent(0), colours.extent(1) * colours.extent(2));
    Index best = 0;
    (c.colwise() - c.rowwise().mean()).colwise().squaredNorm().maxCoeff(&best);
    return best;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array patches = rows_of(offered(material.features, 3, "a picture"));
    const HeadWeights weights =
        head_weights(material, knobs.integer("heads"), one_over_root(patches.extent(1)), said);
    said += "; the class token is the pixel whose colour is farthest from the mean";
    Array token({1, patches.extent(1)});
    matrix(token) = matrix(patches).row(most_striking(offered(material.colours, 3, "a picture")));
    return {{"in.x", stacked({&token, &patches})},
            {"in.grid", grid_array(material.features)},
            {"w.q", weights.q},
            {"w.k", weights.k},
            {"w.v", weights.v}};
}

}  // namespace

Mechanism class_attention() {
    return {
        .id = "class-attention",
        .title = "Class attention",
        .family = Family::pixels,
        .self_attention = false,
        .source = "Touvron et al. 2021: Going deeper with image transformers, eq. 6 to 8",
        .score = "eⱼ = q·kⱼ / √d, q of the class token",
        .squash = "αⱼ = exp(eⱼ/τ) / Σₖ exp(eₖ/τ), over the patches and the class token",
        .multiply = "y = Σⱼ αⱼ vⱼ",
        .teaching =
            {
                .pieces = "the patches of the picture, and the class token itself",
                .depends_on = "the class token and the content of each patch",
                .squash = "softmax over all patches and the class token",
                .multiply = "weighted mean of the values: the new class token",
                .sits = "in the last two layers, after all layers of patches among themselves",
                .see = "One query for the whole picture: each head gathers its part of what the class is "
                       "read from.",
                .misreading = "The patches do not ask: only the class token is a query, so the cost is N, "
                              "not N²; and a share of its weight falls on itself, not on the picture.",
            },
        .parameters = {temperature(), head_count()},
        .inputs =
            {
                {"in.x", "[N + 1, C]", "the class token, then the patches"},
                {"in.grid", "[2]", "rows and columns of the patches; a square where missing", true},
                {"w.q", "[D, C]", "of the class token's query; D = C in the authors' code"},
                {"b.q", "[D]", "of the same", true},
                {"w.k", "[D, C]", "of keys"},
                {"b.k", "[D]", "of the same", true},
                {"w.v", "[D, C]", "of values"},
                {"b.v", "[D]", "of the same", true},
                {"w.o", "[C, D]", "output projection", true},
                {"b.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.weights", "[h, N + 1]", "α, the class token's own first"},
                {"out.output", "[C]", "y, projected"},
            },
        .figures = {"overlay", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
