#include <algorithm>
#include <cmath>
#include <iterator>
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
SharedTable table_of(const Knobs& knobs, Index n, const std::vector<Index>& globals) {
    const bool causal = knobs.flag("causal");
    const SharedTable window = pair_table({.id = "sliding-window",
                                           .set = {{"radius", knobs.integer("radius")},
                                                   {"dilation", knobs.integer("dilation")},
                                                   {"causal", causal}},
                                           .parts = {}},
                                          n);
    PairTable table{n, n, {0}, {}};
    for (Index query = 0; query < n; ++query) {
        const Index end = causal ? query + 1 : n;
        if (std::ranges::binary_search(globals, query)) {
            for (Index key = 0; key < end; ++key) table.key.push_back(static_cast<std::int32_t>(key));
        } else {
            const auto shared =
                std::ranges::subrange(globals.begin(), std::ranges::lower_bound(globals, end));
            std::ranges::set_union(window->row(query), shared, std::back_inserter(table.key));
        }
        table.first.push_back(table.slots());
    }
    return std::make_shared<const PairTable>(std::move(table));
}

/// The rows of the global tokens alone.
PairTable rows_of_globals(const PairTable& table, const std::vector<Index>& globals) {
    PairTable rows{std::ssize(globals), table.keys, {0}, {}};
    for (const Index query : globals) {
        const auto keys = table.row(query);
        rows.key.insert(rows.key.end(), keys.begin(), keys.end());
        rows.first.push_back(rows.slots());
    }
    return rows;
}

/// A global token's own projection, or the local one where there is none.
Array global_linear(const Arrays& arrays, const std::string& name, const Array& rows, Index outputs) {
    const std::string own = name + "_global";
    return linear(arrays, arrays.contains("w." + own) ? own : name, rows, outputs);
}

Array rows_at(const Array& rows, const std::vector<Index>& places) {
    Array taken({static_cast<Index>(places.size()), rows.extent(1)});
    for (Index i = 0; i < taken.extent(0); ++i)
        matrix(taken).row(i) = matrix(rows).row(places[static_cast<std::size_t>(i)]);
    return taken;
}

/// Puts the rows of the global queries in place of those that the window gave: every head's scores and
/// weights, and the output.
AttendedPairs with_globals(const AttendedPairs& windows, const PairTable& table, const AttendedPairs& globals,
                           const PairTable& rows, const std::vector<Index>& tokens) {
    Array scores = *windows.scores;
    Array weights = *windows.weights;
    Array output = *windows.output;
    for (Index i = 0; i < rows.queries; ++i) {
        const Index query = tokens[static_cast<std::size_t>(i)];
        const Index count = rows.slots(i);
        for (Index h = 0; h < scores.extent(0); ++h) {
            matrix(scores).row(h).segment(table.begin(query), count) =
                matrix(*globals.scores).row(h).segment(rows.begin(i), count);
            matrix(weights).row(h).segment(table.begin(query), count) =
                matrix(*globals.weights).row(h).segment(rows.begin(i), count);
        }
        matrix(output).row(query) = matrix(*globals.output).row(i);
    }
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)), windows.blind};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
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
    const double tau = knobs.real("tau");
    const SharedTable table = table_of(knobs, n, globals);
    AttendedPairs attended = attend({q, k, v, heads}, *table, tau);

    // Global tokens ask everybody, through projections of their own.
    if (!globals.empty()) {
        const Array asked = global_linear(arrays, "query", rows_at(x, globals), q.extent(1));
        const Array keys = global_linear(arrays, "key", x, q.extent(1));
        const Array values = global_linear(arrays, "value", x, v.extent(1));
        const PairTable rows = rows_of_globals(*table, globals);
        attended =
            with_globals(attended, *table, attend({asked, keys, values, heads}, rows, tau), rows, globals);
    }

    Trace trace = trace_of(attended, {1, n}, {1, n}, table, share(std::move(v)), tau);
    trace.width = q.extent(1) / heads;
    write_dense(trace, table);
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
