#include <cmath>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    require_numbers(arrays);
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, -1});
    const Array query = linear(arrays, "query", states);
    const Array key = linear(arrays, "ctx", words, query.extent(1));
    const Array& v = require(arrays, "w.v", {query.extent(1)});
    const Array* bias = find(arrays, "b.v", {1});

    // Score.
    Array scores = additive_scores(query, key, v, bias != nullptr ? bias->values().front() : 0.0F);

    // Squash, multiply: the values are the words themselves.
    const Index n = states.extent(0);
    const Index m = words.extent(0);
    const Softmax softmax{knobs.real("tau"), padding_mask(n, m, valid_keys(knobs, m))};
    const Attended attended = attend(std::move(scores), words, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(words), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.steps = {{"query", "W s", share(query)}, {"key", "U h", share(key)}};
    trace.out["out.context"] = attended.output;
    trace.out["out.output"] = attended.output;
    if (arrays.contains("w.out"))  // OpenNMT's projection of [c ; s], without a tanh
        trace.out["out.output"] = share(linear(arrays, "out", joined(*attended.output, states)));
    return trace;
}

/// Two tanh units per dimension, facing each other: s [tanh(a (q − k) + c) − tanh(a (q − k) − c)] is a bump
/// about q = k.
Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const Index d = keys.extent(1);
    // Lengths in which unrelated words differ by about √2 per dimension, where the bump of c = 1 has lost
    // half its height, 2 tanh 1; the gap between a match and the rest is then about 0.75 per dimension.
    // Made 3.5 in all, it gives a match the better part of a row of ten words, and leaves something to the
    // rest.
    const double a = std::sqrt(static_cast<double>(d) / mean_square_length(keys));
    const double c = 1.0;
    const double s = 3.5 / (0.75 * static_cast<double>(d));

    Array w({2 * d, d});
    auto rows = matrix(w);
    rows.topRows(d).diagonal().setConstant(static_cast<float>(a));
    rows.bottomRows(d).diagonal().setConstant(static_cast<float>(a));
    Array b({2 * d}, static_cast<float>(c));
    vector(b).tail(d) *= -1.0F;
    Array v({2 * d}, static_cast<float>(s));
    vector(v).tail(d) *= -1.0F;

    said = "weights made by hand: each pair of tanh units answers where query and key agree";
    return {{"in.h_t", queries},        {"in.h_s", keys}, {"w.query", w},
            {"w.ctx", scaled(w, -1.0)}, {"b.ctx", b},     {"w.v", v}};
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
