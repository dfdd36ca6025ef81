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

/// The map with zeros below and at the right, so that windows divide it.
Array padded(const Array& rows, Grid grid, Grid larger) {
    Array result({larger.size(), rows.extent(1)});
    for (Index y = 0; y < grid.height; ++y)
        matrix(result).middleRows(y * larger.width, grid.width) =
            matrix(rows).middleRows(y * grid.width, grid.width);
    return result;
}

/// Rows of the padded map (an array of `blocks` such maps one below the other) that are positions of the map.
Array cropped(const Array& rows, Grid grid, Grid larger, Index blocks = 1) {
    Array result({blocks * grid.size(), rows.extent(-1)});
    const auto from = matrix(rows, blocks * larger.size(), rows.extent(-1));
    for (Index y = 0; y < blocks * grid.height; ++y) {
        const Index line = y / grid.height * larger.height + y % grid.height;
        matrix(result).middleRows(y * grid.width, grid.width) =
            from.middleRows(line * larger.width, grid.width);
    }
    return result;
}

/// The windows of the padded map as seen from the map: padded keys are none of its positions.
SharedTable table_of_map(const PairTable& table, Grid grid, Grid larger) {
    PairTable inner = even_table(grid.size(), grid.size(), table.slots(0));
    auto slot = inner.key.begin();
    for (Index query = 0; query < grid.size(); ++query)
        for (const std::int32_t key : table.row(query / grid.width * larger.width + query % grid.width)) {
            const Index row = key / larger.width;
            const Index column = key % larger.width;
            const bool inside = row < grid.height && column < grid.width;
            if (inside) *slot = static_cast<std::int32_t>(row * grid.width + column);
            ++slot;
        }
    return std::make_shared<const PairTable>(std::move(inner));
}

/// Weights [h, positions, w²] as [windows, h, w², w²].
Array by_window(const Array& weights, Grid larger, Index window) {
    const Index heads = weights.extent(0);
    const Index size = window * window;
    const Index across = larger.width / window;
    Array result({larger.size() / size, heads, size, size});
    const auto from = matrix(weights, heads * larger.size(), size);
    auto to = matrix(result, heads * larger.size(), size);
    for (Index row = 0; row < to.rows(); ++row) {
        const Index place = row % size;
        const Index head = row / size % heads;
        const Index one = row / size / heads;
        const Index y = one / across * window + place / window;
        const Index x = one % across * window + place % window;
        to.row(row) = from.row(head * larger.size() + y * larger.width + x);
    }
    return result;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Grid grid = grid_of_rows(arrays, knobs, x.extent(0));
    const Index heads = knobs.integer("heads");
    const Index window = knobs.integer("window");
    const Grid larger{(grid.height + window - 1) / window * window,
                      (grid.width + window - 1) / window * window};
    // Zeros go through the projections: a padded key is b_k, and it takes part.
    const QueriesKeysValues rows = fused_projection(arrays, padded(x, grid, larger), heads);
    Layer layer;
    layer.id = "lsa";
    layer.set = {{"window", window}};
    const SharedTable table = pair_table({layer, larger});

    // Score, squash, multiply.
    const double scale = one_over_root(rows.q.extent(1) / heads);
    PairAttention attention{heads, static_cast<float>(scale), knobs.real("tau"), {}, {}};
    attention.shape = {heads, larger.size(), window * window};
    const AttendedPairs attended = attend(rows.q, rows.k, rows.v, *table, attention);

    const Shape slots = {heads, grid.size(), window * window};
    const AttendedPairs shown{share(cropped(*attended.scores, grid, larger, heads).reshaped(slots)),
                              share(cropped(*attended.weights, grid, larger, heads).reshaped(slots)),
                              share(cropped(*attended.output, grid, larger)),
                              {}};
    Trace trace = trace_of(shown, grid, grid, table_of_map(*table, grid, larger),
                           share(cropped(rows.v, grid, larger)), attention.tau);
    trace.width = rows.q.extent(1) / heads;
    trace.steps = {{"q", "q: padding included", Step::Shape::positions, share(map_of(rows.q, larger))},
                   {"k", "k: padding included", Step::Shape::positions, share(map_of(rows.k, larger))}};
    trace.out["out.weights"] = share(by_window(*attended.weights, larger, window));
    trace.out["out.output"] = projected_output(arrays, shown.output);
    return trace;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const HeadWeights weights =
        head_weights(material, knobs.integer("heads"), one_over_root(features.extent(0)), said);
    return {{"in.x", rows_of(features)},
            {"in.grid", grid_array(features)},
            {"w.qkv", stacked({&weights.q, &weights.k, &weights.v})}};
}

}  // namespace

Mechanism locally_grouped() {
    return {
        .id = "lsa",
        .title = "Locally grouped self-attention",
        .family = Family::pixels,
        .source = "Chu et al. 2021: Twins, section 3.2",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the window",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the pixels of the query's own window",
                .depends_on = "the content of both pixels, not where they lie in the window",
                .squash = "softmax over the window, padding included where windows do not divide the map",
                .multiply = "weighted mean of the window's values",
                .sits = "in every other layer of Twins; a gsa layer after it joins the windows",
                .see = "All queries of a window share its keys, and none sees beyond: two pixels across a "
                       "window's edge never meet.",
                .misreading = "Padded keys are not masked: they come before the projection, so their keys "
                              "are its bias, and they take mass.",
            },
        .parameters = {temperature(), head_count(), starting_at(knob_of_pattern("lsa", "window"), Index{8}),
                       side_of_map("H", "rows"), side_of_map("W", "columns")},
        .inputs =
            {
                {"in.x", "[N, C]", "feature map, a position per row"},
                {"in.grid", "[2]", "H and W, where the knobs leave them open", true},
                {"w.qkv", "[3 D, C]", "rows of queries, keys, values; D = C in the authors' code"},
                {"b.qkv", "[3 D]", "of the same", true},
                {"w.o", "[C, D]", "output projection", true},
                {"b.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.weights", "[windows, h, w², w²]", "α in the windows of the padded map, row-major"},
                {"out.output", "[N, C]", "y, projected"},
            },
        .figures = {"overlay", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
