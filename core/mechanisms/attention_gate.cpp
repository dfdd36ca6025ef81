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

Parameter on_coarse_grid() {
    return {
        .id = "coarse",
        .label = "gate on a coarse grid",
        .help = "the gate is computed on cells of 2×2 positions and resampled; else at every position",
        .kind = Parameter::Kind::toggle,
        .initial = true,
    };
}

struct Gate {
    Array hidden;  ///< ReLU(W_x x + W_g g), [C_i, h, w]
    Array scores;  ///< [1, h, w]
};

/// At every position; g has been resampled already.
Gate at_positions(const Arrays& arrays, const Array& x) {
    const Array& g = require(arrays, "in.g", {-1, x.extent(1), x.extent(2)});
    Array sum = normalised(arrays, "bn.x", convolve(arrays, "x", x, -1, {}, 1));
    const Array gating = normalised(arrays, "bn.g", convolve(arrays, "g", g, sum.extent(0), {}, 1));
    vector(sum) += vector(gating);
    Array hidden = relu(std::move(sum));
    Array scores = normalised(arrays, "bn.psi", convolve(arrays, "psi", hidden, 1, {}, 1));
    return {std::move(hidden), std::move(scores)};
}

/// On the cells that a convolution of stride k × k makes of x; g comes as coarse as it is.
Gate on_cells(const Arrays& arrays, const Array& x) {
    const Array& g = require(arrays, "in.g", {-1, -1, -1});
    const Array& weights = require(arrays, "w.x", {-1, x.extent(0), -1, -1});
    Array sum = convolve(arrays, "x", x, -1, {.stride = weights.extent(2)});
    const Grid cells{sum.extent(1), sum.extent(2)};
    const Array gating = convolve(arrays, "g", g, sum.extent(0), {}, 1);
    vector(sum) += vector(resize_bilinear(gating, cells, false));
    Array hidden = relu(std::move(sum));
    Array scores = convolve(arrays, "psi", hidden, 1, {}, 1);
    return {std::move(hidden), std::move(scores)};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const bool coarse = knobs.flag("coarse");
    const double beta = knobs.real("beta");

    // Score, squash.
    const Gate gate = coarse ? on_cells(arrays, x) : at_positions(arrays, x);
    const Grid cells{gate.scores.extent(1), gate.scores.extent(2)};
    const Array low = gates_of(gate.scores, beta);
    const Array full = resize_bilinear(low, {x.extent(1), x.extent(2)}, false);

    // Multiply.
    const SharedArray attended = share(times_positions(x, full));
    SharedArray output = attended;
    if (coarse && arrays.contains("w.out"))
        output = share(normalised(arrays, "bn.out", convolve(arrays, "out", *attended, -1, {}, 1)));

    Trace trace = trace_of_gates(gate.scores, low, cells, share(x), attended, beta);
    trace.steps = {
        {"hidden", "ReLU(W_x x + W_g g): fine + coarse", Step::Shape::positions, share(gate.hidden)},
        {"gate", "α: at every position", Step::Shape::positions, share(full)}};
    trace.out["out.gate_lowres"] = share(low.reshaped({cells.height, cells.width}));
    trace.out["out.gate"] = share(full.reshaped({x.extent(1), x.extent(2)}));
    trace.out["out.attended"] = attended;
    trace.out["out.output"] = std::move(output);
    return trace;
}

/// |x + g| is large where the fine feature points the way of the coarse one.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.features, 3, "a picture");
    const Index channels = x.extent(0);
    const Grid grid{x.extent(1), x.extent(2)};
    const bool coarse = knobs.flag("coarse");
    const Index block = std::min({Index{4}, grid.height, grid.width});
    Array g = mean_pool(x, block, {.stride = block});
    if (!coarse) g = resize_bilinear(g, grid, false);

    Array both({2 * channels, channels});
    matrix(both) << Matrix::Identity(channels, channels), -Matrix::Identity(channels, channels);
    const Index side = coarse ? std::min({Index{2}, grid.height, grid.width}) : 1;
    Array w({2 * channels, channels, side, side});
    const Index taps = side * side;
    for (Index tap = 0; tap < taps; ++tap)
        for (Index o = 0; o < 2 * channels; ++o)
            for (Index c = 0; c < channels; ++c)
                w.values()[static_cast<std::size_t>((o * channels + c) * taps + tap)] =
                    matrix(both)(o, c) / static_cast<float>(taps);
    Arrays arrays = {{"in.x", x}, {"in.g", g}, {"w.g", both}, {"w.psi", Array({1, 2 * channels}, 1.0F)}};
    arrays["w.x"] = coarse ? std::move(w) : both;

    const Spread raw = spread_of((coarse ? on_cells(arrays, x) : at_positions(arrays, x)).scores);
    arrays["w.psi"] = scaled(arrays["w.psi"], 1.0 / raw.deviation);
    arrays["b.psi"] = Array({1}, static_cast<float>(-raw.mean / raw.deviation));
    said = "weights made by hand: g is the picture in blocks, and the gate opens where x agrees with it";
    return arrays;
}

}  // namespace

Mechanism attention_gate() {
    return {
        .id = "attention-gate",
        .title = "Attention gate",
        .family = Family::pixels,
        .self_attention = false,
        .source = "Oktay et al. 2018: Attention U-Net, eq. 1 to 3",
        .score = "eⱼ = ψ·ReLU(W_x xⱼ + W_g gⱼ + b) + b_ψ",
        .squash = "sⱼ = σ(β·eⱼ)",
        .multiply = "yⱼ = sⱼ xⱼ",
        .teaching =
            {
                .pieces = "the positions of a skip connection",
                .depends_on = "the position's own features and a coarser map that knows more of the whole",
                .squash = "sigmoid, one gate per position: they do not compete",
                .multiply = "every channel of a position times its gate",
                .sits = "on a skip connection of a U-Net, before it joins the decoder",
                .see = "The coarse map decides what of the fine map goes through; the gate is as coarse as "
                       "it was computed.",
                .misreading = "No position looks at another and nothing is averaged: it is additive "
                              "attention's score with a sigmoid, used as a mask.",
            },
        .parameters = {sharpness(), on_coarse_grid()},
        .inputs =
            {
                {"in.x", "[C_x, H, W]", "features of the skip connection"},
                {"in.g", "[C_g, h, w]", "gating signal; [C_g, H, W] where the gate is not coarse"},
                {"w.x", "[C_i, C_x, 2, 2]", "W_x, of stride 2; [C_i, C_x] where the gate is not coarse"},
                {"b.x", "[C_i]", "of the same", true},
                {"w.g", "[C_i, C_g]", "W_g"},
                {"b.g", "[C_i]", "of the same", true},
                {"w.psi", "[1, C_i]", "ψ"},
                {"b.psi", "[1]", "b_ψ", true},
                {"bn.x.gamma", "[C_i]", "after W_x, with .beta, .mean, .var and .eps; not where coarse",
                 true},
                {"bn.g.gamma", "[C_i]", "after W_g, likewise", true},
                {"bn.psi.gamma", "[1]", "after ψ, likewise", true},
                {"w.out", "[C, C_x]", "convolution after the gate, where coarse", true},
                {"b.out", "[C]", "of the same", true},
                {"bn.out.gamma", "[C]", "after the same", true},
            },
        .outputs =
            {
                {"out.gate_lowres", "[h, w]", "s where it was computed"},
                {"out.gate", "[H, W]", "s, resampled without aligned corners"},
                {"out.attended", "[C_x, H, W]", "y"},
                {"out.output", "[C, H, W]", "y through w.out where it is"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
