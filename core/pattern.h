#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/parameter.h"

namespace attn {

/// The positions first + i·row_step + j·column_step, i < rows, j < columns: a rectangle of the grid, a
/// dilated window, a run in raster order, every l-th position. Invariant: counts ≥ 1, steps ≥ 1 (row_step may
/// be 0 where rows is 1), and with more than one row (columns − 1)·column_step < row_step, so that the order
/// i, j is ascending.
struct Box {
    Index first = 0;
    Index rows = 1;
    Index row_step = 0;
    Index columns = 1;
    Index column_step = 1;
    [[nodiscard]] Index size() const { return rows * columns; }
    friend bool operator==(const Box&, const Box&) = default;
};
using Boxes = std::vector<Box>;

/// first, first + step, …: `count` places along one axis.
struct Progression {
    Index first = 0;
    Index count = 0;
    Index step = 1;
};

/// Which places of an axis each of its places sees, disjoint progressions; one entry per place.
using Axis = std::vector<std::vector<Progression>>;

/// Keys that are a set of rows times a set of columns, each depending on its own coordinate of the query
/// alone.
struct Product {
    Axis rows;
    Axis columns;
};

/// A rectangle of grid cells.
struct Region {
    Index row = 0;
    Index column = 0;
    Index height = 0;
    Index width = 0;
    friend bool operator==(const Region&, const Region&) = default;
};

/// The query's own block or window, and the memory it reads beside that; regions of one list do not overlap.
/// A run of cells in raster order is given as up to three regions.
struct Outlines {
    std::vector<Region> block;
    std::vector<Region> memory;
};

/// A side of the outline of a union of cells, in grid lines: from (row, column) to (row, column + length) or,
/// when `down`, to (row + length, column).
struct Border {
    Index row = 0;
    Index column = 0;
    Index length = 0;
    bool down = false;
    friend bool operator==(const Border&, const Border&) = default;
};

/// The outline of the union of the regions.
std::vector<Border> outline(std::span<const Region> regions, Grid grid);

/// A pattern made for one grid and one setting of its knobs: which keys a query may see.
struct Rule {
    std::function<bool(Index query, Index key)> sees;
    /// Appends the keys of the query as disjoint boxes; costs no more than the number of boxes.
    std::function<void(Index query, Boxes& out)> boxes;
    /// The number of keys where it is not the number of positions seen (a summary key stands for many); else
    /// empty.
    std::function<Index(Index query)> count;
    /// The weights really stored for a query of so many keys, where they are more (padding, two passes); else
    /// empty.
    std::function<Index(Index count)> stored;
    std::function<Outlines(Index query)> outlines;  ///< empty where there is nothing to outline
    std::shared_ptr<const Product> product;         ///< set where the keys are one
};

/// One kind of pattern as plain data and functions. A new one is one file in core/patterns/ and a line in
/// core/pattern.cpp.
struct Pattern {
    enum class Family { pictures, sequences, own };

    std::string_view id;
    std::string_view title;
    Family family = Family::pictures;
    std::string_view source;  ///< authors and year
    std::string_view see;     ///< what its picture should teach, one sentence
    std::vector<Parameter> parameters;
    std::string_view formula;  ///< entries of one head, in the source's symbols; empty where there is none

    /// The formula on a grid of height × width, real so that curves are smooth; null where there is none.
    double (*entries)(const Knobs& knobs, double height, double width) = nullptr;
    /// Empty, or one sentence why these knobs are not legal on this grid (ranges are checked before); null
    /// where all are.
    std::string (*problem)(const Knobs& knobs, Grid grid) = nullptr;
    /// The setting in words: "7 keys a side: 3 left, itself, 3 right"; null where there is nothing to say.
    std::string (*sentence)(const Knobs& knobs, Grid grid) = nullptr;
    Rule (*rule)(const Knobs& knobs, Grid grid) = nullptr;
    /// A knob `causal` is applied to the rule by `bind`: keys after the query in raster order are dropped.
    /// False where the pattern has an order of its own and obeys the knob itself.
    bool causal_by_raster = true;
};

/// Every pattern, in the order of the catalogue. An explicit table: no static constructors.
std::span<const Pattern> patterns();

/// The pattern of that id. Throws UsageError naming the id and all that there are.
const Pattern& pattern(std::string_view id);

}  // namespace attn
