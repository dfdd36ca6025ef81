#include <string>
#include <vector>

#include "core/error.h"
#include "core/heads.h"
#include "core/layers.h"
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

Trace run(const Arrays& arrays, const Knobs& knobs) {
    require_numbers(arrays);
    const auto [q, k, v, heads] = projected(arrays, knobs);
    const Grid grid{1, q.extent(0)};
    const Index count = checked_variants(knobs, heads, grid.size());
    std::vector<SharedArray> of_variant;
    for (Index i = 0; i < count; ++i) of_variant.push_back(pattern_mask(seen(knobs, i), grid));
    std::vector<SharedArray> of_head;
    for (Index h = 0; h < heads; ++h) of_head.push_back(of_variant[static_cast<std::size_t>(h % count)]);
    const SharedArray mask = stacked(of_head);

    // Score, squash over the keys of the pattern, multiply.
    const Softmax softmax{knobs.real("tau"), mask};
    const Attended attended = attend_heads(q, k, v, heads, 0.0F, softmax);

    Trace trace = trace_of(attended, grid, grid, share(v), mask);
    trace.sharpness = softmax.tau;
    trace.out["out.mask"] = mask;
    trace.out["out.mask_row"] = pattern_mask(part(knobs, "row", 1), grid);
    trace.out["out.mask_col"] = pattern_mask(summary(knobs, 0), grid);
    trace.out["out.output"] = attended.output;
    trace.steps = {{.id = "row",
                    .label = "row: the own block",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(trace.out["out.mask_row"])},
                   {.id = "column",
                    .label = "column: ends of blocks",
                    .shape = Step::Shape::pairs,
                    .maps = maps_of(trace.out["out.mask_col"])}};
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
                {"out.scores", "[h, N, N]", "e, before τ and the mask"},
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
