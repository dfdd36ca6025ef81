#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Parameter combine() {
    return {
        .id = "combine",
        .label = "the two axes",
        .help = "how attention along the columns and along the rows are put together",
        .kind = Parameter::Kind::choice,
        .initial = std::string("sum"),
        .choices = {{"sum", "sum", "both on the input, added: one layer sees a cross"},
                    {"sequential", "in sequence", "columns first, rows on its output: it sees everything"}},
    };
}

/// Attention along one axis.
struct Pass {
    SharedTable table;
    AttendedPairs attended;
    SharedArray values;  ///< [N, D]
    SharedArray output;  ///< [N, C], projected
};

Pass attend_along(const Arrays& arrays, const Array& rows, Grid grid, bool columns, const Knobs& knobs) {
    const std::string axis = columns ? "col." : "row.";
    const Index heads = knobs.integer("heads");
    const Array q = linear(arrays, axis + "q", rows);
    const Index d = q.extent(1);
    require_heads("w." + axis + "q", require(arrays, "w." + axis + "q"), d, heads);
    const Array kv = linear(arrays, axis + "kv", rows, 2 * d);
    Array k({rows.extent(0), d});
    Array v({rows.extent(0), d});
    matrix(k) = matrix(kv).leftCols(d);
    matrix(v) = matrix(kv).rightCols(d);

    Pass pass{line_table(grid, columns, 0), {}, nullptr, nullptr};
    const double scale = one_over_root(d / heads);
    pass.attended =
        attend(q, k, v, *pass.table, {heads, static_cast<float>(scale), knobs.real("tau"), {}, {}});
    pass.values = share(std::move(v));
    pass.output = share(linear(arrays, axis + "o", *pass.attended.output, rows.extent(1)));
    return pass;
}

/// Both passes as one cross of pairs. The query itself is a key of both: it has the column's score and both
/// weights.
struct Cross {
    SharedTable table;
    LateArray scores, weights;  ///< [heads, slots]
};

/// Slots of the column, then of the row.
Array beside(const Array& column, const Array& row, Grid grid) {
    const Index lines = column.size() / grid.height;
    Array both({lines / grid.size(), grid.size() * (grid.height + grid.width)});
    matrix(both, lines, grid.height + grid.width) << matrix(column, lines, grid.height),
        matrix(row, lines, grid.width);
    return both;
}

Cross cross_of(const Pass& column, const Pass& row, Grid grid) {
    PairTable table = even_table(grid.size(), grid.size(), grid.height + grid.width);
    auto slot = table.key.begin();
    for (Index query = 0; query < grid.size(); ++query) {
        slot = std::ranges::copy(column.table->row(query), slot).out;
        const auto in_row = slot + query % grid.width;
        slot = std::ranges::copy(row.table->row(query), slot).out;
        *in_row = PairTable::none;
    }
    return {std::make_shared<const PairTable>(std::move(table)),
            LateArray(
                [grid, a = column.attended.scores, b = row.attended.scores] { return beside(*a, *b, grid); }),
            LateArray([grid, a = column.attended.weights, b = row.attended.weights] {
                Array both = beside(*a, *b, grid);
                auto weight = matrix(both, a->size() / grid.height, grid.height + grid.width);
                for (Index i = 0; i < weight.rows(); ++i) {
                    const Index query = i % grid.size();
                    weight(i, query / grid.width) += weight(i, grid.height + query % grid.width);
                }
                return both;
            })};
}

/// Through the two passes from query (y, x) by the bridge (y, x') to key (y', x'): their scores added, their
/// weights multiplied.
Map through(const Pass& column, const Pass& row, Index head, Grid grid, bool weights) {
    const SharedArray first = weights ? column.attended.weights : column.attended.scores;
    const SharedArray second = weights ? row.attended.weights : row.attended.scores;
    const Index n = grid.size();
    return {n, n, [=](Index query, std::span<float> out) {
                const auto across =
                    matrix(*second, second->size() / grid.width, grid.width).row(head * n + query);
                const auto down = matrix(*first, first->size() / grid.height, grid.height);
                for (Index x = 0; x < grid.width; ++x) {
                    const Index bridge = query / grid.width * grid.width + x;
                    for (Index y = 0; y < grid.height; ++y) {
                        const float a = across(x);
                        const float b = down(head * n + bridge, y);
                        out[static_cast<std::size_t>(y * grid.width + x)] = weights ? a * b : a + b;
                    }
                }
            }};
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Grid grid{x.extent(1), x.extent(2)};
    const Array rows = rows_of(x);
    const bool sum = knobs.text("combine") == "sum";

    // Score, squash, multiply along the columns, then along the rows.
    Pass column = attend_along(arrays, rows, grid, true, knobs);
    Pass row = attend_along(arrays, sum ? rows : *column.output, grid, false, knobs);
    Array output = *row.output;
    if (sum) vector(output) += vector(*column.output);

    Trace trace;
    trace.queries = trace.keys = grid;
    trace.sharpness = knobs.real("tau");
    trace.values = row.values;
    const Index heads = knobs.integer("heads");
    if (sum) {
        const Cross cross = cross_of(column, row, grid);
        trace.allowed = allowed_map(cross.table);
        for (Index head = 0; head < heads; ++head)
            trace.heads.push_back(
                {Map(cross.table, cross.scores, head), Map(cross.table, cross.weights, head)});
    } else {
        for (Index head = 0; head < heads; ++head)
            trace.heads.push_back(
                {through(column, row, head, grid, false), through(column, row, head, grid, true)});
    }
    trace.steps = {{"columns", "y: along the columns", Step::Shape::positions, late_map(column.output, grid)},
                   {"rows", "y: along the rows", Step::Shape::positions, late_map(row.output, grid)}};
    const SharedArray answer = share(std::move(output));
    trace.output = answer;
    trace.out["out.col_weights"] =
        LateArray([column, grid] { return by_line(*column.attended.weights, *column.table, grid, true); });
    trace.out["out.row_weights"] =
        LateArray([row, grid] { return by_line(*row.attended.weights, *row.table, grid, false); });
    trace.out["out.output"] = share(map_of(*answer, grid));
    return trace;
}

/// The mean of the heads.
Array mean_of_heads(Index heads, Index channels) {
    Array w({channels, heads * channels});
    for (Index head = 0; head < heads; ++head)
        matrix(w)
            .middleCols(head * channels, channels)
            .diagonal()
            .setConstant(1.0F / static_cast<float>(heads));
    return w;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const Index heads = knobs.integer("heads");
    const Index channels = features.extent(0);
    const HeadWeights weights = head_weights(material, heads, one_over_root(channels), said);
    Arrays arrays = {{"in.x", features}};
    for (const std::string axis : {"col.", "row."}) {
        arrays["w." + axis + "q"] = weights.q;
        arrays["w." + axis + "kv"] = stacked({&weights.k, &weights.v});
        arrays["w." + axis + "o"] = mean_of_heads(heads, channels);
    }
    return arrays;
}

}  // namespace

Mechanism axial() {
    return {
        .id = "axial",
        .title = "Axial attention",
        .family = Family::pixels,
        .source = "Ho et al. 2019: Axial attention in multidimensional transformers, section 3",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, j in the column or the row of i",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), along each axis on its own",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ, over the column and over the row",
        .teaching =
            {
                .pieces = "the pixels of the query's column, and those of its row",
                .depends_on = "the content of two pixels on one line",
                .squash = "softmax along the column, and another along the row",
                .multiply = "weighted mean of each line, added, or one after the other",
                .sits = "in every layer of an autoregressive image model; two layers reach every pixel",
                .see = "One layer sees a cross; two in sequence see everything, through the pixel where "
                       "row and column meet.",
                .misreading = "It is not a separable convolution: the weights are made anew for each "
                              "query, and one layer spans the whole line, it is no 1×k kernel.",
            },
        .parameters = {temperature(), head_count(), combine()},
        .inputs =
            {
                {"in.x", "[C, H, W]", "feature map"},
                {"w.col.q", "[D, C]", "of queries along the columns; D = C in the authors' code"},
                {"b.col.q", "[D]", "of the same", true},
                {"w.col.kv", "[2 D, C]", "rows of keys, then of values"},
                {"b.col.kv", "[2 D]", "of the same", true},
                {"w.col.o", "[C, D]", "output projection"},
                {"b.col.o", "[C]", "of the same", true},
                {"w.row.q", "[D, C]", "the same four along the rows"},
                {"b.row.q", "[D]", "of the same", true},
                {"w.row.kv", "[2 D, C]", "rows of keys, then of values"},
                {"b.row.kv", "[2 D]", "of the same", true},
                {"w.row.o", "[C, D]", "output projection"},
                {"b.row.o", "[C]", "of the same", true},
            },
        .outputs =
            {
                {"out.col_weights", "[W, h, H, H]", "α along the column, for each of the W columns"},
                {"out.row_weights", "[H, h, W, W]", "α along the row"},
                {"out.output", "[C, H, W]", "y, projected"},
            },
        .figures = {"overlay", "recipe", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
