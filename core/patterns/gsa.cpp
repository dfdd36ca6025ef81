#include <algorithm>
#include <string>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

/// Cells of s×s positions, each with one summary key; a causal query sees a cell whose last position is not
/// after it.
struct Cells {
    Index s, width, rows, columns;
    bool causal;

    /// Rows of cells the query sees whole, and cells it sees of the row after them.
    [[nodiscard]] Index whole_rows(Index q) const {
        if (!causal) return rows;
        return std::min(rows, (q / width * width + (columns * s - 1) <= q ? q / width + 1 : q / width) / s);
    }
    [[nodiscard]] Index further_cells(Index q) const {
        const Index bottom = whole_rows(q) * s + s - 1;
        return causal && whole_rows(q) < rows && q / width == bottom ? std::min(columns, (q % width + 1) / s)
                                                                     : 0;
    }
};

Cells cells_of(const Knobs& knobs, Grid grid) {
    const Index s = knobs.integer("subsample");
    return {s, grid.width, grid.height / s, grid.width / s, knobs.flag("causal")};
}

bool sees(const Cells& cells, Index q, Index k) {
    const Index row = k / cells.width / cells.s;
    const Index column = k % cells.width / cells.s;
    if (row >= cells.rows || column >= cells.columns) return false;
    return row < cells.whole_rows(q) || (row == cells.whole_rows(q) && column < cells.further_cells(q));
}

void boxes(const Cells& cells, Index q, Boxes& out) {
    const Index s = cells.s;
    const Index whole = cells.whole_rows(q);
    const Index further = cells.further_cells(q);
    if (whole > 0 && cells.columns > 0) out.push_back({0, whole * s, cells.width, cells.columns * s, 1});
    if (further > 0) out.push_back({whole * s * cells.width, s, cells.width, further * s, 1});
}

Rule rule(const Knobs& knobs, Grid grid) {
    const Cells cells = cells_of(knobs, grid);
    Rule made;
    made.sees = [cells](Index q, Index k) { return sees(cells, q, k); };
    made.boxes = [cells](Index q, Boxes& out) { boxes(cells, q, out); };
    made.count = [cells](Index q) { return cells.whole_rows(q) * cells.columns + cells.further_cells(q); };
    made.outlines = [cells](Index q) {
        const Index s = cells.s;
        const Region cell{q / cells.width / s * s, q % cells.width / s * s, s, s};
        const bool summarised = cell.row / s < cells.rows && cell.column / s < cells.columns;
        return summarised ? Outlines{{cell}, {}} : Outlines{};
    };
    if (!cells.causal)
        made.product =
            std::make_shared<const Product>(Product{leading_axis(grid.height, cells.rows * cells.s),
                                                    leading_axis(grid.width, cells.columns * cells.s)});
    return made;
}

}  // namespace

Pattern gsa() {
    Parameter causal = causal_knob();
    causal.help = "no cell that holds a position after the query";
    Parameter subsample =
        integer_knob("subsample", "subsampling", "side of the cell that one key stands for", 4, 1, 4096);
    subsample.symbol = std::string("s");
    return {
        .id = "gsa",
        .title = "Sub-sampled",
        .family = Pattern::Family::pictures,
        .source = "Chu et al. 2021",
        .see = "One summary key per cell reaches the whole picture for N/s² keys a query.",
        .parameters = {subsample, causal},
        .formula = "N·⌊H/s⌋·⌊W/s⌋, N²/s²",
        .entries =
            [](const Knobs& knobs, double height, double width) {
                const auto s = static_cast<double>(knobs.integer("subsample"));
                return height * width * (height / s) * (width / s);
            },
        .problem = [](const Knobs& knobs, Grid grid) -> std::string {
            const Index s = knobs.integer("subsample");
            if (s <= grid.height && s <= grid.width) return {};
            return "expected cells that fit into " + std::to_string(grid.height) + "×" +
                   std::to_string(grid.width) + ", got subsampling " + std::to_string(s) +
                   ", which leaves no key";
        },
        .rule = rule,
        .causal_by_raster = false,
    };
}

}  // namespace attn::rules
