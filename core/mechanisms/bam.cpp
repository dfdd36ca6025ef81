#include <algorithm>
#include <string>
#include <utility>

#include "core/convolution.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/gates.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Parameter combine() {
    return {
        .id = "combine",
        .label = "the two branches",
        .help = "how a channel's score and a position's score become one",
        .kind = Parameter::Kind::choice,
        .initial = std::string("sum"),
        .choices = {{"sum", "sum", "added, as in the paper"},
                    {"product", "product", "multiplied, as in the authors' code"}},
    };
}

Parameter dilation() {
    return {
        .id = "dilation",
        .label = "dilation",
        .help = "of the two 3×3 convolutions of the spatial branch: how far a position looks about",
        .kind = Parameter::Kind::integer,
        .initial = Index{4},
        .low = 1,
        .high = 64,
        .offered = 8,
    };
}

Parameter reduction() {
    return {
        .id = "r",
        .symbol = "r",
        .label = "reduction",
        .help = "C/r numbers in the hidden layers of both branches; at least one",
        .kind = Parameter::Kind::integer,
        .initial = Index{4},
        .low = 1,
        .high = 64,
        .scale = Parameter::Scale::logarithmic,
    };
}

/// One score per channel, [1, C].
Array channel_scores(const Arrays& arrays, const Array& x) {
    Array hidden = linear(arrays, "c.fc0", channel_means(x));
    batch_norm(arrays, "bn.c0", hidden);
    return linear(arrays, "c.fc1", relu(std::move(hidden)), x.extent(0));
}

/// One score per position, [1, H, W]; no normalisation after the last convolution.
Array spatial_scores(const Arrays& arrays, const Array& x, Index dilation) {
    const Stencil wide{.stride = 1, .padding = dilation, .dilation = dilation};
    Array map = relu(normalised(arrays, "bn.s.reduce", convolve(arrays, "s.reduce", x, -1, {}, 1)));
    for (const std::string layer : {"s.di0", "s.di1"})
        map = relu(normalised(arrays, "bn." + layer, convolve(arrays, layer, map, -1, wide, 3)));
    return convolve(arrays, "s.final", map, 1, {}, 1);
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Index channels = x.extent(0);
    const Grid grid{x.extent(1), x.extent(2)};
    const double beta = knobs.real("beta");

    // Score.
    const Array of_channels = channel_scores(arrays, x);
    const Array of_positions = spatial_scores(arrays, x, knobs.integer("dilation"));
    Array scores(x.shape());
    auto e = matrix(scores, channels, grid.size());
    if (knobs.text("combine") == "sum")
        e = vector(of_channels).replicate(1, grid.size()).rowwise() + vector(of_positions).transpose();
    else
        e = vector(of_channels) * vector(of_positions).transpose();

    // Squash, multiply: the block adds what it gates to its input.
    const Array gate = gates_of(scores, beta);
    Array output = times_each(x, gate);
    vector(output) += vector(x);

    const SharedArray result = share(std::move(output));
    Trace trace = trace_of_gates(scores, gate, grid, share(x), result, beta);
    const SharedArray channel_logits = share(of_channels.reshaped({channels}));
    const SharedArray spatial_logits = share(of_positions.reshaped({grid.height, grid.width}));
    trace.steps = {{"channels", "e_c: channel branch", Step::Shape::numbers, share(of_channels)},
                   {"positions", "e_s: spatial branch", Step::Shape::positions, share(of_positions)}};
    trace.out["out.channel_logits"] = channel_logits;
    trace.out["out.spatial_logits"] = spatial_logits;
    trace.out["out.gate"] = share(gate);
    trace.out["out.output"] = result;
    return trace;
}

/// [outputs, inputs, 3, 3] with the same number at every tap.
Array boxes(const Array& w) {
    Array kernel({w.extent(0), w.extent(1), 3, 3});
    matrix(kernel, w.size(), 9) = vector(w).replicate(1, 9) / 9.0F;
    return kernel;
}

/// Channels score by how far their mean lies from that of all; positions by how far the brightness about them
/// lies from the mean.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.channels, 3, "the channels of a picture");
    const Index channels = x.extent(0);
    const Index hidden = std::max<Index>(channels / knobs.integer("r"), 2);
    const CentringLayers centring = centring_layers(channel_means(x), channels / knobs.integer("r"));
    const auto mean = static_cast<float>(spread_of(x).mean);
    const auto halves = [&](Array& to, float up) {  // one unit for what exceeds the mean, one for what lacks
        matrix(to, hidden, to.size() / hidden).row(0).setConstant(up);
        matrix(to, hidden, to.size() / hidden).row(1).setConstant(-up);
    };
    Array reduce({hidden, channels});
    halves(reduce, 1.0F / static_cast<float>(channels));
    Array shift({hidden});
    halves(shift, -mean);
    Array identity({hidden, hidden});
    matrix(identity).setIdentity();
    Array last({1, hidden});
    vector(last)(0) = 1.0F;
    vector(last)(1) = -1.0F;
    Arrays arrays = {{"in.x", x},
                     {"w.c.fc0", centring.fc1},
                     {"w.c.fc1", centring.fc2},
                     {"w.s.reduce", reduce.reshaped({hidden, channels, 1, 1})},
                     {"b.s.reduce", shift},
                     {"w.s.di0", boxes(identity)},
                     {"w.s.di1", boxes(identity)},
                     {"w.s.final", last.reshaped({1, hidden, 1, 1})}};
    const Spread raw = spread_of(spatial_scores(arrays, x, knobs.integer("dilation")));
    arrays["w.s.final"] = scaled(arrays["w.s.final"], 1.0 / raw.deviation);
    said = "weights made by hand: a channel scores by its mean, a position by the brightness about it";
    return arrays;
}

}  // namespace

Mechanism bottleneck_attention() {
    return {
        .id = "bam",
        .title = "Bottleneck attention module",
        .family = Family::channels,
        .self_attention = false,
        .mixed = true,
        .source = "Park et al. 2018: BAM, eq. 1 to 4",
        .score = "e = e_c + e_s, a channel's score and a position's",
        .squash = "s = σ(β·e)",
        .multiply = "y = x + s·x",
        .teaching =
            {
                .pieces = "every channel at every position",
                .depends_on =
                    "the means of all channels, and the channels in a wide surrounding of a position",
                .squash = "sigmoid, one gate per channel and position, after the branches are joined",
                .multiply = "each number of the map times its gate, added to the map",
                .sits = "between two stages of a network, at its bottlenecks",
                .see = "Two small branches, what and where, make a gate as large as the map.",
                .misreading = "The gate never closes the path: with 1 + s the map is turned up by 1 to 2, "
                              "not down.",
            },
        .parameters = {sharpness(1.0), combine(), reduction(), dilation()},
        .inputs =
            {
                {"in.x", "[C, H, W]", "feature map"},
                {"w.c.fc0", "[C/r, C]", "hidden layer of the channels' branch"},
                {"b.c.fc0", "[C/r]", "of the same", true},
                {"bn.c0.gamma", "[C/r]", "after it, with .beta, .mean, .var and .eps", true},
                {"w.c.fc1", "[C, C/r]", "a score per channel"},
                {"b.c.fc1", "[C]", "of the same", true},
                {"w.s.reduce", "[C/r, C, 1, 1]", "first layer of the positions' branch"},
                {"b.s.reduce", "[C/r]", "of the same", true},
                {"bn.s.reduce.gamma", "[C/r]", "after it, likewise", true},
                {"w.s.di0", "[C/r, C/r, 3, 3]", "dilated convolution"},
                {"b.s.di0", "[C/r]", "of the same", true},
                {"bn.s.di0.gamma", "[C/r]", "after it, likewise", true},
                {"w.s.di1", "[C/r, C/r, 3, 3]", "dilated convolution"},
                {"b.s.di1", "[C/r]", "of the same", true},
                {"bn.s.di1.gamma", "[C/r]", "after it, likewise", true},
                {"w.s.final", "[1, C/r, 1, 1]", "a score per position"},
                {"b.s.final", "[1]", "of the same", true},
            },
        .outputs =
            {
                {"out.channel_logits", "[C]", "e_c"},
                {"out.spatial_logits", "[H, W]", "e_s"},
                {"out.gate", "[C, H, W]", "s"},
                {"out.output", "[C, H, W]", "y"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
