#include <cmath>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/gates.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Parameter block_channels() {
    return {
        .id = "log2C",
        .symbol = "log₂C",
        .label = "channels",
        .help = "log₂ of the channels of the real block: only for the tiles",
        .kind = Parameter::Kind::integer,
        .initial = Index{8},
        .low = 4,
        .high = 11,
    };
}

Parameter block_reduction() {
    return {
        .id = "r",
        .symbol = "r",
        .label = "reduction",
        .help = "of the real block, C/r hidden units: only for the tiles",
        .kind = Parameter::Kind::integer,
        .initial = Index{16},
        .low = 1,
        .high = 64,
        .scale = Parameter::Scale::logarithmic,
    };
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Index channels = x.extent(0);

    // Score: the hidden width C/r is that of the weights.
    const Array z = channel_means(x);
    Array hidden = relu(linear(arrays, "fc1", z));
    const Array e = linear(arrays, "fc2", hidden, channels);

    // Squash: each channel on its own.
    const Array gate = gates_of(e, knobs.real("beta"));

    // Multiply.
    const Attended attended{share(e), share(gate), share(times_channels(x, gate)), {}};
    Trace trace = trace_of(attended, {1, 1}, {1, channels}, nullptr);
    trace.squash = Squash::sigmoid;
    trace.sharpness = knobs.real("beta");
    trace.steps = {{"squeeze", "z: channel means", Step::Shape::numbers, share(z)},
                   {"hidden", "ReLU(W₁ z): hidden", Step::Shape::numbers, share(std::move(hidden))},
                   {"excitation", "e: W₂ ReLU(W₁ z)", Step::Shape::numbers, attended.scores}};
    trace.out["out.gate"] = share(gate.reshaped({channels}));
    trace.out["out.output"] = attended.output;
    return trace;
}

/// ReLU(z) − ReLU(−z) = z, so that e = M z with any matrix M: here the one that leaves the mean out, at unit
/// variance.
Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& x = offered(material.channels, 3, "the channels of a picture");
    const Index channels = x.extent(0);
    const Array z = channel_means(x);
    const float deviation = std::sqrt((vector(z).array() - vector(z).mean()).square().mean());
    const float scale = deviation > 1e-6F ? 1.0F / deviation : 0.0F;
    const Matrix identity = Matrix::Identity(channels, channels);
    const Matrix centre = (identity.array() - 1.0F / static_cast<float>(channels)) * scale;

    Array fc1({2 * channels, channels});
    matrix(fc1) << identity, -identity;
    Array fc2({channels, 2 * channels});
    matrix(fc2) << centre, -centre;
    said = "weights made by hand: e is the channel's mean minus the mean of all, at unit variance";
    return {{"in.x", x}, {"w.fc1", fc1}, {"w.fc2", fc2}};
}

}  // namespace

Mechanism squeeze_excitation() {
    return {
        .id = "se",
        .title = "Squeeze-and-excitation",
        .family = Family::channels,
        .self_attention = false,
        .source = "Hu, Shen, Sun 2018: Squeeze-and-excitation networks, eq. 2 to 4",
        .score = "e = W₂ ReLU(W₁ z), z = mean of each channel of x",
        .squash = "s = σ(β·e)",
        .multiply = "y = s·x, channel by channel",
        .teaching =
            {
                .pieces = "the channels of a feature map",
                .depends_on = "the means of all channels, through two small layers with a bottleneck of C/r",
                .squash = "sigmoid, one gate per channel: the gates do not compete",
                .multiply = "every channel times its gate, the same at all positions",
                .sits = "at the end of a residual branch, before the sum",
                .see = "One number per channel turns it up or down for this picture: at β = 0 all are "
                       "halved, at large β they "
                       "are on or off.",
                .misreading = "It is not self-attention: no position looks at another; the gates come from "
                              "channel means, "
                              "through a sigmoid, without competition.",
            },
        .parameters = {sharpness(), block_channels(), block_reduction()},
        .inputs =
            {
                {"in.x", "[C, H, W]", "feature map"},
                {"w.fc1", "[C/r, C]", "W₁"},
                {"b.fc1", "[C/r]", "added to W₁ z", true},
                {"w.fc2", "[C, C/r]", "W₂"},
                {"b.fc2", "[C]", "added to W₂ ReLU(W₁ z)", true},
            },
        .outputs =
            {
                {"out.scores", "[1, C]", "e, before β"},
                {"out.weights", "[1, C]", "s, as a map of one row"},
                {"out.gate", "[C]", "s"},
                {"out.output", "[C, H, W]", "y"},
            },
        .figures = {"gate", "recipe", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
