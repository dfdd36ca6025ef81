#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/array.h"
#include "core/late_array.h"
#include "core/pair_table.h"

namespace attn {

/// A matrix (queries × keys) that is asked for rows and rectangles, so that a figure never needs to know how
/// it is held. Copies share what they read.
class Map {
  public:
    /// 0 × 0.
    Map() = default;
    /// Reads [rows, columns], or head `head` of [heads, rows, columns]. Throws Error on another rank.
    explicit Map(SharedArray array, Index head = 0);
    /// The pairs of a table, and 0 elsewhere: head `head` of [heads, slots], or 1 where there are no numbers.
    /// Holds and costs what the table does.
    explicit Map(SharedTable table, LateArray slots = {}, Index head = 0);
    /// rows × columns, of which a row is computed when it is read: `fill` is given a row of zeros, from any
    /// thread.
    Map(Index rows, Index columns, std::function<void(Index row, std::span<float> out)> fill);

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] Index columns() const { return columns_; }
    [[nodiscard]] bool empty() const { return rows_ == 0 || columns_ == 0; }

    /// One query's row, `columns()` numbers. Valid as long as the map, which keeps every row it was asked
    /// for: a walk over all of them is for `read` or `visit`.
    [[nodiscard]] std::span<const float> row(Index r) const;
    [[nodiscard]] float at(Index r, Index c) const { return row(r)[static_cast<std::size_t>(c)]; }
    /// The same into `out`, and nothing kept.
    void read(Index r, std::span<float> out) const;
    /// Every number of the row that may differ from 0, a column at most once.
    void visit(Index r, const std::function<void(Index column, float value)>& use) const;

    /// The numbers that it holds: of every pair, of a table's slots as far as they were made, or none where
    /// rows are computed.
    [[nodiscard]] SharedArray held() const { return table_ ? slots_.made() : array_; }

    /// The whole map in at most height × width cells [h, w]. Where several entries fall into one cell, the
    /// one of the largest magnitude stands for them, so that thin lines stay. A NaN stays only where all are
    /// NaN, and in a table of pairs never.
    [[nodiscard]] Array reduced(Index height, Index width) const;

  private:
    struct Kept;
    [[nodiscard]] Array reduced_pairs(Index h, Index w) const;

    SharedArray array_;  ///< dense
    SharedTable table_;
    LateArray slots_;  ///< of the table; null for 1 in each
    std::function<void(Index, std::span<float>)> fill_;
    std::shared_ptr<Kept> kept_;  ///< rows that are not held in an array
    Index rows_ = 0;
    Index columns_ = 0;
    Index offset_ = 0;
};

/// One map for each head of [heads, rows, columns]; one of [rows, columns].
std::vector<Map> maps_of(const SharedArray& array);

}  // namespace attn
