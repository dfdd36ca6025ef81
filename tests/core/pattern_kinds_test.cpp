#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/pattern_layer.h"
#include "tests/core/bound_patterns.h"

namespace {

using attn::bound;
using attn::BoundPattern;
using attn::describe;
using attn::expect_keys_equal_predicate;
using attn::Grid;
using attn::Index;
using attn::keys;
using attn::Layer;
using attn::layer;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two ends of a query's keys on a sequence, which must have no gap.
std::pair<Index, Index> span(const BoundPattern& pattern, Index q) {
    const auto k = keys(pattern, q);
    EXPECT_EQ(k.back() - k.front() + 1, static_cast<Index>(k.size()));
    return {k.front(), k.back()};
}
Index mask_sum(const BoundPattern& pattern) {
    Index sum = 0;
    for (Index q = 0; q < pattern.size(); ++q) sum += pattern.count(q);
    return sum;
}

TEST(LocalWindow, CountsWhatKIsSays) {
    const Grid line{1, 32};
    EXPECT_EQ(span(bound("local k=5", line), 10), std::pair(Index{8}, Index{12}));
    EXPECT_EQ(span(bound("local k=4", line), 10), std::pair(Index{8}, Index{11}));  // even sides lean back
    EXPECT_EQ(span(bound("local k=5 k_is=radius", line), 10), std::pair(Index{5}, Index{15}));
    EXPECT_EQ(span(bound("local k=5 k_is=lookback", line), 10), std::pair(Index{6}, Index{10}));
    EXPECT_EQ(span(bound("local k=5 k_is=lookback-beside", line), 10), std::pair(Index{5}, Index{10}));
}

TEST(LocalWindow, SaysHowManyKeysItHas) {
    const attn::Pattern& local = attn::pattern("local");
    const auto sentence = [&](const attn::Values& set) {
        return local.sentence(attn::Knobs(local.parameters, set), {16, 16});
    };
    EXPECT_EQ(sentence({}), "7 keys a side: 3 left, itself, 3 right");
    EXPECT_EQ(sentence({{"k", Index{4}}}), "4 keys a side: 2 left, itself, 1 right");
    EXPECT_EQ(sentence({{"k", Index{3}}, {"k_is", std::string("lookback-beside")}}),
              "4 keys a side: 3 left, itself");
}

TEST(LocalWindow, HasAnEdgeRule) {
    const Grid square{16, 16};
    EXPECT_EQ(bound("local", square).count(121), 49);
    EXPECT_EQ(bound("local", square).count(0), 16);
    EXPECT_EQ(bound("local edge=shift", square).count(0), 49);
    EXPECT_EQ(mask_sum(bound("local", square)), 10000);
    EXPECT_THAT(keys(bound("local k=5 edge=wrap", {1, 8}), 0), ElementsAre(0, 1, 2, 6, 7));
    EXPECT_EQ(bound("local k=8 edge=wrap", {1, 8}).count(3), 8);
    EXPECT_EQ(bound("local k=9 edge=wrap", {1, 8}).count(3), 8);  // a set: each key once
    EXPECT_EQ(bound("local edge=zero", square).count(0), 16);
    EXPECT_EQ(bound("local edge=zero", square).stored(0), 49);
    EXPECT_EQ(bound("local edge=zero", {1, 16}).stored(0), 7);  // an axis of length 1 has window 1
}

TEST(LocalWindow, ClippedIsPartOfShifted) {
    std::mt19937 random(8);
    for (int i = 0; i < 40; ++i) {
        const Grid grid{3 + static_cast<Index>(random() % 7), 3 + static_cast<Index>(random() % 7)};
        const std::string knobs =
            "dilated k=" + std::to_string(1 + random() % 3) + " dilation=" + std::to_string(1 + random() % 3);
        if (attn::problem(layer(knobs + " edge=shift"), grid)) continue;
        const BoundPattern clip = bound(knobs + " edge=clip", grid);
        const BoundPattern shift = bound(knobs + " edge=shift", grid);
        for (Index q = 0; q < grid.size(); ++q) {
            ASSERT_TRUE(std::ranges::includes(keys(shift, q), keys(clip, q))) << describe(clip) << q;
            ASSERT_EQ(shift.count(q), shift.count(0)) << describe(shift);
        }
    }
}

TEST(LocalWindow, WrappedIsTheSameFromEveryQuery) {
    const Grid grid{6, 10};
    const BoundPattern wrap = bound("dilated k=4 dilation=3 edge=wrap", grid);
    const auto moved = [&](Index k, Index q) { return (k / 10 + q / 10) % 6 * 10 + (k % 10 + q % 10) % 10; };
    for (Index q = 0; q < grid.size(); ++q) {
        auto expected = keys(wrap, 0);
        for (Index& k : expected) k = moved(k, q);
        std::ranges::sort(expected);
        ASSERT_EQ(keys(wrap, q), expected) << q;
    }
}

TEST(Neighborhood, MovesInwards) {
    const std::vector<std::pair<Index, Index>> odd = {{0, 2}, {0, 2}, {1, 3}, {2, 4},
                                                      {3, 5}, {4, 6}, {5, 7}, {5, 7}};
    const std::vector<std::pair<Index, Index>> even = {{0, 3}, {0, 3}, {0, 3}, {1, 4},
                                                       {2, 5}, {3, 6}, {4, 7}, {4, 7}};
    for (Index q = 0; q < 8; ++q) {
        EXPECT_EQ(span(bound("neighborhood k=3", {1, 8}), q), odd[static_cast<std::size_t>(q)]) << q;
        EXPECT_EQ(span(bound("neighborhood k=4", {1, 8}), q), even[static_cast<std::size_t>(q)]) << q;
    }
}

TEST(Axial, CountsKeysOfItsSpan) {
    const Grid square{16, 16};
    EXPECT_EQ(bound("axial", square).count(121), 31);
    EXPECT_EQ(bound("axial", square).stored(121), 32);
    EXPECT_EQ(bound("axial m=7", square).count(121), 13);
    EXPECT_EQ(bound("axial m=8", square).count(121), 17);
    EXPECT_EQ(bound("axial m=256", square).count(121), 31);
    EXPECT_EQ(bound("criss-cross", square).stored(121), 31);
    EXPECT_EQ(bound("axial m=7", {4, 16}).count(21), 4 + 6);  // a column of 4 is shorter than the span
}

TEST(Blocks, AreOutlinedWithTheirMemory) {
    const attn::Outlines strip = bound("block-1d l_q=20 l_m=10", {16, 16}).outlines(25);
    EXPECT_THAT(strip.block, ElementsAre(attn::Region{1, 4, 1, 12}, attn::Region{2, 0, 1, 8}));
    EXPECT_THAT(strip.memory, ElementsAre(attn::Region{0, 10, 1, 6}, attn::Region{1, 0, 1, 4}));
    const attn::Outlines block = bound("block-2d", {16, 16}).outlines(121);
    EXPECT_THAT(block.block, ElementsAre(attn::Region{4, 8, 4, 4}));
    EXPECT_THAT(block.memory, ElementsAre(attn::Region{0, 4, 4, 12}, attn::Region{4, 4, 4, 4}));
    using attn::Border;
    EXPECT_THAT(attn::outline(strip.block, {16, 16}),
                ElementsAre(Border{1, 4, 12, false}, Border{2, 0, 4, false}, Border{2, 8, 8, false},
                            Border{3, 0, 8, false}, Border{2, 0, 1, true}, Border{1, 4, 1, true},
                            Border{2, 8, 1, true}, Border{1, 16, 1, true}));
}

TEST(Gsa, CountsSummaryKeysAndStandsForTheirCells) {
    const BoundPattern gsa = bound("gsa", {10, 14});
    EXPECT_EQ(gsa.count(0), 2 * 3);
    EXPECT_EQ(keys(gsa, 0).size(), 8U * 12U);
    EXPECT_FALSE(gsa.sees(0, 8 * 14));  // a left-over row belongs to no cell
    const BoundPattern causal = bound("gsa causal=true", {8, 8});
    EXPECT_EQ(causal.count(26), 0);
    EXPECT_EQ(causal.count(27), 1);  // row 3, column 3 ends the first cell
    EXPECT_EQ(causal.count(31), 2);
}

TEST(BigBird, DrawsFurtherBlocksOnceAndAlwaysTheSame) {
    const BoundPattern pattern = bound("bigbird block=4 globals=1 random=2", {1, 64});
    EXPECT_EQ(pattern.count(0), 64);
    EXPECT_EQ(pattern.count(32), (3 + 1 + 2) * 4);
    EXPECT_EQ(keys(pattern, 32), keys(bound("bigbird block=4 globals=1 random=2 seed=1", {1, 64}), 33));
    EXPECT_NE(keys(pattern, 32), keys(bound("bigbird block=4 globals=1 random=2 seed=2", {1, 64}), 32));
    EXPECT_EQ(bound("bigbird block=4 random=999", {1, 64}).count(32), 64);
}

TEST(Document, ReadsItsBoundaries) {
    EXPECT_EQ(span(bound("document", {1, 9}), 4), std::pair(Index{3}, Index{5}));
    EXPECT_EQ(span(bound("document boundaries='2, 5'", {1, 9}), 7), std::pair(Index{5}, Index{8}));
    for (const char* wrong : {"'5, 2'", "9", "'2,'", "two", "0", "'2 5'"})
        EXPECT_TRUE(attn::problem(layer("document boundaries=" + std::string(wrong)), {1, 9})) << wrong;
}

TEST(Combinations, AreSetAlgebra) {
    const Grid grid{7, 9};
    const BoundPattern a = bound("axial m=3", grid);
    const BoundPattern b = bound("strided l=5", grid);
    const BoundPattern both = bound("axial m=3 and strided l=5", grid);
    const BoundPattern either = bound("axial m=3 or strided l=5", grid);
    const BoundPattern only_a = bound("axial m=3 and not strided l=5", grid);
    for (Index q = 0; q < grid.size(); ++q)
        for (Index k = 0; k < grid.size(); ++k) {
            ASSERT_EQ(both.sees(q, k), a.sees(q, k) && b.sees(q, k));
            ASSERT_EQ(either.sees(q, k), a.sees(q, k) || b.sees(q, k));
            ASSERT_EQ(only_a.sees(q, k), a.sees(q, k) && !b.sees(q, k));
        }
    for (const BoundPattern& pattern : {both, either, only_a, bound("not (not local k=3)", grid)})
        expect_keys_equal_predicate(pattern);
}

// Sentences.

std::string sentence(std::string_view text, Grid grid) {
    return attn::problem(layer(text), grid).value_or("");
}

TEST(IllegalSettings, AreAnsweredWithASentence) {
    EXPECT_THAT(sentence("local k=9 edge=shift", {8, 8}),
                HasSubstr("9 keys at dilation 1, which need a side of 9"));
    EXPECT_THAT(sentence("neighborhood k=3 dilation=3", {8, 20}), HasSubstr("8×20"));
    EXPECT_EQ(sentence("neighborhood k=3 dilation=3", {1, 20}), "");
    EXPECT_EQ(sentence("dilated k=9 dilation=9", {8, 8}), "");  // clipped windows may be any size
    EXPECT_THAT(sentence("swin shift=4", {8, 8}), HasSubstr("less than the window of 4"));
    EXPECT_THAT(sentence("gsa subsample=9", {8, 8}), HasSubstr("leaves no key"));
    EXPECT_THAT(sentence("custom text='q = k'", {8, 8}), HasSubstr("lone ="));
    for (const char* wrong :
         {"dilated dilation=0", "block-1d l_q=0", "local k=0", "sinks window=0", "local edge=soft"})
        EXPECT_THROW(layer(wrong), attn::UsageError) << wrong;
    EXPECT_THROW(BoundPattern(Layer{Layer::Kind::pattern, "local", {{"k", Index{0}}}, {}}, {8, 8}),
                 attn::UsageError);
    EXPECT_THROW(BoundPattern(Layer{}, Grid{0, 8}), attn::Error);
}

TEST(Stack, IsReadAndWrittenBack) {
    for (const char* text :
         {"local k=7; axial", "local edge=shift k=7 k_is=radius", "swin; swin shift=2", "not global",
          "local or axial m=3 and not causal", "(local or axial) and causal",
          "custom text=\"k < 4 && !(q%2)\"; gsa", "local causal=true; not (sinks and prefix length=2)"}) {
        const std::vector<Layer> stack = attn::parse_stack(text);
        EXPECT_EQ(attn::parse_stack(attn::format_stack(stack)), stack) << text;
    }
    EXPECT_EQ(attn::format_stack(attn::parse_stack("local  k = 7 ;axial")), "local k=7; axial");
    EXPECT_EQ(attn::parse_stack("local or axial and causal").front().parts[1].kind, Layer::Kind::both);
}

TEST(Stack, NamesTheWordItStumbledOn) {
    const auto complaint = [](std::string_view text) -> std::string {
        try {
            attn::parse_stack(text);
        } catch (const attn::UsageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(complaint("locl"), HasSubstr("got 'locl'"));
    EXPECT_THAT(complaint("local m=3"), HasSubstr("a knob of local (k, k_is, edge, causal), got 'm'"));
    EXPECT_THAT(complaint("local k=x"), HasSubstr("got 'x'"));
    EXPECT_THAT(complaint("local k="), HasSubstr("a value for k, got its end"));
    EXPECT_THAT(complaint("local; "), HasSubstr("a pattern, got its end"));
    EXPECT_THAT(complaint("(local"), HasSubstr("and, or or )"));
    EXPECT_THAT(complaint("local 7"), HasSubstr("got '7'"));
    EXPECT_THAT(complaint("custom text=\"k<4"), HasSubstr("closing \""));
    EXPECT_THAT(complaint(""), HasSubstr("a pattern"));
}

}  // namespace