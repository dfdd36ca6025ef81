#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"
#include "core/patterns/rules.h"

namespace attn {

namespace {

Parameter variants() {
    return {
        .id = "variants",
        .label = "summaries",
        .help = "heads take turns at this many neighbouring summaries of c keys, the last of a block first",
        .kind = Parameter::Kind::integer,
        .initial = Index{1},
        .low = 1,
        .high = 1024,
        .offered = 8,
    };
}

Layer part(const Knobs& knobs, std::string_view which, Index c) {
    return {.id = "fixed",
            .set = {{"l", knobs.integer("l")}, {"c", c}, {"part", std::string(which)}},
            .parts = {}};
}

Layer combined(Layer::Kind kind, std::vector<Layer> parts) {
    return {.kind = kind, .id = {}, .set = {}, .parts = std::move(parts)};
}

/// The keys of the v-th summary: the last (v + 1)·c of every block but the last v·c.
Layer summary(const Knobs& knobs, Index v) {
    const Index c = knobs.integer("c");
    Layer last = part(knobs, "column", (v + 1) * c);
    if (v == 0) return last;
    Layer rest = combined(Layer::Kind::none, {part(knobs, "column", v * c)});
    return combined(Layer::Kind::both, {std::move(last), std::move(rest)});
}

/// What a head of the v-th summary sees.
Layer seen(const Knobs& knobs, Index v) {
    const std::string& which = knobs.text("part");
    if (which == "row") return part(knobs, "row", 1);
    if (which == "column") return summary(knobs, v);
    return combined(Layer::Kind::either, {part(knobs, "row", 1), summary(knobs, v)});
}

/// Summaries that heads can share and a block has room for.
Index checked_variants(const Knobs& knobs, Index heads, Index n) {
    const Index count = knobs.integer("variants");
    if (heads % count != 0)
        throw Error("knob 'variants': expected a number that divides the " + std::to_string(heads) +
                    " heads, got " + std::to_string(count));
    const Index l = rules::stride_of(knobs, n);
    if (count > 1 && count * knobs.integer("c") > l)
        throw Error("knob 'variants': expected at most l / c = " + std::to_string(l / knobs.integer("c")) +
                    " summaries of a block, got " + std::to_string(count));
    return count;
}

/// The columns of the heads that take turn `turn` of `turns`, side by side.
Array heads_of_turn(const Array& rows, Index heads, Index turn, Index turns) {
    const Index d = rows.extent(1) / heads;
    Array taken({rows.extent(0), heads / turns * d});
    for (Index h = 0; h < heads / turns; ++h)
        matrix(taken).middleCols(h * d, d) = matrix(rows).middleCols((h * turns + turn) * d, d);
    return taken;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const auto [q, k, v, heads] = projected(arrays, knobs);
    const Index n = q.extent(0);
    const Index turns = checked_variants(knobs, heads, n);
    const double tau = knobs.real("tau");
    Trace trace;
    trace.queries = trace.keys = {1, n};
    trace.sharpness = tau;
    trace.width = q.extent(1) / heads;
    trace.values = share(v);
    trace.heads.resize(static_cast<std::size_t>(heads));
    std::vector<Map> masks(trace.heads.size());
    std::vector<Map> weights(trace.heads.size());
    std::vector<SharedTable> tables;
    Array output({n, v.extent(1)});

    // Score, squash over the keys of the pattern, multiply, for the heads that see the same.
    const Index width = v.extent(1) / heads;
    for (Index turn = 0; turn < turns; ++turn) {
        const SharedTable table = tables.emplace_back(pair_table(seen(knobs, turn), n));
        const auto taken = [&, heads = heads](const Array& rows) {
            return heads_of_turn(rows, heads, turn, turns);
        };
        const Array queries = taken(q);
        const Array keys = taken(k);
        const Array values = taken(v);
        const AttendedPairs some = attend({queries, keys, values, heads / turns}, *table, tau);
        for (Index h = 0; h < heads / turns; ++h) {
            const auto head = static_cast<std::size_t>(h * turns + turn);
            trace.heads[head] = {Map(table, some.scores, h), Map(table, some.weights, h)};
            weights[head] = trace.heads[head].weights;
            masks[head] = Map(table);
            matrix(output).middleCols((h * turns + turn) * width, width) =
                matrix(*some.output).middleCols(h * width, width);
        }
        if (turn == 0) trace.blind = some.blind;
        std::erase_if(trace.blind, [&](Index i) { return !std::ranges::binary_search(some.blind, i); });
    }

    trace.allowed = allowed_map(seen_by_some(tables));
    trace.output = share(std::move(output));
    const Map row(pair_table(part(knobs, "row", 1), n));
    const Map column(pair_table(summary(knobs, 0), n));
    trace.out["out.weights"] = dense(std::move(weights));
    trace.out["out.mask"] = dense(std::move(masks), Element::flag);
    trace.out["out.mask_row"] = dense(row, Element::flag);
    trace.out["out.mask_col"] = dense(column, Element::flag);
    trace.out["out.output"] = trace.output;
    trace.steps = {
        {.id = "row", .label = "row: the own block", .shape = Step::Shape::pairs, .maps = {row}},
        {.id = "column", .label = "column: ends of blocks", .shape = Step::Shape::pairs, .maps = {column}}};
    return trace;
}

Arrays arrange(const Material& material, const Knobs& /*knobs*/, std::string& said) {
    said = "embeddings made by hand, queries = keys = values, scaled so that a word scores 3 with itself";
    return words_as_projected(offered(material.keys, 2, "a row of words"));
}

}  // namespace

Mechanism fixed() {
    Parameter c = knob_of_pattern("fixed", "c");
    c.initial = Index{1};  // the toy sentence has blocks of three words
    return {
        .id = "fixed",
        .title = "Fixed attention (Sparse Transformer)",
        .family = Family::sequences,
        .source =
            "Child, Gray, Radford, Sutskever 2019: Generating long sequences with sparse transformers, "
            "section 4.3",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, j ≤ i, in i's block or among the last c of one",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), over the keys seen",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ",
        .teaching =
            {
                .pieces = "the words of the own block of l, and the last c of every block before",
                .depends_on = "the product of query and key, over √d; which keys: the places in their blocks",
                .squash = "softmax over the keys of the pattern, none after the query",
                .multiply = "weighted mean of their values",
                .sits = "in every layer of a decoder for text",
                .see = "The last c words of a block pass on what the block held: bright columns that every "
                       "later query reads.",
                .misreading = "The columns stand at fixed places, not at fixed distances; nothing chooses "
                              "them by content, the network learns to write there.",
            },
        .parameters = {knob_of_pattern("fixed", "l"), std::move(c), knob_of_pattern("fixed", "part"),
                       variants(), head_count(), temperature()},
        .inputs =
            {
                {"in.q", "[N, h·d]", "queries, the heads side by side"},
                {"in.k", "[N, h·d]", "keys"},
                {"in.v", "[N, h·d_v]", "values"},
            },
        .outputs =
            {
                {"out.mask", "[h, N, N]", "true where the head's query sees the key"},
                {"out.mask_row", "[N, N]", "the own block up to the query"},
                {"out.mask_col", "[N, N]", "the last c of every block, up to the query"},
                {"out.weights", "[h, N, N]", "α"},
                {"out.output", "[N, h·d_v]", "y"},
            },
        .figures = {"alignment", "recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
