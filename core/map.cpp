#include "core/map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

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

}  // namespace

Map::Map(SharedArray array, Index head) : array_(std::move(array)) {
    if (!array_) return;
    const Index rank = array_->rank();
    if (rank != 2 && rank != 3)
        throw Error("expected a map [rows, columns] or [heads, rows, columns], got the shape " +
                    describe(array_->shape()));
    const Index heads = rank == 3 ? array_->extent(0) : 1;
    if (head < 0 || head >= heads)
        throw Error("expected a head from 0 to " + std::to_string(heads - 1) + ", got " +
                    std::to_string(head));
    rows_ = array_->extent(-2);
    columns_ = array_->extent(-1);
    offset_ = head * rows_ * columns_;
}

struct Map::Late {
    std::function<Array()> make;
    std::once_flag once;
    Array array;
};

Map::Map(Index rows, Index columns, std::function<Array()> make)
    : late_(std::make_shared<Late>()), rows_(rows), columns_(columns) {
    late_->make = std::move(make);
}

const Array& Map::array() const {
    if (!late_) return *array_;
    std::call_once(late_->once, [this] {
        Array made = late_->make();
        if (made.shape() != Shape{rows_, columns_})
            throw std::logic_error("a map was promised as " + describe({rows_, columns_}) + " and made as " +
                                   describe(made.shape()));
        late_->array = std::move(made);
        late_->make = nullptr;  // and what it holds
    });
    return late_->array;
}

std::span<const float> Map::row(Index r) const {
    return array().values().subspan(static_cast<std::size_t>(offset_ + r * columns_),
                                    static_cast<std::size_t>(columns_));
}

Array Map::reduced(Index height, Index width) const {
    const Index h = std::clamp<Index>(height, 0, rows_);
    const Index w = std::clamp<Index>(width, 0, columns_);
    Array out({h, w});
    if (out.size() == 0) return out;
    static_cast<void>(array());  // made before the threads part
    float* const cells = out.values().data();

    constexpr Index worth_a_thread = 1 << 16;
#pragma omp parallel if (rows_ * columns_ > worth_a_thread)
    {
        std::vector<float> tallest(
            static_cast<std::size_t>(columns_));  // of this row of cells, still in full width
#pragma omp for schedule(static)
        for (Index y = 0; y < h; ++y) {
            std::fill(tallest.begin(), tallest.end(), none);
            float* const best = tallest.data();
            for (Index r = begin_of(y, h, rows_); r < begin_of(y + 1, h, rows_); ++r) {
                const float* const values = row(r).data();
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
