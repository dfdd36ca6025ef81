#include <string>
#include <utility>

#include "core/convolution.h"
#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/gates.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Parameter reduction() {
    return {
        .id = "r",
        .symbol = "r",
        .label = "reduction",
        .help = "the hidden layer lets C/r directions through",
        .kind = Parameter::Kind::integer,
        .initial = Index{2},
        .low = 1,
        .high = 64,
        .scale = Parameter::Scale::logarithmic,
    };
}

Parameter kernel() {
    return {
        .id = "k",
        .symbol = "k",
        .label = "spatial kernel",
        .help = "side of the convolution that scores positions; odd",
        .kind = Parameter::Kind::integer,
        .initial = Index{7},
        .low = 1,
        .high = 31,
        .offered = 15,
    };
}

/// The same two layers for means and maxima.
Array perceptron(const Arrays& arrays, const Array& z) {
    return linear(arrays, "fc1", relu(linear(arrays, "fc0", z)), z.extent(1));
}

/// Maximum and mean over the channels at each position, [2, H, W], in this order.
Array pooled_channels(const Array& x) {
    Array pooled({2, x.extent(1), x.extent(2)});
    const Index positions = x.extent(1) * x.extent(2);
    const auto maps = matrix(x, x.extent(0), positions);
    matrix(pooled, 2, positions).row(0) = maps.colwise().maxCoeff();
    matrix(pooled, 2, positions).row(1) = maps.colwise().mean();
    return pooled;
}

/// [1, H, W].
Array plane(const Array& map, Index channel) {
    Array one({1, map.extent(1), map.extent(2)});
    vector(one) = matrix(map, map.extent(0), one.size()).row(channel);
    return one;
}

Array spatial_scores(const Arrays& arrays, const Array& pooled) {
    const Array& weights = require(arrays, "w.spatial", {1, 2, -1, -1});
    const Index k = weights.extent(2);
    if (k % 2 == 0 || k != weights.extent(3))
        throw Error("array 'w.spatial': expected the shape [1, 2, k, k] with an odd k, got the shape " +
                    describe(weights.shape()));
    return normalised(arrays, "bn.spatial", convolve(arrays, "spatial", pooled, 1, {.padding = k / 2}));
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Index channels = x.extent(0);
    const Grid grid{x.extent(1), x.extent(2)};
    const double beta = knobs.real("beta");

    // Score, squash and multiply the channels.
    const Array of_means = perceptron(arrays, channel_means(x));
    const Array of_maxima = perceptron(arrays, channel_maxima(x));
    Array scores = of_means;
    vector(scores) += vector(of_maxima);
    const Array gate = gates_of(scores, beta);
    const SharedArray after = share(times_channels(x, gate));

    // Then the positions.
    const Array pooled = pooled_channels(*after);
    const Array of_positions = spatial_scores(arrays, pooled);
    const Array spatial_gate = gates_of(of_positions, beta);

    Trace trace = trace_of_gates(scores, gate, {1, channels}, share(x), after, beta);
    trace.out["out.output"] = share(times_positions(*after, spatial_gate));
    trace.steps = {{"means", "W(mean): of each channel", Step::Shape::numbers, share(of_means)},
                   {"maxima", "W(max): of each channel", Step::Shape::numbers, share(of_maxima)},
                   {"maximum", "max: over the channels", Step::Shape::positions, share(plane(pooled, 0))},
                   {"mean", "mean: over the channels", Step::Shape::positions, share(plane(pooled, 1))},
                   {"spatial gate", "σ(β·e): position gates", Step::Shape::positions, share(spatial_gate)},
                   {"output", "y: gated twice", Step::Shape::positions, trace.out["out.output"]}};
    trace.out["out.channel_gate"] = share(gate.reshaped({channels}));
    trace.out["out.after_channel"] = after;
    trace.out["out.spatial_gate"] = share(spatial_gate.reshaped({grid.height, grid.width}));
    return trace;
}

/// A position scores by what it exceeds the mean of its k×k surrounding by.
Array centre_minus_surround(Index k) {
    Array w({1, 2, k, k}, -0.5F / static_cast<float>(k * k));
    const auto middle = static_cast<std::size_t>(k / 2 * k + k / 2);
    w.values()[middle] += 0.5F;
    w.values()[static_cast<std::size_t>(k * k) + middle] += 0.5F;
    return w;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.channels, 3, "the channels of a picture");
    Array z = channel_means(x);
    vector(z) += vector(channel_maxima(x));
    const CentringLayers centring = centring_layers(z, x.extent(0) / knobs.integer("r"));
    Arrays arrays = {{"in.x", x},
                     {"w.fc0", centring.fc1},
                     {"w.fc1", centring.fc2},
                     {"w.spatial", centre_minus_surround(knobs.integer("k") / 2 * 2 + 1)}};
    const Spread raw = spread_of(spatial_scores(arrays, pooled_channels(x)));
    arrays["w.spatial"] = scaled(arrays["w.spatial"], 1.0 / raw.deviation);
    said =
        "weights made by hand: channels score by mean and maximum, positions by what they exceed their "
        "surrounding by";
    return arrays;
}

}  // namespace

Mechanism convolutional_block() {
    return {
        .id = "cbam",
        .title = "Convolutional block attention",
        .family = Family::channels,
        .self_attention = false,
        .source = "Woo et al. 2018: CBAM, eq. 1 to 3",
        .score = "e = W₁ ReLU(W₀ mean) + W₁ ReLU(W₀ max), then a k×k convolution of [max ; mean]",
        .squash = "s = σ(β·e)",
        .multiply = "y = s·x, channel by channel, then position by position",
        .teaching =
            {
                .pieces = "the channels of a feature map, then its positions",
                .depends_on = "a channel's mean and maximum; then mean and maximum over the channels about a "
                              "position",
                .squash = "two sigmoids, one gate per channel and one per position",
                .multiply = "every channel times its gate, then every position times its own",
                .sits = "at the end of a residual branch, before the sum",
                .see = "First what, then where: the positions are scored on the map that the channel gates "
                       "have left.",
                .misreading = "The two gates are not made side by side and joined: the second sees what the "
                              "first let through.",
            },
        .parameters = {sharpness(), kernel(), reduction()},
        .inputs =
            {
                {"in.x", "[C, H, W]", "feature map"},
                {"w.fc0", "[C/r, C]", "W₀"},
                {"b.fc0", "[C/r]", "added to W₀ z", true},
                {"w.fc1", "[C, C/r]", "W₁"},
                {"b.fc1", "[C]", "added to W₁ ReLU(W₀ z)", true},
                {"w.spatial", "[1, 2, k, k]", "convolution of the maximum, then the mean over the channels"},
                {"b.spatial", "[1]", "of the same", true},
                {"bn.spatial.gamma", "[1]", "after it, with .beta, .mean, .var and .eps", true},
            },
        .outputs =
            {
                {"out.channel_gate", "[C]", "s of the channels"},
                {"out.after_channel", "[C, H, W]", "x times it"},
                {"out.spatial_gate", "[H, W]", "s of the positions"},
                {"out.output", "[C, H, W]", "y"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
