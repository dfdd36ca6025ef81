#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/pattern.h"

namespace attn {

/// A set of positions 0 … size − 1, one bit each.
class PositionSet {
  public:
    PositionSet() = default;
    explicit PositionSet(Index size) : size_(size), words_(static_cast<std::size_t>((size + 63) / 64)) {}

    [[nodiscard]] Index size() const { return size_; }
    [[nodiscard]] bool has(Index p) const { return (words_[word(p)] >> bit(p) & 1U) != 0; }
    [[nodiscard]] Index count() const;
    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool full() const { return count() == size_; }
    /// Whether every position of the other is in this one.
    [[nodiscard]] bool includes(const PositionSet& other) const;

    void clear() { words_.assign(words_.size(), 0); }
    void add(Index p) { words_[word(p)] |= std::uint64_t{1} << bit(p); }
    void add(const Box& box);
    PositionSet& operator|=(const PositionSet& other);
    PositionSet& operator&=(const PositionSet& other);
    /// Removes the positions of the other.
    PositionSet& operator-=(const PositionSet& other);

    /// Calls with each position, ascending.
    template <class Call>
    void for_each(Call call) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
                call(static_cast<Index>(w) * 64 + std::countr_zero(rest));
    }

    friend bool operator==(const PositionSet&, const PositionSet&) = default;

  private:
    static std::size_t word(Index p) { return static_cast<std::size_t>(p) / 64; }
    static unsigned bit(Index p) { return static_cast<unsigned>(p) % 64U; }
    void add_run(Index first, Index count);

    Index size_ = 0;
    std::vector<std::uint64_t> words_;
};

}  // namespace attn
