#pragma once

#include <cstdint>
#include <vector>

#include "core/array.h"
#include "core/pair_table.h"

namespace attn {

/// Attention inside clusters of content (routing).

/// One [rows, columns] of an array of several, by its place among them.
Array slab(const Array& array, Index place, Index rows, Index columns);

/// Rows of so many columns at length 1; zeros stay.
Array unit_rows(Array rows, Index columns);

/// Unit centroids [clusters, d] of the rows: ten rounds of k-means by the largest cosine, from rows drawn
/// with the seed. At most as many as there are rows.
Array k_means(const Array& rows, Index clusters, std::uint64_t seed);

/// Queries, keys and values of h heads, and the clusters they are sent to.
struct Routed {
    Array q, k, v;  ///< [h, n, d], [h, m, d], [h, m, dv]
    Array means;    ///< [h, clusters, d]
    Index heads, n, m, d, dv, clusters, members, memory;
    Array memory_k, memory_v;  ///< [h, clusters, memory, d or dv]
    bool causal, shared;
};

/// One head's pairs: those that stand in a cluster together and may see each other.
struct ClusterPairs {
    SharedTable table;
    SharedArray scores;   ///< [1, slots], q·k/√d
    SharedArray weights;  ///< the same, the mean over the query's clusters
};

/// What all heads and clusters give.
struct Clustered {
    Array q_index, k_index;  ///< [h, clusters, members]
    Array weights;           ///< [h, clusters, members, memory + members]
    Array count;             ///< [h, n]
    Array output;            ///< [h, n, dv]
    std::vector<ClusterPairs> heads;
};

/// In every cluster the softmax of its queries' scores over its keys, memory first; a query takes the mean
/// over its clusters, one in none gets 0. Costs the pairs of the clusters.
Clustered attend_in_clusters(const Routed& routed, double tau);

}  // namespace attn
