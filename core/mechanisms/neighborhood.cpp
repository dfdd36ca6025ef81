#include <algorithm>
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

/// The window moves inwards at the border, so that it must fit.
BoundPattern windows(const Array& x, Index k, Index dilation) {
    require_room("k·dilation", k * dilation, "in.x", x, {x.extent(0), x.extent(1)});
    Layer layer;
    layer.id = "neighborhood";
    layer.set = {{"k", k}, {"dilation", dilation}};
    return {layer, {x.extent(0), x.extent(1)}};
}

/// Flat positions of each query's keys, [H, W, k·k].
Array key_index(const PairTable& table, Grid grid) {
    return {{grid.height, grid.width, table.slots(0)},
            std::vector<float>(table.key.begin(), table.key.end()),
            Element::index};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Grid grid{x.extent(0), x.extent(1)};
    const Index heads = knobs.integer("heads");
    const Index k = knobs.integer("k");
    const Index dilation = knobs.integer("dilation");
    const SharedTable table = pair_table(windows(x, k, dilation));
    QueriesKeysValues rows = fused_projection(arrays, x.reshaped({grid.size(), x.extent(2)}), heads);
    const Index offsets = 2 * k - 1;
    const Array* offset_bias = find(arrays, "w.rpb", {heads, offsets, offsets});

    // Score: the bias is indexed by key − query and not scaled; squash, multiply.
    const double scale = one_over_root(rows.q.extent(1) / heads);
    PairAttention attention{heads, static_cast<float>(scale), knobs.real("tau"), {}, {}};
    attention.shape = {heads, grid.height, grid.width, k * k};
    if (offset_bias != nullptr)
        attention.bias = [=, bias = *offset_bias](Index head, Index query, std::span<float> e) {
            const auto b = matrix(bias, heads * offsets, offsets);
            const Index first = table->row(query).front();
            const Index down = (first / grid.width - query / grid.width) / dilation + k - 1;
            const Index right = (first % grid.width - query % grid.width) / dilation + k - 1;
            for (Index row = 0; row < k; ++row)
                for (Index column = 0; column < k; ++column)
                    e[static_cast<std::size_t>(row * k + column)] +=
                        b(head * offsets + down + row, right + column);
        };
    const AttendedPairs attended = attend(rows.q, rows.k, rows.v, *table, attention);

    Trace trace = trace_of(attended, grid, grid, table, share(std::move(rows.v)), attention.tau);
    const SharedArray output = projected_output(arrays, attended.output);
    trace.steps = content_and_bias(attended, table, attention);
    trace.steps.push_back(
        {"q", "q: heads side by side", Step::Shape::positions, late_map(share(std::move(rows.q)), grid)});
    trace.steps.push_back(
        {"k", "k: likewise", Step::Shape::positions, late_map(share(std::move(rows.k)), grid)});
    trace.out["out.key_index"] = LateArray([table, grid] { return key_index(*table, grid); });
    trace.out["out.mask"] = dense(Map(table), Element::flag);
    trace.out["out.weights"] = attended.weights;
    trace.out["out.output"] = share(output->reshaped({grid.height, grid.width, output->extent(1)}));
    return trace;
}

/// Falls with the distance: 1 less at the window's edge.
Array distance_bias(Index heads, Index k) {
    const Index offsets = 2 * k - 1;
    Array bias({heads, offsets, offsets});
    const Index half = k / 2;
    const auto reach = static_cast<double>(std::max<Index>(half, 1));
    for (Index at = 0; at < bias.size(); ++at) {
        const Index down = at / offsets % offsets - (k - 1);
        const Index right = at % offsets - (k - 1);
        bias.values()[static_cast<std::size_t>(at)] =
            static_cast<float>(-std::hypot(static_cast<double>(down), static_cast<double>(right)) / reach);
    }
    return bias;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const Index heads = knobs.integer("heads");
    const Index k = knobs.integer("k");
    const HeadWeights weights = head_weights(material, heads, one_over_root(features.extent(0)), said);
    said += "; the bias falls by 1 over half a window";
    return {
        {"in.x", rows_of(features).reshaped({features.extent(1), features.extent(2), features.extent(0)})},
        {"w.qkv", stacked({&weights.q, &weights.k, &weights.v})},
        {"w.rpb", distance_bias(heads, k)}};
}

}  // namespace

Mechanism neighborhood() {
    return {
        .id = "neighborhood",
        .title = "Neighborhood attention",
        .family = Family::pixels,
        .source = "Hassani et al. 2023: Neighborhood attention transformer, eq. 2 to 4; dilated, 2022",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d + bⱼ₋ᵢ",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the k×k nearest",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the k×k pixels nearest to each pixel",
                .depends_on = "the content of both pixels, and a number per offset and head",
                .squash = "softmax over exactly k×k keys, at the border too",
                .multiply = "weighted mean of the window's values",
                .sits = "in every layer of a hierarchical vision transformer, in place of attention to all",
                .see = "Move the query into a corner: the window stops at the border and keeps all its keys.",
                .misreading = "The border is neither padded nor clipped: the window moves inwards, so that "
                              "at the border the query is no longer in its middle.",
            },
        .parameters = {temperature(), head_count(), knob_of_pattern("neighborhood", "k"),
                       knob_of_pattern("neighborhood", "dilation")},
        .inputs =
            {
                {"in.x", "[H, W, C]", "feature map, channels last"},
                {"w.qkv", "[3 D, C]", "rows of queries, keys, values; D = C in the authors' code"},
                {"b.qkv", "[3 D]", "of the same", true},
                {"w.rpb", "[h, 2k − 1, 2k − 1]", "b, by key − query + k − 1 in rows and columns", true},
                {"w.o", "[C, D]", "output projection", true},
                {"b.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.key_index", "[H, W, k²]", "flat positions of the keys, row-major in the window"},
                {"out.mask", "[N, N]", "true where the query sees the key"},
                {"out.weights", "[h, H, W, k²]", "α"},
                {"out.output", "[H, W, C]", "y, projected"},
            },
        .figures = {"overlay", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
