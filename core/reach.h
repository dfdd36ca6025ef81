#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/error.h"
#include "core/pattern_layer.h"

namespace attn {

/// What a long question throws when it was asked to stop.
struct Cancelled : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

/// Layers in the network's order, input first, all on one grid; repeated from the start when more are asked
/// for.
///
/// R₀(q) = {q}; R_l(q) = ∪ R_{l−1}(p) over p in N_l(q), N_l the keys of layer l; with a skip connection
/// N_l(q) ∪ {q}. A walk from q therefore takes the last layer first.
struct Stack {
    std::vector<BoundPattern> layers;  ///< at least one
    bool skip = false;

    /// Layer l = 1, 2, ….
    [[nodiscard]] const BoundPattern& layer(Index l) const {
        return layers[static_cast<std::size_t>((l - 1) % static_cast<Index>(layers.size()))];
    }
    [[nodiscard]] Grid grid() const { return layers.front().grid(); }
    [[nodiscard]] Index size() const { return layers.front().size(); }
};

/// A stack of checked layers. Throws as BoundPattern does, and UsageError when there is no layer.
Stack make_stack(std::span<const Layer> layers, Grid grid, bool skip = false);

/// What one query sees through layers 1 … L.
struct Reach {
    /// Per position: the first layer at which it is seen, 0 for the query itself, −1 where it is not seen
    /// within L.
    std::vector<std::int32_t> hops;
    std::vector<Index>
        counts;  ///< |R_l(q)| for l = 1 … L; from the masks alone, the query counts where it is seen
    [[nodiscard]] double fraction(Index layer) const {
        return static_cast<double>(counts[static_cast<std::size_t>(layer - 1)]) /
               static_cast<double>(hops.size());
    }
};

/// Throws Error when the query is not on the grid or `layers` is less than 1, Cancelled when stopped.
Reach reach(const Stack& stack, Index query, Index layers, const std::stop_token& stop = {});

/// How many layers one query needs.
struct Coverage {
    std::optional<Index> layers;  ///< the least l with R_l(q) everything; empty for never
    Index most = 0;               ///< the most positions it sees at any depth: where it stops
};

/// Runs until everything is seen or nothing can change any more, whatever that takes.
Coverage coverage(const Stack& stack, Index query, const std::stop_token& stop = {});

/// Layers to cover of every query.
struct CoverageMap {
    std::vector<std::int32_t> layers;  ///< per query; 0 for never
    std::optional<Index> worst;        ///< of the worst query; empty for never
    Index worst_query = 0;             ///< the first that needs as many (or never covers)
};

/// Instant where every layer is rows × columns, and on small grids; else minutes of work in the background.
/// Uses all processors. Throws Cancelled when stopped.
CoverageMap coverage_map(const Stack& stack, const std::stop_token& stop = {});

/// The positions p in N_L(q) through which the key is seen at L layers: the key is in R_{L−1}(p). Ascending.
std::vector<Index> bridges(const Stack& stack, Index query, Index key, Index layers,
                           const std::stop_token& stop = {});

/// A number of paths; exact below 2⁵³, and its logarithm however large it is.
struct PathCount {
    double number = 0.0;  ///< infinite beyond 10³⁰⁸
    double log10 = 0.0;   ///< −infinity for none
};

/// Paths from the query to every position through layers L … 1, staying in place counted: its row of A_L ···
/// A_1 with 0/1 masks (with a skip connection the mask of N_l(q) ∪ {q}). Throws Error when the numbers would
/// need more than 4,096 bits.
std::vector<PathCount> paths(const Stack& stack, Index query, Index layers, const std::stop_token& stop = {});

/// Keys of every query in one layer.
std::vector<Index> keys_per_query(const BoundPattern& layer);

}  // namespace attn
