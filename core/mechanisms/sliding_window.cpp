#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/heads.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

/// Global tokens, ascending, each once.
std::vector<Index> global_tokens(const Arrays& arrays, Index n) {
    std::vector<Index> tokens;
    if (const Array* given = find(arrays, "in.global_index", {-1}))
        for (const float place : given->values()) {
            if (!(place >= 0.0F && place < static_cast<float>(n)) || place != std::floor(place))
                throw Error("array 'in.global_index': expected positions from 0 to " + std::to_string(n - 1) +
                            ", got " + std::to_string(place));
            tokens.push_back(static_cast<Index>(place));
        }
    std::ranges::sort(tokens);
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    return tokens;
}

/// The window's keys, every global token, and for a global token every key.
SharedArray mask_of(const Knobs& knobs, Index n, const std::vector<Index>& globals) {
    const bool causal = knobs.flag("causal");
    const SharedArray window = pattern_mask({.id = "sliding-window",
                                             .set = {{"radius", knobs.integer("radius")},
                                                     {"dilation", knobs.integer("dilation")},
                                                     {"causal", causal}},
                                             .parts = {}},
                                            {1, n});
    Array mask = *window;
    for (const Index g : globals)
        for (Index i = 0; i < n; ++i) {
            if (!causal || g <= i) matrix(mask)(i, g) = 1.0F;
            if (!causal || i <= g) matrix(mask)(g, i) = 1.0F;
        }
    return share(std::move(mask));
}

/// A global token's own projection, or the local one where there is none.
Array global_linear(const Arrays& arrays, const std::string& name, const Array& rows, Index outputs) {
    const std::string own = name + "_global";
    return linear(arrays, arrays.contains("w." + own) ? own : name, rows, outputs);
}

template <class Range>
Array rows_at(const Array& rows, const Range& places) {
    Array taken({static_cast<Index>(places.size()), rows.extent(1)});
    for (Index i = 0; i < taken.extent(0); ++i)
        matrix(taken).row(i) = matrix(rows).row(places[static_cast<std::size_t>(i)]);
    return taken;
}

/// Puts the rows of the global queries in place of those that the window gave: every head's scores and
/// weights, and the output.
Attended with_globals(const Attended& windows, const Attended& globals, const std::vector<Index>& tokens) {
    Array scores = *windows.scores;
    Array weights = *windows.weights;
    Array output = *windows.output;
    const Index heads = scores.extent(0);
    const Index n = scores.extent(1);
    const auto count = static_cast<Index>(tokens.size());
    for (Index i = 0; i < count; ++i) {
        const Index g = tokens[static_cast<std::size_t>(i)];
        for (Index h = 0; h < heads; ++h) {
            matrix(scores, heads * n, n).row(h * n + g) =
                matrix(*globals.scores, heads * count, n).row(h * count + i);
            matrix(weights, heads * n, n).row(h * n + g) =
                matrix(*globals.weights, heads * count, n).row(h * count + i);
        }
        matrix(output).row(g) = matrix(*globals.output).row(i);
    }
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)), windows.blind};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    require_numbers(arrays);
    const Array& x = require(arrays, "in.x", {-1, -1});
    const Index n = x.extent(0);
    const Index heads = knobs.integer("heads");
    const Array q = linear(arrays, "query", x);
    head_width(require(arrays, "w.query"), 0, heads, "w.query");
    const Array k = linear(arrays, "key", x, q.extent(1));
    Array v = linear(arrays, "value", x);
    head_width(require(arrays, "w.value"), 0, heads, "w.value");
    const std::vector<Index> globals = global_tokens(arrays, n);

    // Score, squash over the keys of the window and the global tokens, multiply.
    const Softmax softmax{knobs.real("tau"), mask_of(knobs, n, globals)};
    Attended attended = attend_heads(q, k, v, heads, 0.0F, softmax);

    // Global tokens ask everybody, through projections of their own.
    if (!globals.empty()) {
        const Array asked = global_linear(arrays, "query", rows_at(x, globals), q.extent(1));
        const Array keys = global_linear(arrays, "key", x, q.extent(1));
        const Array values = global_linear(arrays, "value", x, v.extent(1));
        const Softmax all{softmax.tau, share(rows_at(*softmax.allowed, globals))};
        attended = with_globals(attended, attend_heads(asked, keys, values, heads, 0.0F, all), globals);
    }

    Trace trace = trace_of(attended, {1, n}, {1, n}, share(std::move(v)), softmax.allowed);
    trace.sharpness = softmax.tau;
    trace.out["out.mask"] = softmax.allowed;
    trace.out["out.output"] = attended.output;
    return trace;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& words = offered(material.keys, 2, "a row of words");
    const Index d = words.extent(1);
    const double sharp = 3.0 * std::sqrt(static_cast<double>(d)) / mean_square_length(words);
    Array identity({d, d});
    matrix(identity).setIdentity();
    Arrays arrays = {
        {"in.x", words}, {"w.query", scaled(identity, sharp)}, {"w.key", identity}, {"w.value", identity}};
    said = "weights made by hand: a word scores 3 with itself";
    const Index count = std::min(knobs.integer("globals"), words.extent(0));
    if (count == 0) return arrays;
    Array places({count}, 0.0F, Element::index);
    for (Index g = 0; g < count; ++g) vector(places)(g) = static_cast<float>(g);
    arrays["in.global_index"] = places;
    arrays["w.query_global"] = scaled(identity, sharp / 3.0);
    arrays["w.key_global"] = identity;
    arrays["w.value_global"] = identity;
    said += ", and 1 where a global token asks with its own projection";
    return arrays;
}

std::vector<Parameter> parameters() {
    Parameter radius = knob_of_pattern("sliding-window", "radius");
    radius.initial = Index{2};
    Parameter globals = knob_of_pattern("sliding-window", "globals");
    globals.initial = Index{1};
    globals.offered = 8;
    globals.help = "first words that see all and are seen by all; in.global_index says which in a case";
    return {std::move(radius),  knob_of_pattern("sliding-window", "dilation"),
            std::move(globals), head_count(),
            temperature(),      causal()};
}

}  // namespace

Mechanism sliding_window() {
    return {
        .id = "sliding-window",
        .title = "Sliding-window attention (Longformer)",
        .family = Family::sequences,
        .source = "Beltagy, Peters, Cohan 2020: Longformer: the long-document transformer, section 3.1",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, |i − j| ≤ r·dilation, or i or j global",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the keys seen",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the words around each word, and a few global ones",
                .depends_on =
                    "the product of query and key, over √d; global queries have their own projections",
                .squash = "softmax over the window and the global words together",
                .multiply = "weighted mean of their values",
                .sits = "in every layer of an encoder for long documents",
                .see = "A band, and a cross for every global word: through it any two words meet in two "
                       "layers.",
                .misreading = "The row of a global word is not the transpose of its column: it asks with "
                              "projections of its own; and r counts keys on each side, where the paper's w "
                              "counts both.",
            },
        .parameters = parameters(),
        .inputs =
            {
                {"in.x", "[N, C]", "the words"},
                {"in.global_index", "[G]", "positions of the global words", true},
                {"w.query", "[h·d, C]", "projection of the queries, the heads side by side"},
                {"b.query", "[h·d]", "added to it", true},
                {"w.key", "[h·d, C]", "of the keys"},
                {"b.key", "[h·d]", "added to it; the softmax cancels it", true},
                {"w.value", "[h·d_v, C]", "of the values"},
                {"b.value", "[h·d_v]", "added to it", true},
                {"w.query_global", "[h·d, C]", "of global queries; w.query where missing", true},
                {"b.query_global", "[h·d]", "added to it", true},
                {"w.key_global", "[h·d, C]", "of the keys that global queries see", true},
                {"b.key_global", "[h·d]", "added to it", true},
                {"w.value_global", "[h·d_v, C]", "of the values that global queries average", true},
                {"b.value_global", "[h·d_v]", "added to it", true},
            },
        .outputs =
            {
                {"out.scores", "[h, N, N]", "e, before τ and the mask"},
                {"out.mask", "[N, N]", "true where the query sees the key"},
                {"out.weights", "[h, N, N]", "α, 0 outside the mask"},
                {"out.output", "[N, h·d_v]", "y"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
