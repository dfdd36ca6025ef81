#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/heat.h"

namespace attn {

/// How names stand along the columns or the rows of a matrix without being turned: in one line where they
/// fit, else in two lines with leaders through the gaps of the nearer one, else as numbers.
struct Labels {
    std::vector<std::string> texts;
    int lines = 1;         ///< 1 or 2 (columns of names: lines lie over each other; rows: beside each other)
    bool numbers = false;  ///< names did not fit
    Index step = 1;        ///< every so manyth is written
    double depth = 0.0;    ///< room they take across the matrix's edge
};

/// `names` may be empty: then `count` numbers.
Labels column_labels(const Canvas& canvas, const std::vector<std::string>& names, Index count, double cell);
Labels row_labels(const Canvas& canvas, const std::vector<std::string>& names, Index count, double cell,
                  double room);

/// What is lit among labels.
struct Lit {
    std::optional<Index> accent;  ///< the query
    std::vector<Index> strong;    ///< keys pointed at or reached
    [[nodiscard]] bool holds(Index i) const;
};
/// Over the panel's upper edge, or under its lower one.
void draw_column_labels(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels,
                        const Lit& lit, bool over = true);
/// At the left of the panel, set to the right.
void draw_row_labels(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels,
                     const Lit& lit);
/// At the right of the panel, set to the left.
void draw_row_labels_right(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels,
                           const Lit& lit);

}  // namespace attn
