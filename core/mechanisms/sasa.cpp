#include <optional>
#include <string>
#include <utility>

#include "core/heads.h"
#include "core/kernels.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/random.h"

namespace attn {

namespace {

Parameter edge() {
    return {
        .id = "edge",
        .label = "at the border",
        .help = "what stands where the window leaves the map",
        .kind = Parameter::Kind::choice,
        .initial = std::string("clip"),
        .choices = {{"clip", "clip", "nothing: keys outside are masked"},
                    {"zero", "zeros", "keys and values of zeros, which take mass with the score q·r"}},
    };
}

Parameter terms() {
    return {
        .id = "terms",
        .label = "score",
        .help = "which of the two terms of the score are added",
        .kind = Parameter::Kind::choice,
        .initial = std::string("both"),
        .choices = {{"both", "content + position", "q·k + q·r"},
                    {"content", "content", "q·k alone: a window is a bag of pixels"},
                    {"position", "position", "q·r alone: the same offsets weigh differently for each query"}},
    };
}

Parameter shuffle() {
    return {
        .id = "shuffle",
        .label = "shuffle the keys",
        .help = "keys change places within each window: without the position term the output stays the same",
        .kind = Parameter::Kind::toggle,
        .initial = false,
    };
}

Parameter window_side() {
    return {
        .id = "k",
        .symbol = "k",
        .label = "window",
        .help = "keys a side, the query included",
        .kind = Parameter::Kind::integer,
        .initial = Index{7},
        .low = 1,
        .high = 255,
        .offered = 15,
    };
}

/// Slots are the k×k places of the window, row-major; the pattern's keys stand in theirs.
PairTable window_table(const BoundPattern& pattern, Index k, bool zeros) {
    const Grid grid = pattern.grid();
    PairTable table =
        even_table(grid.size(), grid.size(), k * k, zeros ? PairTable::padding : PairTable::none);
    Boxes boxes;
    for (Index query = 0; query < grid.size(); ++query) {
        std::int32_t* const slot = table.key.data() + table.begin(query);
        pattern.boxes(query, boxes);
        for (const Box& box : boxes)
            for (Index i = 0; i < box.rows; ++i) {
                const Index first = box.first + i * box.row_step;
                const Index down = first / grid.width - query / grid.width + k / 2;
                const Index right = first % grid.width - query % grid.width + k / 2;
                for (Index j = 0; j < box.columns; ++j)
                    slot[down * k + right + j] = static_cast<std::int32_t>(first + j);
            }
    }
    return table;
}

/// The keys of each window in another order, slots without a key left alone.
void shuffle_keys(PairTable& table) {
    Random random(1);
    for (Index query = 0; query < table.queries; ++query) {
        std::vector<std::int32_t*> places;
        for (Index s = table.begin(query); s < table.begin(query + 1); ++s)
            if (auto& key = table.key[static_cast<std::size_t>(s)]; key >= 0) places.push_back(&key);
        for (std::size_t left = places.size(); left > 1; --left)
            std::swap(*places[left - 1],
                      *places[static_cast<std::size_t>(random.below(static_cast<Index>(left)))]);
    }
}

/// rows [N, C] times w [O, C]ᵀ, into `out` [N, O].
void multiply_into(float* out, const Array& rows, const float* w, Index outputs) {
    kernels::scores(rows.values().data(), w, rows.extent(0), outputs, rows.extent(1), 1.0F, out);
}

/// Head n projects its own slice of the channels with w.NAME[n] [d, C_i/h]: [N, h·d].
Array project_heads(const Arrays& arrays, const std::string& name, const Array& rows, Index heads,
                    Index outputs) {
    const Index inputs = rows.extent(1) / heads;
    const Array& weights = require(arrays, name, {heads, outputs, inputs});
    const Index d = weights.extent(1);
    Array result({rows.extent(0), heads * d});
    if (heads == 1) {
        multiply_into(result.values().data(), rows, weights.values().data(), d);
        return result;
    }
    for (Index head = 0; head < heads; ++head) {
        Array part({rows.extent(0), d});
        multiply_into(part.values().data(), head_block(rows, heads, head),
                      weights.values().data() + head * d * inputs, d);
        matrix(result).middleCols(head * d, d) = matrix(part);
    }
    return result;
}

/// r of each slot, [k·k, d]: the column's embedding, then the row's.
Array offsets(const Arrays& arrays, Index d, Index k) {
    const Array& across = require(arrays, "w.rel_x", {d / 2, k});
    const Array& down = require(arrays, "w.rel_y", {d - d / 2, k});
    Array r({k * k, d});
    auto rows = matrix(r);
    for (Index slot = 0; slot < k * k; ++slot)
        rows.row(slot) << matrix(across).col(slot % k).transpose(), matrix(down).col(slot / k).transpose();
    return r;
}

/// q·r of every head, query and slot, [heads, N, k, k].
Array position_scores(const Array& q, const Array& r, Index heads, Index k) {
    const Index n = q.extent(0);
    Array scores({heads, n, k, k});
    float* const out = scores.values().data();
    if (heads == 1) multiply_into(out, q, r.values().data(), k * k);
    for (Index head = 0; heads > 1 && head < heads; ++head)
        multiply_into(out + head * n * k * k, head_block(q, heads, head), r.values().data(), k * k);
    return scores;
}

/// q·k alone.
Array content_scores(const Array& scores, const Array& position, const std::string& added) {
    Array content(position.shape());
    if (added == "both") vector(content) = vector(scores) - vector(position);
    if (added == "content") vector(content) = vector(scores);
    return content;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Grid grid{x.extent(1), x.extent(2)};
    const Index heads = knobs.integer("heads");
    const Index k = knobs.integer("k");
    const Array rows = rows_of(x);
    require_heads("in.x", x, x.extent(0), heads);
    const Array q = project_heads(arrays, "w.q", rows, heads, -1);
    const Index d = q.extent(1) / heads;
    const Array keys = project_heads(arrays, "w.k", rows, heads, d);
    Array values = project_heads(arrays, "w.v", rows, heads, -1);
    Array position = position_scores(q, offsets(arrays, d, k), heads, k);

    const bool zeros = knobs.text("edge") == "zero";
    Layer window;
    window.id = "local";
    window.set = {{"k", k}, {"edge", knobs.text("edge")}};
    PairTable made = window_table(BoundPattern(window, grid), k, zeros);
    std::optional<PairTable> in_place;
    if (knobs.flag("shuffle")) {
        in_place = made;
        shuffle_keys(made);
    }
    const auto table = std::make_shared<const PairTable>(std::move(made));

    // Score: content and position, without a 1/√d; squash, multiply.
    const std::string added = knobs.text("terms");
    PairAttention attention{heads, added == "position" ? 0.0F : 1.0F, knobs.real("tau"), {}, {}};
    attention.shape = {heads, grid.height, grid.width, k * k};
    if (added != "content")
        attention.bias = [&](Index head, Index query, std::span<float> e) {
            const float* const r = position.values().data() + (head * grid.size() + query) * k * k;
            for (std::size_t s = 0; s < e.size(); ++s) e[s] += r[s];
        };
    const AttendedPairs attended = attend(q, keys, values, *table, attention);
    std::vector<Step> moved;  // what the shuffle did
    if (in_place)
        moved.push_back(
            output_change(*attend(q, keys, values, *in_place, attention).output, *attended.output));

    Trace trace = trace_of(attended, grid, grid, table, share(std::move(values)), attention.tau);
    const auto part = [&](std::string_view term) {
        return added == "both" || added == term ? Step::Part::addend : Step::Part::apart;
    };
    const SharedArray of_position = share(std::move(position));
    const LateArray content(
        [=, scores = attended.scores] { return content_scores(*scores, *of_position, added); });
    trace.steps = {{.id = "content",
                    .label = "q·k: content",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(table, content, heads),
                    .part = part("content")},
                   {.id = "position",
                    .label = "q·r: position",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(table, of_position, heads),
                    .part = part("position")}};
    trace.steps.insert(trace.steps.end(), moved.begin(), moved.end());
    trace.out["out.weights"] = attended.weights;
    trace.out["out.output"] = share(map_of(*attended.output, grid));
    return trace;
}

/// rel_x and rel_y rise along their axis, so that q·r is a slope whose direction is the query's own.
Array ramp(Index channels, Index k, double height) {
    Array embedding({channels, k});
    for (Index o = 0; o < k; ++o) {
        const Index offset = o - k / 2;
        matrix(embedding).col(o).setConstant(
            static_cast<float>(height * static_cast<double>(offset) / static_cast<double>(k)));
    }
    return embedding;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& features = offered(material.features, 3, "a picture");
    const Index heads = knobs.integer("heads");
    const Index k = knobs.integer("k");
    const Index d = features.extent(0);
    const HeadWeights weights = head_weights(material, heads, 1.0, said);
    Array x({heads * d, features.extent(1), features.extent(2)});  // each head has a slice of its own
    for (Index head = 0; head < heads; ++head)
        matrix(x, heads * d, features.size() / d).middleRows(head * d, d) =
            matrix(features, d, features.size() / d);
    said += "; r made by hand: q·r is a slope whose direction depends on the query";
    const Shape shape = {heads, d, d};
    return {{"in.x", std::move(x)},
            {"w.q", weights.q.reshaped(shape)},
            {"w.k", weights.k.reshaped(shape)},
            {"w.v", weights.v.reshaped(shape)},
            {"w.rel_x", ramp(d / 2, k, 0.5)},
            {"w.rel_y", ramp(d - d / 2, k, 0.5)}};
}

}  // namespace

Mechanism stand_alone() {
    return {
        .id = "sasa",
        .title = "Stand-alone self-attention",
        .family = Family::pixels,
        .source = "Ramachandran et al. 2019: Stand-alone self-attention in vision models, eq. 2 and 3",
        .score = "eᵢⱼ = qᵢ·kⱼ + qᵢ·rⱼ₋ᵢ",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the k×k window",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the k×k pixels about each pixel",
                .depends_on = "the content of both pixels, and how far apart they are in rows and columns",
                .squash = "softmax over the window",
                .multiply = "weighted mean of the window's values",
                .sits = "in place of every 3×3 convolution of a ResNet",
                .see = "A window whose weights are made anew at each pixel: it follows the shape it lies on.",
                .misreading = "It is not a convolution with extra steps: even q·r alone changes with the "
                              "content of the query; and q·r is a vector per offset scored against the "
                              "query, not a number per offset.",
            },
        .parameters = {temperature(), head_count(), window_side(), edge(), terms(), shuffle()},
        .inputs =
            {
                {"in.x", "[C_i, H, W]", "feature map; head n has the n-th block of channels"},
                {"w.q", "[h, d, C_i/h]", "of queries"},
                {"w.k", "[h, d, C_i/h]", "of keys"},
                {"w.v", "[h, d_v, C_i/h]", "of values"},
                {"w.rel_x", "[⌊d/2⌋, k]", "embedding of the column's offset, shared by the heads"},
                {"w.rel_y", "[d − ⌊d/2⌋, k]", "embedding of the row's offset"},
            },
        .outputs =
            {
                {"out.weights", "[h, H, W, k²]", "α in the window, row-major"},
                {"out.output", "[h·d_v, H, W]", "y, heads one after the other"},
            },
        .figures = {"overlay", "recipe", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
