#include <cmath>
#include <string>

#include "core/convolution.h"
#include "core/error.h"
#include "core/heads.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

/// Layer normalisation of each row, with the biased variance; leaves the rows alone where there is no gamma.
void layer_norm(const Arrays& arrays, const std::string& name, Array& rows) {
    const Shape channels = {rows.extent(1)};
    const Array* gamma = find(arrays, name + ".gamma", channels);
    if (gamma == nullptr) return;
    const Array& beta = require(arrays, name + ".beta", channels);
    const float eps = require(arrays, name + ".eps", {}).values().front();
    if (!(eps > 0.0F))
        throw Error("array '" + name + ".eps': expected a number above 0, got " + std::to_string(eps));
    auto x = matrix(rows);
    for (Index i = 0; i < x.rows(); ++i) {
        const float mean = x.row(i).mean();
        x.row(i).array() -= mean;
        const float variance = x.row(i).squaredNorm() / static_cast<float>(x.cols());
        x.row(i) = (x.row(i).array() / std::sqrt(variance + eps) * vector(*gamma).transpose().array() +
                    vector(beta).transpose().array())
                       .matrix();
    }
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Grid grid = grid_of_rows(arrays, knobs, x.extent(0));
    const Index heads = knobs.integer("heads");
    const Index cell = knobs.integer("subsample");

    require_room("subsample", cell, "in.x", x, grid);

    // One summary for each cell; left-over rows and columns of positions have none.
    Array summary_map = convolve(arrays, "sr", map_of(x, grid), x.extent(1), {.stride = cell}, cell);
    const Grid keys{summary_map.extent(1), summary_map.extent(2)};
    Array summaries = rows_of(summary_map);
    layer_norm(arrays, "ln.sr", summaries);
    const Array q = linear(arrays, "q", x);
    require_heads("w.q", require(arrays, "w.q"), q.extent(1), heads);
    const Array kv = linear(arrays, "kv", summaries, 2 * q.extent(1));
    const Array k = head_block(kv, 2, 0);
    const Array v = head_block(kv, 2, 1);

    // Score, squash, multiply.
    const double tau = knobs.real("tau");
    const Attended attended = attend_heads(q, k, v, heads, 0.0F, {tau, nullptr});

    Trace trace = trace_of(attended, grid, keys, share(v));
    trace.heads.clear();
    for (Index head = 0; head < heads; ++head)
        trace.heads.push_back({Map(attended.scores, head), Map(attended.weights, head)});
    trace.sharpness = tau;
    trace.width = q.extent(1) / heads;
    trace.steps = {
        {"q", "q: of every position", Step::Shape::positions, share(map_of(q, grid))},
        {"summaries", "summary: of every cell", Step::Shape::positions, share(map_of(summaries, keys))},
        {"k", "k: of the summaries", Step::Shape::positions, share(map_of(k, keys))}};
    trace.out.erase("out.scores");
    trace.out["out.output"] = projected_output(arrays, attended.output);
    return trace;
}

/// The summary of a cell is its mean.
Array mean_of_cells(Index channels, Index cell) {
    Array w({channels, channels, cell, cell});
    auto rows = matrix(w, channels, channels * cell * cell);
    for (Index c = 0; c < channels; ++c)
        rows.row(c).segment(c * cell * cell, cell * cell).setConstant(1.0F / static_cast<float>(cell * cell));
    return w;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const Index channels = features.extent(0);
    const HeadWeights weights = head_weights(material, knobs.integer("heads"), one_over_root(channels), said);
    said += "; a cell is summed up by its mean";
    return {{"in.x", rows_of(features)},
            {"in.grid", grid_array(features)},
            {"w.q", weights.q},
            {"w.kv", stacked({&weights.k, &weights.v})},
            {"w.sr", mean_of_cells(channels, knobs.integer("subsample"))}};
}

}  // namespace

Mechanism sub_sampled() {
    return {
        .id = "gsa",
        .title = "Global sub-sampled attention",
        .family = Family::pixels,
        .source = "Chu et al. 2021: Twins, section 3.2; Wang et al. 2021: Pyramid vision transformer, eq. 1",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, kⱼ of the summary of cell j",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the cells",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "pixels ask, summaries of s×s cells answer",
                .depends_on = "the content of the pixel and of the cell's summary",
                .squash = "softmax over all cells of the map",
                .multiply = "weighted mean of the summaries' values",
                .sits = "after a layer of windows (lsa), which it joins",
                .see = "Every query sees the whole map, but in cells: with one key per s×s pixels the "
                       "matrix is s² times smaller.",
                .misreading = "Only keys and values are sub-sampled: there is one query per pixel, and the "
                              "output keeps its size.",
            },
        .parameters = {temperature(), head_count(), knob_of_pattern("gsa", "subsample"),
                       side_of_map("H", "rows"), side_of_map("W", "columns")},
        .inputs =
            {
                {"in.x", "[N, C]", "feature map, a position per row"},
                {"in.grid", "[2]", "H and W, where the knobs leave them open", true},
                {"w.q", "[D, C]", "of queries; D = C in the authors' code"},
                {"b.q", "[D]", "of the same", true},
                {"w.sr", "[C, C, s, s]", "convolution of stride s that sums cells up"},
                {"b.sr", "[C]", "of the same", true},
                {"ln.sr.gamma", "[C]", "layer normalisation of the summaries", true},
                {"ln.sr.beta", "[C]", "of the same", true},
                {"ln.sr.eps", "[]", "of the same", true},
                {"w.kv", "[2 D, C]", "rows of keys, then of values"},
                {"b.kv", "[2 D]", "of the same", true},
                {"w.o", "[C, D]", "output projection", true},
                {"b.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.weights", "[h, N, ⌊H/s⌋·⌊W/s⌋]", "α"},
                {"out.output", "[N, C]", "y, projected"},
            },
        .figures = {"overlay", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
