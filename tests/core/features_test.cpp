#include "core/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/channels.h"
#include "core/error.h"
#include "core/matrix.h"
#include "core/random.h"

namespace attn {
namespace {

using testing::Each;
using testing::FloatEq;

Array picture(Index height, Index width) {
    Random random(11);
    Array colours({3, height, width});
    for (float& x : colours.values()) x = static_cast<float>(random.uniform());
    return colours;
}

/// A column per position.
ConstMatrixView columns(const Array& map) {
    return matrix(map, map.extent(0), map.extent(1) * map.extent(2));
}

TEST(Random, IsTheSameEverywhere) {
    Random random(0);  // the published sequence of splitmix64
    EXPECT_EQ(random.bits(), 0xE220A8397B1DCDAFULL);
    EXPECT_EQ(random.bits(), 0x6E789E6AA1B965F4ULL);
    EXPECT_EQ(random.bits(), 0x06C45D188009454FULL);
}

TEST(Random, NormalNumbersAreNormal) {
    Random random(5);
    const int count = 40000;
    double sum = 0.0;
    double squares = 0.0;
    int beyond_two = 0;
    for (int i = 0; i < count; ++i) {
        const double x = random.normal();
        sum += x;
        squares += x * x;
        beyond_two += std::abs(x) > 2.0 ? 1 : 0;
    }
    EXPECT_NEAR(sum / count, 0.0, 0.02);
    EXPECT_NEAR(squares / count, 1.0, 0.03);
    EXPECT_NEAR(beyond_two / static_cast<double>(count), 0.0455, 0.005);
}

TEST(Features, CentredHasNoMeanAndKeepsDifferences) {
    const Array colours = picture(5, 8);
    const Array centred = features(colours, "centred", 0, 0);
    EXPECT_LT(columns(centred).rowwise().mean().cwiseAbs().maxCoeff(), 1e-6F);
    EXPECT_NEAR(columns(centred)(1, 3) - columns(centred)(1, 9),
                columns(colours)(1, 3) - columns(colours)(1, 9), 1e-6F);
    EXPECT_EQ(features(colours, "raw", 0, 0), colours);
}

TEST(Features, CosineHasUnitLengthButZeroStaysZero) {
    const Array cosine = features(picture(5, 8), "cosine", 0, 0);
    for (Index p = 0; p < 40; ++p) EXPECT_NEAR(columns(cosine).col(p).norm(), 1.0F, 1e-6F);
    // Of one colour that a float does not hold exactly: what rounding leaves must not become a direction.
    EXPECT_THAT(features(Array({3, 7, 9}, 0.1F), "cosine", 0, 0).values(), Each(0.0F));
    EXPECT_THAT(features(Array({3, 7, 9}, 0.1F), "random", 16, 7).values(), Each(0.0F));
}

TEST(Features, PositionRunsFromMinusOneToOne) {
    const Array at = features(picture(3, 5), "position", 0, 0);
    ASSERT_EQ(at.shape(), (Shape{5, 3, 5}));
    const auto rows = columns(at).bottomRows(2);
    EXPECT_EQ(rows.col(0), Eigen::Vector2f(-1, -1));
    EXPECT_EQ(rows.col(7), Eigen::Vector2f(0, 0));
    EXPECT_EQ(rows.col(14), Eigen::Vector2f(1, 1));
    EXPECT_THAT(features(picture(1, 1), "position", 0, 0).values(), Each(0.0F));
}

TEST(Features, PatchesHoldTheNeighbourhoodWithItsEdgeRepeated) {
    const Array colours = picture(4, 6);
    const Array centred = features(colours, "centred", 0, 0);
    const Array patches = features(colours, "patches", 0, 0);
    ASSERT_EQ(patches.shape(), (Shape{27, 4, 6}));
    const auto value = [&](Index colour, Index dy, Index dx, Index y, Index x) {
        return columns(patches)(9 * colour + 3 * (dy + 1) + dx + 1, y * 6 + x);
    };
    EXPECT_EQ(value(2, -1, 1, 2, 3), columns(centred)(2, 1 * 6 + 4));
    EXPECT_EQ(value(1, -1, -1, 0, 0), columns(centred)(1, 0));
    EXPECT_EQ(value(0, 1, 1, 3, 5), columns(centred)(0, 3 * 6 + 5));
}

TEST(Features, RandomProjectionsFollowTheSeed) {
    const Array colours = picture(4, 6);
    const Array seven = features(colours, "random", 40, 7);
    ASSERT_EQ(seven.shape(), (Shape{40, 4, 6}));
    EXPECT_EQ(seven, features(colours, "random", 40, 7));
    EXPECT_NE(seven, features(colours, "random", 40, 8));
    for (Index p = 0; p < 24; ++p) EXPECT_NEAR(columns(seven).col(p).norm(), 1.0F, 1e-6F);

    Random random(1);
    const Array weights = random_projection(400, 27, random);
    EXPECT_NEAR(vector(weights).squaredNorm() / 400.0F, 1.0F, 0.05F);  // variance 1/27
}

TEST(Features, RefuseWhatTheyCannotRead) {
    EXPECT_THROW(features(Array({4, 5, 5}), "raw", 0, 0), Error);
    EXPECT_THROW(features(Array({3, 0, 5}), "raw", 0, 0), Error);
    EXPECT_THROW(features(picture(2, 2), "colour", 0, 0), UsageError);
    EXPECT_THROW(features(picture(2, 2), "random", 0, 0), UsageError);
    Array broken = picture(2, 2);
    broken.values()[3] = std::nanf("");
    EXPECT_THROW(features(broken, "cosine", 0, 0), Error);
}

TEST(Features, EveryChoiceOfTheKnobIsAKind) {
    const auto schema = feature_parameters();
    const Parameter* kinds = find(schema, "features");
    ASSERT_NE(kinds, nullptr);
    EXPECT_EQ(kinds->choices.size(), 6U);
    for (const Choice& choice : kinds->choices)
        EXPECT_NO_THROW(features(picture(3, 4), choice.id, 8, 7)) << choice.id;
}

TEST(Channels, EachFilterAnswersToItsOwn) {
    Array colours({3, 6, 8});  // red at the left, black at the right
    auto red = columns(colours);
    for (Index y = 0; y < 6; ++y)
        for (Index x = 0; x < 4; ++x) matrix(colours, 3, 48)(0, y * 8 + x) = 1.0F;
    const Array maps = channels(colours);
    ASSERT_EQ(maps.shape(), (Shape{8, 6, 8}));
    ASSERT_EQ(channel_names().size(), 8U);
    const auto map = columns(maps);
    EXPECT_EQ(map.row(0), red.row(0));
    EXPECT_EQ(map.row(7), red.row(0));
    EXPECT_TRUE(map.row(3).isApprox(red.row(0) / 3.0F));
    EXPECT_TRUE(map.row(4).isZero(1e-6F)) << "no edge runs horizontally";
    EXPECT_NEAR(map(5, 2 * 8 + 3), 1.0F / 3.0F, 1e-6F);  // a step of ⅓ in brightness, on both its sides
    EXPECT_NEAR(map(5, 2 * 8 + 4), 1.0F / 3.0F, 1e-6F);
    EXPECT_NEAR(map(5, 2 * 8 + 1), 0.0F, 1e-6F);
    EXPECT_NEAR(map(6, 2 * 8 + 3), 3.0F / 5.0F / 3.0F, 1e-6F);  // 3 of 5 columns are red

    const Array noise = channels(picture(5, 7));
    EXPECT_TRUE(std::ranges::all_of(noise.values(), [](float x) { return x >= 0.0F && x <= 1.0F; }));
}

}  // namespace
}  // namespace attn
