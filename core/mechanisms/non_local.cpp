#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/random.h"

namespace attn {

namespace {

Parameter pairwise() {
    return {
        .id = "pairwise",
        .symbol = "f",
        .label = "pairwise function",
        .help = "how two positions are scored",
        .kind = Parameter::Kind::choice,
        .initial = std::string("embedded-gaussian"),
        .choices =
            {
                {"gaussian", "Gaussian", "softmax of x·x: the features as they are"},
                {"embedded-gaussian", "embedded Gaussian",
                 "softmax of θ·φ: two learned views of the features"},
                {"dot", "dot product", "θ·φ / N: no softmax, weights may be negative"},
                {"concatenation", "concatenation", "ReLU(w·[θ, φ]) / N: no softmax, no product"},
            },
    };
}

Parameter softmax_temperature() {
    Parameter p = temperature(0.15);
    p.enabled_by = "pairwise";
    p.enabled_for = {"gaussian", "embedded-gaussian"};
    return p;
}

Parameter pool_keys() {
    return {
        .id = "pooled",
        .label = "pooled keys",
        .help = "keys and values are 2×2 maxima: a quarter of the pairs",
        .kind = Parameter::Kind::toggle,
        .initial = false,
    };
}

Parameter residual() {
    return {
        .id = "gamma",
        .symbol = "γ",
        .label = "residual strength",
        .help = "how much of the block is added to its input: at 0 it is the identity, where training starts",
        .initial = 1.0,
    };
}

/// What is scored and averaged, a position per row.
struct Rows {
    Array theta, phi;  ///< [N, d], [N_k, d]
    Array g;           ///< [N_k, C_g]
    Grid queries, keys;
};

Rows project(const Arrays& arrays, const Array& x, const Array& averaged, bool embedded, bool pool) {
    const Grid grid{x.extent(1), x.extent(2)};
    Rows rows{rows_of(x), {}, linear_or_identity(arrays, "g", rows_of(averaged)), grid, grid};
    if (embedded) {
        rows.phi = linear_or_identity(arrays, "phi", rows.theta);
        rows.theta = linear_or_identity(arrays, "theta", rows.theta, rows.phi.extent(1));
    } else {
        rows.phi = rows.theta;
    }
    if (pool) {
        rows.keys = pooled(grid);
        if (rows.keys.size() == 0)
            throw Error("array 'in.x': expected at least 2 rows and 2 columns to pool keys, got the shape " +
                        describe(x.shape()));
        rows.phi = max_pool(rows.phi, grid);
        rows.g = max_pool(rows.g, grid);
    }
    return rows;
}

/// e[i, j] = ReLU(w · [θᵢ, φⱼ]): a sum of what the query says and what the key says.
Array concatenation_scores(const Arrays& arrays, const Rows& rows) {
    const Index d = rows.theta.extent(1);
    const Array& w = require(arrays, "w.f", {2 * d});
    const Vector query = matrix(rows.theta) * vector(w).head(d);
    const Eigen::RowVectorXf key = (matrix(rows.phi) * vector(w).tail(d)).transpose();
    Array scores({query.size(), key.size()});
    auto e = matrix(scores);
#pragma omp parallel for schedule(static) if (e.size() > 1 << 20)  // below, a thread costs more than it saves
    for (Index i = 0; i < e.rows(); ++i) e.row(i) = (key.array() + query(i)).cwiseMax(0.0F);
    return scores;
}

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1, -1});
    const Array* own = find(arrays, "in.v", {-1, x.extent(1), x.extent(2)});
    const Array& averaged = own != nullptr ? *own : x;
    const std::string& kind = knobs.text("pairwise");
    const bool gaussian = kind == "gaussian" || kind == "embedded-gaussian";
    Rows rows = project(arrays, x, averaged, kind != "gaussian", knobs.flag("pooled"));

    // Score, squash, multiply. There is no 1/√d, in the paper and in the code.
    const Softmax softmax{knobs.real("tau"), nullptr};
    const Attended attended = gaussian        ? attend(rows.theta, rows.phi, rows.g, 1.0F, softmax)
                              : kind == "dot" ? average(dot_scores(rows.theta, rows.phi, 1.0F), rows.g)
                                              : average(concatenation_scores(arrays, rows), rows.g);

    // The block: z = x + γ BN(W y).
    Array z = linear_or_identity(arrays, "out", *attended.output, averaged.extent(0));
    batch_norm(arrays, "bn.out", z);
    z = map_of(z, rows.queries);
    vector(z) = vector(averaged) + static_cast<float>(knobs.real("gamma")) * vector(z);

    const SharedArray y = share(map_of(*attended.output, rows.queries));
    const auto g = share(std::move(rows.g));
    Trace trace = trace_of(attended, rows.queries, rows.keys, g);
    trace.squash = gaussian ? Squash::softmax : Squash::divide;
    trace.sharpness = gaussian ? softmax.tau : static_cast<double>(rows.keys.size());
    trace.steps = {
        {"theta", "θ: what the query asks", Step::Shape::positions, share(map_of(rows.theta, rows.queries))},
        {"phi", "φ: what the key offers", Step::Shape::positions, share(map_of(rows.phi, rows.keys))},
        {"g", "g: what is averaged", Step::Shape::positions, share(map_of(*g, rows.keys))}};
    trace.out["out.y"] = y;
    trace.out["out.output"] = share(std::move(z));
    return trace;
}

/// Scores come from the features, and what is averaged are the picture's colours. b.out = − mean colour makes
/// the block z = v + γ (y − mean): its answer is a change of colour, and no brighter on the whole than the
/// picture.
Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& x = offered(material.features, 3, "a picture");
    const Array& colours = offered(material.colours, 3, "a picture");
    Array mean({colours.extent(0)});
    vector(mean) =
        -matrix(colours, colours.extent(0), colours.extent(1) * colours.extent(2)).rowwise().mean();
    Arrays arrays = {{"in.x", x}, {"in.v", colours}, {"b.out", mean}};
    if (knobs.text("pairwise") == "concatenation") {
        const Index d = x.extent(0);
        Array w({2 * d}, 1.0F / static_cast<float>(d));
        vector(w).head(d) *= -1.0F;
        arrays["w.f"] = w;
        said = "weights made by hand: a key scores what its mean feature exceeds the query's by";
    } else if (material.untrained && knobs.text("pairwise") != "gaussian") {
        Random random(material.seed + 1);  // the features' own projection has the seed itself
        arrays.emplace("w.theta", random_projection(x.extent(0), x.extent(0), random));
        arrays.emplace("w.phi", random_projection(x.extent(0), x.extent(0), random));
        said = "random projections W_θ and W_φ, seed " + std::to_string(material.seed);
    } else {
        said = "no weights: features are compared as they are, colours are averaged";
    }
    return arrays;
}

}  // namespace

Mechanism non_local() {
    return {
        .id = "non-local",
        .title = "Non-local block",
        .family = Family::pixels,
        .source = "Wang, Girshick, Gupta, He 2018: Non-local neural networks, eq. 1 to 6",
        .score = "eᵢⱼ = xᵢ·xⱼ, θᵢ·φⱼ or ReLU(w·[θᵢ, φⱼ])",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ), or eᵢⱼ / N",
        .multiply = "yᵢ = Σⱼ αᵢⱼ gⱼ, then z = x + γ W y",
        .teaching =
            {
                .pieces = "all positions of a feature map",
                .depends_on = "the features of two positions, not where they are",
                .squash = "softmax over all positions (the two Gaussians), or division by their number N",
                .multiply = "weighted mean (or sum) of g over all positions, added to the input",
                .sits = "beside the identity, late in a convolutional network (res4)",
                .see = "Every pixel reads every other pixel, weighed by how much it resembles itself: small "
                       "τ picks one, "
                       "large τ averages everything.",
                .misreading = "Only the two Gaussian functions are a softmax; the dot product and the "
                              "concatenation divide "
                              "by N, and their rows need not sum to 1.",
            },
        .parameters = {pairwise(), softmax_temperature(), pool_keys(), residual()},
        .inputs =
            {
                {"in.x", "[C, H, W]", "feature map"},
                {"in.v", "[V, H, W]", "averaged and added to in place of in.x", true},
                {"w.theta", "[d, C]", "θ; the identity where missing", true},
                {"b.theta", "[d]", "of θ", true},
                {"w.phi", "[d, C]", "φ; the identity where missing", true},
                {"b.phi", "[d]", "of φ", true},
                {"w.f", "[2 d]", "w of the concatenation: θ's half, then φ's", true},
                {"w.g", "[G, V]", "g; the identity where missing", true},
                {"b.g", "[G]", "of g", true},
                {"w.out", "[V, G]", "W; the identity where missing", true},
                {"b.out", "[V]", "of W", true},
                {"bn.out.gamma", "[V]", "batch normalisation after W, with .beta, .mean, .var and .eps",
                 true},
            },
        .outputs =
            {
                {"out.scores", "[N, N_k]", "e, before τ"},
                {"out.weights", "[N, N_k]", "α"},
                {"out.y", "[G, H, W]", "y"},
                {"out.output", "[V, H, W]", "z"},
            },
        .figures = {"overlay", "recipe", "rollout", "numbers"},
        .run = run,
        .arrange = arrange,
    };
}

}  // namespace attn
