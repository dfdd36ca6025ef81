#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/pattern_layer.h"
#include "tests/core/bound_patterns.h"

namespace {

namespace fs = std::filesystem;
using attn::bound;
using attn::BoundPattern;
using attn::describe;
using attn::expect_keys_equal_predicate;
using attn::Grid;
using attn::Index;
using attn::keys;
using attn::Layer;

// Golden masks from the authors' own code.

std::vector<fs::path> masks() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(fs::path(ATTNSCOPE_TESTS) / "golden" / "patterns"))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

class GoldenMask : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenMask, IsTheSame) {
    const attn::Case file = attn::read_npz(attn::read_file(GetParam()), GetParam().filename().string());
    Layer given{Layer::Kind::pattern, std::get<std::string>(file.knobs.at("pattern")), {}, {}};
    for (const auto& [id, value] : file.knobs)
        if (id != "pattern" && id != "H" && id != "W") given.set[id] = value;
    const BoundPattern pattern(given,
                               {std::get<Index>(file.knobs.at("H")), std::get<Index>(file.knobs.at("W"))});
    const attn::Array& mask = attn::require(file.arrays, "out.mask", {256, 256});
    std::vector<unsigned char> row(256);
    for (Index q = 0; q < 256; ++q) {
        pattern.mask_row(q, row);
        for (Index k = 0; k < 256; ++k) {
            const bool expected = mask.values()[static_cast<std::size_t>(q * 256 + k)] != 0.0F;
            ASSERT_EQ(pattern.sees(q, k), expected) << "query " << q << ", key " << k;
            ASSERT_EQ(row[static_cast<std::size_t>(k)] != 0, expected) << "query " << q << ", key " << k;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Patterns, GoldenMask, testing::ValuesIn(masks()), [](const auto& mask) {
    std::string name = mask.param.stem().string();
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(GoldenMasks, AreAllThere) {
    EXPECT_EQ(masks().size(), 28U);
}

// Random settings.

attn::Value random_value(const attn::Parameter& knob, std::mt19937& random) {
    const auto below = [&](Index n) { return static_cast<Index>(random() % static_cast<std::uint32_t>(n)); };
    if (knob.kind == attn::Parameter::Kind::toggle) return below(2) == 1;
    if (knob.kind == attn::Parameter::Kind::choice)
        return knob.choices[static_cast<std::size_t>(below(static_cast<Index>(knob.choices.size())))].id;
    if (knob.kind == attn::Parameter::Kind::text) return knob.initial;
    return std::max(static_cast<Index>(knob.low), below(9));
}

/// A legal setting of a pattern on a small grid.
BoundPattern random_pattern(const attn::Pattern& kind, std::mt19937& random) {
    for (;;) {
        const Grid grid{1 + static_cast<Index>(random() % 9), 1 + static_cast<Index>(random() % 9)};
        Layer made{Layer::Kind::pattern, std::string(kind.id), {}, {}};
        for (const attn::Parameter& knob : kind.parameters)
            if (random() % 4 != 0) made.set[knob.id] = random_value(knob, random);
        if (!attn::problem(made, grid)) return {made, grid};
    }
}

TEST(EveryPattern, HasKeysThatEqualItsPredicate) {
    std::mt19937 random(3);
    for (const attn::Pattern& kind : attn::patterns())
        for (int i = 0; i < 60; ++i) {
            expect_keys_equal_predicate(random_pattern(kind, random));
            if (HasFatalFailure()) return;
        }
}

TEST(EveryPattern, HasBoxesThatKeepTheirInvariant) {
    std::mt19937 random(4);
    for (const attn::Pattern& kind : attn::patterns())
        for (int i = 0; i < 30; ++i) {
            const BoundPattern pattern = random_pattern(kind, random);
            attn::Boxes boxes;
            for (Index q = 0; q < pattern.size(); ++q) {
                pattern.boxes(q, boxes);
                for (const attn::Box& box : boxes) {
                    ASSERT_TRUE(box.rows >= 1 && box.columns >= 1 && box.column_step >= 1)
                        << describe(pattern);
                    ASSERT_TRUE(box.rows == 1 || (box.columns - 1) * box.column_step < box.row_step)
                        << describe(pattern);
                }
            }
        }
}

TEST(EveryPattern, HasAProductThatIsItsBoxes) {
    std::mt19937 random(5);
    for (const attn::Pattern& kind : attn::patterns())
        for (int i = 0; i < 30; ++i) {
            const BoundPattern pattern = random_pattern(kind, random);
            if (pattern.product() == nullptr) continue;
            const Index w = pattern.grid().width;
            for (Index q = 0; q < pattern.size(); ++q) {
                std::vector<Index> found;
                for (const auto& r : pattern.product()->rows[static_cast<std::size_t>(q / w)])
                    for (const auto& c : pattern.product()->columns[static_cast<std::size_t>(q % w)])
                        for (Index i_r = 0; i_r < r.count; ++i_r)
                            for (Index i_c = 0; i_c < c.count; ++i_c)
                                found.push_back((r.first + i_r * r.step) * w + c.first + i_c * c.step);
                std::ranges::sort(found);
                ASSERT_EQ(found, keys(pattern, q)) << describe(pattern);
            }
        }
}

TEST(EveryPattern, CausalDropsTheKeysAfterTheQuery) {
    std::mt19937 random(6);
    for (const attn::Pattern& kind : attn::patterns()) {
        if (attn::find(kind.parameters, "causal") == nullptr || !kind.causal_by_raster) continue;
        for (int i = 0; i < 20; ++i) {
            Layer open = random_pattern(kind, random).layer();
            Layer causal = open;
            open.set["causal"] = false;
            causal.set["causal"] = true;
            const Grid grid{8, 9};
            if (attn::problem(open, grid)) continue;
            const BoundPattern a(open, grid);
            const BoundPattern b(causal, grid);
            for (Index q = 0; q < grid.size(); ++q) {
                auto expected = keys(a, q);
                std::erase_if(expected, [q](Index k) { return k > q; });
                ASSERT_EQ(keys(b, q), expected) << describe(b);
            }
        }
    }
}

TEST(EveryPattern, OutlinesItsKeysOrItsBlock) {
    std::mt19937 random(7);
    for (const attn::Pattern& kind : attn::patterns())
        for (int i = 0; i < 20; ++i) {
            const BoundPattern pattern = random_pattern(kind, random);
            for (Index q = 0; q < pattern.size(); ++q) {
                const attn::Outlines outlines = pattern.outlines(q);
                std::vector<int> cells(static_cast<std::size_t>(pattern.size()));
                for (const auto* part : {&outlines.block, &outlines.memory})
                    for (const attn::Region& r : *part) {
                        ASSERT_TRUE(r.height > 0 && r.width > 0) << describe(pattern);
                        for (Index row = r.row; row < r.row + r.height; ++row)
                            for (Index c = r.column; c < r.column + r.width; ++c)
                                ++cells[static_cast<std::size_t>(row * pattern.grid().width + c)];
                    }
                ASSERT_LE(std::ranges::max(cells), 1) << describe(pattern);  // regions do not overlap
                if (!outlines.block.empty() && kind.id != "local" && kind.id != "dilated") {
                    ASSERT_EQ(cells[static_cast<std::size_t>(q)], 1) << describe(pattern) << q;
                }
            }
        }
}

// Definitions.

}  // namespace
