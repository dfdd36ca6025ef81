#include <Eigen/QR>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

/// p = S σ(v·tanh(W hₜ)) of each query, from 0.
Array predicted_positions(const Arrays& arrays, const Array& states, Index words) {
    Array hidden = linear(arrays, "p", states);
    vector(hidden) = vector(hidden).array().tanh();
    const Array& v = require(arrays, "w.vp", {hidden.extent(1)});
    Array p({states.extent(0)});
    vector(p) = static_cast<float>(words) / (1.0F + (-(matrix(hidden) * vector(v)).array()).exp());
    return p;
}

/// exp(−(j − p)² / 2σ²) of each pair, with σ = D/2, about the p that is not rounded.
Array gaussian(const Array& p, const PairTable& table, Index half_width) {
    const float deviation = static_cast<float>(half_width) / 2.0F;
    Array factor({1, table.slots()});
    float* out = factor.values().data();
    for (Index t = 0; t < table.queries; ++t)
        for (const std::int32_t key : table.row(t)) {
            const float far = (static_cast<float>(key) - vector(p)(t)) / deviation;
            *out++ = std::exp(-far * far / 2.0F);
        }
    return factor;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& states = require(arrays, "in.h_t", {-1, -1});
    const Array& words = require(arrays, "in.h_s", {-1, -1});
    const Index n = states.extent(0);
    const Index m = words.extent(0);
    const Index valid = valid_keys(knobs, m);
    const Index half_width = knobs.integer("D");

    // The window stands about ⌊p⌋.
    const Array p = predicted_positions(arrays, states, valid);
    std::vector<Index> centres;
    for (const float place : p.values()) {
        if (!std::isfinite(place))
            throw Error("the predicted position p of query " + std::to_string(centres.size()) +
                        ": expected a number that a float can hold; scale the arrays down");
        centres.push_back(static_cast<Index>(std::floor(place)));
    }

    // Score (Luong's general), squash inside the window; the Gaussian then takes from the weights, and
    // nothing makes their sum 1 again.
    const Array query = linear(arrays, "a", states, words.extent(1));
    const double tau = knobs.real("tau");
    const SharedTable table = window_table(centres, m, valid, half_width);
    AttendedPairs attended = attend(query, words, words, *table, {1, 1.0F, tau, {}, {}});
    const SharedArray before = attended.weights;
    const SharedArray factor = share(gaussian(p, *table, half_width));
    Array weights(before->shape());
    vector(weights) = vector(*before).cwiseProduct(vector(*factor));

    // Multiply.
    attended.output = share(multiply(weights, words, *table, 1));
    attended.weights = share(std::move(weights));

    Trace trace = trace_of(attended, {1, n}, {1, m}, table, share(words), tau);
    const Map softmax(table, before);
    trace.steps = {{.id = "pt",
                    .label = "p: predicted place",
                    .shape = Step::Shape::queries,
                    .maps = maps_of(share(p.reshaped({n, 1})))},
                   {.id = "softmax",
                    .label = "softmax: inside the window",
                    .shape = Step::Shape::pairs,
                    .maps = {softmax}},
                   {.id = "gaussian",
                    .label = "Gaussian: about p, σ = D/2",
                    .shape = Step::Shape::pairs,
                    .maps = {Map(table, factor)},
                    .part = Step::Part::factor}};
    trace.out["out.pt"] = share(p);
    trace.out["out.weights"] = dense(trace.heads.front().weights);
    trace.out["out.softmax_before_gauss"] = dense(softmax);
    trace.out["out.mask"] = dense(Map(table), Element::flag);
    trace.out["out.context"] = attended.output;
    trace.out["out.output"] = attentional(arrays, attended.output, states);
    return trace;
}

/// One unit per target word, which answers 2 to that word and 0 to the others; v then says where the word
/// looks: in its own part of the sentence.
Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const Index n = queries.extent(0);
    const double answer = 2.0;
    Array units({n, queries.extent(1)});
    const Matrix told_apart =
        Eigen::CompleteOrthogonalDecomposition<Matrix>(matrix(queries)).pseudoInverse().transpose();
    matrix(units) = static_cast<float>(answer) * told_apart;
    Array v({n});
    for (Index t = 0; t < n; ++t) {
        const double part = (static_cast<double>(t) + 0.5) / static_cast<double>(n);
        vector(v)(t) = static_cast<float>(std::log(part / (1.0 - part)) / std::tanh(answer));
    }
    Array w({keys.extent(1), keys.extent(1)});
    matrix(w).diagonal().setConstant(static_cast<float>(3.0 / mean_square_length(keys)));
    said =
        "weights made by hand: each target word predicts its own part of the sentence, and scores 3 with "
        "its translation";
    return {{"in.h_t", queries}, {"in.h_s", keys}, {"w.a", w}, {"w.p", units}, {"w.vp", v}};
}

}  // namespace

Mechanism local_p() {
    return {
        .id = "local-p",
        .title = "Local attention, predictive (local-p)",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Luong, Pham, Manning 2015: Effective approaches to attention-based neural machine translation, "
            "section 3.2",
        .score = "eₜⱼ = hⱼ·(W hₜ), |j − ⌊p⌋| ≤ D, p = S σ(vᵀ tanh(Wₚ hₜ))",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ) · exp(−(j − p)²/2σ²), σ = D/2",
        .multiply = "cₜ = Σⱼ αₜⱼ hⱼ, then tanh(W [cₜ ; hₜ])",
        .teaching =
            {
                .pieces = "the source words near a position that the decoder predicts",
                .depends_on = "decoder state and encoder state, and how far the word lies from p",
                .squash = "softmax over the window, then times a Gaussian about p",
                .multiply = "weighted sum of the encoder states, joined with the decoder state",
                .sits = "between encoder and decoder, after the decoder's own step",
                .see = "Each target word first says where to look, then at what: the weights gather about p, "
                       "and p can be trained because the Gaussian depends on it.",
                .misreading = "The weights do not sum to 1: the Gaussian comes after the softmax and nothing "
                              "renormalises; the window is about ⌊p⌋, the Gaussian about p itself.",
            },
        .parameters = {half_window(1), temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, n]", "decoder states: the queries"},
                {"in.h_s", "[S, C]", "encoder states: keys and values"},
                {"w.a", "[C, n]", "W of the score"},
                {"b.a", "[C]", "added to W h", true},
                {"w.p", "[P, n]", "Wₚ of the position"},
                {"b.p", "[P]", "added to Wₚ h", true},
                {"w.vp", "[P]", "v of the position"},
                {"w.out", "[O, C + n]", "output projection of [c ; h], with tanh", true},
                {"b.out", "[O]", "of the output projection", true},
            },
        .outputs =
            {
                {"out.pt", "[T_y]", "p, from 0"},
                {"out.mask", "[T_y, S]", "true inside the window"},
                {"out.softmax_before_gauss", "[T_y, S]", "softmax inside the window"},
                {"out.weights", "[T_y, S]", "α, after the Gaussian: rows do not sum to 1"},
                {"out.context", "[T_y, C]", "c"},
                {"out.output", "[T_y, O]", "c, or tanh of its output projection"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
