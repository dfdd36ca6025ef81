#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/reach.h"
#include "core/reach_sums.h"

namespace attn {

namespace {

/// A whole number of 64·words bits, modulo 2^bits.
template <std::size_t words>
class Wide {
  public:
    Wide() = default;
    explicit Wide(std::uint64_t low) { words_[0] = low; }

    Wide& operator+=(const Wide& other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint64_t sum = words_[i] + other.words_[i];
            const std::uint64_t total = sum + carry;
            carry =
                static_cast<std::uint64_t>(sum < other.words_[i]) | static_cast<std::uint64_t>(total < sum);
            words_[i] = total;
        }
        return *this;
    }

    Wide& operator-=(const Wide& other) {
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < words; ++i) {
            const std::uint64_t difference = words_[i] - other.words_[i];
            const std::uint64_t rest = difference - borrow;
            borrow = static_cast<std::uint64_t>(words_[i] < other.words_[i]) |
                     static_cast<std::uint64_t>(difference < borrow);
            words_[i] = rest;
        }
        return *this;
    }

    [[nodiscard]] bool zero() const {
        return std::ranges::all_of(words_, [](std::uint64_t w) { return w == 0; });
    }

    [[nodiscard]] PathCount count() const {
        if (zero()) return {0.0, -std::numeric_limits<double>::infinity()};
        // The leading words as a fraction, so that the logarithm does not overflow.
        double value = 0.0;
        std::size_t top = words - 1;
        while (words_[top] == 0) --top;
        const std::size_t least = top < 2 ? 0 : top - 2;
        for (std::size_t i = top + 1; i-- > least;)
            value = std::ldexp(value, 64) + static_cast<double>(words_[i]);
        const int shift = static_cast<int>(64 * least);
        return {std::ldexp(value, shift), std::log10(value) + shift * std::log10(2.0)};
    }

  private:
    std::array<std::uint64_t, words> words_{};
};

/// Whether the mask of a layer, with its skip connection, needs the query added.
bool adds_query(const Stack& stack, const BoundPattern& layer, Index query) {
    return stack.skip && !layer.sees(query, query);
}

template <std::size_t words>
std::vector<PathCount> count_paths(const Stack& stack, Index query, Index layers,
                                   const std::stop_token& stop) {
    std::vector<Wide<words>> paths(static_cast<std::size_t>(stack.size()));
    paths[static_cast<std::size_t>(query)] = Wide<words>(1);
    BoxSpread<Wide<words>> spread(stack.size());
    Boxes boxes;
    for (Index l = layers; l >= 1; --l) {
        const BoundPattern& layer = stack.layer(l);
        for (Index p = 0; p < stack.size(); ++p) {
            const Wide<words>& weight = paths[static_cast<std::size_t>(p)];
            if (weight.zero()) continue;
            if (stop.stop_requested()) throw Cancelled();
            layer.boxes(p, boxes);
            for (const Box& box : boxes) spread.add(box, weight);
            if (adds_query(stack, layer, p)) spread.add(Box{p}, weight);
        }
        spread.take(paths);
    }
    std::vector<PathCount> counts;
    counts.reserve(paths.size());
    for (const auto& number : paths) counts.push_back(number.count());
    return counts;
}

/// log₂ of the most positions a query of the layer sees.
double widest(const BoundPattern& layer, const std::stop_token& stop) {
    Index most = 1;
    Boxes boxes;
    for (Index q = 0; q < layer.size(); ++q) {
        if (stop.stop_requested()) throw Cancelled();
        layer.boxes(q, boxes);
        Index seen = 1;  // one more for a skip connection
        for (const Box& box : boxes) seen += box.size();
        most = std::max(most, seen);
    }
    return std::log2(static_cast<double>(most));
}

}  // namespace

std::vector<PathCount> paths(const Stack& stack, Index query, Index layers, const std::stop_token& stop) {
    if (query < 0 || query >= stack.size())
        throw Error("expected a query from 0 to " + std::to_string(stack.size() - 1) + ", got " +
                    std::to_string(query));
    if (layers < 1) throw Error("expected at least 1 layer, got " + std::to_string(layers));
    std::vector<double> bits_of;
    for (const BoundPattern& layer : stack.layers) bits_of.push_back(widest(layer, stop));
    double bits = 1.0;
    for (Index l = 0; l < layers; ++l) bits += bits_of[static_cast<std::size_t>(l) % bits_of.size()];
    if (bits <= 64.0) return count_paths<1>(stack, query, layers, stop);
    if (bits <= 256.0) return count_paths<4>(stack, query, layers, stop);
    if (bits <= 1024.0) return count_paths<16>(stack, query, layers, stop);
    if (bits <= 4096.0) return count_paths<64>(stack, query, layers, stop);
    throw Error("the paths through " + std::to_string(layers) +
                " layers are too many to count: ask for fewer layers");
}

}  // namespace attn
