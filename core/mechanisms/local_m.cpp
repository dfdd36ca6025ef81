#include <algorithm>
#include <vector>

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
    const Index valid = valid_keys(knobs, m);

    // The window stands at the query's own place; past the end of the source it stays at the last word.
    std::vector<Index> centres;
    for (Index t = 0; t < n; ++t) centres.push_back(std::min(t, valid - 1));

    // Score (Luong's general), squash inside the window, multiply.
    const Array query = linear(arrays, "a", states, words.extent(1));
    const double tau = knobs.real("tau");
    const SharedTable table = window_table(centres, m, valid, knobs.integer("D"));
    const AttendedPairs attended = attend(query, words, words, *table, {1, 1.0F, tau, {}, {}});

    Trace trace = trace_of(attended, {1, n}, {1, m}, table, share(words), tau);
    trace.steps = {
        {.id = "query",
         .label = "W hₜ: the state among the words",
         .shape = Step::Shape::queries,
         .maps = maps_of(share(query))},
        {.id = "mask", .label = "window: |j − t| ≤ D", .shape = Step::Shape::pairs, .maps = {Map(table)}}};
    trace.out["out.weights"] = dense(trace.heads.front().weights);
    trace.out["out.mask"] = dense(Map(table), Element::flag);
    trace.out["out.context"] = attended.output;
    trace.out["out.output"] = attentional(arrays, attended.output, states);
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    Array w({keys.extent(1), keys.extent(1)});
    matrix(w).diagonal().setConstant(static_cast<float>(3.0 / mean_square_length(keys)));
    said = "embeddings made by hand, W a multiple of the identity: a word scores 3 with itself";
    return {{"in.h_t", queries}, {"in.h_s", keys}, {"w.a", w}};
}

}  // namespace

Mechanism local_m() {
    return {
        .id = "local-m",
        .title = "Local attention, monotonic (local-m)",
        .family = Family::sequences,
        .self_attention = false,
        .source =
            "Luong, Pham, Manning 2015: Effective approaches to attention-based neural machine translation, "
            "section 3.2",
        .score = "eₜⱼ = hⱼ·(W hₜ), |j − t| ≤ D",
        .squash = "αₜⱼ = exp(eₜⱼ/τ) / Σₖ exp(eₜₖ/τ), in the window",
        .multiply = "cₜ = Σⱼ αₜⱼ hⱼ, then tanh(W [cₜ ; hₜ])",
        .teaching =
            {
                .pieces = "the source words near the place of the target word",
                .depends_on = "decoder state and encoder state, through one matrix; which words: the place",
                .squash = "softmax over the at most 2 D + 1 words of the window",
                .multiply = "weighted mean of their encoder states, joined with the decoder state",
                .sits = "between encoder and decoder, after the decoder's own step",
                .see = "The band follows the diagonal: a translation that lies outside it cannot be found, "
                       "however well it scores.",
                .misreading = "The window moves one word per word; nothing is predicted, so it suits "
                              "languages with much the same word order.",
            },
        .parameters = {half_window(0), temperature(), valid_words()},
        .inputs =
            {
                {"in.h_t", "[T_y, n]", "decoder states: the queries"},
                {"in.h_s", "[S, C]", "encoder states: keys and values"},
                {"w.a", "[C, n]", "W of the score"},
                {"b.a", "[C]", "added to W h", true},
                {"w.out", "[O, C + n]", "output projection of [c ; h], with tanh", true},
                {"b.out", "[O]", "of the output projection", true},
            },
        .outputs =
            {
                {"out.mask", "[T_y, S]", "true inside the window"},
                {"out.weights", "[T_y, S]", "α, 0 outside the window"},
                {"out.context", "[T_y, C]", "c"},
                {"out.output", "[T_y, O]", "c, or tanh of its output projection"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
