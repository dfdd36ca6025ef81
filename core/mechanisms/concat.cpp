#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

/// The parts of W [hₜ ; hⱼ] + b: what the query gives and what the key gives.
struct Halves {
    Array query;  ///< [n, A]
    Array key;    ///< [m, A], b in it
};

Halves halves(const Arrays& arrays, const Array& states, const Array& words) {
    const Index n = states.extent(1);
    const Index c = words.extent(1);
    const Array& w = require(arrays, "w.a", {-1, n + c});
    const Index units = w.extent(0);
    Halves result{Array({states.extent(0), units}), Array({words.extent(0), units})};
    matrix(result.query).noalias() = matrix(states) * matrix(w).leftCols(n).transpose();
    matrix(result.key).noalias() = matrix(words) * matrix(w).rightCols(c).transpose();
    if (const Array* b = find(arrays, "b.a", {units})) matrix(result.key).rowwise() += vector(*b).transpose();
    return result;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, -1});
    const Index n = states.extent(0);
    const Index m = words.extent(0);

    // Score, squash, multiply.
    Halves sum = halves(arrays, states, words);
    const Array& v = require(arrays, "w.v", {sum.query.extent(1)});
    const Softmax softmax{knobs.real("tau"), padding_mask(n, m, valid_keys(knobs, m))};
    const Attended attended = attend(additive_scores(sum.query, sum.key, v, 0.0F), words, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(words), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.steps = {{.id = "query",
                    .label = "W hₜ: the query’s half",
                    .shape = Step::Shape::queries,
                    .maps = maps_of(share(std::move(sum.query)))},
                   {.id = "key",
                    .label = "W hⱼ + b: the keys’ half",
                    .shape = Step::Shape::keys,
                    .maps = maps_of(share(std::move(sum.key)))}};
    trace.out["out.output"] = attended.output;
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const AgreementUnits units = agreement_units(keys);
    said = "weights made by hand: each pair of tanh units answers where query and key agree";
    return {{"in.h_t", queries},
            {"in.h_s", keys},
            {"w.a", joined(units.w, scaled(units.w, -1.0))},
            {"b.a", units.b},
            {"w.v", units.v}};
}

}  // namespace

Mechanism concat() {
    return {
        .id = "concat",
        .title = "Concatenation attention (concat)",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Luong, Pham, Manning 2015: Effective approaches to attention-based neural machine translation, "
            "eq. 7 and 8",
        .score = "eₜⱼ = vᵀ tanh(W [hₜ ; hⱼ] + b)",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ)",
        .multiply = "cₜ = Σⱼ αₜⱼ hⱼ",
        .teaching =
            {
                .pieces = "the words of the source sentence, each as its encoder state",
                .depends_on =
                    "decoder and encoder state side by side, through a network with one hidden layer",
                .squash = "softmax over the source words",
                .multiply = "weighted mean of the encoder states: the context of this target word",
                .sits = "between encoder and decoder, after the decoder's own step",
                .see = "The two halves of W act apart and meet inside the tanh: it is additive attention in "
                       "other words.",
                .misreading = "It differs from Bahdanau's in when it asks, not in what it computes: with the "
                              "decoder's current state, where Bahdanau uses the one before.",
            },
        .parameters = {temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, n]", "decoder states: the queries"},
                {"in.h_s", "[T_x, C]", "encoder states: keys and values"},
                {"w.a", "[A, n + C]", "W: the columns of h_t, then those of h_s"},
                {"b.a", "[A]", "b; the paper has none", true},
                {"w.v", "[A]", "v"},
            },
        .outputs =
            {
                {"out.scores", "[T_y, T_x]", "e, before τ and the mask"},
                {"out.weights", "[T_y, T_x]", "α"},
                {"out.output", "[T_y, C]", "c"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
