#include "core/mechanisms/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/random.h"

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

/// A key that a query met in a cluster.
struct Met {
    std::int32_t key;
    float score, weight;
};

/// What each query of a head met, cluster by cluster, as pairs: a key met twice has the sum of its weights.
ClusterPairs pairs_of(std::vector<std::vector<Met>> met, Index keys) {
    PairTable table{std::ssize(met), keys, {0}, {}};
    std::vector<float> scores;
    std::vector<float> weights;
    for (std::vector<Met>& row : met) {
        if (!std::ranges::is_sorted(row, {}, &Met::key)) std::ranges::stable_sort(row, {}, &Met::key);
        for (const Met& one : row) {
            if (table.slots() > table.first.back() && table.key.back() == one.key) {
                weights.back() += one.weight;
                continue;
            }
            table.key.push_back(one.key);
            scores.push_back(one.score);
            weights.push_back(one.weight);
        }
        table.first.push_back(table.slots());
    }
    const Shape shape = {1, table.slots()};
    return {std::make_shared<const PairTable>(std::move(table)), share(Array(shape, std::move(scores))),
            share(Array(shape, std::move(weights)))};
}

/// Places of the keys from the first to the last, so that a row of one cluster is in order.
std::vector<Index> order_of(std::span<const Index> keys) {
    std::vector<Index> order(keys.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, {}, [&](Index place) { return keys[static_cast<std::size_t>(place)]; });
    return order;
}

Array rows_at(const Array& rows, std::span<const Index> places) {
    Array taken({std::ssize(places), rows.extent(1)});
    for (Index i = 0; i < taken.extent(0); ++i)
        matrix(taken).row(i) = matrix(rows).row(places[static_cast<std::size_t>(i)]);
    return taken;
}

/// One head's rows.
struct RoutedHead {
    const Routed& routed;
    Index head;
    Array q, k, v, means;

    RoutedHead(const Routed& r, Index h)
        : routed(r),
          head(h),
          q(slab(r.q, h, r.n, r.d)),
          k(slab(r.k, h, r.m, r.d)),
          v(slab(r.v, h, r.m, r.dv)),
          means(slab(r.means, h, r.clusters, r.d)) {}

    /// Rows of the memory of a cluster, then those of its keys.
    [[nodiscard]] Array after_memory(const Array& memory, Index cluster, const Array& rows) const {
        if (routed.memory == 0) return rows;
        const Array first = slab(memory, head * routed.clusters + cluster, routed.memory, rows.extent(1));
        Array all({routed.memory + rows.extent(0), rows.extent(1)});
        matrix(all) << matrix(first), matrix(rows);
        return all;
    }
};

/// One cluster's own attention: scores [members, memory + members] and what its queries may see of them.
struct ClusterAttention {
    Array scores;
    SharedArray allowed;
    Attended attended;
};

ClusterAttention attend_cluster(const RoutedHead& one, Index cluster, std::span<const Index> queries,
                                std::span<const Index> keys, double tau) {
    // A word's own key, where queries and keys are shared, wins over masked ones only.
    constexpr float itself = -5e4F;
    const Routed& r = one.routed;
    const Array k = one.after_memory(r.memory_k, cluster, rows_at(one.k, keys));
    const Array v = one.after_memory(r.memory_v, cluster, rows_at(one.v, keys));
    Array scores = dot_scores(rows_at(one.q, queries), k, 1.0F / std::sqrt(static_cast<float>(r.d)));
    Array squashed = scores;
    Array allowed(scores.shape(), 1.0F);
    for (Index i = 0; i < r.members; ++i)
        for (Index j = 0; j < r.members; ++j) {
            const Index query = queries[static_cast<std::size_t>(i)];
            const Index key = keys[static_cast<std::size_t>(j)];
            if (r.shared && key == query) matrix(squashed)(i, r.memory + j) = itself;
            if (r.causal && key > query) matrix(allowed)(i, r.memory + j) = 0.0F;
        }
    SharedArray mask = share(std::move(allowed));
    Attended attended = attend(std::move(squashed), v, {tau, mask});
    return {std::move(scores), std::move(mask), std::move(attended)};
}

ClusterPairs attend_head(const Routed& r, Index h, double tau, Clustered& to) {
    const RoutedHead one(r, h);
    const std::vector<Index> queries = likest(one.q, one.means, r.members);
    const std::vector<Index> keys = r.shared ? queries : likest(one.k, one.means, r.members);
    auto count = matrix(to.count).row(h);
    auto output = matrix(to.output, r.heads * r.n, r.dv).middleRows(h * r.n, r.n);
    auto q_index = matrix(to.q_index, r.heads * r.clusters, r.members);
    auto k_index = matrix(to.k_index, r.heads * r.clusters, r.members);
    auto weights = matrix(to.weights, r.heads * r.clusters * r.members, r.memory + r.members);
    std::vector<std::vector<Met>> met(static_cast<std::size_t>(r.n));
    for (Index c = 0; c < r.clusters; ++c) {
        const auto members = static_cast<std::size_t>(r.members);
        const auto own_queries = std::span(queries).subspan(static_cast<std::size_t>(c) * members, members);
        const auto own_keys = std::span(keys).subspan(static_cast<std::size_t>(c) * members, members);
        const ClusterAttention cluster = attend_cluster(one, c, own_queries, own_keys, tau);
        const auto alpha = matrix(*cluster.attended.weights);
        const auto answers = matrix(*cluster.attended.output);
        const std::vector<Index> ascending = order_of(own_keys);
        const Index place = h * r.clusters + c;
        weights.middleRows(place * r.members, r.members) = alpha;
        for (Index i = 0; i < r.members; ++i) {
            const Index query = own_queries[static_cast<std::size_t>(i)];
            q_index(place, i) = static_cast<float>(query);
            k_index(place, i) = static_cast<float>(own_keys[static_cast<std::size_t>(i)]);
            count(query) += 1.0F;
            output.row(query) += answers.row(i);
            for (const Index j : ascending)
                if (const Index at = r.memory + j; matrix(*cluster.allowed)(i, at) != 0.0F)
                    met[static_cast<std::size_t>(query)].push_back(
                        {static_cast<std::int32_t>(own_keys[static_cast<std::size_t>(j)]),
                         matrix(cluster.scores)(i, at), alpha(i, at)});
        }
    }
    // A query in several clusters takes the mean of what they give it.
    constexpr float rounding = 1e-5F;  // of the published code, against a division by 0
    for (Index i = 0; i < r.n; ++i) {
        output.row(i) /= count(i) + rounding;
        for (Met& pair : met[static_cast<std::size_t>(i)]) pair.weight /= count(i) + rounding;
    }
    return pairs_of(std::move(met), r.m);
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

Clustered attend_in_clusters(const Routed& r, double tau) {
    const Shape index = {r.heads, r.clusters, r.members};
    Clustered to{Array(index, 0.0F, Element::index),
                 Array(index, 0.0F, Element::index),
                 Array({r.heads, r.clusters, r.members, r.memory + r.members}),
                 Array({r.heads, r.n}, 0.0F, Element::index),
                 Array({r.heads, r.n, r.dv}),
                 {}};
    for (Index h = 0; h < r.heads; ++h) to.heads.push_back(attend_head(r, h, tau, to));
    return to;
}

}  // namespace attn
