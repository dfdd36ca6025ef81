#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/heads.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/clusters.h"
#include "core/mechanisms/shared.h"
#include "core/pairs.h"

namespace attn {

namespace {

Parameter count_knob(std::string id, std::string label, std::string help, Index initial, Index low) {
    return {
        .id = std::move(id),
        .label = std::move(label),
        .help = std::move(help),
        .kind = Parameter::Kind::integer,
        .initial = initial,
        .low = static_cast<double>(low),
        .high = 4096,
        .offered = 12,
    };
}

std::vector<Parameter> parameters() {
    Parameter members = count_knob("members", "members", "queries, and keys, that a cluster takes", 0, 1);
    members.automatic = "words / clusters";
    Parameter shared = {
        .id = "shared_qk",
        .label = "shared queries and keys",
        .help = "keys are the queries at length 1; a word looks at itself only where there is nothing else",
        .kind = Parameter::Kind::toggle,
        .initial = false,
    };
    return {count_knob("clusters", "clusters", "of words made by hand; a case's are those of w.means", 3, 1),
            std::move(members),
            temperature(),
            causal(),
            std::move(shared),
            count_knob("memory", "memory",
                       "learned keys that every query of a cluster sees, before the others", 0, 0)};
}

Routed routed(const Arrays& arrays, const Knobs& knobs) {
    Routed r{};
    r.q = require(arrays, "in.q", {-1, -1, -1});
    r.heads = r.q.extent(0);
    r.n = r.q.extent(1);
    r.d = r.q.extent(2);
    r.causal = knobs.flag("causal");
    r.shared = knobs.flag("shared_qk");
    r.k = r.shared ? unit_rows(r.q, r.d) : require(arrays, "in.k", {r.heads, -1, r.d});
    r.m = r.k.extent(1);
    r.v = require(arrays, "in.v", {r.heads, r.m, -1});
    r.dv = r.v.extent(2);
    r.means = require(arrays, "w.means", {r.heads, -1, r.d});
    r.clusters = r.means.extent(1);
    r.memory = knobs.integer("memory");
    if (r.memory > 0) {
        r.memory_k = require(arrays, "w.mem_k", {r.heads, r.clusters, r.memory, r.d});
        r.memory_v = require(arrays, "w.mem_v", {r.heads, r.clusters, r.memory, r.dv});
    }
    const Index most = std::min(r.n, r.m);
    r.members = knobs.integer("members");
    if (r.members == 0) r.members = std::min((r.n + r.clusters - 1) / r.clusters, most);
    if (r.members > most)
        throw Error("knob 'members': expected at most the " + std::to_string(most) +
                    " words there are, got " + std::to_string(r.members));
    return r;
}

/// 1 where the word is in the cluster, [n, clusters], in the first head.
Array membership(const Routed& r, const Array& index) {
    Array of({r.n, r.clusters});
    for (Index c = 0; c < r.clusters; ++c)
        for (Index i = 0; i < r.members; ++i)
            matrix(of)(static_cast<Index>(index.values()[static_cast<std::size_t>(c * r.members + i)]), c) =
                1.0F;
    return of;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Routed r = routed(arrays, knobs);
    const double tau = knobs.real("tau");

    // Score, squash and multiply inside every cluster; a query takes the mean over its clusters.
    Clustered to = attend_in_clusters(r, tau);
    Trace trace;
    trace.queries = {1, r.n};
    trace.keys = {1, r.m};
    for (Index i = 0; i < r.n; ++i)
        if (matrix(to.count).col(i).isZero(0.0F)) trace.blind.push_back(i);
    std::vector<SharedTable> tables;
    std::vector<Map> weights;
    for (const ClusterPairs& head : to.heads) {
        trace.heads.push_back({Map(head.table, head.scores), Map(head.table, head.weights)});
        tables.push_back(head.table);
        weights.push_back(trace.heads.back().weights);
    }
    trace.allowed = allowed_map(seen_by_some(tables));
    trace.values = share(heads_beside(r.v));
    trace.output = share(heads_beside(to.output));
    trace.sharpness = tau;
    trace.width = r.d;
    trace.steps = {{.id = "clusters",
                    .label = "clusters: of each word",
                    .shape = Step::Shape::clusters,
                    .maps = maps_of(share(membership(r, to.q_index)))}};
    trace.out["out.dense_weights"] = dense(std::move(weights));
    trace.out["out.q_index"] = share(std::move(to.q_index));
    trace.out["out.k_index"] = share(std::move(to.k_index));
    trace.out["out.weights"] = share(std::move(to.weights));
    trace.out["out.count"] = share(std::move(to.count));
    trace.out["out.output"] = share(std::move(to.output));
    return trace;
}

/// Words as they are, and their own clusters.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& words = offered(material.keys, 2, "a row of words");
    const Index n = words.extent(0);
    const Index d = words.extent(1);
    const double root = std::sqrt(static_cast<double>(d));
    const double square = mean_square_length(words);
    // A word scores 3 with itself; a shared key has length 1.
    const double gain =
        knobs.flag("shared_qk") ? 3.0 * root / std::sqrt(square) : std::sqrt(3.0 * root / square);
    const Array x = scaled(words, gain).reshaped({1, n, d});
    const Array means = k_means(words, knobs.integer("clusters"), material.seed);
    const Index clusters = means.extent(0);
    Arrays arrays = {{"in.q", x}, {"in.v", x}, {"w.means", means.reshaped({1, clusters, d})}};
    if (!knobs.flag("shared_qk")) arrays["in.k"] = x;
    if (const Index memory = knobs.integer("memory"); memory > 0)
        arrays["w.mem_k"] = arrays["w.mem_v"] = Array({1, clusters, memory, d});
    said = "embeddings made by hand, queries = keys = values; clusters by ten rounds of k-means, seed " +
           std::to_string(material.seed);
    return arrays;
}

}  // namespace

Mechanism routing() {
    return {
        .id = "routing",
        .title = "Routing attention",
        .family = Family::sequences,
        .source =
            "Roy, Saffar, Vaswani, Grangier 2021: Efficient content-based sparse attention with routing "
            "transformers, section 4.1",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, i and j in one cluster",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), in the cluster",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ, the mean over the clusters of i",
        .teaching =
            {
                .pieces = "the words of a cluster: those most like its centroid",
                .depends_on = "the product of query and key, over √d; which keys: what they hold, not where "
                              "they stand",
                .squash = "softmax over the keys of the cluster",
                .multiply = "weighted mean of their values, then the mean over the query's clusters",
                .sits = "in some heads of a transformer for long sequences, beside local ones",
                .see = "Words see those of their clusters alone: alike words meet, however far apart.",
                .misreading = "A word does not choose its cluster: every cluster takes as many words as "
                              "every other, so a word may be in several, or in none and get nothing.",
            },
        .parameters = parameters(),
        .inputs =
            {
                {"in.q", "[h, N, d]", "queries"},
                {"in.k", "[h, M, d]", "keys; the queries at length 1 where they are shared", true},
                {"in.v", "[h, M, d_v]", "values"},
                {"w.means", "[h, clusters, d]", "unit centroids"},
                {"w.mem_k", "[h, clusters, memory, d]", "memory's keys, where there is memory", true},
                {"w.mem_v", "[h, clusters, memory, d_v]", "memory's values", true},
            },
        .outputs =
            {
                {"out.q_index", "[h, clusters, members]", "queries of each cluster, the likest first"},
                {"out.k_index", "[h, clusters, members]", "keys of each cluster, the likest first"},
                {"out.weights", "[h, clusters, members, memory + members]", "α in each cluster"},
                {"out.count", "[h, N]", "clusters that take the query"},
                {"out.dense_weights", "[h, N, M]", "α as a map, the mean over the clusters"},
                {"out.output", "[h, N, d_v]", "y"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
