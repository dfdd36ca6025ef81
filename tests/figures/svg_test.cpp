#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "app/export/svg_canvas.h"
#include "app/export/xml.h"
#include "tests/figures/pixels.h"
#include "tests/figures/specimen.h"

namespace attn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string specimen_document(const Fonts& fonts) {
    SvgCanvas canvas(fonts, specimen_size);
    draw_specimen(canvas, light_theme());
    return canvas.document("Score & squash", "{\"attnscope\":1}");
}

/// Every tag closed in order, every attribute quoted, no stray ampersand or control character.
bool well_formed(std::string_view text) {
    std::vector<std::string_view> open;
    text.remove_prefix(text.find("?>") + 2);
    while (!text.empty()) {
        const std::string_view between = text.substr(0, text.find('<'));
        for (std::size_t at = 0; (at = between.find('&', at)) != std::string_view::npos; ++at)
            if (const auto rest = between.substr(at);
                !rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;"))
                return false;
        for (const char c : between)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return false;
        text.remove_prefix(between.size());
        if (text.empty()) break;

        const std::size_t end = text.find('>');
        if (end == std::string_view::npos) return false;
        const std::string_view tag = text.substr(1, end - 1);
        text.remove_prefix(end + 1);
        if (tag.find('<') != std::string_view::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0)
            return false;
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1)) return false;
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.push_back(tag.substr(0, tag.find(' ')));
        }
    }
    return open.empty();
}

TEST(Svg, IsWellFormedAndTheSameTwice) {
    const Fonts fonts;
    const std::string document = specimen_document(fonts);
    EXPECT_TRUE(well_formed(document));
    EXPECT_EQ(document, specimen_document(fonts));
    EXPECT_THAT(document, HasSubstr("<title>Score &amp; squash</title>"));
}

TEST(Svg, TextIsText) {
    const Fonts fonts;
    const std::string document = specimen_document(fonts);
    EXPECT_THAT(document, HasSubstr(">Small τ picks one, large τ averages: q·k ∈ ℝ, W xᵀ.</text>"));
    EXPECT_THAT(document, HasSubstr(">0.0417 &amp; &lt;11.11&gt;</text>"));
    EXPECT_THAT(document, HasSubstr("text-anchor=\"end\""));
    EXPECT_THAT(document, HasSubstr("font-weight=\"600\""));
}

TEST(Svg, DigitsOfAFormulaHaveTheirPlaces) {
    const Fonts fonts;
    SvgCanvas canvas(fonts, {200, 40});
    const std::string words = "α = 12 / Σ";
    canvas.text({150, 20}, words, {Type::formula, rgb(0), Align::right});
    const std::string document = canvas.document("", "{}");
    EXPECT_TRUE(well_formed(document));
    EXPECT_THAT(document, Not(HasSubstr("text-anchor")));
    const TextLine line = fonts.layout(words, Type::formula);
    std::string_view rest = document;
    for (const auto& [index, piece] : {std::pair{4U, "1"}, {5U, "2"}, {6U, " / Σ"}}) {
        constexpr std::string_view open = "<tspan x=\"";
        rest.remove_prefix(rest.find(open) + open.size());
        EXPECT_NEAR(std::stod(std::string(rest.substr(0, 10))), 150 - line.width + line.glyphs[index].x,
                    0.006);
        const std::string_view content = rest.substr(rest.find('>') + 1);
        EXPECT_EQ(content.substr(0, content.find('<')), piece);
    }
}

TEST(Svg, SurvivesAnyText) {
    const Fonts fonts;
    SvgCanvas canvas(fonts, {100, 100});
    canvas.text({0, 10}, "a\x01]]>\xFF<b>&amp;\xEF\xBF\xBF", {Type::body, rgb(0)});
    const std::string document = canvas.document("\"<title>\"", "{}");
    EXPECT_TRUE(well_formed(document)) << document;
    EXPECT_THAT(document, HasSubstr(">a ]]&gt;\uFFFD&lt;b&gt;&amp;amp;\uFFFD</text>"));
}

TEST(Svg, NumbersAreShort) {
    const Fonts fonts;
    SvgCanvas canvas(fonts, {100, 100});
    canvas.line({1.0 / 3, 2e-9}, {-1e-9, 10.5}, {rgb(0), 2.0 / 3});
    const std::string document = canvas.document("", "{}");
    EXPECT_THAT(document, HasSubstr("x1=\"0.33\" y1=\"0\" x2=\"0\" y2=\"10.5\""));
    EXPECT_THAT(document, HasSubstr("stroke-width=\"0.67\""));
}

TEST(Svg, RunsOfEqualCellsAreOneRectangle) {
    const Fonts fonts;
    Cells cells{2, 3, {0, 0, 1, 1, 1, 1}, std::vector<CellClass>(6, CellClass::value)};
    SvgCanvas canvas(fonts, {100, 100});
    canvas.heat_map({10, 20, 30, 20}, {std::make_shared<const Cells>(cells), weight_colouring(light_theme())},
                    1.0);
    const std::string document = canvas.document("", "{}");
    EXPECT_THAT(document, HasSubstr("translate(10 20) scale(10 10)"));
    EXPECT_THAT(document, HasSubstr("d=\"M0 0h2v1h-2z\""));
    EXPECT_THAT(document, HasSubstr("d=\"M2 0h1v1h-1zM0 1h3v1h-3z\""));
}

TEST(Svg, ManyCellsAreABitmap) {
    const Fonts fonts;
    const HeatMap map = specimen_heat_map(light_theme(), 257);
    SvgCanvas canvas(fonts, {400, 400});
    canvas.heat_map({0, 0, 257, 257}, map, 1.0);
    const std::string document = canvas.document("", "{}");
    EXPECT_TRUE(well_formed(document));
    EXPECT_THAT(document, HasSubstr("image-rendering:pixelated"));
    EXPECT_THAT(document, Not(HasSubstr("<path")));
}

TEST(Svg, AViewerShowsCellsExactAndSeamless) {
    const Fonts fonts;
    const HeatMap map = specimen_heat_map(light_theme(), 16);
    const Rect area{10, 10, 160, 160};
    SvgCanvas canvas(fonts, {180, 180});
    canvas.heat_map(area, map, 1.0);
    for (const double scale : {1.0, 2.0, 2.3}) {
        const auto png =
            view("rsvg-convert", "-z " + std::to_string(scale) + " %", canvas.document("", "{}"));
        if (!png) GTEST_SKIP() << "rsvg-convert is not installed";
        const Pixels pixels = decode_png(*png);
        EXPECT_EQ(foreign_pixels(pixels, scale, area.inset(0.5), map), 0) << scale;
        EXPECT_EQ(wrong_pixels(pixels, scale, area, map, 1.0), 0) << scale;
    }
}

TEST(Svg, AViewerShowsWhatThePngShows) {
    const Fonts fonts;
    const auto draw = [](Canvas& canvas) {
        canvas.fill({0, 0, specimen_size.width, specimen_size.height}, light_theme().ground);
        draw_specimen_shapes(canvas, light_theme());
    };
    SvgCanvas canvas(fonts, specimen_size);
    draw(canvas);
    const auto png = view("rsvg-convert", "-z 2 %", canvas.document("", "{}"));
    if (!png) GTEST_SKIP() << "rsvg-convert is not installed";
    const Pixels svg = decode_png(*png);
    const Pixels raster = rasterise(fonts, specimen_size, 2.0, draw);
    ASSERT_EQ(svg.width, raster.width);
    ASSERT_EQ(svg.height, raster.height);
    int different = 0;
    for (std::size_t i = 0; i < svg.colours.size(); ++i) {
        const Colour a = svg.colours[i];
        const Colour b = raster.colours[i];
        if (std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) > 60) ++different;
    }
    // A pixel here and there along edges; a bar out of place would be hundreds.
    EXPECT_LT(different, static_cast<int>(svg.colours.size() / 1000));
}

TEST(Xml, ComesBack) {
    const std::string text = "{\"name\":\"naïve & <∈> ]]>\"}";
    EXPECT_EQ(xml_unescaped(xml_escaped(text)), text);
    EXPECT_EQ(xml_unescaped("a<![CDATA[&lt;]]>b&#x2208;&#65;&quot;&nbsp;&"), "a&lt;b∈A\"&nbsp;&");
    EXPECT_EQ(xml_unescaped("<![CDATA[open"), "open");
}

}  // namespace
}  // namespace attn
