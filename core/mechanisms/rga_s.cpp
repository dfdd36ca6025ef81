#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/layers.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/gates.h"
#include "core/mechanisms/relation_aware.h"
#include "core/mechanisms/shared.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Grid grid{x.extent(1), x.extent(2)};
    const double beta = knobs.real("beta");

    // Score: each position from its relations to all; squash, multiply.
    Relations relations = relate(arrays, rows_of(x));
    const Array gate = gates_of(relations.scores, beta);
    const SharedArray output = share(times_positions(x, gate));

    Trace trace = trace_of_gates(relations.scores, gate, grid, share(x), output, beta);
    trace.out["out.relation"] = share(relations.relation);
    trace.steps = relation_steps(std::move(relations));
    trace.out["out.gate"] = share(gate.reshaped({grid.height, grid.width}));
    trace.out["out.output"] = output;
    return trace;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.features, 3, "a picture");
    const Array nodes = rows_of(x);
    const Index stretches = std::max<Index>(nodes.extent(0) / knobs.integer("spa_ratio"), 1);
    Arrays arrays =
        relation_weights(nodes, std::max<Index>(nodes.extent(1) / knobs.integer("cha_ratio"), 1), stretches,
                         std::max<Index>((1 + stretches) / knobs.integer("down_ratio"), 1), material, said);
    arrays["in.x"] = x;
    return arrays;
}

std::vector<ArraySpec> inputs() {
    std::vector<ArraySpec> all = relation_inputs();
    all.insert(all.begin(), {"in.x", "[C, H, W]", "feature map: n = H·W nodes of C features"});
    return all;
}

}  // namespace

Mechanism relation_aware_spatial() {
    return {
        .id = "rga-s",
        .title = "Relation-aware attention, spatial",
        .family = Family::pixels,
        .self_attention = false,
        .source = "Zhang et al. 2020: Relation-aware global attention, eq. 1 to 3",
        .score = "eᵢ = W₂ ReLU(W₁ [γ xᵢ ; relations of i])",
        .squash = "sᵢ = σ(β·eᵢ)",
        .multiply = "yᵢ = sᵢ xᵢ",
        .teaching =
            {
                .pieces = "the positions of a feature map",
                .depends_on = "the position's features and its relations to all others, in both directions",
                .squash = "sigmoid, one gate per position",
                .multiply = "every channel of a position times its gate",
                .sits = "at the end of a stage of a ResNet, before or after its channel twin",
                .see = "A position is judged by the whole row of its relations: what is like much else and "
                       "what stands alone get different gates.",
                .misreading = "The N×N relations are no attention weights: they have no softmax and "
                              "average nothing, they are the features from which a gate is learned.",
            },
        .parameters = {sharpness(),
                       relation_ratio("cha_ratio", "channel ratio", "C over the numbers that θ and φ make",
                                      1),
                       relation_ratio("spa_ratio", "spatial ratio",
                                      "positions over the numbers that relations are embedded in", 8),
                       relation_ratio("down_ratio", "hidden ratio",
                                      "numbers before the hidden layer of the gate over its units", 8)},
        .inputs = inputs(),
        .outputs =
            {
                {"out.relation", "[N, N]", "R, no softmax"},
                {"out.gate", "[H, W]", "s"},
                {"out.output", "[C, H, W]", "y"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
