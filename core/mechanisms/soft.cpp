#include <Eigen/QR>
#include <string>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/regions.h"
#include "core/mechanisms/shared.h"
#include "core/recipe.h"

namespace attn {

namespace {

/// β = σ(w·h + b) of each state: how much of the picture this word takes.
Array gate_of(const Arrays& arrays) {
    const Array& states = require(arrays, "in.h");
    const Array& w = require(arrays, "w.gate", {states.extent(1)});
    const Array* b = find(arrays, "b.gate", {1});
    Array gate({states.extent(0)}, b != nullptr ? b->values().front() : 0.0F);
    vector(gate) += matrix(states) * vector(w);
    sigmoid(gate.values(), 1.0);
    return gate;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Regions regions = attend_regions(arrays, knobs);
    const Attended& attended = regions.attended;
    Trace trace = trace_of(attended, {1, attended.output->extent(0)}, regions.grid, regions.features);
    trace.sharpness = knobs.real("tau");
    trace.out["out.output"] = attended.output;
    if (!arrays.contains("w.gate")) return trace;

    const SharedArray gate = share(gate_of(arrays));
    Array gated = *attended.output;
    matrix(gated) = vector(*gate).asDiagonal() * matrix(*attended.output);
    const SharedArray output_gated = share(std::move(gated));
    trace.steps = {
        {.id = "gate",
         .label = "β: gate of a word",
         .shape = Step::Shape::queries,
         .maps = maps_of(share(gate->reshaped({gate->size(), 1})))},
        {.id = "gated", .label = "β z: taken", .shape = Step::Shape::queries, .maps = maps_of(output_gated)}};
    trace.out["out.gate"] = gate;
    trace.out["out.output_gated"] = output_gated;
    return trace;
}

/// w of a gate that opens (e = 2) for words that find something alike among the annotations, and closes
/// (e = −2) for the rest; as near to that as one direction can come.
Array gate_by_hand(const Array& states, const Array& features) {
    const Matrix likeness = matrix(states) * matrix(features).transpose();
    Vector wished(states.extent(0));
    for (Index t = 0; t < wished.size(); ++t) {
        const float own = matrix(states).row(t).squaredNorm();
        wished(t) = likeness.row(t).maxCoeff() > 0.6F * own ? 2.0F : -2.0F;
    }
    Array w({states.extent(1)});
    vector(w) = Eigen::CompleteOrthogonalDecomposition<Matrix>(matrix(states)).solve(wished);
    return w;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    Arrays arrays = arrange_regions(material);
    arrays["w.gate"] = gate_by_hand(arrays.at("in.h"), arrays.at("in.features"));
    said =
        "weights made by hand: units answer where word and region agree, the gate opens for words that find "
        "their like";
    return arrays;
}

}  // namespace

Mechanism soft() {
    std::vector<Parameter> parameters = {temperature()};
    for (Parameter& knob : region_grid()) parameters.push_back(std::move(knob));
    std::vector<ArraySpec> inputs = region_inputs();
    inputs.push_back({"w.gate", "[n]", "w of the gate β = σ(w·h + b)", true});
    inputs.push_back({"b.gate", "[1]", "b of the gate", true});
    return {
        .id = "soft",
        .title = "Soft attention over a picture",
        .family = Family::sequences,
        .self_attention = false,
        .over_picture = true,
        .source =
            "Xu et al. 2015: Show, attend and tell: neural image caption generation with visual attention, "
            "eq. 4 to 6 and 13",
        .score = "eₜⱼ = vᵀ tanh(U aⱼ + W hₜ + b)",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ)",
        .multiply = "zₜ = Σⱼ αₜⱼ aⱼ, then βₜ zₜ",
        .teaching =
            {
                .pieces = "the regions of a picture, each as its annotation a",
                .depends_on = "annotation and decoder state, through a small network with one hidden layer",
                .squash = "softmax over the regions",
                .multiply = "weighted mean of the annotations, times a gate β of the whole word",
                .sits = "in a caption's decoder, before every word",
                .see = "Every word spreads its look over the regions; words that need no picture close the "
                       "gate instead of looking away.",
                .misreading = "The bright region says what was averaged, not what caused the word; and β "
                              "scales all of it, it selects no region.",
            },
        .parameters = std::move(parameters),
        .inputs = std::move(inputs),
        .outputs =
            {
                {"out.scores", "[T, L]", "e, before τ"},
                {"out.weights", "[T, L]", "α"},
                {"out.output", "[T, C]", "z"},
                {"out.gate", "[T]", "β, where there is w.gate"},
                {"out.output_gated", "[T, C]", "β z, where there is w.gate"},
            },
        .figures = {"overlay", "alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
