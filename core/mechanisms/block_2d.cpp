#include <string>
#include <utility>

#include "core/heads.h"
#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& q = require(arrays, "in.q", {-1, -1, -1, -1});
    const Index heads = q.extent(0);
    const Grid grid{q.extent(1), q.extent(2)};
    const Array& k = require(arrays, "in.k", q.shape());
    const Array& v = require(arrays, "in.v", {heads, grid.height, grid.width, -1});
    Layer layer;
    layer.id = "block-2d";
    layer.set = {{"sides", knobs.text("sides")}, {"causal", knobs.flag("causal")}};
    for (const std::string side : {"h_q", "w_q", "h_m", "w_m"}) layer.set[side] = knobs.integer(side);
    const SharedTable table = pair_table({layer, grid});

    // Score: the queries come scaled; squash, multiply.
    const double tau = knobs.real("tau");
    Array values = heads_beside(v);
    const AttendedPairs attended =
        attend(heads_beside(q), heads_beside(k), values, *table, {heads, 1.0F, tau, {}, {}});

    Trace trace = trace_of(attended, grid, grid, table, share(std::move(values)), tau);
    write_dense(trace, table);
    trace.out["out.output"] = share(heads_apart(*attended.output, heads).reshaped(v.shape()));
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    Arrays arrays = picture_as_heads(material, said);
    for (auto& [name, array] : arrays)
        array =
            array.reshaped({1, material.features.extent(1), material.features.extent(2), array.extent(2)});
    return arrays;
}

}  // namespace

Mechanism block_2d() {
    return {
        .id = "block-2d",
        .title = "Local 2-D attention",
        .family = Family::pixels,
        .source = "Parmar et al. 2018: Image transformer, section 3.2",
        .score = "eᵢⱼ = qᵢ·kⱼ, j in the memory of i's block",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the memory",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the pixels of a rectangular block, and a margin about it",
                .depends_on = "the content of both pixels; where they lie decides only who is seen",
                .squash = "softmax over the block's memory",
                .multiply = "weighted mean of the memory's values",
                .sits = "in every layer of a model that draws pictures block by block",
                .see = "A query at the block's edge sees far on one side and hardly beyond on the other: "
                       "the block, not the query, has the memory.",
                .misreading = "It is no sliding window: queries of one block all see the same keys; and "
                              "causal order is that of blocks, not of the picture's rows.",
            },
        .parameters = {temperature(), starting_at(knob_of_pattern("block-2d", "h_q"), Index{8}),
                       starting_at(knob_of_pattern("block-2d", "w_q"), Index{8}),
                       knob_of_pattern("block-2d", "h_m"), knob_of_pattern("block-2d", "w_m"),
                       knob_of_pattern("block-2d", "sides"), knob_of_pattern("block-2d", "causal")},
        .inputs =
            {
                {"in.q", "[h, H, W, d]", "queries, scaled as they are to be"},
                {"in.k", "[h, H, W, d]", "keys"},
                {"in.v", "[h, H, W, d_v]", "values"},
            },
        .outputs =
            {
                {"out.mask", "[N, N]", "true where the query sees the key"},
                {"out.weights", "[h, N, N]", "α"},
                {"out.output", "[h, H, W, d_v]", "y"},
            },
        .figures = {"overlay", "recipe", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
