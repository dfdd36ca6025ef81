#include "core/mechanisms/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/random.h"
#include "core/recipe.h"

namespace attn {

namespace {

/// Of each cluster the `members` rows most like its mean, the likest first and the first of equals:
/// [clusters, members].
std::vector<Index> likest(const Array& rows, const Array& means, Index members) {
    const Matrix likeness = matrix(means) * matrix(unit_rows(rows, rows.extent(1))).transpose();
    std::vector<Index> order(static_cast<std::size_t>(rows.extent(0)));
    std::vector<Index> found;
    for (Index c = 0; c < likeness.rows(); ++c) {
        std::iota(order.begin(), order.end(), Index{0});
        std::ranges::stable_sort(order, [&](Index a, Index b) { return likeness(c, a) > likeness(c, b); });
        found.insert(found.end(), order.begin(), order.begin() + members);
    }
    return found;
}

/// The scores [members, memory + members] of one cluster's queries with its keys, from all scores [n, m] of
/// the head, and which of them are allowed.
struct ClusterScores {
    Array scores, allowed;
};

ClusterScores scores_of_cluster(const Routed& r, const Array& all, const Array& q, const Array& memory_k,
                                std::span<const Index> queries, std::span<const Index> keys) {
    // A word's own key, where queries and keys are shared, wins over masked ones only.
    constexpr float itself = -5e4F;
    ClusterScores made{Array({r.members, r.memory + r.members}),
                       Array({r.members, r.memory + r.members}, 1.0F)};
    auto e = matrix(made.scores);
    const float scale = 1.0F / std::sqrt(static_cast<float>(r.d));
    for (Index i = 0; i < r.members; ++i) {
        const Index query = queries[static_cast<std::size_t>(i)];
        if (r.memory > 0)
            e.row(i).head(r.memory) = scale * matrix(q).row(query) * matrix(memory_k).transpose();
        for (Index j = 0; j < r.members; ++j) {
            const Index key = keys[static_cast<std::size_t>(j)];
            e(i, r.memory + j) = r.shared && key == query ? itself : matrix(all)(query, key);
            if (r.causal && key > query) matrix(made.allowed)(i, r.memory + j) = 0.0F;
        }
    }
    return made;
}

void attend_head(const Routed& r, const Array& all, Index h, double tau, Clustered& to) {
    const Array q = slab(r.q, h, r.n, r.d);
    const Array v = slab(r.v, h, r.m, r.dv);
    const Array means = slab(r.means, h, r.clusters, r.d);
    const std::vector<Index> queries = likest(q, means, r.members);
    const std::vector<Index> keys = r.shared ? queries : likest(slab(r.k, h, r.m, r.d), means, r.members);
    auto count = matrix(to.count).row(h);
    auto allowed = matrix(to.allowed, r.heads * r.n, r.m).middleRows(h * r.n, r.n);
    auto dense = matrix(to.dense, r.heads * r.n, r.m).middleRows(h * r.n, r.n);
    auto output = matrix(to.output, r.heads * r.n, r.dv).middleRows(h * r.n, r.n);
    auto q_index = matrix(to.q_index, r.heads * r.clusters, r.members);
    auto k_index = matrix(to.k_index, r.heads * r.clusters, r.members);
    auto weights = matrix(to.weights, r.heads * r.clusters * r.members, r.memory + r.members);
    for (Index c = 0; c < r.clusters; ++c) {
        const auto members = static_cast<std::size_t>(r.members);
        const auto own_queries = std::span(queries).subspan(static_cast<std::size_t>(c) * members, members);
        const auto own_keys = std::span(keys).subspan(static_cast<std::size_t>(c) * members, members);
        const Index place = h * r.clusters + c;
        const Array memory_k = r.memory > 0 ? slab(r.memory_k, place, r.memory, r.d) : Array();
        ClusterScores cluster = scores_of_cluster(r, all, q, memory_k, own_queries, own_keys);
        softmax_rows(cluster.scores.values(), r.memory + r.members, tau, cluster.allowed.values());
        const auto alpha = matrix(cluster.scores);
        weights.middleRows(place * r.members, r.members) = alpha;
        for (Index i = 0; i < r.members; ++i) {
            const Index query = own_queries[static_cast<std::size_t>(i)];
            q_index(place, i) = static_cast<float>(query);
            k_index(place, i) = static_cast<float>(own_keys[static_cast<std::size_t>(i)]);
            count(query) += 1.0F;
            if (r.memory > 0)
                output.row(query) +=
                    alpha.row(i).head(r.memory) * matrix(slab(r.memory_v, place, r.memory, r.dv));
            for (Index j = 0; j < r.members; ++j) {
                const Index key = own_keys[static_cast<std::size_t>(j)];
                dense(query, key) += alpha(i, r.memory + j);
                output.row(query) += alpha(i, r.memory + j) * matrix(v).row(key);
                if (matrix(cluster.allowed)(i, r.memory + j) != 0.0F) allowed(query, key) = 1.0F;
            }
        }
    }
    // A query in several clusters takes the mean of what they give it.
    constexpr float rounding = 1e-5F;  // of the published code, against a division by 0
    for (Index i = 0; i < r.n; ++i) {
        dense.row(i) /= count(i) + rounding;
        output.row(i) /= count(i) + rounding;
    }
}

}  // namespace

Array slab(const Array& array, Index place, Index rows, Index columns) {
    Array part({rows, columns});
    matrix(part) = matrix(array, array.size() / columns, columns).middleRows(place * rows, rows);
    return part;
}

Array unit_rows(Array rows, Index columns) {
    auto x = matrix(rows, rows.size() / columns, columns);
    for (Index i = 0; i < x.rows(); ++i) x.row(i) /= std::max(x.row(i).norm(), 1e-12F);
    return rows;
}

Array k_means(const Array& rows, Index clusters, std::uint64_t seed) {
    const Index d = rows.extent(1);
    const Index n = rows.extent(0);
    const Array unit = unit_rows(rows, d);
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    Random random(seed);
    Array means({std::min(clusters, n), d});
    for (Index c = 0; c < means.extent(0); ++c) {
        std::swap(order[static_cast<std::size_t>(c)],
                  order[static_cast<std::size_t>(c + random.below(n - c))]);
        matrix(means).row(c) = matrix(unit).row(order[static_cast<std::size_t>(c)]);
    }
    for (int round = 0; round < 10; ++round) {
        const Matrix likeness = matrix(unit) * matrix(means).transpose();
        Array sums(means.shape());
        for (Index i = 0; i < n; ++i) {
            Index nearest = 0;
            likeness.row(i).maxCoeff(&nearest);
            matrix(sums).row(nearest) += matrix(unit).row(i);
        }
        for (Index c = 0; c < means.extent(0); ++c)  // a centroid that nobody is near stays
            if (!matrix(sums).row(c).isZero(0.0F)) matrix(means).row(c) = matrix(sums).row(c).normalized();
    }
    return means;
}

Clustered attend_in_clusters(const Routed& routed, const Array& scores, double tau) {
    const Routed& r = routed;
    const Shape index = {r.heads, r.clusters, r.members};
    Clustered to{Array(index, 0.0F, Element::index),
                 Array(index, 0.0F, Element::index),
                 Array({r.heads, r.clusters, r.members, r.memory + r.members}),
                 Array({r.heads, r.n}, 0.0F, Element::index),
                 Array({r.heads, r.n, r.m}, 0.0F, Element::flag),
                 Array({r.heads, r.n, r.m}),
                 Array({r.heads, r.n, r.dv})};
    for (Index h = 0; h < r.heads; ++h) attend_head(r, slab(scores, h, r.n, r.m), h, tau, to);
    return to;
}

}  // namespace attn
