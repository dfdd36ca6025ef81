#include "app/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace attn {
namespace {

using ::testing::ElementsAre;

const FontFile& file_of(const Fonts& fonts, const Placed& glyph) {
    return fonts.files()[static_cast<std::size_t>(glyph.face)];
}

TEST(Text, TakesExactlyTheFamiliesItNames) {
    const Fonts fonts;
    ASSERT_FALSE(fonts.files().empty());
    for (const FontFile& file : fonts.files()) {
        EXPECT_TRUE(file.family == "Inter" || file.family == "DejaVu Sans") << file.family;
        EXPECT_EQ(file.path.find("Display"), std::string::npos) << file.path;
        EXPECT_EQ(file.path.find("Italic"), std::string::npos) << file.path;
        EXPECT_EQ(file.path.find("Condensed"), std::string::npos) << file.path;
        EXPECT_GT(file.em_to_pixels, 1.1);
        EXPECT_LT(file.em_to_pixels, 1.3);
    }
}

TEST(Text, SizesAreThoseOfTheLook) {
    EXPECT_EQ(Fonts::em(Type::title), 20.0);
    EXPECT_EQ(Fonts::em(Type::label), 11.0);
    EXPECT_TRUE(Fonts::semibold(Type::tile));
    EXPECT_FALSE(Fonts::semibold(Type::formula));
    const Fonts fonts;
    EXPECT_NEAR(fonts.width("softmax", Type::title) / 20.0, fonts.width("softmax", Type::tile) / 21.0, 1e-12);
    EXPECT_GT(fonts.width("softmax", Type::emphasis), fonts.width("softmax", Type::caption));
}

TEST(Text, DigitsStandInEqualCells) {
    const Fonts fonts;
    for (int i = 0; i < type_count; ++i) {
        const auto type = static_cast<Type>(i);
        for (const char* digit : {"1", "2", "3", "4", "5", "6", "7", "8", "9"})
            EXPECT_NEAR(fonts.width(digit, type), fonts.width("0", type), 1e-12) << digit;
    }
    // A narrow digit stands in the middle of its cell, and none reaches back over the one before.
    const TextLine line = fonts.layout("11", Type::tile);
    EXPECT_GE(line.glyphs[0].x, 0.0);
    EXPECT_NEAR(line.glyphs[1].x - line.glyphs[0].x, line.width / 2, 1e-12);
}

TEST(Text, FallsBackByCodePoint) {
    const Fonts fonts;
    const bool has_inter = fonts.files().front().family == "Inter";
    const TextLine line = fonts.layout("q∈xᵀ", Type::body);
    ASSERT_EQ(line.glyphs.size(), 4U);
    EXPECT_EQ(line.glyphs[1].code_point, 0x2208U);
    EXPECT_EQ(line.glyphs[3].code_point, 0x1D40U);
    for (const Placed& glyph : line.glyphs) EXPECT_NE(glyph.glyph, 0U);
    if (!has_inter) GTEST_SKIP() << "Inter is not installed, one face serves all";
    EXPECT_EQ(file_of(fonts, line.glyphs[0]).family, "Inter");
    EXPECT_EQ(file_of(fonts, line.glyphs[1]).family, "DejaVu Sans");
    EXPECT_EQ(file_of(fonts, line.glyphs[3]).family, "DejaVu Sans");
    const TextLine strong = fonts.layout("x∈", Type::strong);
    EXPECT_TRUE(file_of(fonts, strong.glyphs[0]).semibold);
    EXPECT_TRUE(file_of(fonts, strong.glyphs[1]).semibold);
}

TEST(Text, AddsUpWithoutKerning) {
    const Fonts fonts;
    EXPECT_NEAR(fonts.width("AV", Type::lead), fonts.width("A", Type::lead) + fonts.width("V", Type::lead),
                1e-12);
    EXPECT_EQ(fonts.width("", Type::lead), 0.0);
    EXPECT_EQ(fonts.width("a\tb", Type::lead), fonts.width("a b", Type::lead));
}

TEST(Text, BrokenBytesBecomeReplacements) {
    EXPECT_THAT(code_points("aé∈𝔸"), ElementsAre('a', 0xE9, 0x2208, 0x1D538));
    EXPECT_THAT(code_points("\xC0\x80"), ElementsAre(0xFFFD, 0xFFFD));              // overlong
    EXPECT_THAT(code_points("\xED\xA0\x80"), ElementsAre(0xFFFD, 0xFFFD, 0xFFFD));  // a surrogate
    EXPECT_THAT(code_points("\xE2\x88"), ElementsAre(0xFFFD, 0xFFFD));              // cut short
    EXPECT_THAT(code_points("\xFFz"), ElementsAre(0xFFFD, 'z'));
    const Fonts fonts;
    EXPECT_GT(fonts.width("\xFF", Type::body), 0.0);
    EXPECT_GT(fonts.width("\U0010FFFD", Type::body), 0.0);  // in no face
}

TEST(Text, WrapsAtSpaces) {
    const Fonts fonts;
    const std::string sentence =
        "Every pixel reads every other pixel, weighed by how much it resembles itself.";
    const double limit = 150.0;
    const auto lines = fonts.wrap(sentence, Type::lead, limit);
    ASSERT_GT(lines.size(), 2U);
    std::string joined;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_LE(fonts.width(lines[i], Type::lead), limit) << lines[i];
        if (i + 1 < lines.size()) {
            const std::string next = lines[i + 1].substr(0, lines[i + 1].find(' '));
            EXPECT_GT(fonts.width(lines[i] + ' ' + next, Type::lead), limit)
                << "room was left after " << lines[i];
        }
        joined += (i == 0 ? "" : " ") + lines[i];
    }
    EXPECT_EQ(joined, sentence);
    EXPECT_THAT(fonts.wrap("one\ntwo", Type::lead, limit), ElementsAre("one", "two"));
    EXPECT_TRUE(fonts.wrap("", Type::lead, limit).empty());
}

TEST(Text, BreaksAWordWiderThanTheColumn) {
    const Fonts fonts;
    const double limit = 40.0;
    std::string joined;
    for (const std::string& line : fonts.wrap("ααααααααααααααααα", Type::body, limit)) {
        EXPECT_LE(fonts.width(line, Type::body), limit);
        for (const std::uint32_t code_point : code_points(line)) EXPECT_EQ(code_point, 0x3B1U);
        joined += line;
    }
    EXPECT_EQ(joined, "ααααααααααααααααα");
    EXPECT_EQ(fonts.wrap("abc", Type::body, 0.0).size(), 3U);  // never none, never for ever
}

TEST(Text, FitsWithAnEllipsis) {
    const Fonts fonts;
    EXPECT_EQ(fonts.fit("short", Type::body, 200.0), "short");
    const std::string cut = fonts.fit("embedded Gaussian, ten steps", Type::body, 120.0);
    EXPECT_TRUE(cut.ends_with("…")) << cut;
    EXPECT_FALSE(cut.ends_with(" …")) << cut;
    EXPECT_LE(fonts.width(cut, Type::body), 120.0);
    EXPECT_GT(fonts.width(cut, Type::body), 100.0);
    EXPECT_EQ(fonts.fit("abc", Type::body, 1.0), "");
}

TEST(Text, ServesTwoThreads) {
    const Fonts fonts;
    const std::string text = "q·k ∈ ℝ → α = softmax(e/τ), 0.0417";
    const double expected = fonts.width(text, Type::formula);
    std::array<int, 2> wrong{};
    const auto work = [&](int& count) {
        for (int i = 0; i < 2000; ++i)
            if (fonts.width(text, Type::formula) != expected) ++count;
    };
    std::thread other(work, std::ref(wrong[0]));
    work(wrong[1]);
    other.join();
    EXPECT_EQ(wrong[0] + wrong[1], 0);
}

}  // namespace
}  // namespace attn
