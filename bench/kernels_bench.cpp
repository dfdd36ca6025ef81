// Attention as the kernels compute it and as plain loops do, and the colouring of its map.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/colour.h"
#include "core/kernels.h"

namespace {

using attn::Index;

constexpr Index features = 64;
constexpr float scale = 0.125F;  // 1/√64

std::vector<float> noise(Index count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
    return values;
}

/// n tokens that attend to each other, and room for what comes of it.
struct Tokens {
    Index n;
    std::vector<float> q, k, v, scores, weights, output;
    std::vector<unsigned char> blind;

    explicit Tokens(Index count)
        : n(count),
          q(noise(n * features, 1)),
          k(noise(n * features, 2)),
          v(noise(n * features, 3)),
          scores(static_cast<std::size_t>(n * n)),
          weights(scores.size()),
          output(static_cast<std::size_t>(n * features)),
          blind(static_cast<std::size_t>(n)) {}
};

void attend_plainly(Tokens& t) {
    for (Index i = 0; i < t.n; ++i) {
        const float* const query = t.q.data() + i * features;
        float* const score = t.scores.data() + i * t.n;
        float* const weight = t.weights.data() + i * t.n;
        float* const output = t.output.data() + i * features;
        for (Index j = 0; j < t.n; ++j) {
            float sum = 0.0F;
            for (Index c = 0; c < features; ++c)
                sum += query[c] * t.k[static_cast<std::size_t>(j * features + c)];
            score[j] = scale * sum;
        }
        const float largest = *std::max_element(score, score + t.n);
        float sum = 0.0F;
        for (Index j = 0; j < t.n; ++j) sum += weight[j] = std::exp(score[j] - largest);
        std::fill(output, output + features, 0.0F);
        for (Index j = 0; j < t.n; ++j) {
            weight[j] /= sum;
            for (Index c = 0; c < features; ++c)
                output[c] += weight[j] * t.v[static_cast<std::size_t>(j * features + c)];
        }
    }
}

void attend(benchmark::State& state) {
    Tokens t(state.range(0));
    const attn::kernels::Attention attention = {.q = t.q.data(),
                                                .k = t.k.data(),
                                                .v = t.v.data(),
                                                .n = t.n,
                                                .m = t.n,
                                                .d = features,
                                                .dv = features,
                                                .scale = scale};
    for (auto _ : state) {
        attn::kernels::attend(attention, t.scores.data(), t.weights.data(), t.output.data(), t.blind.data());
        benchmark::DoNotOptimize(t.output.data());
    }
    state.SetLabel(attn::kernels::instruction_set());
}
BENCHMARK(attend)->Arg(576)->Arg(784)->Arg(3136)->UseRealTime()->Unit(benchmark::kMillisecond);

void plain_loops(benchmark::State& state) {
    Tokens t(state.range(0));
    for (auto _ : state) {
        attend_plainly(t);
        benchmark::DoNotOptimize(t.output.data());
    }
}
BENCHMARK(plain_loops)->Arg(576)->Arg(784)->Arg(3136)->UseRealTime()->Unit(benchmark::kMillisecond);

void colour(benchmark::State& state, attn::Scale scale_of_colours) {
    const Index n = state.range(0);
    std::vector<float> values = noise(n * n, 1);
    for (float& value : values) value = std::exp(value);
    attn::Colouring colouring;
    colouring.ramp = &attn::viridis();
    colouring.scale = scale_of_colours;
    for (auto _ : state)
        benchmark::DoNotOptimize(attn::colour_cells(attn::classify(values, n, colouring, {}, n), colouring));
}
BENCHMARK_CAPTURE(colour, linear, attn::Scale::linear)
    ->Arg(784)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(colour, logarithmic, attn::Scale::logarithmic)
    ->Arg(784)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(colour, rank, attn::Scale::rank)->Arg(784)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
