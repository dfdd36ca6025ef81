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

/// A channel per row, its positions as features.
Array channels_as_rows(const Array& map) {
    return map.reshaped({map.extent(0), map.extent(1) * map.extent(2)});
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Index channels = x.extent(0);
    const double beta = knobs.real("beta");

    // Score: each channel from its relations to all; squash, multiply.
    Relations relations = relate(arrays, channels_as_rows(x));
    const Array gate = gates_of(relations.scores, beta);
    const SharedArray output = share(times_channels(x, gate));

    Trace trace = trace_of_gates(relations.scores, gate, {1, channels}, share(x), output, beta);
    trace.out["out.relation"] = share(relations.relation);
    trace.steps = relation_steps(std::move(relations));
    trace.out["out.gate"] = share(gate.reshaped({channels}));
    trace.out["out.output"] = output;
    return trace;
}

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.channels, 3, "the channels of a picture");
    const Array nodes = channels_as_rows(x);
    const Index stretches = std::max<Index>(nodes.extent(0) / knobs.integer("cha_ratio"), 1);
    Arrays arrays =
        relation_weights(nodes, std::max<Index>(nodes.extent(1) / knobs.integer("spa_ratio"), 1), stretches,
                         std::max<Index>((1 + stretches) / knobs.integer("down_ratio"), 1), material, said);
    arrays["in.x"] = x;
    return arrays;
}

std::vector<ArraySpec> inputs() {
    std::vector<ArraySpec> all = relation_inputs();
    all.insert(all.begin(), {"in.x", "[C, H, W]", "feature map: n = C nodes of H·W features"});
    return all;
}

}  // namespace

Mechanism relation_aware_channel() {
    return {
        .id = "rga-c",
        .title = "Relation-aware attention, channel",
        .family = Family::channels,
        .self_attention = false,
        .source = "Zhang et al. 2020: Relation-aware global attention, eq. 4 to 6",
        .score = "e = W₂ ReLU(W₁ [γ x ; relations of the channel])",
        .squash = "s = σ(β·e)",
        .multiply = "y = s·x, channel by channel",
        .teaching =
            {
                .pieces = "the channels of a feature map",
                .depends_on = "the channel's whole map and its relations to all channels",
                .squash = "sigmoid, one gate per channel: the gates do not compete",
                .multiply = "every channel times its gate, the same at all positions",
                .sits = "at the end of a stage of a ResNet, with its spatial twin",
                .see = "A channel is judged by which others it resembles, place by place, not by its mean "
                       "alone.",
                .misreading = "The C×C relations are no attention weights: they have no softmax and "
                              "average nothing; and since they compare maps place by place, the weights fit "
                              "one size of map only.",
            },
        .parameters = {sharpness(),
                       relation_ratio("cha_ratio", "channel ratio",
                                      "C over the numbers that relations are embedded in", 2),
                       relation_ratio("spa_ratio", "spatial ratio",
                                      "positions over the numbers that θ and φ make", 8),
                       relation_ratio("down_ratio", "hidden ratio",
                                      "numbers before the hidden layer of the gate over its units", 2)},
        .inputs = inputs(),
        .outputs =
            {
                {"out.relation", "[C, C]", "R, no softmax"},
                {"out.gate", "[C]", "s"},
                {"out.output", "[C, H, W]", "y"},
            },
        .figures = {"recipe"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
