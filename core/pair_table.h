#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/array.h"

namespace attn {

/// Which key stands in which slot of a query's row, for attention that costs the pairs it scores. No key
/// stands twice in one row.
struct PairTable {
    static constexpr std::int32_t none = -1;     ///< no key: takes no mass
    static constexpr std::int32_t padding = -2;  ///< a key and a value of zeros: takes mass, gives nothing

    Index queries = 0;
    Index keys = 0;
    std::vector<Index> first;       ///< [queries + 1]: where each query's slots begin, and the end
    std::vector<std::int32_t> key;  ///< of each slot

    /// Slots of all queries.
    [[nodiscard]] Index slots() const { return static_cast<Index>(key.size()); }
    [[nodiscard]] Index begin(Index query) const { return first[static_cast<std::size_t>(query)]; }
    [[nodiscard]] Index slots(Index query) const { return begin(query + 1) - begin(query); }
    [[nodiscard]] std::span<const std::int32_t> row(Index query) const {
        return std::span(key).subspan(static_cast<std::size_t>(begin(query)),
                                      static_cast<std::size_t>(slots(query)));
    }
};
using SharedTable = std::shared_ptr<const PairTable>;

/// A table of `slots` slots for every query, `fill` in each.
PairTable even_table(Index queries, Index keys, Index slots, std::int32_t fill = PairTable::none);

}  // namespace attn
