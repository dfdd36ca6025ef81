#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/figures/heat.h"

namespace attn {

/// Numbers as bars on one base line, in the order given; more numbers than bars can be told apart share one,
/// which shows the largest of them.
struct Bars {
    std::span<const float> values{};
    std::vector<Index> order{};         ///< bar → number
    std::optional<Index> accent{};      ///< the query's own number
    std::optional<Index> lit{};         ///< the one pointed at
    std::optional<double> reference{};  ///< a dashed line: the uniform weight
    bool faded = false;                 ///< it recedes
    bool numbered = false;              ///< the number over each bar, where there is room
    std::optional<double> top{};        ///< what the height stands for; the largest number when absent
};

/// Where the bars stand: columns over the width, `cells.columns` of them.
struct DrawnBars {
    Panel cells;
    std::vector<Index> order;  ///< bar → number that it shows
};
DrawnBars draw_bars(Canvas& canvas, const Theme& theme, Rect room, const Bars& bars);

}  // namespace attn
