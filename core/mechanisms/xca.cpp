#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/random.h"

namespace attn {

namespace {

/// A channel per row, [D, N], of unit length over the positions.
Array unit_channels(const Array& rows) {
    Array channels({rows.extent(1), rows.extent(0)});
    auto to = matrix(channels);
    to = matrix(rows).transpose();
    constexpr float least = 1e-12F;  // of a length
    for (Index c = 0; c < to.rows(); ++c) to.row(c) /= std::max(to.row(c).norm(), least);
    return channels;
}

/// One head's channels of [D, N].
Array block(const Array& channels, Index heads, Index head) {
    const Index d = channels.extent(0) / heads;
    Array result({d, channels.extent(1)});
    matrix(result) = matrix(channels).middleRows(head * d, d);
    return result;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Index n = x.extent(0);
    const Index heads = knobs.integer("heads");
    const Array& temperature = require(arrays, "w.temperature", {heads});
    const Array q = linear(arrays, "q", x);
    require_heads("w.q", require(arrays, "w.q"), q.extent(1), heads);
    const Array queries = unit_channels(q);
    const Array keys = unit_channels(linear(arrays, "k", x, q.extent(1)));
    const Array v = linear(arrays, "v", x, q.extent(1));
    Array values({q.extent(1), n});
    matrix(values) = matrix(v).transpose();

    const Index d = q.extent(1) / heads;
    Array scores({heads, d, d});
    Array weights({heads, d, d});
    Array mixed({heads * d, n});
    Array side_by_side({d, heads * n});
    Array value_rows({d, heads * n});
    for (Index h = 0; h < heads; ++h) {
        // Score, the learned temperature multiplying; squash, multiply: channels are averaged.
        const float learned = vector(temperature)(h);
        const Attended attended = attend(block(queries, heads, h), block(keys, heads, h),
                                         block(values, heads, h), learned, {knobs.real("tau"), nullptr});
        matrix(scores, heads * d, d).middleRows(h * d, d) = matrix(*attended.scores);
        matrix(weights, heads * d, d).middleRows(h * d, d) = matrix(*attended.weights);
        matrix(mixed).middleRows(h * d, d) = matrix(*attended.output);
        matrix(side_by_side).middleCols(h * n, n) = matrix(*attended.output);
        matrix(value_rows).middleCols(h * n, n) = matrix(values).middleRows(h * d, d);
    }
    Array output({n, heads * d});
    matrix(output) = matrix(mixed).transpose();

    Trace trace;
    trace.queries = trace.keys = {1, d};
    const SharedArray all_scores = share(std::move(scores));
    const SharedArray all_weights = share(std::move(weights));
    for (Index h = 0; h < heads; ++h) trace.heads.push_back({Map(all_scores, h), Map(all_weights, h)});
    trace.sharpness = knobs.real("tau");
    trace.values = share(std::move(value_rows));
    trace.output = share(std::move(side_by_side));
    const auto of_heads = [&](const Array& all) {
        std::vector<Map> maps;
        for (Index h = 0; h < heads; ++h) maps.emplace_back(share(block(all, heads, h)));
        return maps;
    };
    trace.steps = {
        {.id = "queries",
         .label = "q̂: of unit length",
         .shape = Step::Shape::queries,
         .maps = of_heads(queries)},
        {.id = "keys", .label = "k̂: likewise", .shape = Step::Shape::keys, .maps = of_heads(keys)}};
    trace.out["out.weights"] = all_weights;
    trace.out["out.output"] = projected_output(arrays, share(std::move(output)));
    return trace;
}

/// The eight filters are compared as they are, whatever their heads.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array x = rows_of(offered(material.channels, 3, "the channels of a picture"));
    const Index channels = x.extent(1);
    Array identity({channels, channels});
    matrix(identity).setIdentity();
    said =
        "no weights: filters are compared as they are, by their cosine over the positions; the learned "
        "temperature is set to 8";
    return {{"in.x", x},
            {"w.q", identity},
            {"w.k", identity},
            {"w.v", identity},
            {"w.temperature", Array({knobs.integer("heads")}, 8.0F)}};
}

}  // namespace

Mechanism cross_covariance() {
    return {
        .id = "xca",
        .title = "Cross-covariance attention",
        .family = Family::channels,
        .source = "El-Nouby et al. 2021: XCiT, eq. 2 and 3",
        .score = "eᵢⱼ = t·q̂ᵢ·k̂ⱼ, channels of unit length over the positions",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the channels of a head",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ, channels averaged as whole maps",
        .teaching =
            {
                .pieces = "the channels of a head",
                .depends_on = "the cosine of two channels over all positions, times a learned temperature",
                .squash = "softmax over the key channels",
                .multiply = "weighted mean of channels, the same at all positions",
                .sits = "in every layer of a vision transformer, in place of attention between positions",
                .see = "Channels look at channels: the matrix is d×d however large the picture, so the cost "
                       "grows with N alone.",
                .misreading = "No position looks at another: positions meet only in the cosine, and the "
                              "same mixture of channels is made everywhere.",
            },
        .parameters = {temperature(), head_count()},
        .inputs =
            {
                {"in.x", "[N, C]", "feature map, a position per row"},
                {"w.q", "[D, C]", "of queries; D = C in the authors' code"},
                {"b.q", "[D]", "of the same", true},
                {"w.k", "[D, C]", "of keys"},
                {"b.k", "[D]", "of the same", true},
                {"w.v", "[D, C]", "of values"},
                {"b.v", "[D]", "of the same", true},
                {"w.temperature", "[h]", "t, which multiplies the scores of a head"},
                {"w.o", "[C, D]", "output projection", true},
                {"b.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.weights", "[h, d, d]", "α, a row per query channel"},
                {"out.output", "[N, C]", "y, projected"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
