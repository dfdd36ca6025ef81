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
    const Array& q = require(arrays, "in.q", {-1, -1, -1});
    const Index heads = q.extent(0);
    const Index n = q.extent(1);
    const Array& k = require(arrays, "in.k", q.shape());
    const Array& v = require(arrays, "in.v", {heads, n, -1});
    const Grid grid = grid_of_rows(arrays, n, {1, n});
    Layer layer;
    layer.id = "block-1d";
    layer.set = {{"l_q", knobs.integer("l_q")},
                 {"l_m", knobs.integer("l_m")},
                 {"sides", knobs.text("sides")},
                 {"causal", knobs.flag("causal")}};
    const SharedTable table = pair_table({layer, grid});

    // Score: the queries come scaled; squash, multiply.
    const double tau = knobs.real("tau");
    Array values = heads_beside(v);
    const AttendedPairs attended =
        attend(heads_beside(q), heads_beside(k), values, *table, {heads, 1.0F, tau, {}, {}});

    Trace trace = trace_of(attended, grid, grid, table, share(std::move(values)), tau);
    write_dense(trace, table);
    trace.out["out.output"] = share(heads_apart(*attended.output, heads));
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    Arrays arrays = picture_as_heads(material, said);
    arrays.emplace("in.grid", grid_array(material.features));
    return arrays;
}

}  // namespace

Mechanism block_1d() {
    return {
        .id = "block-1d",
        .title = "Local 1-D attention",
        .family = Family::pixels,
        .source = "Parmar et al. 2018: Image transformer, section 3.2",
        .score = "eᵢⱼ = qᵢ·kⱼ, j in the memory of i's block",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the memory",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the pixels of a block in raster order, and l_m pixels beside it",
                .depends_on = "the content of both pixels; where they lie decides only who is seen",
                .squash = "softmax over the block's memory, up to the query when causal",
                .multiply = "weighted mean of the memory's values",
                .sits = "in every layer of a model that draws pictures pixel by pixel",
                .see = "A block is a strip of rows: all its queries share one memory, wherever in the strip "
                       "they are.",
                .misreading = "Local means near in flattened order, not on the picture: the pixel right "
                              "below may be out of reach while the row's far end is in.",
            },
        .parameters = {temperature(), starting_at(knob_of_pattern("block-1d", "l_q"), Index{72}),
                       starting_at(knob_of_pattern("block-1d", "l_m"), Index{72}),
                       knob_of_pattern("block-1d", "sides"), knob_of_pattern("block-1d", "causal")},
        .inputs =
            {
                {"in.q", "[h, N, d]", "queries, scaled as they are to be"},
                {"in.k", "[h, N, d]", "keys"},
                {"in.v", "[h, N, d_v]", "values"},
                {"in.grid", "[2]", "rows and columns of the picture; one row where missing", true},
            },
        .outputs =
            {
                {"out.mask", "[N, N]", "true where the query sees the key"},
                {"out.weights", "[h, N, N]", "α"},
                {"out.output", "[h, N, d_v]", "y"},
            },
        .figures = {"overlay", "recipe", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
