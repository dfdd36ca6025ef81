#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/regions.h"
#include "core/mechanisms/shared.h"
#include "core/random.h"

namespace attn {

namespace {

Parameter pick() {
    return {
        .id = "pick",
        .label = "picked",
        .help = "which one region a word takes",
        .kind = Parameter::Kind::choice,
        .initial = std::string("sample"),
        .choices = {{"sample", "drawn", "a region drawn with the weights as its chances, as in training"},
                    {"argmax", "heaviest", "the region of the largest weight, the first of equals"}},
    };
}

Parameter draw() {
    Parameter p = {
        .id = "draw",
        .label = "draw",
        .help = "seed of the uniform numbers, where no in.u gives them",
        .kind = Parameter::Kind::integer,
        .initial = Index{7},
        .low = 0,
        .high = 9999,
    };
    p.enabled_by = "pick";
    p.enabled_for = {"sample"};
    return p;
}

/// One number in 0…1 per state.
Array uniform_numbers(const Arrays& arrays, const Knobs& knobs, Index states) {
    if (const Array* given = find(arrays, "in.u", {states})) {
        for (const float u : given->values())
            if (!(u >= 0.0F && u <= 1.0F))
                throw Error("array 'in.u': expected numbers from 0 to 1, got " + std::to_string(u));
        return *given;
    }
    Random random(static_cast<std::uint64_t>(knobs.integer("draw")));
    Array numbers({states});
    for (float& u : numbers.values()) u = static_cast<float>(random.uniform());
    return numbers;
}

Index heaviest(std::span<const float> weights) {
    return std::ranges::max_element(weights) - weights.begin();
}

/// The first key at which the weights summed so far exceed u.
Index drawn(std::span<const float> weights, float u) {
    float sum = 0.0F;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        sum += weights[j];
        if (sum > u) return static_cast<Index>(j);
    }
    return heaviest(weights);  // a sum that rounding left below u
}

/// One region for each state.
struct Picked {
    SharedArray index;   ///< [T]
    SharedArray mask;    ///< [T, L], 1 at the region
    SharedArray output;  ///< [T, C], its annotation
};

template <class Choose>
Picked picked(const Array& weights, const Array& features, const Choose& choose) {
    const Index states = weights.extent(0);
    const auto regions = static_cast<std::size_t>(weights.extent(1));
    Array index({states}, 0.0F, Element::index);
    Array mask(weights.shape());
    Array output({states, features.extent(1)});
    for (Index t = 0; t < states; ++t) {
        const auto row = weights.values().subspan(static_cast<std::size_t>(t) * regions, regions);
        const Index j = choose(t, row);
        vector(index)(t) = static_cast<float>(j);
        matrix(mask)(t, j) = 1.0F;
        matrix(output).row(t) = matrix(features).row(j);
    }
    return {share(std::move(index)), share(std::move(mask)), share(std::move(output))};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Regions regions = attend_regions(arrays, knobs);
    const Array& weights = *regions.attended.weights;
    const Array u = uniform_numbers(arrays, knobs, weights.extent(0));

    // Multiply by one region instead of all.
    const Picked most =
        picked(weights, *regions.features, [](Index, std::span<const float> row) { return heaviest(row); });
    const Picked sample = picked(weights, *regions.features, [&u](Index t, std::span<const float> row) {
        return drawn(row, vector(u)(t));
    });
    const Picked& taken = knobs.text("pick") == "sample" ? sample : most;

    Trace trace = trace_of(regions.attended, {1, weights.extent(0)}, regions.grid, regions.features);
    trace.heads.push_back({trace.heads.front().scores, Map(taken.mask)});
    trace.sharpness = knobs.real("tau");
    trace.output = taken.output;
    trace.steps = {{.id = "soft",
                    .label = "Σ α a: if it were soft",
                    .shape = Step::Shape::queries,
                    .maps = maps_of(regions.attended.output)},
                   {.id = "picked",
                    .label = "s: the region taken",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(taken.mask)}};
    for (const float index : taken.index->values()) trace.picked.push_back(static_cast<Index>(index));
    trace.out["out.argmax_index"] = most.index;
    trace.out["out.argmax_mask"] = most.mask;
    trace.out["out.output_argmax"] = most.output;
    trace.out["out.sample_index"] = sample.index;
    trace.out["out.sample_mask"] = sample.mask;
    trace.out["out.output_sample"] = sample.output;
    return trace;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    said = "weights made by hand: units answer where word and region agree";
    if (knobs.text("pick") == "sample")
        said += "; one region drawn for each word, seed " + std::to_string(knobs.integer("draw"));
    return arrange_regions(material);
}

}  // namespace

Mechanism hard() {
    std::vector<Parameter> parameters = {pick(), draw(), temperature()};
    for (Parameter& knob : region_grid()) parameters.push_back(std::move(knob));
    std::vector<ArraySpec> inputs = region_inputs();
    inputs.push_back({"in.u", "[T]", "uniform numbers in 0…1 that draw the regions", true});
    return {
        .id = "hard",
        .title = "Hard attention over a picture",
        .family = Family::sequences,
        .self_attention = false,
        .over_picture = true,
        .source =
            "Xu et al. 2015: Show, attend and tell: neural image caption generation with visual attention, "
            "section 4.1",
        .score = "eₜⱼ = vᵀ tanh(U aⱼ + W hₜ + b)",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ), the chances of a draw",
        .multiply = "zₜ = Σⱼ sₜⱼ aⱼ, s = 1 at the one region drawn, else 0",
        .teaching =
            {
                .pieces = "the regions of a picture, each as its annotation a",
                .depends_on = "annotation and decoder state, through a small network with one hidden layer",
                .squash = "softmax over the regions, then one of them is drawn",
                .multiply = "the annotation of that region alone",
                .sits = "in a caption's decoder, before every word",
                .see = "The same weights, another draw: the word takes one region whole, and often not the "
                       "heaviest.",
                .misreading = "It is not the largest weight: in training the region is drawn, so gradients "
                              "need REINFORCE; the argmax is a choice at test time.",
            },
        .parameters = std::move(parameters),
        .inputs = std::move(inputs),
        .outputs =
            {
                {"out.scores", "[T, L]", "e, before τ"},
                {"out.weights", "[T, L]", "α, the chances"},
                {"out.argmax_index", "[T]", "the heaviest region, the first of equals"},
                {"out.argmax_mask", "[T, L]", "1 there"},
                {"out.output_argmax", "[T, C]", "its annotation"},
                {"out.sample_index", "[T]", "the region drawn"},
                {"out.sample_mask", "[T, L]", "1 there"},
                {"out.output_sample", "[T, C]", "its annotation"},
            },
        .figures = {"overlay", "alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
