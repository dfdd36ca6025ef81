#include <algorithm>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, -1});
    const Index n = states.extent(0);
    const Index m = words.extent(0);

    // Score: a row of W per position, whatever stands there. Words beyond the last row have no score.
    const Array all = linear(arrays, "a", states);
    const Index scored = std::min(all.extent(1), m);
    Array scores({n, m});
    matrix(scores).leftCols(scored) = matrix(all).leftCols(scored);

    // Squash, multiply.
    const Index valid = std::min(valid_keys(knobs, m), scored);
    const Softmax softmax{knobs.real("tau"), padding_mask(n, m, valid)};
    const Attended attended = attend(std::move(scores), words, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(words), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.out["out.output"] = attended.output;
    return trace;
}

/// The row of a position answers to the target word that stands in the same part of its sentence.
Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const Index n = queries.extent(0);
    const Index m = keys.extent(0);
    const auto gain = static_cast<float>(3.0 / mean_square_length(queries));
    Array w({m, queries.extent(1)});
    for (Index s = 0; s < m; ++s) matrix(w).row(s) = gain * matrix(queries).row(s * n / m);
    said =
        "weights made by hand: a position answers to the target word in its part of the sentence, "
        "whatever source word it holds";
    return {{"in.h_t", queries}, {"in.h_s", keys}, {"w.a", w}};
}

}  // namespace

Mechanism location() {
    return {
        .id = "location",
        .title = "Location-based attention",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Luong, Pham, Manning 2015: Effective approaches to attention-based neural machine translation, "
            "eq. 9",
        .score = "eₜⱼ = wⱼ·hₜ, wⱼ the row of W for position j",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ)",
        .multiply = "cₜ = Σⱼ αₜⱼ hⱼ",
        .teaching =
            {
                .pieces = "the positions of the source sentence, not its words",
                .depends_on = "the decoder state alone",
                .squash = "softmax over the positions there are",
                .multiply = "weighted mean of the encoder states: the context of this target word",
                .sits = "between encoder and decoder, after the decoder's own step",
                .see = "Write another source sentence of the same length: the weights stay, only what is "
                       "averaged changes.",
                .misreading = "It does not compare target words with source words: no key enters the score.",
            },
        .parameters = {temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, n]", "decoder states: the queries"},
                {"in.h_s", "[T_x, C]", "encoder states: the values"},
                {"w.a", "[S, n]", "W, a row per position; those after T_x are not used"},
                {"b.a", "[S]", "added to W h", true},
            },
        .outputs =
            {
                {"out.scores", "[T_y, T_x]", "e, before τ and the mask; 0 for words beyond S"},
                {"out.weights", "[T_y, T_x]", "α"},
                {"out.output", "[T_y, C]", "c"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
