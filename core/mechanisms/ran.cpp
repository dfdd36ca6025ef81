#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/convolution.h"
#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/gates.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Parameter depth() {
    return {
        .id = "depth",
        .label = "depth of the mask",
        .help = "how many times the mask branch goes down to half the size and up again",
        .kind = Parameter::Kind::integer,
        .initial = Index{1},
        .low = 1,
        .high = 2,
    };
}

/// The residual blocks of a module, by the names of the authors' code.
std::vector<std::string> blocks(Index depth) {
    std::vector<std::string> names = {"first_residual_blocks", "trunk_branches.0", "trunk_branches.1"};
    if (depth == 1)
        names.insert(names.end(), {"softmax1_blocks.0", "softmax1_blocks.1"});
    else
        names.insert(names.end(), {"softmax1_blocks", "skip1_connection_residual_block", "softmax2_blocks.0",
                                   "softmax2_blocks.1", "softmax3_blocks"});
    names.emplace_back("last_blocks");
    return names;
}

/// The two convolutions at the end of the mask branch, each after a normalisation and a ReLU.
std::string mask_layers(Index depth) {
    return depth == 1 ? "softmax2_blocks" : "softmax4_blocks";
}

Array after_relu(const Arrays& arrays, const std::string& norm, const std::string& convolution,
                 const Array& x, Index outputs, Index padding = 0) {
    return convolve(arrays, convolution, relu(normalised(arrays, "bn." + norm, x)), outputs,
                    {.padding = padding}, 2 * padding + 1);
}

/// x plus three convolutions, 1×1, 3×3, 1×1.
Array residual_block(const Arrays& arrays, const std::string& name, const Array& x) {
    Array y = after_relu(arrays, name + ".bn1", name + ".conv1", x, -1);
    y = after_relu(arrays, name + ".bn2", name + ".conv2", y, -1, 1);
    y = after_relu(arrays, name + ".bn3", name + ".conv3", y, x.extent(0));
    vector(y) += vector(x);
    return y;
}

Array halved(const Array& x) {
    return max_pool(x, 3, {.stride = 2, .padding = 1});
}

/// Bilinear with aligned corners, to the size of another map.
Array raised(const Array& x, const Array& like) {
    return resize_bilinear(x, {like.extent(1), like.extent(2)}, true);
}

/// The mask branch down and up again, at the size of x.
struct Mask {
    Array down;  ///< at its lowest
    Array up;    ///< back at the size of x
};

Mask down_and_up(const Arrays& arrays, const Array& x, Index depth) {
    const auto block = [&](const std::string& name, const Array& map) {
        return residual_block(arrays, name, map);
    };
    if (depth == 1) {
        Array low = block("softmax1_blocks.1", block("softmax1_blocks.0", halved(x)));
        Array up = raised(low, x);
        return {std::move(low), std::move(up)};
    }
    const Array first = block("softmax1_blocks", halved(x));
    Array low = block("softmax2_blocks.1", block("softmax2_blocks.0", halved(first)));
    Array middle = raised(low, first);
    vector(middle) += vector(first) + vector(block("skip1_connection_residual_block", first));
    Array up = raised(block("softmax3_blocks", middle), x);
    return {std::move(low), std::move(up)};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& given = require(arrays, "in.x", {-1, -1, -1});
    const Index channels = given.extent(0);
    const Index depth = knobs.integer("depth");
    const double beta = knobs.real("beta");
    const Array x = residual_block(arrays, "first_residual_blocks", given);
    const Array trunk =
        residual_block(arrays, "trunk_branches.1", residual_block(arrays, "trunk_branches.0", x));

    // Score: the authors' code adds the trunk to the mask branch.
    const Mask mask = down_and_up(arrays, x, depth);
    Array input = mask.up;
    vector(input) += vector(trunk);
    const std::string name = mask_layers(depth);
    const Array scores = after_relu(arrays, name + ".3", name + ".5",
                                    after_relu(arrays, name + ".0", name + ".2", input, -1), channels);

    // Squash, multiply: (1 + M)·T.
    const Array gate = gates_of(scores, beta);
    Array attended = times_each(trunk, gate);
    vector(attended) += vector(trunk);

    const SharedArray result = share(std::move(attended));
    const SharedArray trunk_map = share(trunk);
    Trace trace = trace_of_gates(scores, gate, {x.extent(1), x.extent(2)}, trunk_map, result, beta);
    trace.steps = {{"down", "bottom-up: at its lowest", Step::Shape::positions, share(mask.down)},
                   {"up", "top-down: at full size", Step::Shape::positions, share(mask.up)}};
    trace.out["out.mask_input"] = share(std::move(input));
    trace.out["out.trunk"] = trunk_map;
    trace.out["out.mask_logits"] = share(scores);
    trace.out["out.mask"] = share(gate);
    trace.out["out.attended"] = result;
    trace.out["out.output"] = share(residual_block(arrays, "last_blocks", *result));
    return trace;
}

/// Residual blocks whose last convolution is 0 hand on what they get: the trunk is x, the mask's input x and
/// its blurred maxima.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.features, 3, "a picture");
    const Index channels = x.extent(0);
    const Index depth = knobs.integer("depth");
    const Index inner = std::max<Index>(channels / 4, 1);
    Arrays arrays = {{"in.x", x}};
    for (const std::string& block : blocks(depth)) {
        arrays["w." + block + ".conv1"] = Array({inner, channels, 1, 1});
        arrays["w." + block + ".conv2"] = Array({inner, inner, 3, 3});
        arrays["w." + block + ".conv3"] = Array({channels, inner, 1, 1});
    }
    const Matrix identity = Matrix::Identity(channels, channels);
    Array pass({channels, channels, 1, 1});
    matrix(pass, channels, channels) = identity;
    Array centre({channels, channels, 1, 1});
    matrix(centre, channels, channels) = 4.0F * (identity.array() - 1.0F / static_cast<float>(channels));
    arrays["w." + mask_layers(depth) + ".2"] = std::move(pass);
    arrays["w." + mask_layers(depth) + ".5"] = std::move(centre);
    said =
        "residual blocks left at the identity; the mask made by hand: it opens a channel where that exceeds "
        "the others nearby";
    return arrays;
}

/// Names and shapes of the inputs of both depths; the text lives as long as the program.
std::vector<ArraySpec> inputs() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Index depth : {1, 2}) {
            for (const std::string& block : blocks(depth))
                for (const std::string layer : {".conv1", ".conv2", ".conv3"})
                    if (std::string name = std::string("w.").append(block).append(layer);
                        std::ranges::find(all, name) == all.end())
                        all.push_back(std::move(name));
            for (const std::string layer : {".2", ".5"}) all.push_back("w." + mask_layers(depth) + layer);
        }
        return all;
    }();
    std::vector<ArraySpec> specs = {{"in.x", "[C, H, W]", "feature map"}};
    for (const std::string& name : names) {
        ArraySpec spec{name, "[C, C, 1, 1]", "at the end of the mask branch"};
        if (name.ends_with("conv1")) spec = {name, "[C/4, C, 1, 1]", "first of a residual block"};
        if (name.ends_with("conv2")) spec = {name, "[C/4, C/4, 3, 3]", "second"};
        if (name.ends_with("conv3")) spec = {name, "[C, C/4, 1, 1]", "third"};
        spec.optional = name.find("softmax") != std::string::npos || name.find("skip") != std::string::npos;
        specs.push_back(spec);  // those of the mask branch belong to one of the depths
    }
    specs.push_back({"bn.PATH.gamma", "[channels]",
                     "normalisation before the convolution, PATH as in the authors' code "
                     "(last_blocks.bn1, softmax2_blocks.0), with .beta, .mean, .var and .eps",
                     true});
    return specs;
}

}  // namespace

Mechanism residual_attention() {
    return {
        .id = "ran",
        .title = "Residual attention",
        .family = Family::pixels,
        .self_attention = false,
        .mixed = true,
        .source = "Wang et al. 2017: Residual attention network, eq. 1 to 3",
        .score = "e = mask branch of x, down and up again",
        .squash = "M = σ(β·e)",
        .multiply = "y = T + M·T, number by number",
        .teaching =
            {
                .pieces = "every channel at every position",
                .depends_on = "a wide surrounding, by a branch that goes down to half the size and up again",
                .squash = "sigmoid, one number per channel and position: mixed attention",
                .multiply = "each number of the trunk times 1 + M",
                .sits = "around a stage of residual blocks, which is its trunk",
                .see =
                    "The mask looks wide because it comes from half the size; with 1 + M it brings out and "
                    "never takes away.",
                .misreading = "The identity belongs to the attention, not to the layer: M alone, stacked "
                              "often, would wear the features down to nothing.",
            },
        .parameters = {sharpness(), depth()},
        .inputs = inputs(),
        .outputs =
            {
                {"out.mask_input", "[C, H, W]", "the mask branch before its last convolutions"},
                {"out.trunk", "[C, H, W]", "T"},
                {"out.mask_logits", "[C, H, W]", "e"},
                {"out.mask", "[C, H, W]", "M"},
                {"out.attended", "[C, H, W]", "y"},
                {"out.output", "[C, H, W]", "y after the last residual block"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
