#include <cmath>
#include <string>
#include <utility>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Grid grid = grid_of_rows(arrays, knobs, x.extent(0));
    const Index heads = knobs.integer("heads");
    const Index window = knobs.integer("window");
    Layer layer;
    layer.id = "swin";
    layer.set = {{"window", window}, {"shift", knobs.integer("shift")}};
    const SharedTable table = pair_table({layer, grid});
    QueriesKeysValues rows = fused_projection(arrays, x, heads);
    const Index offsets = 2 * window - 1;
    const Array* offset_bias = find(arrays, "w.rpb_table", {offsets * offsets, heads});

    // Score: the bias is indexed by query − key; squash, multiply.
    const double scale = one_over_root(rows.q.extent(1) / heads);
    PairAttention attention{heads, static_cast<float>(scale), knobs.real("tau"), {}, {}};
    if (offset_bias != nullptr)
        attention.bias = [=, bias = *offset_bias](Index head, Index query, std::span<float> e) {
            const auto b = matrix(bias);
            const auto keys = table->row(query);
            for (std::size_t s = 0; s < e.size(); ++s) {
                if (keys[s] < 0) continue;
                const Index down = query / grid.width - keys[s] / grid.width + window - 1;
                const Index right = query % grid.width - keys[s] % grid.width + window - 1;
                e[s] += b(down * offsets + right, head);
            }
        };
    const AttendedPairs attended = attend(rows.q, rows.k, rows.v, *table, attention);

    Trace trace = trace_of(attended, grid, grid, table, share(std::move(rows.v)), attention.tau);
    write_dense(trace, table);
    trace.steps = content_and_bias(attended, table, attention);
    trace.steps.push_back(
        {"q", "q: heads side by side", Step::Shape::positions, late_map(share(std::move(rows.q)), grid)});
    trace.steps.push_back(
        {"k", "k: likewise", Step::Shape::positions, late_map(share(std::move(rows.k)), grid)});
    trace.out["out.output"] = projected_output(arrays, attended.output);
    return trace;
}

/// Falls with the distance: 1 less at half a window.
Array distance_bias(Index heads, Index window) {
    const Index offsets = 2 * window - 1;
    Array bias({offsets * offsets, heads});
    const double reach = static_cast<double>(window) / 2.0;
    for (Index at = 0; at < offsets * offsets; ++at) {
        const Index down = at / offsets - (window - 1);
        const Index right = at % offsets - (window - 1);
        matrix(bias).row(at).setConstant(
            static_cast<float>(-std::hypot(static_cast<double>(down), static_cast<double>(right)) / reach));
    }
    return bias;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const Index heads = knobs.integer("heads");
    const HeadWeights weights = head_weights(material, heads, one_over_root(features.extent(0)), said);
    said += "; the bias falls by 1 over half a window";
    return {{"in.x", rows_of(features)},
            {"in.grid", grid_array(features)},
            {"w.qkv", stacked({&weights.q, &weights.k, &weights.v})},
            {"w.rpb_table", distance_bias(heads, knobs.integer("window"))}};
}

}  // namespace

Mechanism shifted_windows() {
    return {
        .id = "swin",
        .title = "Shifted windows",
        .family = Family::pixels,
        .source = "Liu et al. 2021: Swin transformer, eq. 3 and 4",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d + bᵢ₋ⱼ",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the window",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the pixels of the query's own window",
                .depends_on = "the content of both pixels, and a number per offset and head",
                .squash = "softmax over the window; across the seam of a shifted window everything is masked",
                .multiply = "weighted mean of the window's values",
                .sits = "in every layer; every other layer shifts its windows by half a side",
                .see = "The query sees its window and nothing beyond its edge: move the shift and the edge "
                       "moves, which joins neighbours from layer to layer.",
                .misreading = "The bias is a scalar per offset, not a vector scored against the query; and "
                              "the shift does not wrap around: what the rolled map joins is masked.",
            },
        .parameters = {temperature(), head_count(), starting_at(knob_of_pattern("swin", "window"), Index{8}),
                       starting_at(knob_of_pattern("swin", "shift"), Index{4}), side_of_map("H", "rows"),
                       side_of_map("W", "columns")},
        .inputs =
            {
                {"in.x", "[N, C]", "feature map, a position per row"},
                {"in.grid", "[2]", "H and W, where the knobs leave them open", true},
                {"w.qkv", "[3 D, C]", "rows of queries, keys, values; D = C in the authors' code"},
                {"b.qkv", "[3 D]", "of the same", true},
                {"w.rpb_table", "[(2w − 1)², h]", "b, by query − key + w − 1 in rows, then columns", true},
                {"w.o", "[C, D]", "output projection", true},
                {"b.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.mask", "[N, N]", "true where the query sees the key"},
                {"out.weights", "[h, N, N]", "α"},
                {"out.output", "[N, C]", "y, projected"},
            },
        .figures = {"overlay", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
