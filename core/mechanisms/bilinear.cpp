#include <algorithm>
#include <string>
#include <utility>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/gates.h"
#include "core/mechanisms/shared.h"
#include "core/random.h"

namespace attn {

namespace {

Parameter middle() {
    return {
        .id = "mid",
        .symbol = "M",
        .label = "middle channels",
        .help = "M numbers are multiplied with each other at each position: M(M + 1)/2 products",
        .kind = Parameter::Kind::integer,
        .initial = Index{3},
        .low = 1,
        .high = 128,
        .offered = 8,
    };
}

/// Every layer of the block is a linear one, its normalisation and a ReLU.
Array layer(const Arrays& arrays, const std::string& name, const Array& rows, Index outputs = -1) {
    Array result = linear(arrays, name, rows, outputs);
    batch_norm(arrays, "bn." + name, result);
    return relu(std::move(result));
}

/// Products zᵢ zⱼ, i ≥ j, diagonal after diagonal: z₀z₀, z₁z₁, …, then z₁z₀, z₂z₁, …
Array products(const Array& z) {
    const Index m = z.extent(1);
    Array all({z.extent(0), m * (m + 1) / 2});
    Index column = 0;
    for (Index apart = 0; apart < m; ++apart)
        for (Index j = 0; j + apart < m; ++j)
            matrix(all).col(column++) = matrix(z).col(j + apart).cwiseProduct(matrix(z).col(j));
    return all;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Index channels = x.extent(0);
    const Grid grid{x.extent(1), x.extent(2)};
    const double beta = knobs.real("beta");

    // Score: what the mean product says of a channel, times what the products at a position say.
    const Array bilinear = products(layer(arrays, "conv1", rows_of(x)));
    Array mean({1, bilinear.extent(1)});
    vector(mean) = matrix(bilinear).colwise().mean();
    const Array inner = layer(arrays, "conv3", mean, channels);
    const Array local = map_of(layer(arrays, "conv2", bilinear, channels), grid);
    const Array scores = times_channels(local, inner);

    // Squash, multiply.
    const Array gate = gates_of(scores, beta);
    const SharedArray output = share(times_each(x, gate));

    Trace trace = trace_of_gates(scores, gate, grid, share(x), output, beta);
    const SharedArray map = share(map_of(bilinear, grid));
    trace.steps = {{"bilinear", "B: products zᵢ zⱼ", Step::Shape::positions, map},
                   {"inner", "m: of each channel", Step::Shape::numbers, share(inner)},
                   {"local", "l: of each position", Step::Shape::positions, share(local)}};
    trace.out["out.bilinear"] = map;
    trace.out["out.inner_attention"] = share(inner.reshaped({channels}));
    trace.out["out.local"] = share(local);
    trace.out["out.gate"] = share(gate);
    trace.out["out.output"] = output;
    return trace;
}

Array positive_rows(Index rows, Index columns, Random& random) {
    Array w = random_projection(rows, columns, random);
    vector(w) = vector(w).cwiseAbs();
    return w;
}

/// z are the first filters (red, green, blue), weights are positive numbers drawn at random: l is what a
/// channel's sum of products exceeds its mean by, at unit variance, and the m lie about 1.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.channels, 3, "the channels of a picture");
    const Index channels = x.extent(0);
    const Index m = std::min(knobs.integer("mid"), channels);
    Array first({m, channels});
    matrix(first).setIdentity();
    const Array bilinear = products(linear({{"w.conv1", first}}, "conv1", rows_of(x)));

    Random random(material.seed);
    Array local = positive_rows(channels, bilinear.extent(1), random);
    Array inner = positive_rows(channels, bilinear.extent(1), random);
    Array shift({channels});
    const Matrix sums = matrix(bilinear) * matrix(local).transpose();
    for (Index c = 0; c < channels; ++c) {
        Array sum({sums.rows()});
        vector(sum) = sums.col(c);
        const Spread raw = spread_of(sum);
        matrix(local).row(c) /= static_cast<float>(raw.deviation);
        vector(shift)(c) = static_cast<float>(-raw.mean / raw.deviation);
    }
    const float about = (matrix(inner) * matrix(bilinear).colwise().mean().transpose()).mean();
    if (about > 0.0F) vector(inner) /= about;
    said = "z are the first filters; W₂ and W₃ positive numbers drawn at random, seed " +
           std::to_string(material.seed);
    return {{"in.x", x},
            {"w.conv1", first},
            {"w.conv2", std::move(local)},
            {"b.conv2", std::move(shift)},
            {"w.conv3", std::move(inner)}};
}

}  // namespace

Mechanism bilinear_attention() {
    return {
        .id = "bilinear",
        .title = "Bilinear attention in attention",
        .family = Family::channels,
        .self_attention = false,
        .mixed = true,
        .source = "Fang et al. 2019: Bilinear attention networks for person retrieval, and its code",
        .score = "e = m·l, l = ReLU(W₂ B), m = ReLU(W₃ mean B), B = zᵢ zⱼ",
        .squash = "s = σ(β·e)",
        .multiply = "y = s·x, number by number",
        .teaching =
            {
                .pieces = "every channel at every position",
                .depends_on = "products of pairs of channels at the position, and their means",
                .squash = "sigmoid of a product of two ReLUs: no gate is below ½",
                .multiply = "each number of the map times its gate",
                .sits = "after a stage of a ResNet",
                .see = "One attention inside another: the channel's m turns up or down what the place says.",
                .misreading = "Bilinear is the product of channels with channels at one position, not of "
                              "positions with positions: no pixel looks at another.",
            },
        .parameters = {sharpness(), middle()},
        .inputs =
            {
                {"in.x", "[C, H, W]", "feature map"},
                {"w.conv1", "[M, C]", "W₁, z = ReLU(W₁ x)"},
                {"b.conv1", "[M]", "of the same", true},
                {"bn.conv1.gamma", "[M]", "after it, with .beta, .mean, .var and .eps", true},
                {"w.conv2", "[C, M(M + 1)/2]", "W₂, of the products at a position"},
                {"b.conv2", "[C]", "of the same", true},
                {"bn.conv2.gamma", "[C]", "after it, likewise", true},
                {"w.conv3", "[C, M(M + 1)/2]", "W₃, of the mean products"},
                {"b.conv3", "[C]", "of the same", true},
                {"bn.conv3.gamma", "[C]", "after it, likewise", true},
            },
        .outputs =
            {
                {"out.bilinear", "[M(M + 1)/2, H, W]", "B, one diagonal after the other"},
                {"out.inner_attention", "[C]", "m"},
                {"out.local", "[C, H, W]", "l"},
                {"out.gate", "[C, H, W]", "s"},
                {"out.output", "[C, H, W]", "y"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
