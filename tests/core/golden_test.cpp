#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/run_mechanism.h"

namespace {

namespace fs = std::filesystem;
using attn::Array;

std::vector<fs::path> cases() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(fs::path(ATTNSCOPE_TESTS) / "golden"))
        if (entry.path().extension() == ".npz") paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

/// What the authors' code computed may differ from ours by the order of its sums.
double tolerance(const std::string& array) {
    return array.starts_with("out.output") ? 2e-5 : 1e-5;
}

/// The greatest |ours − theirs|, and in `excess` that over tolerance · (1 + |theirs|).
double difference(const Array& ours, const Array& theirs, double allowed, double& excess) {
    double most = 0.0;
    excess = 0.0;
    for (std::size_t i = 0; i < theirs.values().size(); ++i) {
        const double expected = theirs.values()[i];
        const double d = std::abs(ours.values()[i] - expected);
        if (std::isnan(d)) return excess = d;
        most = std::max(most, d);
        excess = std::max(excess, d / (allowed * (1.0 + std::abs(expected))));
    }
    return most;
}

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, EveryArrayIsRecomputed) {
    const attn::Case file = attn::read_npz(attn::read_file(GetParam()), GetParam().filename().string());
    attn::Arrays given;
    std::map<std::string, Array> expected;
    for (const auto& [name, array] : file.arrays) {
        if (name.starts_with("out."))
            expected.emplace(name, array);
        else
            given.emplace(name, array);
    }
    ASSERT_FALSE(expected.empty());

    const attn::Mechanism& mechanism = attn::mechanism(std::get<std::string>(file.knobs.at("mechanism")));
    const attn::Values knobs = attn::case_knobs(mechanism, file.knobs);
    const attn::Trace trace = attn::run_mechanism(mechanism, given, attn::Knobs(mechanism.parameters, knobs));
    for (const auto& [name, theirs] : expected) {
        const auto found = trace.out.find(name);
        ASSERT_NE(found, trace.out.end()) << name << " is not computed";
        const attn::SharedArray made = found->second;
        const Array& ours = *made;
        ASSERT_EQ(ours.shape(), theirs.shape()) << name;
        double excess = 0.0;
        const double most = difference(ours, theirs, tolerance(name), excess);
        std::printf("%-36s %-14s %-14s max |difference| %.2e\n", GetParam().stem().c_str(), name.c_str(),
                    attn::describe(ours.shape()).c_str(), most);
        EXPECT_LE(excess, 1.0) << name << ": max |difference| " << most;
        EXPECT_FALSE(std::isnan(excess)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(cases()), [](const auto& instance) {
    std::string name = instance.param.stem().string();
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(GoldenCases, EveryMechanismHasOne) {
    for (const attn::Mechanism& mechanism : attn::mechanisms()) {
        const bool has = std::ranges::any_of(
            cases(), [&](const fs::path& path) { return path.stem().string().starts_with(mechanism.id); });
        EXPECT_TRUE(has) << mechanism.id;
    }
}

}  // namespace
