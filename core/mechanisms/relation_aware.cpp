#include "core/mechanisms/relation_aware.h"

#include <algorithm>
#include <utility>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/gates.h"
#include "core/random.h"

namespace attn {

namespace {

Array layer(const Arrays& arrays, const std::string& name, const Array& rows, Index outputs = -1) {
    Array result = linear(arrays, name, rows, outputs);
    batch_norm(arrays, "bn." + name, result);
    return result;
}

}  // namespace

Relations relate(const Arrays& arrays, const Array& nodes) {
    const Array theta = relu(layer(arrays, "theta", nodes));
    const Array phi = relu(layer(arrays, "phi", nodes, theta.extent(1)));
    Relations made;
    made.relation = dot_scores(theta, phi, 1.0F);
    const Index n = nodes.extent(0);
    made.stacked = Array({n, 2 * n});
    matrix(made.stacked).leftCols(n) = matrix(made.relation);
    matrix(made.stacked).rightCols(n) = matrix(made.relation).transpose();

    const Array embedded = relu(layer(arrays, "gg", made.stacked));
    const Array own = relu(layer(arrays, "gx", nodes));
    Array mean({nodes.extent(0), 1});
    vector(mean) = matrix(own).rowwise().mean();
    made.features = joined(mean, embedded);
    made.scores = layer(arrays, "w2", relu(layer(arrays, "w1", made.features)), 1);
    return made;
}

Arrays relation_weights(const Array& nodes, Index inner, Index stretches, Index hidden,
                        const Material& material, std::string& said) {
    const Index n = nodes.extent(0);
    Random random(material.seed + 1);  // the features' own projection has the seed itself
    const Array theta = random_projection(inner, nodes.extent(1), random);
    Arrays arrays = {{"w.theta", theta},
                     {"w.phi", theta},
                     {"w.gx", Array(theta.shape())},
                     {"w.gg", averaging(stretches, 2 * n)},
                     {"w.w1", averaging(hidden, 1 + stretches)},
                     {"w.w2", averaging(1, hidden)}};
    const Spread raw = spread_of(relate(arrays, nodes).scores);
    const auto number = [](double value) { return Array({1}, static_cast<float>(value)); };
    arrays["bn.w2.gamma"] = number(-1.0);
    arrays["bn.w2.beta"] = number(0.0);
    arrays["bn.w2.mean"] = number(raw.mean);
    arrays["bn.w2.var"] = number(raw.deviation * raw.deviation);
    arrays["bn.w2.eps"] = Array({}, 1e-12F);
    said = "θ = φ a random projection, seed " + std::to_string(material.seed) +
           "; the rest made by hand: the gate opens for what resembles few others";
    return arrays;
}

Parameter relation_ratio(std::string id, std::string label, std::string help, Index initial) {
    return {
        .id = std::move(id),
        .label = std::move(label),
        .help = std::move(help),
        .kind = Parameter::Kind::integer,
        .initial = initial,
        .low = 1,
        .high = 64,
        .scale = Parameter::Scale::logarithmic,
    };
}

std::vector<ArraySpec> relation_inputs() {
    return {
        {"w.theta", "[d, features]", "θ"},
        {"w.phi", "[d, features]", "φ"},
        {"w.gx", "[d, features]", "embedding of a node itself, then averaged to one number"},
        {"w.gg", "[e, 2 n]", "embedding of R[i, :] and then R[:, i]"},
        {"w.w1", "[m, 1 + e]", "hidden layer of the gate"},
        {"w.w2", "[1, m]", "the gate's score"},
        {"bn.theta.gamma", "[d]", "after θ, with .beta, .mean, .var and .eps", true},
        {"bn.phi.gamma", "[d]", "after φ, likewise", true},
        {"bn.gx.gamma", "[d]", "after w.gx, likewise", true},
        {"bn.gg.gamma", "[e]", "after w.gg, likewise", true},
        {"bn.w1.gamma", "[m]", "after w.w1, likewise", true},
        {"bn.w2.gamma", "[1]", "after w.w2", true},
        {"bn.w2.beta", "[1]", "of the same", true},
        {"bn.w2.mean", "[1]", "of the same", true},
        {"bn.w2.var", "[1]", "of the same", true},
        {"bn.w2.eps", "[]", "of the same", true},
    };
}

std::vector<Step> relation_steps(Relations relations) {
    const Index n = relations.relation.extent(0);
    const SharedArray relation = share(std::move(relations.relation));
    const Map turned(n, n, [relation](Index row, std::span<float> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = matrix(*relation)(static_cast<Index>(i), row);
    });
    return {{.id = "asked",
             .label = "R[i, :]: i with every other",
             .shape = Step::Shape::pairs,
             .maps = {Map(relation)}},
            {.id = "asking",
             .label = "R[:, i]: every other with i",
             .shape = Step::Shape::pairs,
             .maps = {turned}},
            {.id = "features",
             .label = "[γ x ; R]: embedded",
             .shape = Step::Shape::keys,
             .maps = maps_of(share(std::move(relations.features)))}};
}

}  // namespace attn
