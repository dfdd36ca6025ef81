#include "core/map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"

namespace attn {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

/// The one of larger magnitude, the first of equals; a number before a NaN. Two selections and no branch.
inline float larger(float a, float b) {
    const float number = std::abs(b) > std::abs(a) ? b : a;
    return std::isnan(a) ? b : number;
}

/// Where part `i` of `parts` nearly equal parts of `whole` begins.
Index begin_of(Index i, Index parts, Index whole) {
    return i * whole / parts;
}

/// The part that each place falls into.
std::vector<Index> parts_of(Index parts, Index whole) {
    std::vector<Index> part(static_cast<std::size_t>(whole));
    for (Index i = 0; i < parts; ++i)
        std::fill(part.begin() + begin_of(i, parts, whole), part.begin() + begin_of(i + 1, parts, whole), i);
    return part;
}

void check_head(Index head, Index heads) {
    if (head < 0 || head >= heads)
        throw Error("expected a head from 0 to " + std::to_string(heads - 1) + ", got " +
                    std::to_string(head));
}

}  // namespace

struct Map::Kept {
    std::mutex mutex;
    std::unordered_map<Index, std::vector<float>> rows;  ///< whose numbers stay where they are
};

Map::Map(SharedArray array, Index head) : array_(std::move(array)) {
    if (!array_) return;
    const Index rank = array_->rank();
    if (rank != 2 && rank != 3)
        throw Error("expected a map [rows, columns] or [heads, rows, columns], got the shape " +
                    describe(array_->shape()));
    check_head(head, rank == 3 ? array_->extent(0) : 1);
    rows_ = array_->extent(-2);
    columns_ = array_->extent(-1);
    offset_ = head * rows_ * columns_;
}

Map::Map(SharedTable table, LateArray slots, Index head)
    : table_(std::move(table)),
      slots_(std::move(slots)),
      kept_(std::make_shared<Kept>()),
      rows_(table_->queries),
      columns_(table_->keys),
      offset_(head * table_->slots()) {
    const SharedArray there = slots_.made();  // what is still to be made is trusted
    if (!there) return;
    const Index heads = there->rank() > 0 ? there->extent(0) : 0;
    if (there->size() != heads * table_->slots())
        throw Error("expected [heads, " + std::to_string(table_->slots()) + "] numbers, got the shape " +
                    describe(there->shape()));
    check_head(head, heads);
}

Map::Map(Index rows, Index columns, std::function<void(Index, std::span<float>)> fill)
    : fill_(std::move(fill)), kept_(std::make_shared<Kept>()), rows_(rows), columns_(columns) {}

std::span<const float> Map::row(Index r) const {
    if (!kept_)
        return array_->values().subspan(static_cast<std::size_t>(offset_ + r * columns_),
                                        static_cast<std::size_t>(columns_));
    const std::lock_guard lock(kept_->mutex);
    std::vector<float>& kept = kept_->rows[r];
    if (kept.empty()) {
        std::vector<float> made(static_cast<std::size_t>(columns_));
        read(r, made);
        kept = std::move(made);  // whole, or not at all
    }
    return kept;
}

void Map::read(Index r, std::span<float> out) const {
    if (!kept_) {
        std::ranges::copy(row(r), out.begin());
        return;
    }
    std::ranges::fill(out, 0.0F);
    if (fill_)
        fill_(r, out);
    else
        visit(r, [&](Index column, float value) { out[static_cast<std::size_t>(column)] = value; });
}

void Map::visit(Index r, const std::function<void(Index, float)>& use) const {
    if (table_) {
        const auto keys = table_->row(r);
        const SharedArray slots = slots_.get();
        const float* const values = slots ? slots->values().data() + offset_ + table_->begin(r) : nullptr;
        for (std::size_t s = 0; s < keys.size(); ++s)
            if (keys[s] >= 0) use(keys[s], values != nullptr ? values[s] : 1.0F);
        return;
    }
    std::vector<float> computed;
    if (fill_) {
        computed.resize(static_cast<std::size_t>(columns_));
        fill_(r, computed);
    }
    const std::span<const float> values = fill_ ? computed : row(r);
    for (std::size_t c = 0; c < values.size(); ++c) use(static_cast<Index>(c), values[c]);
}

/// Every cell begins as the 0 of a pair that is not in the table.
Array Map::reduced_pairs(Index h, Index w) const {
    Array out({h, w});
    float* const cells = out.values().data();
    const std::vector<Index> cell_of = parts_of(w, columns_);
    for (Index y = 0; y < h; ++y) {
        float* const line = cells + y * w;
        for (Index r = begin_of(y, h, rows_); r < begin_of(y + 1, h, rows_); ++r)
            visit(r, [&](Index column, float value) {
                float& cell = line[cell_of[static_cast<std::size_t>(column)]];
                cell = larger(cell, value);
            });
    }
    return out;
}

Array Map::reduced(Index height, Index width) const {
    const Index h = std::clamp<Index>(height, 0, rows_);
    const Index w = std::clamp<Index>(width, 0, columns_);
    Array out({h, w});
    if (out.size() == 0) return out;
    if (table_) return reduced_pairs(h, w);
    float* const cells = out.values().data();

    constexpr Index worth_a_thread = 1 << 16;
#pragma omp parallel if (rows_ * columns_ > worth_a_thread)
    {
        std::vector<float> tallest(
            static_cast<std::size_t>(columns_));  // of this row of cells, still in full width
        std::vector<float> computed(fill_ ? tallest.size() : 0);
#pragma omp for schedule(static)
        for (Index y = 0; y < h; ++y) {
            std::fill(tallest.begin(), tallest.end(), none);
            float* const best = tallest.data();
            for (Index r = begin_of(y, h, rows_); r < begin_of(y + 1, h, rows_); ++r) {
                if (fill_) read(r, computed);
                const float* const values = fill_ ? computed.data() : row(r).data();
                for (Index c = 0; c < columns_; ++c) best[c] = larger(best[c], values[c]);
            }
            for (Index x = 0; x < w; ++x) {
                float cell = none;
                for (Index c = begin_of(x, w, columns_); c < begin_of(x + 1, w, columns_); ++c)
                    cell = larger(cell, best[c]);
                cells[y * w + x] = cell;
            }
        }
    }
    return out;
}

std::vector<Map> maps_of(const SharedArray& array) {
    std::vector<Map> maps{Map(array)};
    for (Index head = 1; array->rank() == 3 && head < array->extent(0); ++head)
        maps.emplace_back(array, head);
    return maps;
}

}  // namespace attn
