#include <Eigen/QR>
#include <cmath>
#include <string>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"
#include "core/random.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, -1});
    const Index n = states.extent(0);
    const Index m = words.extent(0);

    // Score (without a scale), squash, multiply.
    const Array query = linear(arrays, "a", states, words.extent(1));
    const Softmax softmax{knobs.real("tau"), padding_mask(n, m, valid_keys(knobs, m))};
    const Attended attended = attend(query, words, words, 1.0F, softmax);

    Trace trace = trace_of(attended, {1, n}, {1, m}, share(words), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.steps = {{.id = "query",
                    .label = "W hₜ: the state among the words",
                    .shape = Step::Shape::queries,
                    .maps = maps_of(share(query))}};
    trace.out["out.context"] = attended.output;
    trace.out["out.output"] = attentional(arrays, attended.output, states);
    return trace;
}

/// The decoder speaks another language of features, turned by a rotation R; W = g Rᵀ turns it back.
Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const Index d = keys.extent(1);
    Random random(material.seed);
    const Array noise = random_projection(d, d, random);
    const Matrix rotation = Eigen::HouseholderQR<Matrix>(matrix(noise)).householderQ();
    const auto gain = static_cast<float>(3.0 / mean_square_length(keys));

    Array turned(queries.shape());
    matrix(turned) = matrix(queries) * rotation.transpose();
    Array w({d, d});
    matrix(w) = gain * rotation.transpose();
    said = "decoder states turned by a random rotation, seed " + std::to_string(material.seed) +
           "; W turns them back, a word scores 3 with itself";
    return {{"in.h_t", turned}, {"in.h_s", keys}, {"w.a", w}};
}

}  // namespace

Mechanism general() {
    return {
        .id = "general",
        .title = "Multiplicative attention (general)",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Luong, Pham, Manning 2015: Effective approaches to attention-based neural machine translation, "
            "eq. 5, 7 and 8",
        .score = "eₜⱼ = hⱼ·(W hₜ)",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ)",
        .multiply = "cₜ = Σⱼ αₜⱼ hⱼ, then tanh(W [cₜ ; hₜ])",
        .teaching =
            {
                .pieces = "the words of the source sentence, each as its encoder state",
                .depends_on = "decoder state and encoder state, through one learned matrix between them",
                .squash = "softmax over the source words",
                .multiply = "weighted mean of the encoder states, joined with the decoder state",
                .sits = "between encoder and decoder, after the decoder's own step",
                .see = "The two sides need not share their features: one matrix translates, and the plain "
                       "product would see nothing here.",
                .misreading = "W is the transpose of the paper's Wₐ as code has it, and it is not symmetric: "
                              "query and key cannot be exchanged.",
            },
        .parameters = {temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, n]", "decoder states: the queries"},
                {"in.h_s", "[T_x, C]", "encoder states: keys and values"},
                {"w.a", "[C, n]", "W"},
                {"b.a", "[C]", "added to W h", true},
                {"w.out", "[O, C + n]", "output projection of [c ; h], with tanh", true},
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
