#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "core/reach.h"

namespace {

using attn::Grid;
using attn::Index;

attn::Stack stack_of(const std::string& text, Grid grid) {
    return attn::make_stack(attn::parse_stack(text), grid);
}

/// Every built-in pattern with its defaults; a typed rule costs a query what it is.
std::vector<std::string> built_in() {
    std::vector<std::string> ids;
    for (const attn::Pattern& pattern : attn::patterns())
        if (pattern.family != attn::Pattern::Family::own) ids.emplace_back(pattern.id);
    for (const char* more : {"axial m=7", "local k=65", "dilated k=31 dilation=7", "not axial",
                             "local causal=true", "swin; swin shift=2", "local edge=wrap",
                             "local; axial; strided; global; swin; sinks; fixed; causal"})
        ids.emplace_back(more);
    return ids;
}

/// Promise: under 1 ms. One frame of a drag: hops of two layers, layers of this query, bridges and paths of a
/// key.
void Drag16(benchmark::State& state, const std::string& text) {
    const attn::Stack stack = stack_of(text, {16, 16});
    Index query = 0;
    for (auto _ : state) {
        query = (query + 37) % 256;
        benchmark::DoNotOptimize(attn::reach(stack, query, 2));
        benchmark::DoNotOptimize(attn::coverage(stack, query));
        benchmark::DoNotOptimize(attn::bridges(stack, query, 17, 2));
        benchmark::DoNotOptimize(attn::paths(stack, query, 2));
    }
}

/// Promise: 50 ms for local, axial and swin.
void CoverageMap64(benchmark::State& state, const std::string& text) {
    const attn::Stack stack = stack_of(text, {64, 64});
    for (auto _ : state) benchmark::DoNotOptimize(attn::coverage_map(stack));
}

/// Promise: 100 ms.
void EightLayers224(benchmark::State& state, const std::string& text) {
    const attn::Stack stack = stack_of(text, {224, 224});
    for (auto _ : state) benchmark::DoNotOptimize(attn::reach(stack, 224 * 100 + 37, 8));
}

void Paths224(benchmark::State& state, const std::string& text) {
    const attn::Stack stack = stack_of(text, {224, 224});
    for (auto _ : state) benchmark::DoNotOptimize(attn::paths(stack, 224 * 100 + 37, 8));
}

const bool registered = [] {
    for (const std::string& text : built_in()) {
        benchmark::RegisterBenchmark(("drag 16x16/" + text).c_str(), Drag16, text)
            ->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark(("8 layers 224x224/" + text).c_str(), EightLayers224, text)
            ->Unit(benchmark::kMillisecond);
    }
    for (const char* text : {"local", "axial", "swin; swin shift=2", "axial m=7", "local k=3", "criss-cross",
                             "local causal=true", "causal", "strided", "sliding-window", "bigbird"})
        benchmark::RegisterBenchmark((std::string("coverage map 64x64/") + text).c_str(), CoverageMap64, text)
            ->Unit(benchmark::kMillisecond);
    for (const char* text : {"local", "global"})
        benchmark::RegisterBenchmark((std::string("paths, 8 layers 224x224/") + text).c_str(), Paths224, text)
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
