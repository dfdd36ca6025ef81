#pragma once

#include <vector>

#include "core/pattern.h"

namespace attn {

/// Sums over boxes by structure: adding a weight to every position of a box, or asking how much a box holds,
/// costs four operations whatever its size. A box is the product of two geometric series, (1 − x^{n·s})/(1 −
/// x^s) in its row step and in its column step, so its sum is four impulses, accumulated once per pair of
/// steps that occurs. T adds and subtracts exactly (modulo 2ⁿ serves: only sums that fit are read).
template <class T>
class StepPlanes {
  protected:
    struct Plane {
        Index row_step;
        Index column_step;
        std::vector<T> values;
        bool used = true;
    };

    /// The plane of a box's steps; a single row needs no row step of its own and takes any.
    Plane* find(const Box& box) {
        for (Plane& plane : planes_)
            if (plane.column_step == box.column_step && (plane.row_step == box.row_step || box.rows == 1))
                return &plane;
        return nullptr;
    }

    /// values[i] += values[i − step], from the first.
    static void accumulate(std::vector<T>& values, Index step) {
        if (step == 1) {
            T sum{};
            for (T& value : values) value = (sum += value);
        }
        if (step <= 1) return;
        for (auto i = static_cast<std::size_t>(step), j = std::size_t{0}; i < values.size(); ++i, ++j)
            values[i] += values[j];
    }

    std::vector<Plane> planes_;
};

/// Spreads weights over boxes.
template <class T>
class BoxSpread : StepPlanes<T> {
  public:
    explicit BoxSpread(Index size) : size_(static_cast<std::size_t>(size)) {}

    /// Adds the weight to every position of the box.
    void add(const Box& box, const T& weight) {
        auto* plane = this->find(box);
        if (plane == nullptr) {
            this->planes_.push_back({box.row_step, box.column_step, std::vector<T>(size_)});
            plane = &this->planes_.back();
        }
        plane->used = true;
        auto& values = plane->values;
        const Index right = box.first + box.columns * box.column_step;
        // The impulses of a later plane's accumulation; a plane without a row step holds single rows only.
        const Index down = plane->row_step > 0 ? box.rows * plane->row_step : static_cast<Index>(size_);
        const auto put = [&](Index at, bool positive) {
            if (at >= static_cast<Index>(size_)) return;
            T& value = values[static_cast<std::size_t>(at)];
            if (positive)
                value += weight;
            else
                value -= weight;
        };
        put(box.first, true);
        put(right, false);
        put(box.first + down, false);
        put(right + down, true);
    }

    /// The sums at each position; replaces `out` and starts anew.
    void take(std::vector<T>& out) {
        out.assign(size_, T{});
        for (auto& plane : this->planes_) {
            if (!plane.used) continue;
            this->accumulate(plane.values, plane.column_step);
            this->accumulate(plane.values, plane.row_step);
            for (std::size_t i = 0; i < size_; ++i) out[i] += plane.values[i];
            plane.values.assign(size_, T{});  // kept: the next sum has the same steps
            plane.used = false;
        }
    }

  private:
    std::size_t size_;
};

/// How much a set's boxes hold: prefix sums of values, per pair of steps, made when first asked for.
template <class T>
class BoxTotals : StepPlanes<T> {
  public:
    explicit BoxTotals(std::vector<T> values) : values_(std::move(values)) {}

    /// The sum over the positions of the box.
    T of(const Box& box) {
        auto* plane = this->find(box);
        if (plane == nullptr) {
            this->planes_.push_back({box.row_step, box.column_step, values_});
            plane = &this->planes_.back();
            this->accumulate(plane->values, box.column_step);
            this->accumulate(plane->values, box.row_step);
        }
        const auto& values = plane->values;
        const auto at = [&](Index i) { return i < 0 ? T{} : values[static_cast<std::size_t>(i)]; };
        // A plane without a row step accumulates along the columns only.
        const Index end = box.first + (box.rows - 1) * box.row_step + (box.columns - 1) * box.column_step;
        const Index left = end - box.columns * box.column_step;
        const Index up = plane->row_step > 0 ? box.rows * plane->row_step : end + 1;
        T sum = at(end);
        sum -= at(left);
        sum -= at(end - up);
        sum += at(left - up);
        return sum;
    }

  private:
    std::vector<T> values_;
};

}  // namespace attn
