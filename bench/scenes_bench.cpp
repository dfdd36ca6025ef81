#include <benchmark/benchmark.h>

#include <string>

#include "app/evaluate.h"
#include "core/catalog.h"

namespace {

/// Promise: under 16 ms. A knob of the mechanism has moved: input and weights are kept.
void DefaultScene(benchmark::State& state, const std::string& id) {
    attn::Evaluator evaluator;
    attn::Scene scene;
    scene.mechanism = id;
    scene.figure = attn::mechanism(id).figures.front();
    evaluator.evaluate(scene);
    for (auto _ : state) benchmark::DoNotOptimize(evaluator.evaluate(scene));
}

const bool registered = [] {
    for (const attn::Mechanism& mechanism : attn::mechanisms())
        benchmark::RegisterBenchmark(("default scene/" + std::string(mechanism.id)).c_str(), DefaultScene,
                                     std::string(mechanism.id))
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
