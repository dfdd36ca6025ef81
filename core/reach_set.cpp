#include "core/reach_set.h"

#include <algorithm>

namespace attn {

Index PositionSet::count() const {
    Index sum = 0;
    for (const std::uint64_t w : words_) sum += std::popcount(w);
    return sum;
}

bool PositionSet::empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t w) { return w == 0; });
}

bool PositionSet::includes(const PositionSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
        if ((other.words_[w] & ~words_[w]) != 0) return false;
    return true;
}

void PositionSet::add(const Box& box) {
    for (Index i = 0; i < box.rows; ++i) {
        const Index first = box.first + i * box.row_step;
        if (box.column_step == 1)
            add_run(first, box.columns);
        else
            for (Index j = 0; j < box.columns; ++j) add(first + j * box.column_step);
    }
}

void PositionSet::add_run(Index first, Index count) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    const Index last = first + count - 1;
    const std::uint64_t from = all << bit(first);
    const std::uint64_t to = all >> (63U - bit(last));
    if (word(first) == word(last)) {
        words_[word(first)] |= from & to;
        return;
    }
    words_[word(first)] |= from;
    for (std::size_t w = word(first) + 1; w < word(last); ++w) words_[w] = all;
    words_[word(last)] |= to;
}

PositionSet& PositionSet::operator|=(const PositionSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
}

PositionSet& PositionSet::operator&=(const PositionSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
}

PositionSet& PositionSet::operator-=(const PositionSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
    return *this;
}

}  // namespace attn
