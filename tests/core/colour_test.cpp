#include "core/colour.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/error.h"

namespace attn {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");

Colouring colouring(Scale scale, Range range = {}) {
    return {.ramp = &viridis(),
            .range = range,
            .scale = scale,
            .masked = rgb(0x111111),
            .nan = rgb(0x222222),
            .plus_infinity = rgb(0x333333),
            .minus_infinity = rgb(0x444444)};
}

Cells classify_row(const std::vector<float>& values, Scale scale, Range range = {}, Index keys = 0) {
    return classify(values, static_cast<Index>(values.size()), colouring(scale, range), {}, keys);
}

Range fixed(double low, double high) {
    return {.kind = Range::Kind::fixed, .low = low, .high = high};
}

int index_of(const Cells& cells, std::size_t i) {
    return ramp_index(cells.position[i], cells.low, cells.high);
}

TEST(Viridis, PassesThroughItsPublishedAnchors) {
    EXPECT_EQ(viridis()[0], rgb(0x440154));
    EXPECT_EQ(viridis()[51], rgb(0x414487));
    EXPECT_EQ(viridis()[102], rgb(0x2A788E));
    EXPECT_EQ(viridis()[153], rgb(0x22A884));
    EXPECT_EQ(viridis()[204], rgb(0x7AD151));
    EXPECT_EQ(viridis()[255], rgb(0xFDE725));
    const Colour fifth = mix(viridis()[127], viridis()[128], 0.5);  // the anchor lies between two entries
    EXPECT_NEAR(fifth.r, 0x21, 1);
    EXPECT_NEAR(fifth.g, 0x90, 1);
    EXPECT_NEAR(fifth.b, 0x8C, 1);
}

TEST(Viridis, GrowsLighterWithoutAStep) {
    const auto light = [](std::size_t i) { return contrast(viridis()[i], rgb(0)); };
    for (std::size_t i = 1; i < viridis().size(); ++i) {
        EXPECT_LT(light(i) / light(i - 1), 1.05) << i;
        if (i >= 4) {  // a single entry may be off by its rounding to 8 bits
            EXPECT_GT(light(i), light(i - 4)) << i;
        }
    }
}

TEST(BlueRed, IsNeutralInTheMiddleAndOfEqualWeightOnBothSides) {
    const Ramp& ramp = blue_red();
    EXPECT_EQ(ramp[127], rgb(0xF7F7F7));
    EXPECT_EQ(ramp[128], rgb(0xF7F7F7)) << "where zero falls in a symmetric range";
    EXPECT_GT(ramp[0].b, ramp[0].r + 60);
    EXPECT_GT(ramp[255].r, ramp[255].b + 60);
    const Colour white = rgb(0xFFFFFF);
    for (std::size_t i = 0; i < 128; ++i) {
        const double blue = contrast(ramp[i], white);
        const double red = contrast(ramp[255 - i], white);
        EXPECT_NEAR(blue / red, 1.0, 0.13) << i;
        if (i > 0) {
            EXPECT_LE(blue, contrast(ramp[i - 1], white)) << i;
        }
    }
}

TEST(Colour, MixesAndContrasts) {
    EXPECT_EQ(mix(rgb(0x000000, 0), rgb(0x0A64C8, 200), 0.5), rgb(0x053264, 100));
    EXPECT_EQ(mix(rgb(0x123456), rgb(0xFEDCBA), 0.0), rgb(0x123456));
    EXPECT_EQ(mix(rgb(0x123456), rgb(0xFEDCBA), 1.0), rgb(0xFEDCBA));
    EXPECT_DOUBLE_EQ(contrast(rgb(0x000000), rgb(0xFFFFFF)), 21.0);
    EXPECT_DOUBLE_EQ(contrast(rgb(0x767676), rgb(0x767676)), 1.0);
    EXPECT_NEAR(contrast(rgb(0xFFFFFF), rgb(0x767676)), 4.54, 0.005) << "the known grey of WCAG AA";
}

TEST(RampIndex, IsTheFormulaThatTheShaderRepeats) {
    EXPECT_EQ(ramp_index(0.0F, 0.0F, 1.0F), 0);
    EXPECT_EQ(ramp_index(1.0F, 0.0F, 1.0F), 255);
    EXPECT_EQ(ramp_index(0.5F, 0.0F, 1.0F), 128);
    EXPECT_EQ(ramp_index(-9.0F, 0.0F, 1.0F), 0);
    EXPECT_EQ(ramp_index(9.0F, 0.0F, 1.0F), 255);
    EXPECT_EQ(ramp_index(3.0F, 3.0F, 3.0F), 255);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-2.0F, 2.0F);
    for (int i = 0; i < 10000; ++i) {
        const float low = uniform(random);
        const float high = low + 0.1F + std::abs(uniform(random));
        const float v = uniform(random);
        volatile float share = (v - low) * (1.0F / (high - low));
        volatile float scaled = std::clamp(static_cast<float>(share), 0.0F, 1.0F) * 255.0F;
        ASSERT_EQ(ramp_index(v, low, high), static_cast<int>(std::floor(scaled + 0.5F))) << v << low << high;
    }
}

TEST(Classify, GivesEveryKindOfCellItsClassAndLook) {
    const std::vector<float> values = {0.5F, 0.5F, nan, infinity, -infinity, -0.1F, 1.1F, nan};
    const std::vector<std::uint8_t> flags = {0, 1, 0, 0, 0, 0, 0, 1};
    const Colouring how = colouring(Scale::linear, fixed(0, 1));
    const Cells cells = classify(values, 4, how, flags);
    EXPECT_EQ(cells.height, 2);
    EXPECT_EQ(cells.width, 4);
    EXPECT_THAT(cells.classes, ElementsAre(CellClass::value, CellClass::masked, CellClass::nan,
                                           CellClass::plus_infinity, CellClass::minus_infinity,
                                           CellClass::below, CellClass::above, CellClass::masked));
    EXPECT_THAT(cells.position, Each(testing::AllOf(testing::Ge(0.0F), testing::Le(1.0F))))
        << "no NaN for a texture";

    const std::vector<Colour> looks = {viridis()[128],     how.masked,   how.nan,        how.plus_infinity,
                                       how.minus_infinity, viridis()[0], viridis()[255], how.masked};
    const std::vector<std::uint8_t> pixels = colour_cells(cells, how);
    for (std::size_t i = 0; i < looks.size(); ++i) {
        EXPECT_EQ(colour_of(cells.position[i], cells.classes[i], cells, how), looks[i]) << i;
        EXPECT_EQ((Colour{pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2], pixels[4 * i + 3]}), looks[i])
            << i;
    }
}

TEST(Classify, AutomaticRangeIgnoresWhatIsNoDatum) {
    const std::vector<float> values = {2, 3, -9, nan, infinity, -infinity};
    const std::vector<std::uint8_t> masked = {0, 0, 1, 0, 0, 0};
    const Cells cells = classify(values, 6, colouring(Scale::linear), masked);
    EXPECT_EQ(cells.shown_low, 2);
    EXPECT_EQ(cells.shown_high, 3);
    EXPECT_EQ(index_of(cells, 0), 0);
    EXPECT_EQ(index_of(cells, 1), 255);
}

TEST(Classify, FixedEndsBelongToTheRange) {
    const Cells cells = classify_row({0.1F, 0.7F}, Scale::linear, fixed(0.1, 0.7));
    EXPECT_THAT(cells.classes, Each(CellClass::value))
        << "0.1 of the data is 0.1 of the range, float or double";
    EXPECT_EQ(cells.shown_low, 0.1);
}

TEST(Classify, SymmetricRangeKeepsZeroInTheMiddle) {
    const Range symmetric = {.kind = Range::Kind::symmetric};
    const Cells cells = classify_row({-4, 0, 1}, Scale::linear, symmetric);
    EXPECT_EQ(cells.shown_low, -4);
    EXPECT_EQ(cells.shown_high, 4);
    EXPECT_EQ(index_of(cells, 1), 128);
    EXPECT_EQ(index_of(classify_row({0, 0}, Scale::linear, symmetric), 0), 128) << "nothing but zeros";
}

TEST(Classify, LogarithmicScaleSpansAtMostFiveDecades) {
    using enum CellClass;
    const Cells cells = classify_row({1, 1e-2F, 1e-4F, 1e-40F, 0, -1}, Scale::logarithmic);
    EXPECT_THAT(cells.classes, ElementsAre(value, value, value, below, below, below));
    EXPECT_THAT(cells.position, Pointwise(FloatNear(1e-5F), {0, -2, -4, -5, -5, -5}));
    EXPECT_NEAR(cells.shown_low, 1e-5, 1e-10);
    EXPECT_EQ(cells.shown_high, 1);

    const Cells narrow = classify_row({1, 1e-2F}, Scale::logarithmic);
    EXPECT_NEAR(narrow.low, -2, 1e-6) << "no wider than the data";
    EXPECT_THAT(classify_row({0, -3}, Scale::logarithmic).classes, Each(below)) << "no datum at all";
    EXPECT_NEAR(classify_row({1}, Scale::logarithmic, fixed(0, 10)).low, -4, 1e-6);
}

TEST(Classify, UniformScaleCountsInUniformWeights) {
    const Cells cells = classify_row({0.25F, 0.025F, 1.0F}, Scale::uniform, {}, 4);
    EXPECT_THAT(cells.position, Pointwise(FloatNear(1e-6F), {0.0F, -1.0F, std::log10(4.0F)}));
    EXPECT_NEAR(cells.shown_low, 0.1, 1e-7);
    EXPECT_EQ(cells.shown_high, 4.0);
}

TEST(Classify, RankIsByOrderAndTiesShareTheMean) {
    const Cells cells = classify_row({7, -1, 7, 1000, nan, -3, 7}, Scale::rank);
    EXPECT_THAT(cells.position, Pointwise(FloatNear(1e-6F), {0.6F, 0.2F, 0.6F, 1.0F, 0.0F, 0.0F, 0.6F}));
    EXPECT_EQ(cells.low, 0);
    EXPECT_EQ(cells.high, 1);
    EXPECT_EQ(cells.shown_low, -3);
    EXPECT_EQ(cells.shown_high, 1000);
    EXPECT_THAT(classify_row({0.0F, -0.0F, 0.0F}, Scale::rank).position, Each(0.5F));
}

TEST(Classify, RankOfManyIsTheirOrder) {
    std::mt19937 random(2);
    std::normal_distribution<float> normal(0.0F, 1e3F);
    std::vector<float> values(5000);
    for (float& v : values) v = std::pow(normal(random), 3.0F);
    const Cells cells = classify_row(values, Scale::rank);
    for (std::size_t i = 0; i < values.size(); i += 97) {
        const auto smaller =
            std::count_if(values.begin(), values.end(), [&](float v) { return v < values[i]; });
        EXPECT_NEAR(cells.position[i], static_cast<double>(smaller) / 4999.0, 1e-6);
    }
}

TEST(Classify, EveryRowCanHaveItsOwnRange) {
    const std::vector<float> values = {1, 2, 3, 10, 30, 20, 5, 5, 5, 0, nan, 0};
    const Range per_row = {.kind = Range::Kind::per_row};
    const Cells cells = classify(values, 3, colouring(Scale::linear, per_row));
    EXPECT_EQ(cells.low, 0);
    EXPECT_EQ(cells.high, 1);
    EXPECT_THAT(std::vector<float>(cells.position.begin(), cells.position.begin() + 9),
                ElementsAre(0, 0.5F, 1, 0, 1, 0.5F, 1, 1, 1));
    EXPECT_EQ(cells.classes[10], CellClass::nan);
    const Cells ranks = classify(values, 3, colouring(Scale::rank, per_row));
    EXPECT_THAT(std::vector<float>(ranks.position.begin(), ranks.position.begin() + 6),
                ElementsAre(0, 0.5F, 1, 0, 1, 0.5F));
}

TEST(Classify, SaysWhatItCannotTake) {
    EXPECT_THROW(classify(std::vector<float>(5), 2, colouring(Scale::linear)), Error);
    EXPECT_THROW(classify(std::vector<float>(4), 2, colouring(Scale::linear), std::vector<std::uint8_t>(3)),
                 Error);
    EXPECT_THROW(classify_row({1}, Scale::linear, fixed(1, 0)), Error);
    EXPECT_THROW(classify_row({1}, Scale::logarithmic, fixed(-2, 0)), Error);
    EXPECT_THROW(classify_row({1}, Scale::uniform), Error);
    EXPECT_TRUE(classify({}, 0, colouring(Scale::linear)).position.empty());
}

}  // namespace
}  // namespace attn
