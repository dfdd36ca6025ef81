#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, -1});

    // Score.
    AdditiveScores score = additive_scores(arrays, states, words);

    // Squash, multiply: the values are the words themselves.
    const Index n = states.extent(0);
    const Index m = words.extent(0);
    const Softmax softmax{knobs.real("tau"), padding_mask(n, m, valid_keys(knobs, m))};
    const Attended attended = attend(std::move(score.scores), words, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(words), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.steps = {{.id = "query",
                    .label = "W s: the query",
                    .shape = Step::Shape::queries,
                    .maps = maps_of(share(std::move(score.query)))},
                   {.id = "key",
                    .label = "U h: the keys",
                    .shape = Step::Shape::keys,
                    .maps = maps_of(share(std::move(score.key)))}};
    trace.out["out.context"] = attended.output;
    trace.out["out.output"] = attended.output;
    if (arrays.contains("w.out"))  // OpenNMT's projection of [c ; s], without a tanh
        trace.out["out.output"] = share(linear(arrays, "out", joined(*attended.output, states)));
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const AgreementUnits units = agreement_units(keys);
    said = "weights made by hand: each pair of tanh units answers where query and key agree";
    return {{"in.h_t", queries}, {"in.h_s", keys}, {"w.query", units.w}, {"w.ctx", scaled(units.w, -1.0)},
            {"b.ctx", units.b},  {"w.v", units.v}};
}

}  // namespace

Mechanism additive() {
    return {
        .id = "additive",
        .title = "Additive attention",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Bahdanau, Cho, Bengio 2015: Neural machine translation by jointly learning to align and "
            "translate, "
            "eq. 5, 6 and A.1.2",
        .score = "eᵢⱼ = vᵀ tanh(W sᵢ + U hⱼ + b)",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ)",
        .multiply = "cᵢ = Σⱼ αᵢⱼ hⱼ",
        .teaching =
            {
                .pieces = "the words of the source sentence, each as its annotation h",
                .depends_on =
                    "decoder state s and annotation h, through a small network with one hidden layer",
                .squash = "softmax over the source words",
                .multiply = "weighted mean of the annotations: the context of this target word",
                .sits = "between encoder and decoder, once for every target word",
                .see = "Each target word draws its context from the source words it translates, so the order "
                       "may differ.",
                .misreading = "It is cross-attention, not self-attention, and its weights say what was "
                              "averaged, not what "
                              "caused the word.",
            },
        .parameters = {temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, n]", "decoder states: the queries"},
                {"in.h_s", "[T_x, C]", "annotations: keys and values"},
                {"w.query", "[A, n]", "W"},
                {"b.query", "[A]", "added to W s", true},
                {"w.ctx", "[A, C]", "U"},
                {"b.ctx", "[A]", "added to U h", true},
                {"w.v", "[A]", "v"},
                {"b.v", "[1]", "added to every score; the softmax cancels it", true},
                {"w.out", "[O, C + n]", "output projection of [c ; s], without tanh", true},
                {"b.out", "[O]", "of the output projection", true},
            },
        .outputs =
            {
                {"out.scores", "[T_y, T_x]", "e, before τ and the mask"},
                {"out.weights", "[T_y, T_x]", "α"},
                {"out.context", "[T_y, C]", "c"},
                {"out.output", "[T_y, O]", "c, or its output projection"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
