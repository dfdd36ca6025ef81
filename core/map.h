#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/array.h"

namespace attn {

/// A matrix (queries × keys) that is asked for rows and rectangles, so that a figure never needs to know how
/// it is held. Copies share what they read.
class Map {
  public:
    /// 0 × 0.
    Map() = default;
    /// Reads [rows, columns], or head `head` of [heads, rows, columns]. Throws Error on another rank.
    explicit Map(SharedArray array, Index head = 0);
    /// rows × columns, filled when it is first read: a map that nobody looks at costs nothing. `make` returns
    /// [rows, columns] and may be called from any thread, once.
    Map(Index rows, Index columns, std::function<Array()> make);

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] Index columns() const { return columns_; }
    [[nodiscard]] bool empty() const { return rows_ == 0 || columns_ == 0; }

    /// One query's row, `columns()` numbers. Valid as long as the map.
    [[nodiscard]] std::span<const float> row(Index r) const;
    [[nodiscard]] float at(Index r, Index c) const { return row(r)[static_cast<std::size_t>(c)]; }

    /// The whole map in at most height × width cells [h, w]. Where several entries fall into one cell, the
    /// one of the largest magnitude stands for them, so that thin lines stay. A NaN stays only where all are
    /// NaN.
    [[nodiscard]] Array reduced(Index height, Index width) const;

  private:
    struct Late;
    [[nodiscard]] const Array& array() const;

    SharedArray array_;
    std::shared_ptr<Late> late_;  ///< in place of the array
    Index rows_ = 0;
    Index columns_ = 0;
    Index offset_ = 0;
};

/// One map for each head of [heads, rows, columns]; one of [rows, columns].
std::vector<Map> maps_of(const SharedArray& array);

}  // namespace attn
