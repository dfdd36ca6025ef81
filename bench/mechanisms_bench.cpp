// Every mechanism on 784 pieces, and what a local window saves at 4096 positions.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/catalog.h"
#include "core/channels.h"
#include "core/features.h"
#include "core/random.h"
#include "core/run_mechanism.h"

namespace {

using attn::Index;

constexpr Index features = 64;

attn::Array noise(attn::Shape shape, std::uint64_t seed) {
    attn::Random random(seed);
    attn::Array array(std::move(shape));
    for (float& x : array.values()) x = static_cast<float>(random.normal());
    return array;
}

/// side² words, or pixels, with 64 features each.
attn::Material material(Index side) {
    attn::Material m;
    m.features = noise({features, side, side}, 1);
    m.colours = noise({3, side, side}, 2);
    m.channels = attn::channels(m.colours);
    m.keys = noise({side * side, features}, 3);
    m.queries = noise({side * side, features}, 4);
    return m;
}

/// A mechanism with all it reads.
struct Prepared {
    const attn::Mechanism& mechanism;
    attn::Values set;
    attn::Knobs knobs;
    attn::Arrays arrays;

    Prepared(std::string_view id, Index side, attn::Values given = {})
        : mechanism(attn::mechanism(id)), set(std::move(given)), knobs(mechanism.parameters, set) {
        std::string said;
        arrays = mechanism.arrange(material(side), knobs, said);
    }
    void run() const { benchmark::DoNotOptimize(attn::run_mechanism(mechanism, arrays, knobs).output); }
};

/// Promise: under 4 ms for scaled-dot, the others in proportion to the pairs they score.
void Pieces(benchmark::State& state, const std::string& id, Index side) {
    const Prepared prepared(id, side);
    for (auto _ : state) prepared.run();
}

double milliseconds(const Prepared& prepared) {
    const auto begin = std::chrono::steady_clock::now();
    prepared.run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Promise: a window of 7 × 7 at least 20 times faster than all 4096 keys. Both in turn, and the fastest of
/// each, so that what else the machine does takes no part.
void WindowAgainstGlobal(benchmark::State& state, const std::string& id, const std::string& global) {
    const Prepared window(id, 64, {{"k", Index{7}}});
    const Prepared all(global, 64);
    double of_window = milliseconds(window);
    double of_all = milliseconds(all);
    for (auto _ : state) {
        of_window = std::min(of_window, milliseconds(window));
        of_all = std::min(of_all, milliseconds(all));
    }
    state.counters["window_ms"] = of_window;
    state.counters["global_ms"] = of_all;
    state.counters["times_faster"] = of_all / of_window;
}

const bool registered = [] {
    for (const attn::Mechanism& mechanism : attn::mechanisms()) {
        const std::string id(mechanism.id);
        benchmark::RegisterBenchmark(("784 pieces/" + id).c_str(), Pieces, id, 28)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    }
    for (const char* id : {"sasa", "neighborhood", "axial", "swin", "block-1d", "strided", "sliding-window"})
        benchmark::RegisterBenchmark(("4096 pieces/" + std::string(id)).c_str(), Pieces, id, 64)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    for (const char* id : {"sasa", "neighborhood"})
        for (const char* global : {"scaled-dot", "non-local"})
            benchmark::RegisterBenchmark(("4096 positions/" + std::string(id) + " against " + global).c_str(),
                                         WindowAgainstGlobal, id, global)
                ->UseRealTime()
                ->Iterations(20)
                ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
