// Which class a cell has and where it stands on the scale.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/colour.h"
#include "core/error.h"
#include "core/matrix.h"

namespace attn {
namespace {

constexpr Index worth_a_thread = 1 << 16;  // cells
/// How far an automatic logarithmic range reaches below its greatest number, as a factor: one weight of 1e-40
/// must not take the ramp from all the others.
constexpr double five_decades = 1e-5;

/// Some of the cells: all of them, or one row.
struct Part {
    std::span<const float> values;
    std::span<const std::uint8_t> masked;  ///< empty: none
    std::span<float> position;
    std::span<CellClass> classes;

    [[nodiscard]] Part row(Index r, Index width) const {
        const auto first = static_cast<std::size_t>(r * width);
        const auto count = static_cast<std::size_t>(width);
        return {values.subspan(first, count), masked.empty() ? masked : masked.subspan(first, count),
                position.subspan(first, count), classes.subspan(first, count)};
    }
    [[nodiscard]] bool hides(std::size_t i) const { return !masked.empty() && masked[i] != 0; }
};

/// The numbers at the ramp's ends, as numbers of the data; low > high where there is none.
struct Ends {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    [[nodiscard]] bool none() const { return low > high; }
};

bool is_logarithmic(Scale scale) {
    return scale == Scale::logarithmic || scale == Scale::uniform;
}

/// Least and greatest number that is finite, not masked, and above `floor`.
Ends extremes(const Part& part, float floor) {
    const auto count = static_cast<Index>(part.values.size());
    float low = std::numeric_limits<float>::infinity();
    float high = -low;
#pragma omp parallel for schedule(static) reduction(min                  \
                                                    : low) reduction(max \
                                                                     : high) if (count > worth_a_thread)
    for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float v = part.values[at];
        const bool counts = std::isfinite(v) && v > floor && !part.hides(at);
        low = counts && v < low ? v : low;
        high = counts && v > high ? v : high;
    }
    return {static_cast<double>(low), static_cast<double>(high)};
}

Ends automatic_ends(const Part& part, Scale scale) {
    if (!is_logarithmic(scale)) return extremes(part, -std::numeric_limits<float>::infinity());
    Ends ends = extremes(part, 0.0F);
    if (!ends.none()) ends.low = std::max(ends.low, ends.high * five_decades);
    return ends;
}

Ends fixed_ends(const Range& range, Scale scale) {
    if (!(range.low <= range.high))
        throw Error("expected a colour range from low to high, got " + std::to_string(range.low) + " to " +
                    std::to_string(range.high));
    Ends ends = {range.low, range.high};
    if (!is_logarithmic(scale)) return ends;
    if (!(ends.high > 0.0))
        throw Error("expected a logarithmic colour range that ends above 0, got " +
                    std::to_string(range.high));
    if (!(ends.low > 0.0)) ends.low = ends.high * five_decades;
    return ends;
}

/// Zero keeps the middle, also where there is nothing but zeros.
Ends symmetric_ends(const Part& part) {
    const Ends ends = automatic_ends(part, Scale::linear);
    if (ends.none()) return ends;
    const double most = std::max(std::abs(ends.low), std::abs(ends.high));
    return most > 0.0 ? Ends{-most, most} : Ends{-1.0, 1.0};
}

Ends ends_of(const Part& part, const Range& range, Scale scale) {
    if (range.kind == Range::Kind::fixed) return fixed_ends(range, scale);
    if (range.kind == Range::Kind::symmetric && scale == Scale::linear) return symmetric_ends(part);
    return automatic_ends(part, scale);
}

/// Selections in place of branches, which noise would mispredict; the last that holds wins.
CellClass class_of(float value, bool masked, float low, float high) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    CellClass cell = CellClass::value;
    cell = value > high ? CellClass::above : cell;
    cell = value < low ? CellClass::below : cell;
    cell = value == infinity ? CellClass::plus_infinity : cell;
    cell = value == -infinity ? CellClass::minus_infinity : cell;
    cell = std::isnan(value) ? CellClass::nan : cell;
    return masked ? CellClass::masked : cell;
}

void set_classes(const Part& part, const Ends& ends) {
    const auto low = static_cast<float>(ends.low);  // as the cells are: 0.1 in the data is within 0.1 … 1
    const auto high = static_cast<float>(ends.high);
    const auto count = static_cast<Index>(part.values.size());
#pragma omp parallel for schedule(static) if (count > worth_a_thread)
    for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        part.classes[at] = class_of(part.values[at], part.hides(at), low, high);
    }
}

/// The place of numbers on a scale: itself, or its logarithm. A rank is no function of the number alone.
struct Placing {
    bool logarithmic = false;
    double factor = 1.0;  ///< the number of keys on the scale `uniform`

    Placing(Scale scale, Index keys) : logarithmic(is_logarithmic(scale)) {
        if (scale != Scale::uniform) return;
        if (keys <= 0) throw Error("expected the number of keys (1 or more), got " + std::to_string(keys));
        factor = static_cast<double>(keys);
    }
    [[nodiscard]] float place(double number) const {
        return static_cast<float>(logarithmic ? std::log10(number * factor) : number);
    }
    [[nodiscard]] float shift() const { return static_cast<float>(std::log10(factor)); }
};

/// Positions of a part; what is no number stands at an end, so that no NaN reaches a texture.
void set_positions(const Part& part, const Placing& placing, float low, float high) {
    constexpr Index block = 4096;
    constexpr float log10_e = 0.4342944819F;
    const float shift = placing.shift();
    const auto count = static_cast<Index>(part.values.size());
#pragma omp parallel for schedule(static) if (count > worth_a_thread)
    for (Index first = 0; first < count; first += block) {
        const Index size = std::min(block, count - first);
        const Eigen::Map<const Eigen::ArrayXf> values(part.values.data() + first, size);
        Eigen::Map<Eigen::ArrayXf> positions(part.position.data() + first, size);
        if (placing.logarithmic) {
            positions = values.log() * log10_e + shift;
        } else {
            positions = values;
        }
        for (Index i = first; i < first + size; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const CellClass cell = part.classes[at];
            const float end = cell == CellClass::above ? high : low;
            part.position[at] = cell == CellClass::value ? part.position[at] : end;
        }
    }
}

/// Positions 0…1 within the part's own ends.
void set_shares(const Part& part, const Placing& placing, const Ends& ends) {
    const float low = placing.place(ends.low);
    const float high = placing.place(ends.high);
    set_positions(part, placing, low, high);
    const float scale = high > low ? 1.0F / (high - low) : 0.0F;
    for (float& position : part.position) position = high > low ? (position - low) * scale : 1.0F;
}

/// A number as bits that order as it does, and its cell.
struct Item {
    std::uint32_t key, cell;
};

/// Room to sort as many cells in, so that nothing need be allocated by a thread of its own.
struct RankRoom {
    std::span<Item> items, sorted;
    [[nodiscard]] RankRoom part(Index first, Index count) const {
        const auto at = static_cast<std::size_t>(first);
        return {items.subspan(at, static_cast<std::size_t>(count)),
                sorted.subspan(at, static_cast<std::size_t>(count))};
    }
};

/// The value cells of a part, from the least to the greatest.
std::span<const Item> ascending(const Part& part, RankRoom room) {
    constexpr unsigned digit_bits = 11;
    constexpr std::size_t digits = std::size_t{1} << digit_bits;
    std::size_t count = 0;
    for (std::size_t i = 0; i < part.values.size(); ++i) {
        if (part.classes[i] != CellClass::value) continue;
        const auto bits = std::bit_cast<std::uint32_t>(part.values[i] + 0.0F);  // −0 becomes 0
        const bool negative = (bits >> 31U) != 0;
        room.items[count++] = {negative ? ~bits : bits | 0x80000000U, static_cast<std::uint32_t>(i)};
    }
    std::span<Item> items = room.items.first(count);
    std::span<Item> sorted = room.sorted.first(count);
    // By digits from the lowest: several times faster than comparing, and a slider waits for it.
    for (unsigned shift = 0; shift < 32; shift += digit_bits) {
        std::array<std::size_t, digits> begin{};
        for (const Item& item : items) ++begin[(item.key >> shift) % digits];
        std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), std::size_t{0});
        for (const Item& item : items) sorted[begin[(item.key >> shift) % digits]++] = item;
        std::swap(items, sorted);
    }
    return items;
}

/// Positions 0…1: the share of the other numbers that is smaller, half of the equal ones counted.
void set_ranks(const Part& part, RankRoom room) {
    std::fill(part.position.begin(), part.position.end(), 0.0F);
    const std::span<const Item> order = ascending(part, room);
    const std::size_t others = std::max<std::size_t>(order.size(), 2) - 1;
    for (std::size_t first = 0; first < order.size();) {
        const float value = part.values[order[first].cell];
        std::size_t end = first + 1;
        while (end < order.size() && part.values[order[end].cell] == value) ++end;
        const double mean = order.size() == 1 ? 0.5 : static_cast<double>(first + end - 1) / 2.0;
        const auto share = static_cast<float>(mean / static_cast<double>(others));
        for (; first < end; ++first) part.position[order[first].cell] = share;
    }
    for (std::size_t i = 0; i < part.classes.size(); ++i)
        if (part.classes[i] == CellClass::above) part.position[i] = 1.0F;
}

/// Each row between its own ends.
void place_rows(const Part& all, Index height, Index width, const Placing& placing, Scale scale,
                const RankRoom& room) {
#pragma omp parallel for schedule(static) if (height * width > worth_a_thread)
    for (Index r = 0; r < height; ++r) {
        const Part row = all.row(r, width);
        const Ends ends = automatic_ends(row, scale);
        set_classes(row, ends);
        if (scale == Scale::rank) {
            set_ranks(row, room.part(r * width, width));
        } else {
            set_shares(row, placing, ends);
        }
    }
}

void check(std::span<const float> values, Index width, std::span<const std::uint8_t> masked) {
    const auto count = static_cast<Index>(values.size());
    if (count > 0 && (width <= 0 || count % width != 0))
        throw Error("expected whole rows of " + std::to_string(width) + " cells, got " +
                    std::to_string(count) + " cells");
    if (!masked.empty() && masked.size() != values.size())
        throw Error("expected one mask flag per cell (" + std::to_string(count) + "), got " +
                    std::to_string(masked.size()));
}

}  // namespace

Cells classify(std::span<const float> values, Index width, const Colouring& colouring,
               std::span<const std::uint8_t> masked, Index keys) {
    check(values, width, masked);
    Cells cells;
    cells.width = width;
    cells.height = values.empty() ? 0 : static_cast<Index>(values.size()) / width;
    cells.position.resize(values.size());
    cells.classes.resize(values.size());

    const Part all = {values, masked, cells.position, cells.classes};
    const Placing placing(colouring.scale, keys);
    std::vector<Item> items(colouring.scale == Scale::rank ? values.size() : 0);
    std::vector<Item> sorted(items.size());
    const RankRoom room{items, sorted};
    if (colouring.range.kind == Range::Kind::per_row) {
        place_rows(all, cells.height, width, placing, colouring.scale, room);
        return cells;
    }

    const Ends ends = ends_of(all, colouring.range, colouring.scale);
    set_classes(all, ends);
    if (!ends.none()) {
        cells.shown_low = ends.low * placing.factor;
        cells.shown_high = ends.high * placing.factor;
    }
    if (colouring.scale == Scale::rank) {
        set_ranks(all, room);
        return cells;
    }
    if (!ends.none()) {
        cells.low = placing.place(ends.low);
        cells.high = placing.place(ends.high);
    }
    set_positions(all, placing, cells.low, cells.high);
    return cells;
}

}  // namespace attn
