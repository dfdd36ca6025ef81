#include <string>
#include <utility>

#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Parameter axis() {
    return {
        .id = "axis",
        .label = "axis",
        .help = "along which it attends",
        .kind = Parameter::Kind::choice,
        .initial = std::string("column"),
        .choices = {{"column", "columns", "the height: every column on its own"},
                    {"row", "rows", "the width: every row on its own"}},
    };
}

/// A position per row, heads side by side.
struct Rows {
    Index heads = 1;
    Index half = 1;  ///< channels of a head's queries and keys; its values have twice as many
    Array q, k, v;
};

Rows project(const Arrays& arrays, const Array& x, Index heads) {
    const Array& weights = require(arrays, "w.qkv", {-1, x.extent(0)});
    if (weights.extent(0) % (4 * heads) != 0)
        throw Error("array 'w.qkv': expected rows that 4·heads = " + std::to_string(4 * heads) +
                    " divides, got the shape " + describe(weights.shape()));
    Array all = linear(arrays, "qkv", rows_of(x));
    batch_norm(arrays, "bn.qkv", all);
    const Index n = all.extent(0);
    const Index half = all.extent(1) / (4 * heads);
    Rows rows{heads, half, Array({n, heads * half}), Array({n, heads * half}), Array({n, 2 * heads * half})};
    for (Index h = 0; h < heads; ++h) {
        const auto head = matrix(all).middleCols(4 * h * half, 4 * half);
        matrix(rows.q).middleCols(h * half, half) = head.leftCols(half);
        matrix(rows.k).middleCols(h * half, half) = head.middleCols(half, half);
        matrix(rows.v).middleCols(2 * h * half, 2 * half) = head.rightCols(2 * half);
    }
    return rows;
}

/// Position along the axis, as the offset query − key + L − 1 of a pair needs it.
struct Line {
    Grid grid;
    bool columns;
    [[nodiscard]] Index length() const { return columns ? grid.height : grid.width; }
    [[nodiscard]] Index place(Index position) const {
        return columns ? position / grid.width : position % grid.width;
    }
    [[nodiscard]] Index offset(Index query, Index key) const {
        return place(query) - place(key) + length() - 1;
    }
};

/// The three terms of each pair, [slots, 3·heads]: q·k of the heads, q·r^q, k·r^k; normalised each on its
/// own.
Array terms_of(const Arrays& arrays, const Rows& rows, const Array& relative, const PairTable& table,
               const Line& line) {
    Array terms({table.slots(), 3 * rows.heads});
    const Index span = relative.extent(1);
    const Index half = rows.half;
    auto t = matrix(terms);
    for (Index h = 0; h < rows.heads; ++h) {
        const auto q = matrix(rows.q).middleCols(h * half, half);
        const auto k = matrix(rows.k).middleCols(h * half, half);
        const Matrix qr = q * matrix(relative).topRows(half);  // [N, 2L − 1]
        const Matrix kr = k * matrix(relative).middleRows(half, half);
        Index pair = 0;
        for (Index query = 0; query < table.queries; ++query)
            for (const Index key : table.row(query)) {
                const Index offset = line.offset(query, key);
                t(pair, h) = q.row(query).dot(k.row(key));
                t(pair, rows.heads + h) = qr(query, offset);
                t(pair, 2 * rows.heads + h) = kr(key, span - 1 - offset);  // indexed by key − query
                ++pair;
            }
    }
    batch_norm(arrays, "bn.similarity", terms);
    return terms;
}

/// One of the three terms as [heads, slots].
Array term(const Array& terms, Index which) {
    const Index heads = terms.extent(1) / 3;
    Array slots({heads, terms.extent(0)});
    matrix(slots, heads, terms.extent(0)) = matrix(terms).middleCols(which * heads, heads).transpose();
    return slots;
}

/// Σ α r^v of each query, heads side by side.
Array averaged_positions(const Array& weights, const Array& relative, const Rows& rows,
                         const PairTable& table, const Line& line) {
    const Index n = table.queries;
    Array mean({n, 2 * rows.heads * rows.half});
    const Matrix r = matrix(relative).bottomRows(2 * rows.half).transpose();  // [2L − 1, 2·half]
    const float* alpha = weights.values().data();
    for (Index h = 0; h < rows.heads; ++h)
        for (Index query = 0; query < n; ++query)
            for (const Index key : table.row(query))
                matrix(mean).row(query).segment(2 * h * rows.half, 2 * rows.half) +=
                    *alpha++ * r.row(line.offset(query, key));
    return mean;
}

/// The two sums normalised, their channels alternating as in the authors' layer, and added.
Array output_of(const Arrays& arrays, const Array& values, const Array& positions) {
    const Index channels = values.extent(1);
    Array both({values.extent(0), 2 * channels});
    for (Index c = 0; c < channels; ++c) {
        matrix(both).col(2 * c) = matrix(values).col(c);
        matrix(both).col(2 * c + 1) = matrix(positions).col(c);
    }
    batch_norm(arrays, "bn.output", both);
    Array output({values.extent(0), channels});
    for (Index c = 0; c < channels; ++c)
        matrix(output).col(c) = matrix(both).col(2 * c) + matrix(both).col(2 * c + 1);
    return output;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Line line{{x.extent(1), x.extent(2)}, knobs.text("axis") == "column"};
    Rows rows = project(arrays, x, knobs.integer("heads"));
    const Array& relative = require(arrays, "w.relative", {4 * rows.half, 2 * line.length() - 1});
    const SharedTable table = line_table(line.grid, line.columns, knobs.integer("m"));

    // Score: batch normalisation takes the place of 1/√d; squash, multiply.
    const Array terms = terms_of(arrays, rows, relative, *table, line);
    const Array qk = term(terms, 0);
    const Array qr = term(terms, 1);
    const Array kr = term(terms, 2);
    const auto add = [&](Index head, Index query, std::span<float> e) {
        const Index first = head * table->slots() + table->begin(query);
        for (std::size_t s = 0; s < e.size(); ++s) {
            const auto at = static_cast<Index>(s) + first;
            e[s] += vector(qk)(at) + vector(qr)(at) + vector(kr)(at);
        }
    };
    const AttendedPairs attended =
        attend(rows.q, rows.k, rows.v, *table, {rows.heads, 0.0F, knobs.real("tau"), add, {}});
    const Array positions = averaged_positions(*attended.weights, relative, rows, *table, line);
    const SharedArray output = share(output_of(arrays, *attended.output, positions));

    Trace trace =
        trace_of(attended, line.grid, line.grid, table, share(std::move(rows.v)), knobs.real("tau"));
    trace.output = output;
    const auto lines = [&](const Array& slots) {
        return share(by_line(slots, *table, line.grid, line.columns));
    };
    trace.steps = {{.id = "qk",
                    .label = "q·k: content",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(table, share(qk), rows.heads),
                    .part = Step::Part::addend},
                   {.id = "qr",
                    .label = "q·r^q: query and place",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(table, share(qr), rows.heads),
                    .part = Step::Part::addend},
                   {.id = "kr",
                    .label = "k·r^k: key and place",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(table, share(kr), rows.heads),
                    .part = Step::Part::addend},
                   {"values", "Σ α v: what was there", Step::Shape::positions,
                    share(map_of(*attended.output, line.grid))},
                   {"positions", "Σ α r^v: where it looked", Step::Shape::positions,
                    share(map_of(positions, line.grid))}};
    trace.out["out.weights"] = lines(*attended.weights);
    trace.out["out.output"] = share(map_of(*output, line.grid));
    return trace;
}

/// r rises along the axis: q·r^q and k·r^k are slopes of the query's and the key's own direction, and to the
/// values is added the mean distance that was looked over.
Array slopes(Index half, Index length) {
    Array relative({4 * half, 2 * length - 1});
    auto r = matrix(relative);
    for (Index o = 0; o < r.cols(); ++o) {
        const auto far = static_cast<float>(o - (length - 1)) / static_cast<float>(length);
        r.col(o).segment(0, half).setConstant(far);
        r.col(o).segment(half, half).setConstant(2.0F * far);
        r.col(o).tail(2 * half).setConstant(far);
    }
    return relative;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const Index heads = knobs.integer("heads");
    const Index c = features.extent(0);
    const HeadWeights weights = head_weights(material, heads, 1.0, said);
    said += "; position vectors made by hand: slopes along the axis";
    Array qkv({4 * heads * c, c});
    for (Index h = 0; h < heads; ++h) {
        auto head = matrix(qkv).middleRows(4 * h * c, 4 * c);
        head.topRows(c) = matrix(weights.q).middleRows(h * c, c);
        head.middleRows(c, c) = matrix(weights.k).middleRows(h * c, c);
        head.middleRows(2 * c, c) = matrix(weights.v).middleRows(h * c, c);
    }
    const Index length = features.extent(knobs.text("axis") == "column" ? 1 : 2);
    return {{"in.x", features}, {"w.qkv", std::move(qkv)}, {"w.relative", slopes(c, length)}};
}

std::vector<ArraySpec> inputs() {
    return {
        {"in.x", "[C, H, W]", "feature map"},
        {"w.qkv", "[2 C_o, C]", "for each head: its queries, its keys, its values (twice as many channels)"},
        {"b.qkv", "[2 C_o]", "of the same", true},
        {"bn.qkv.gamma", "[2 C_o]", "normalisation after it, with .beta, .mean, .var and .eps", true},
        {"w.relative", "[2 C_o/h, 2 L − 1]", "r^q and r^k, then r^v, by offset along the axis of length L"},
        {"bn.similarity.gamma", "[3 h]", "of q·k for each head, of q·r^q, of k·r^k", true},
        {"bn.output.gamma", "[2 C_o]", "of Σ α v and Σ α r^v, their channels alternating", true},
    };
}

}  // namespace

Mechanism position_sensitive_axial() {
    return {
        .id = "axial-deeplab",
        .title = "Position-sensitive axial attention",
        .family = Family::pixels,
        .source = "Wang et al. 2020: Axial-DeepLab, eq. 3 and 4",
        .score = "eᵢⱼ = qᵢ·kⱼ + qᵢ·r^q + kⱼ·r^k, r at the offset from j to i",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), along the axis",
        .multiply = "yᵢ = Σⱼ αᵢⱼ (vⱼ + r^v)",
        .teaching =
            {
                .pieces = "the pixels of the query's column (or row)",
                .depends_on = "the content of both, and their distance as the query and as the key see it",
                .squash = "softmax along the axis, after a batch normalisation of each term",
                .multiply = "weighted mean of values and of where they are",
                .sits = "in place of the 3×3 convolutions of a ResNet, a column layer and then a row layer",
                .see = "Content and position add up: the output also carries where it looked.",
                .misreading = "One layer spans the whole column; it is no k×1 kernel, and its position "
                              "terms are vectors scored against the content, not numbers per offset.",
            },
        .parameters = {temperature(), head_count(), axis(), knob_of_pattern("column", "m")},
        .inputs = inputs(),
        .outputs =
            {
                {"out.weights", "[W, h, H, H]", "α in each column; [H, h, W, W] along the rows"},
                {"out.output", "[C_o, H, W]", "y, normalised"},
            },
        .figures = {"overlay", "recipe", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
