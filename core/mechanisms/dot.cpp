#include <cmath>

#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, states.extent(1)});
    const Index n = states.extent(0);
    const Index m = words.extent(0);

    // Score (without a scale), squash, multiply.
    const Softmax softmax{knobs.real("tau"), padding_mask(n, m, valid_keys(knobs, m))};
    const Attended attended = attend(states, words, words, 1.0F, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(words), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.out["out.context"] = attended.output;
    trace.out["out.output"] = attentional(arrays, attended.output, states);
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    // A word scores about 3 with its translation: at τ = 1 most of the weight in a row of ten, not all.
    const double gain = std::sqrt(3.0 / mean_square_length(keys));
    said = "embeddings made by hand, scaled so that a word scores 3 with itself";
    return {{"in.h_t", scaled(queries, gain)}, {"in.h_s", scaled(keys, gain)}};
}

}  // namespace

Mechanism dot() {
    return {
        .id = "dot",
        .title = "Multiplicative attention (dot)",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Luong, Pham, Manning 2015: Effective approaches to attention-based neural machine translation, "
            "eq. 5, 7 and 8",
        .score = "eₜⱼ = hₜ·hⱼ",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ)",
        .multiply = "cₜ = Σⱼ αₜⱼ hⱼ, then tanh(W [cₜ ; hₜ])",
        .teaching =
            {
                .pieces = "the words of the source sentence, each as its encoder state",
                .depends_on = "the product of decoder state and encoder state, with no weights of its own",
                .squash = "softmax over the source words",
                .multiply = "weighted mean of the encoder states, joined with the decoder state",
                .sits = "between encoder and decoder, after the decoder's own step",
                .see = "States that point the same way score high: the two sides must speak one language of "
                       "features.",
                .misreading = "A long key wins whatever the query: the dot product measures length as well "
                              "as direction.",
            },
        .parameters = {temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, C]", "decoder states: the queries"},
                {"in.h_s", "[T_x, C]", "encoder states: keys and values"},
                {"w.out", "[O, 2 C]", "output projection of [c ; h], with tanh", true},
                {"b.out", "[O]", "of the output projection", true},
            },
        .outputs =
            {
                {"out.scores", "[T_y, T_x]", "e, before τ and the mask"},
                {"out.weights", "[T_y, T_x]", "α"},
                {"out.context", "[T_y, C]", "c"},
                {"out.output", "[T_y, O]", "c, or tanh of its output projection"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
