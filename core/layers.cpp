#include "core/layers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/heads.h"
#include "core/kernels.h"
#include "core/matrix.h"
#include "core/recipe.h"

namespace attn {

namespace {

/// Operations below which a second thread costs more than it saves.
constexpr Index worth_a_thread = 1 << 20;

std::string name_of(std::string_view prefix, std::string_view name) {
    return std::string(prefix) + std::string(name);
}

void add_bias(const Arrays& arrays, std::string_view name, Array& rows) {
    if (const Array* bias = find(arrays, name_of("b.", name), {rows.extent(1)}))
        matrix(rows).rowwise() += vector(*bias).transpose();
}

/// `from` [rows, columns] as `to` [columns, rows], a tile at a time so that both sides stay in the cache.
void transpose(const float* from, Index rows, Index columns, float* to) {
    constexpr Index side = 16;
    for (Index top = 0; top < rows; top += side)
        for (Index left = 0; left < columns; left += side)
            for (Index c = left; c < std::min(left + side, columns); ++c)
                for (Index r = top; r < std::min(top + side, rows); ++r)
                    to[c * rows + r] = from[r * columns + c];
}

/// Score, squash and multiply of heads side by side; scores and weights in the shape asked for.
Attended attend_shaped(const Array& queries, const Array& keys, const Array& values, Index heads, float scale,
                       const Softmax& softmax, const Shape& shape) {
    const Array* const allowed = softmax.allowed.get();
    const kernels::Attention attention{
        .q = queries.values().data(),
        .k = keys.values().data(),
        .v = values.values().data(),
        .n = queries.extent(0),
        .m = keys.extent(0),
        .d = queries.extent(1) / heads,
        .dv = values.extent(1) / heads,
        .heads = heads,
        .scale = scale,
        .sharpness = sharpness_of(softmax.tau),
        .allowed = allowed != nullptr ? allowed->values().data() : nullptr,
    };
    Array scores(shape);
    Array weights(shape);
    Array output({attention.n, values.extent(1)});
    std::vector<unsigned char> blind(static_cast<std::size_t>(heads * attention.n));
    kernels::attend(attention, scores.values().data(), weights.values().data(), output.values().data(),
                    blind.data());
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)),
            blind_queries(blind, heads)};
}

}  // namespace

float sharpness_of(double tau) {
    const auto sharpness = static_cast<float>(1.0 / tau);
    if (!(sharpness > 0.0F) || !std::isfinite(sharpness))
        throw Error("expected a temperature τ above 0, got " + std::to_string(tau));
    return sharpness;
}

std::vector<Index> blind_queries(const std::vector<unsigned char>& flags, Index heads) {
    const auto n = static_cast<Index>(flags.size()) / heads;
    std::vector<Index> blind;
    for (Index query = 0; query < n; ++query) {
        Index marks = 0;
        for (Index head = 0; head < heads; ++head) marks += flags[static_cast<std::size_t>(head * n + query)];
        if (marks == heads) blind.push_back(query);
    }
    return blind;
}

SharedArray share(Array array) {
    return std::make_shared<const Array>(std::move(array));
}

Array rows_of(const Array& map) {
    const Index channels = map.extent(0);
    const Index positions = map.size() / channels;
    Array rows({positions, channels});
    transpose(map.values().data(), channels, positions, rows.values().data());
    return rows;
}

Array map_of(const Array& rows, Grid grid) {
    Array map({rows.extent(1), grid.height, grid.width});
    transpose(rows.values().data(), rows.extent(0), rows.extent(1), map.values().data());
    return map;
}

LateArray late_map(SharedArray rows, Grid grid) {
    return LateArray([rows = std::move(rows), grid] { return map_of(*rows, grid); });
}

Array joined(const Array& a, const Array& b) {
    Array rows({a.extent(0), a.extent(1) + b.extent(1)});
    matrix(rows) << matrix(a), matrix(b);
    return rows;
}

Array linear(const Arrays& arrays, std::string_view name, const Array& rows, Index outputs) {
    const Index inputs = rows.extent(1);
    const Array& weights = require(arrays, name_of("w.", name), {outputs, inputs});
    Array result({rows.extent(0), weights.extent(0)});
    kernels::scores(rows.values().data(), weights.values().data(), rows.extent(0), weights.extent(0), inputs,
                    1.0F, result.values().data());
    add_bias(arrays, name, result);
    return result;
}

Array linear_or_identity(const Arrays& arrays, std::string_view name, const Array& rows, Index outputs) {
    const std::string weights = name_of("w.", name);
    if (arrays.contains(weights)) return linear(arrays, name, rows, outputs);
    if (outputs != -1 && outputs != rows.extent(1))
        throw Error("array '" + weights + "': expected the shape " + describe({outputs, rows.extent(1)}) +
                    ", got none; it may be left out only where it is square");
    Array result = rows;
    add_bias(arrays, name, result);
    return result;
}

void batch_norm(const Arrays& arrays, std::string_view name, Array& rows) {
    const Shape channels = {rows.extent(1)};
    const Array* gamma = find(arrays, name_of(name, ".gamma"), channels);
    if (gamma == nullptr) return;
    const Array& beta = require(arrays, name_of(name, ".beta"), channels);
    const Array& mean = require(arrays, name_of(name, ".mean"), channels);
    const Array& var = require(arrays, name_of(name, ".var"), channels);
    const float eps = require(arrays, name_of(name, ".eps"), {}).values().front();
    if (!(vector(var).minCoeff() + eps > 0.0F))
        throw Error("array '" + name_of(name, ".var") + "': expected variances above 0 with eps added, got " +
                    std::to_string(vector(var).minCoeff()));
    const auto scale = (vector(*gamma).array() / (vector(var).array() + eps).sqrt()).eval();
    auto x = matrix(rows);
    x.rowwise() -= vector(mean).transpose();
    x.array().rowwise() *= scale.transpose();
    x.rowwise() += vector(beta).transpose();
}

Grid pooled(Grid grid) {
    return {grid.height / 2, grid.width / 2};
}

Array max_pool(const Array& rows, Grid grid) {
    const Grid small = pooled(grid);
    Array result({small.size(), rows.extent(1)});
    const auto from = matrix(rows);
    auto to = matrix(result);
    for (Index y = 0; y < small.height; ++y) {
        for (Index x = 0; x < small.width; ++x) {
            const Index above = 2 * y * grid.width + 2 * x;
            const Index below = above + grid.width;
            to.row(y * small.width + x) = from.row(above)
                                              .cwiseMax(from.row(above + 1))
                                              .cwiseMax(from.row(below))
                                              .cwiseMax(from.row(below + 1));
        }
    }
    return result;
}

Array additive_scores(const Array& queries, const Array& keys, const Array& v, float bias) {
    Array scores({queries.extent(0), keys.extent(0)});
    kernels::additive_scores(queries.values().data(), keys.values().data(), v.values().data(),
                             scores.extent(0), scores.extent(1), v.size(), bias, scores.values().data());
    return scores;
}

Array dot_scores(const Array& queries, const Array& keys, float scale) {
    Array scores({queries.extent(0), keys.extent(0)});
    kernels::scores(queries.values().data(), keys.values().data(), queries.extent(0), keys.extent(0),
                    queries.extent(1), scale, scores.values().data());
    return scores;
}

SharedArray causal_mask(Index n, Index m) {
    Array allowed({n, m});
    auto flags = matrix(allowed);
    for (Index i = 0; i < n; ++i) flags.row(i).head(std::min(i + 1, m)).setOnes();
    return share(std::move(allowed));
}

SharedArray padding_mask(Index n, Index m, Index valid_keys) {
    if (valid_keys >= m) return nullptr;
    Array allowed({n, m});
    matrix(allowed).leftCols(valid_keys).setOnes();
    return share(std::move(allowed));
}

Attended attend(Array scores, const Array& values, const Softmax& softmax) {
    const Index n = scores.extent(0);
    const Index m = scores.extent(1);
    const float* const allowed = softmax.allowed ? softmax.allowed->values().data() : nullptr;
    Array weights = scores;
    Array output({n, values.extent(1)});
    std::vector<unsigned char> blind(static_cast<std::size_t>(n));
    kernels::softmax(weights.values().data(), n, m, sharpness_of(softmax.tau), allowed, blind.data());
    kernels::multiply(weights.values().data(), values.values().data(), n, m, values.extent(1),
                      output.values().data());
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)),
            blind_queries(blind, 1)};
}

Attended attend(const Array& queries, const Array& keys, const Array& values, float scale,
                const Softmax& softmax) {
    return attend_shaped(queries, keys, values, 1, scale, softmax, {queries.extent(0), keys.extent(0)});
}

Attended attend_heads(const Array& queries, const Array& keys, const Array& values, Index heads, float scale,
                      const Softmax& softmax) {
    const float factor =
        scale == 0.0F ? 1.0F / std::sqrt(static_cast<float>(queries.extent(1) / heads)) : scale;
    return attend_shaped(queries, keys, values, heads, factor, softmax,
                         {heads, queries.extent(0), keys.extent(0)});
}

Attended average(Array scores, const Array& values) {
    const Index n = scores.extent(0);
    const Index m = scores.extent(1);
    Array weights({n, m});
    Array output({n, values.extent(1)});
    const auto e = matrix(scores);
    auto alpha = matrix(weights);
#pragma omp parallel for schedule(static) if (e.size() > worth_a_thread)
    for (Index i = 0; i < n; ++i) alpha.row(i) = e.row(i) / static_cast<float>(m);
    kernels::multiply(weights.values().data(), values.values().data(), n, m, values.extent(1),
                      output.values().data());
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)), {}};
}

Trace trace_of(const Attended& attended, Grid queries, Grid keys, SharedArray values,
               const SharedArray& allowed) {
    Trace trace;
    trace.queries = queries;
    trace.keys = keys;
    const Index heads = attended.scores->rank() == 3 ? attended.scores->extent(0) : 1;
    for (Index h = 0; h < heads; ++h)
        trace.heads.push_back({Map(attended.scores, h), Map(attended.weights, h)});
    if (allowed) trace.allowed = Map(allowed);
    trace.blind = attended.blind;
    trace.values = std::move(values);
    trace.output = attended.output;
    trace.out["out.scores"] = attended.scores;
    trace.out["out.weights"] = attended.weights;
    return trace;
}

}  // namespace attn
