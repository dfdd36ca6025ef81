#include <string>
#include <utility>
#include <vector>

#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Projected words = projected(arrays, knobs);
    const Index n = words.q.extent(0);
    const double tau = knobs.real("tau");
    const auto table_of = [&](const std::string& part) {
        return pair_table({.id = "strided", .set = {{"l", knobs.integer("l")}, {"part", part}}, .parts = {}},
                          n);
    };

    // Score, squash over the keys of the pattern, multiply.
    const SharedTable table = table_of(knobs.text("part"));
    const AttendedPairs attended = attend(words, *table, tau);
    Trace trace = trace_of(attended, {1, n}, {1, n}, table, share(words.v), tau);
    trace.width = words.q.extent(1) / words.heads;
    write_dense(trace, table);
    trace.out["out.output"] = attended.output;

    // The pattern's two parts, each as a head that sees nothing else.
    const auto add_part = [&](const std::string& part, const std::string& name, const std::string& label) {
        const SharedTable seen = table_of(part);
        const AttendedPairs apart = attend(words, *seen, tau);
        std::vector<Map> weights = maps_of(seen, apart.weights, words.heads);
        trace.steps.push_back({.id = name, .label = label, .shape = Step::Shape::pairs, .maps = weights});
        trace.out["out." + name + "_mask"] = dense(Map(seen), Element::flag);
        trace.out["out." + name + "_weights"] = dense(std::move(weights));
        trace.out["out." + name + "_output"] = apart.output;
    };
    add_part("local", "local", "local: the last l keys alone");
    add_part("column", "strided", "strided: every l-th key alone");
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
