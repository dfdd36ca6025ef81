#include <algorithm>
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
    Array values;  ///< [N, D]
    Array output;  ///< [N, C], projected
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

    Pass pass{line_table(grid, columns, 0), {}, {}, {}};
    const double scale = one_over_root(d / heads);
    pass.attended =
        attend(q, k, v, *pass.table, {heads, static_cast<float>(scale), knobs.real("tau"), {}, {}});
    pass.values = std::move(v);
    pass.output = linear(arrays, axis + "o", *pass.attended.output, rows.extent(1));
    return pass;
}

/// Both passes as one cross of pairs. The query itself is a key of both: it has the column's score and both
/// weights.
struct Cross {
    SharedTable table;
    AttendedPairs pairs;
};

/// Slots of the column and of the row, the row's own key aside.
Cross cross_of(const Pass& column, const Pass& row, Grid grid) {
    const Index n = grid.size();
    const Index heads = column.attended.scores->extent(0);
    const Index slots = grid.height + grid.width;
    PairTable table = even_table(n, n, slots);
    Array scores({heads, table.slots()});
    Array weights({heads, table.slots()});
    const auto join = [&](Array& to, const Array& a, const Array& b) {
        matrix(to, heads * n, slots) << matrix(a, heads * n, grid.height), matrix(b, heads * n, grid.width);
    };
    join(scores, *column.attended.scores, *row.attended.scores);
    join(weights, *column.attended.weights, *row.attended.weights);
    auto weight = matrix(weights, heads * n, slots);
    for (Index query = 0; query < n; ++query) {
        const auto keys = std::span(table.key).subspan(static_cast<std::size_t>(query * slots),
                                                       static_cast<std::size_t>(slots));
        const auto rest = std::ranges::copy(column.table->row(query), keys.begin()).out;
        std::ranges::copy(row.table->row(query), rest);
        const Index in_column = query / grid.width;
        const Index in_row = grid.height + query % grid.width;
        keys[static_cast<std::size_t>(in_row)] = PairTable::none;
        for (Index head = 0; head < heads; ++head)
            weight(head * n + query, in_column) += weight(head * n + query, in_row);
    }
    return {std::make_shared<const PairTable>(std::move(table)),
            {share(std::move(scores)), share(std::move(weights)), nullptr, {}}};
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
    Pass row = attend_along(arrays, sum ? rows : column.output, grid, false, knobs);
    Array output = row.output;
    if (sum) vector(output) += vector(column.output);

    const Cross cross = cross_of(column, row, grid);
    Trace trace = trace_of(cross.pairs, grid, grid, cross.table, share(row.values), knobs.real("tau"));
    if (!sum) {
        trace.allowed = {};
        for (std::size_t head = 0; head < trace.heads.size(); ++head)
            trace.heads[head] = {through(column, row, static_cast<Index>(head), grid, false),
                                 through(column, row, static_cast<Index>(head), grid, true)};
    }
    trace.steps = {
        {"columns", "y: along the columns", Step::Shape::positions, share(map_of(column.output, grid))},
        {"rows", "y: along the rows", Step::Shape::positions, share(map_of(row.output, grid))}};
    trace.output = share(output);
    trace.out["out.col_weights"] = share(by_line(*column.attended.weights, *column.table, grid, true));
    trace.out["out.row_weights"] = share(by_line(*row.attended.weights, *row.table, grid, false));
    trace.out["out.output"] = share(map_of(output, grid));
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
