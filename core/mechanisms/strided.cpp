#include <string>

#include "core/heads.h"
#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

/// The pattern's mask where the head sees this part of it.
SharedArray mask_of(const Knobs& knobs, const std::string& part, Index n) {
    return pattern_mask({.id = "strided", .set = {{"l", knobs.integer("l")}, {"part", part}}, .parts = {}},
                        {1, n});
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    require_numbers(arrays);
    const auto [q, k, v, heads] = projected(arrays, knobs);
    const Index n = q.extent(0);

    // Score, squash over the keys of the pattern, multiply: what this head sees, and its two parts apart.
    const auto attended_over = [&, heads = heads](const SharedArray& mask) {
        return attend_heads(q, k, v, heads, 0.0F, {knobs.real("tau"), mask});
    };
    const SharedArray mask = mask_of(knobs, knobs.text("part"), n);
    const SharedArray local_mask = mask_of(knobs, "local", n);
    const SharedArray column_mask = mask_of(knobs, "column", n);
    const Attended attended = attended_over(mask);
    const Attended local = attended_over(local_mask);
    const Attended column = attended_over(column_mask);

    Trace trace = trace_of(attended, {1, n}, {1, n}, share(v), mask);
    trace.sharpness = knobs.real("tau");
    trace.steps = {{.id = "local",
                    .label = "local: the last l keys alone",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(local.weights)},
                   {.id = "strided",
                    .label = "strided: every l-th key alone",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(column.weights)}};
    trace.out["out.mask"] = mask;
    trace.out["out.output"] = attended.output;
    trace.out["out.local_mask"] = local_mask;
    trace.out["out.local_weights"] = local.weights;
    trace.out["out.local_output"] = local.output;
    trace.out["out.strided_mask"] = column_mask;
    trace.out["out.strided_weights"] = column.weights;
    trace.out["out.strided_output"] = column.output;
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    said = "embeddings made by hand, queries = keys = values, scaled so that a word scores 3 with itself";
    return words_as_projected(offered(material.keys, 2, "a row of words"));
}

}  // namespace

Mechanism strided() {
    return {
        .id = "strided",
        .title = "Strided attention (Sparse Transformer)",
        .family = Family::sequences,
        .source =
            "Child, Gray, Radford, Sutskever 2019: Generating long sequences with sparse transformers, "
            "section 4.3",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, j ≤ i, i − j < l or a multiple of l",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the keys seen",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the last l words or pixels and every l-th before them",
                .depends_on = "the product of query and key, over √d; which keys: the distance alone",
                .squash = "softmax over the keys of the pattern, none after the query",
                .multiply = "weighted mean of their values",
                .sits = "in every layer of a decoder for images or music, whose rows are l long",
                .see = "With l as long as a row of a picture the far keys are the column above, and two "
                       "layers reach everything before.",
                .misreading = "The stride skips keys, not queries: every position asks; and on text, where "
                              "nothing repeats every l words, it does worse than the fixed pattern.",
            },
        .parameters = {knob_of_pattern("strided", "l"), knob_of_pattern("strided", "part"), head_count(),
                       temperature()},
        .inputs =
            {
                {"in.q", "[N, h·d]", "queries, the heads side by side"},
                {"in.k", "[N, h·d]", "keys"},
                {"in.v", "[N, h·d_v]", "values"},
            },
        .outputs =
            {
                {"out.scores", "[h, N, N]", "e, before τ and the mask"},
                {"out.mask", "[N, N]", "true where the query sees the key"},
                {"out.weights", "[h, N, N]", "α"},
                {"out.output", "[N, h·d_v]", "y"},
                {"out.local_mask", "[N, N]", "the last l keys, the query included"},
                {"out.local_weights", "[h, N, N]", "α over them alone"},
                {"out.local_output", "[N, h·d_v]", "y of them alone"},
                {"out.strided_mask", "[N, N]", "every l-th key up to the query"},
                {"out.strided_weights", "[h, N, N]", "α over them alone"},
                {"out.strided_output", "[N, h·d_v]", "y of them alone"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
