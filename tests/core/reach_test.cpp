#include "core/reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using attn::Grid;
using attn::Index;
using attn::Stack;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

constexpr Grid square{16, 16};
constexpr Index middle = 121;  // row 7, column 9

Stack stack(std::string_view text, Grid grid = square, bool skip = false) {
    return attn::make_stack(attn::parse_stack(text), grid, skip);
}
std::vector<Index> counts(const Stack& stack, Index query, Index layers) {
    return attn::reach(stack, query, layers).counts;
}
/// Layers to cover: 0 for never.
Index covers(const Stack& stack, Index query) {
    return attn::coverage(stack, query).layers.value_or(0);
}
Index worst(const Stack& stack) {
    return attn::coverage_map(stack).worst.value_or(0);
}
std::vector<Index> histogram(const attn::CoverageMap& map) {
    std::vector<Index> queries;
    for (const auto layers : map.layers) {
        if (static_cast<std::size_t>(layers) >= queries.size())
            queries.resize(static_cast<std::size_t>(layers) + 1);
        ++queries[static_cast<std::size_t>(layers)];
    }
    return queries;
}

// What the figure must show.

TEST(MustShow, LocalWindow) {
    const Stack local = stack("local k=7");
    EXPECT_THAT(counts(local, middle, 3), ElementsAre(49, 169, 256));
    EXPECT_NEAR(attn::reach(local, middle, 2).fraction(2), 0.660, 5e-4);
    EXPECT_EQ(covers(local, middle), 3);
    EXPECT_THAT(histogram(attn::coverage_map(local)), ElementsAre(0, 0, 0, 16, 84, 156));
    EXPECT_EQ(worst(local), 5);
    EXPECT_EQ(worst(stack("local k=7 edge=shift")), 4);
    EXPECT_EQ(worst(stack("local k=7 edge=wrap")), 3);
    EXPECT_THAT(counts(local, 0, 2), ElementsAre(16, 49));
    EXPECT_THAT(counts(stack("local k=7 edge=shift"), 0, 2), ElementsAre(49, 100));
    EXPECT_THAT(counts(stack("local k=7 edge=zero"), 0, 2), ElementsAre(16, 49));
}

TEST(MustShow, Axial) {
    EXPECT_THAT(counts(stack("axial"), middle, 2), ElementsAre(31, 256));
    EXPECT_NEAR(attn::reach(stack("axial"), middle, 1).fraction(1), 0.121, 5e-4);
    EXPECT_THAT(histogram(attn::coverage_map(stack("axial"))), ElementsAre(0, 0, 256));
    const Stack span = stack("axial m=7");
    EXPECT_THAT(counts(span, middle, 6), ElementsAre(13, 61, 139, 211, 247, 256));
    EXPECT_EQ(worst(span), 10);
}

TEST(MustShow, GlobalAndBlocks) {
    EXPECT_EQ(worst(stack("global")), 1);
    EXPECT_THAT(counts(stack("block-1d"), middle, 4), ElementsAre(64, 96, 128, 128));
    EXPECT_FALSE(attn::coverage(stack("block-1d"), middle).layers);
    EXPECT_EQ(attn::coverage(stack("block-1d"), middle).most, 128);
    EXPECT_THAT(histogram(attn::coverage_map(stack("block-1d"))), ElementsAre(224, 0, 0, 0, 0, 0, 0, 32));
    EXPECT_EQ(covers(stack("block-1d"), 255), 7);
    EXPECT_THAT(counts(stack("block-2d"), middle, 2), ElementsAre(80, 112));
    EXPECT_THAT(histogram(attn::coverage_map(stack("block-2d"))), ElementsAre(240, 0, 0, 16));
    EXPECT_FALSE(attn::coverage_map(stack("block-2d")).worst);
    EXPECT_THAT(counts(stack("block-1d sides=both"), middle, 4), ElementsAre(96, 160, 224, 256));
    EXPECT_THAT(counts(stack("block-2d sides=around"), middle, 2), ElementsAre(144, 256));
    EXPECT_THAT(counts(stack("strided l=16"), middle, 2), ElementsAre(23, 122));
    EXPECT_THAT(counts(stack("fixed l=16 c=4"), middle, 2), ElementsAre(38, 122));
}

TEST(MustShow, StacksOfWindows) {
    const Stack swin = stack("swin; swin shift=2");
    EXPECT_THAT(counts(swin, middle, 4), ElementsAre(16, 64, 144, 256));
    EXPECT_EQ(worst(swin), 7);
    const Stack reversed = stack("swin shift=2; swin");
    EXPECT_EQ(covers(reversed, middle), 5);
    EXPECT_EQ(worst(reversed), 8);
    EXPECT_THAT(counts(stack("lsa"), middle, 3), ElementsAre(16, 16, 16));
    EXPECT_EQ(worst(stack("lsa")), 0);
    EXPECT_THAT(counts(stack("lsa; gsa"), middle, 2), ElementsAre(16, 256));
    EXPECT_THAT(counts(stack("gsa; lsa"), middle, 2), ElementsAre(256, 256));
}

TEST(MustShow, Sequences) {
    for (const Index w : {2, 5})
        for (Index l = 1; l <= 6; ++l) {
            const Stack causal = stack("sinks sinks=0 window=" + std::to_string(w), {1, 64});
            EXPECT_EQ(counts(causal, 63, l).back(), l * (w - 1) + 1);
        }
    for (Index l = 1; l <= 4; ++l)
        EXPECT_EQ(counts(stack("sliding-window radius=3", {1, 64}), 32, l).back(), 1 + 2 * 3 * l);
    const auto dilations = [](const std::string& edge) {
        std::string text;
        for (const char* d : {"1", "4", "1", "8"})
            text += (text.empty() ? "" : "; ") + ("dilated k=7 dilation=" + std::string(d)) + " edge=" + edge;
        return stack(text, {1, 64});
    };
    EXPECT_THAT(counts(dilations("clip"), 32, 4), ElementsAre(7, 31, 37, 64));
    EXPECT_THAT(counts(dilations("clip"), 0, 4), ElementsAre(4, 16, 19, 43));
    EXPECT_THAT(counts(dilations("shift"), 0, 4), ElementsAre(7, 28, 31, 64));
    EXPECT_THAT(counts(stack("local k=7", {56, 56}), 56 * 28 + 28, 1), ElementsAre(49));
}

TEST(MustShow, Paths) {
    const auto two = attn::paths(stack("axial"), middle, 2);
    EXPECT_EQ(two[0].number, 2);            // another cell
    EXPECT_EQ(two[7 * 16 + 3].number, 16);  // in the same row
    EXPECT_EQ(two[middle].number, 31);      // itself
    EXPECT_NEAR(two[middle].log10, std::log10(31.0), 1e-12);
    EXPECT_THAT(attn::bridges(stack("axial"), middle, 0, 2), ElementsAre(9, 112));  // (0, 9) and (7, 0)
    EXPECT_THAT(attn::bridges(stack("local k=7"), middle, 12 * 16 + 14, 2), ElementsAre(155, 156, 171, 172));
}

// Against boolean matrices.

using Matrix = std::vector<std::vector<Index>>;

Matrix mask(const attn::BoundPattern& layer, bool skip) {
    Matrix m(static_cast<std::size_t>(layer.size()),
             std::vector<Index>(static_cast<std::size_t>(layer.size())));
    for (Index q = 0; q < layer.size(); ++q)
        for (Index k = 0; k < layer.size(); ++k)
            m[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)] =
                layer.sees(q, k) || (skip && q == k) ? 1 : 0;
    return m;
}

/// Paths a few layers deep, A_L ··· A_1.
Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.size(), std::vector<Index>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t p = 0; p < a.size(); ++p)
            if (a[i][p] != 0)
                for (std::size_t j = 0; j < a.size(); ++j) c[i][j] += a[i][p] * b[p][j];
    return c;
}

attn::Layer random_layer(std::mt19937& random, Grid grid) {
    const auto all = attn::patterns();
    for (;;) {
        const attn::Pattern& kind = all[random() % all.size()];
        attn::Layer made{attn::Layer::Kind::pattern, std::string(kind.id), {}, {}};
        for (const attn::Parameter& knob : kind.parameters) {
            if (knob.kind == attn::Parameter::Kind::integer)
                made.set[knob.id] = std::max(static_cast<Index>(knob.low), static_cast<Index>(random() % 5));
            if (knob.kind == attn::Parameter::Kind::choice)
                made.set[knob.id] = knob.choices[random() % knob.choices.size()].id;
            if (knob.kind == attn::Parameter::Kind::toggle) made.set[knob.id] = random() % 2 == 0;
        }
        if (random() % 5 == 0) made = {attn::Layer::Kind::none, {}, {}, {made}};
        if (!attn::problem(made, grid)) return made;
    }
}

/// A few random layers, of all patterns, on a random small grid.
Stack random_stack(std::mt19937& random, std::string& description) {
    const Grid grid{1 + static_cast<Index>(random() % 5), 1 + static_cast<Index>(random() % 7)};
    std::vector<attn::Layer> layers;
    for (auto n = 1 + random() % 3; n > 0; --n) layers.push_back(random_layer(random, grid));
    const bool skip = random() % 2 == 0;
    description = attn::format_stack(layers) + " on " + std::to_string(grid.height) + "×" +
                  std::to_string(grid.width) + (skip ? " with a skip connection" : "");
    return attn::make_stack(layers, grid, skip);
}

/// R_1 … R_depth of every query as path counts, from the definition.
std::vector<Matrix> reached(const Stack& stack, Index depth) {
    std::vector<Matrix> all = {mask(stack.layer(1), stack.skip)};
    for (Index l = 2; l <= depth; ++l) all.push_back(product(mask(stack.layer(l), stack.skip), all.back()));
    return all;
}

TEST(Reach, IsThatOfTheMatrices) {
    std::mt19937 random(1);
    for (int i = 0; i < 250; ++i) {
        std::string text;
        const Stack s = random_stack(random, text);
        constexpr Index depth = 5;
        const auto expected = reached(s, depth);
        for (Index q = 0; q < s.size(); q += 3) {
            const attn::Reach found = attn::reach(s, q, depth);
            const auto row = static_cast<std::size_t>(q);
            for (Index l = 1; l <= depth; ++l) {
                const auto& truth = expected[static_cast<std::size_t>(l - 1)][row];
                ASSERT_EQ(found.counts[static_cast<std::size_t>(l - 1)],
                          std::ranges::count_if(truth, [](Index n) { return n != 0; }))
                    << text << ", query " << q << ", layer " << l;
            }
            const auto numbers = attn::paths(s, q, depth);
            for (std::size_t k = 0; k < found.hops.size(); ++k) {
                std::int32_t hop = -1;
                for (std::size_t l = depth; l-- > 0;)
                    if (expected[l][row][k] != 0) hop = static_cast<std::int32_t>(l) + 1;
                ASSERT_EQ(found.hops[k], k == row ? 0 : hop) << text << ", query " << q << ", key " << k;
                ASSERT_EQ(numbers[k].number, static_cast<double>(expected[depth - 1][row][k])) << text;
            }
        }
    }
}

TEST(Reach, GrowsWhereEveryLayerSeesTheQuery) {
    std::mt19937 random(2);
    for (int i = 0; i < 100; ++i) {
        std::string text;
        Stack s = random_stack(random, text);
        s.skip = true;
        std::vector<std::int32_t> before;
        for (Index layers = 1; layers <= 4; ++layers) {
            const attn::Reach found = attn::reach(s, s.size() / 2, layers);
            ASSERT_TRUE(std::ranges::is_sorted(found.counts)) << text;
            for (std::size_t k = 0; k < before.size(); ++k) {
                if (before[k] < 0) continue;
                ASSERT_EQ(found.hops[k], before[k]) << text;
            }
            before = found.hops;
        }
    }
}

TEST(Bridges, CarryTheKey) {
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
        std::string text;
        const Stack s = random_stack(random, text);
        const auto q = static_cast<Index>(random() % static_cast<std::uint32_t>(s.size()));
        const auto k = static_cast<Index>(random() % static_cast<std::uint32_t>(s.size()));
        constexpr Index depth = 3;
        const auto carriers = reached(s, depth)[depth - 2];
        const auto asked = mask(s.layer(depth), s.skip)[static_cast<std::size_t>(q)];
        std::vector<Index> expected;
        for (std::size_t p = 0; p < asked.size(); ++p)
            if (asked[p] != 0 && carriers[p][static_cast<std::size_t>(k)] != 0)
                expected.push_back(static_cast<Index>(p));
        ASSERT_EQ(attn::bridges(s, q, k, depth), expected) << text;
    }
    EXPECT_THAT(attn::bridges(stack("local"), middle, middle + 1, 1),
                ElementsAre(middle + 1));  // the key itself
}

TEST(CoverageMap, IsTheCoverageOfEveryQuery) {
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        const Stack s = random_stack(random, text);
        const attn::CoverageMap map = attn::coverage_map(s);
        for (Index q = 0; q < s.size(); ++q)
            ASSERT_EQ(map.layers[static_cast<std::size_t>(q)], covers(s, q)) << text << ", query " << q;
        const bool never = std::ranges::count(map.layers, 0) > 0;
        ASSERT_EQ(map.worst.has_value(), !never) << text;
        ASSERT_EQ(map.layers[static_cast<std::size_t>(map.worst_query)],
                  never ? 0 : std::ranges::max(map.layers))
            << text;
    }
}

TEST(CoverageMap, IsTheSameBySeveralWays) {
    // A causal window has no rows × columns, and a long one more keys than uniting rows is worth.
    for (const char* text : {"local k=5 causal=true", "causal", "axial; local", "prefix length=4000"}) {
        const Stack s = stack(text, {33, 32});
        const attn::CoverageMap map = attn::coverage_map(s);
        for (const Index q : {Index{0}, Index{77}, Index{1055}})
            EXPECT_EQ(map.layers[static_cast<std::size_t>(q)], covers(s, q)) << text << q;
    }
    const Stack local = stack("local k=5", {33, 32});
    EXPECT_EQ(attn::coverage_map(local).layers,
              attn::coverage_map(stack("local k=5 or local k=3", {33, 32})).layers);
}

TEST(Coverage, OfRulesThatDoNotSeeTheQuery) {
    // Two steps to the right or one: R_l = q + l … q + 2l covers a ring of 9 at l = 8, long after each was
    // seen once.
    const std::string ring = "custom text='(k - q) % N == 1 || (k - q) % N == 2'";
    EXPECT_EQ(covers(stack(ring, {1, 9}), 4), 8);
    // One step either way on an even ring: the two halves take turns for ever.
    const std::string turns = "custom text='(k - q) % N == 1 || (k - q) % N == N - 1'";
    EXPECT_FALSE(attn::coverage(stack(turns, {1, 8}), 0).layers);
    EXPECT_EQ(attn::coverage(stack(turns, {1, 8}), 0).most, 4);
    EXPECT_EQ(covers(stack(turns, {1, 8}, true), 0), 4);
    EXPECT_EQ(covers(stack(turns, {1, 9}), 0), 8);
    // A blind query sees nothing.
    const attn::Coverage blind = attn::coverage(stack("custom text='q != 3 && k < 9'", {3, 3}), 3);
    EXPECT_FALSE(blind.layers);
    EXPECT_EQ(blind.most, 0);
    EXPECT_EQ(attn::reach(stack("custom text='q != 3'", {3, 3}), 3, 2).hops[3], 0);
}

TEST(Paths, AreCountedBeyondAnyNumber) {
    const Stack all = stack("global", {224, 224});
    EXPECT_EQ(attn::paths(all, 0, 4)[9].number, 50176.0 * 50176.0 * 50176.0);
    // Numbers of one word, of four, of sixteen and of sixty-four.
    const Stack small = stack("global");
    for (const Index layers : {1, 7, 8, 31, 32, 127, 128, 129, 300})
        EXPECT_NEAR(attn::paths(small, 0, layers)[255].log10,
                    static_cast<double>(layers - 1) * std::log10(256.0), 1e-9)
            << layers;
    EXPECT_TRUE(std::isinf(attn::paths(small, 0, 300)[9].number));
    EXPECT_THROW(attn::paths(small, 0, 600), attn::Error);
    // Sums that differ by far in size do not disturb each other: the far end is reached in one way only.
    const auto far = attn::paths(stack("local k=3", {1, 101}), 0, 100);
    EXPECT_EQ(far[100].number, 1);
    EXPECT_EQ(far[99].number, 100);
    EXPECT_TRUE(std::isinf(attn::paths(stack("local k=3", {1, 101}), 0, 50)[60].log10));
}

TEST(Reach, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(attn::coverage_map(stack("axial", {64, 64}), source.get_token()), attn::Cancelled);
    EXPECT_THROW(attn::coverage_map(stack("causal", {64, 64}), source.get_token()), attn::Cancelled);
    EXPECT_THROW(attn::coverage(stack("local"), 0, source.get_token()), attn::Cancelled);
    EXPECT_THROW(attn::paths(stack("local"), 0, 2, source.get_token()), attn::Cancelled);
}

TEST(Reach, RefusesWhatIsNotThere) {
    EXPECT_THROW(attn::reach(stack("local"), 256, 2), attn::Error);
    EXPECT_THROW(attn::reach(stack("local"), 0, 0), attn::Error);
    EXPECT_THROW(attn::bridges(stack("local"), 0, -1, 2), attn::Error);
    EXPECT_THROW(attn::make_stack({}, square), attn::UsageError);
}

TEST(KeysPerQuery, AreTheRowSums) {
    const auto keys = attn::keys_per_query(stack("local").layers.front());
    EXPECT_EQ(keys[0], 16);
    EXPECT_EQ(keys[middle], 49);
    EXPECT_EQ(attn::keys_per_query(stack("gsa").layers.front())[0], 16);
}

}  // namespace
