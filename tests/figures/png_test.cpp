#include <gtest/gtest.h>

#include "app/export/cairo_canvas.h"
#include "tests/figures/pixels.h"
#include "tests/figures/specimen.h"

namespace attn {
namespace {

constexpr Colour white = rgb(0xFFFFFF);
constexpr Colour ink = rgb(0x1A1E23);

TEST(Png, HeatMapsAreExactAndSeamless) {
    const Fonts fonts;
    const HeatMap map = specimen_heat_map(light_theme(), 16);
    const Rect area{10, 10, 160, 160};
    for (const double scale : {1.0, 2.0, 2.3}) {
        const Pixels pixels =
            rasterise(fonts, {180, 180}, scale, [&](Canvas& canvas) { canvas.heat_map(area, map); });
        EXPECT_EQ(foreign_pixels(pixels, scale, area, map), 0) << scale;
        EXPECT_EQ(wrong_pixels(pixels, scale, area, map, 1.0), 0) << scale;
        const Rect drawn = pixels.ink(white);
        EXPECT_EQ(drawn.width, 160 * scale) << scale;
        EXPECT_EQ(drawn.x, 10 * scale) << scale;
    }
}

TEST(Png, HeatMapsMayBeLaidOverOthers) {
    const Fonts fonts;
    const HeatMap map = specimen_heat_map(light_theme(), 4);
    const Pixels pixels = rasterise(fonts, {80, 80}, 1.0, [&](Canvas& canvas) {
        canvas.heat_map({0, 0, 80, 80}, map, 0.5);
    });
    const Colour full = colour_of(map.cells->position[15], CellClass::value, *map.cells, map.colouring);
    const Colour half = mix(white, full, 0.5);
    EXPECT_NEAR(pixels.at(70, 70).r, half.r, 1);
    EXPECT_NEAR(pixels.at(70, 70).g, half.g, 1);
    EXPECT_NEAR(pixels.at(70, 70).b, half.b, 1);
}

TEST(Png, HairlinesFillWholePixels) {
    const Fonts fonts;
    for (const double scale : {1.0, 2.0, 2.3})
        for (const double at : {10.0, 10.3, 10.5}) {
            const Pixels pixels = rasterise(fonts, {30, 30}, scale, [&](Canvas& canvas) {
                canvas.line({5, at}, {25, at}, {ink, 1.0});
                canvas.line({at, 15}, {at, 25}, {ink, 1.0});
            });
            int dark = 0;
            for (const Colour colour : pixels.colours) {
                EXPECT_TRUE(colour == white || colour == ink) << scale << ' ' << at;
                dark += colour == ink ? 1 : 0;
            }
            const int thickness = scale < 2.0 ? 1 : 2;
            EXPECT_NEAR(dark, thickness * 30 * scale, 4) << scale << ' ' << at;
        }
}

TEST(Png, FramesLieInsideTheirRectangle) {
    const Fonts fonts;
    const Pixels pixels = rasterise(fonts, {30, 30}, 2.0, [&](Canvas& canvas) {
        canvas.rect({5.2, 5.2, 10, 10}, {ink, 1.0});
        canvas.fill({20.2, 5, 3.4, 7}, ink);
    });
    EXPECT_EQ(pixels.at(9, 20), white);
    EXPECT_EQ(pixels.at(10, 20), ink);
    EXPECT_EQ(pixels.at(11, 20), ink);
    EXPECT_EQ(pixels.at(12, 20), white);
    for (const Colour colour : pixels.colours) EXPECT_TRUE(colour == white || colour == ink);
}

TEST(Png, TextStandsWhereTheLayoutSays) {
    const Fonts fonts;
    const std::string words = "Hear 0.0417 ∈ xᵀH";
    for (const double scale : {1.0, 2.0}) {
        for (const Align align : {Align::left, Align::centre, Align::right}) {
            const Pixels pixels = rasterise(fonts, {400, 60}, scale, [&](Canvas& canvas) {
                canvas.text({200, 40}, words, {Type::title, ink, align});
            });
            const double width = fonts.width(words, Type::title);
            const double left = 200 - width * (align == Align::left     ? 0.0
                                               : align == Align::centre ? 0.5
                                                                        : 1.0);
            const Rect drawn = pixels.ink(white);
            EXPECT_NEAR(drawn.x / scale, left, 3.0);  // H has a bearing of a tenth of an em
            EXPECT_NEAR(drawn.right() / scale, left + width, 3.0);
            EXPECT_NEAR(drawn.bottom() / scale, 40.0, 1.0);  // nothing but a rounding lies below
        }
    }
}

TEST(Png, ClipsCutAndEnd) {
    const Fonts fonts;
    const Pixels pixels = rasterise(fonts, {40, 40}, 1.0, [&](Canvas& canvas) {
        canvas.push_clip({10, 10, 10, 10});
        canvas.fill({0, 0, 40, 40}, ink);
        canvas.pop_clip();
        canvas.fill({30, 30, 5, 5}, ink);
    });
    EXPECT_EQ(pixels.at(9, 15), white);
    EXPECT_EQ(pixels.at(10, 15), ink);
    EXPECT_EQ(pixels.at(20, 15), white);
    EXPECT_EQ(pixels.at(32, 32), ink);
}

TEST(Png, PicturesAreSmoothToTheirEdges) {
    const Fonts fonts;
    const auto picture = std::make_shared<const Picture>(Picture{1, 2, {0, 0, 0, 200, 200, 200}});
    const Pixels pixels = rasterise(fonts, {40, 20}, 1.0, [&](Canvas& canvas) {
        canvas.image({0, 0, 40, 20}, picture);
    });
    EXPECT_EQ(pixels.at(0, 0), rgb(0x000000));  // not mixed with what lies outside
    EXPECT_EQ(pixels.at(39, 19), rgb(0xC8C8C8));
    EXPECT_GT(pixels.at(20, 10).r, 60);
    EXPECT_LT(pixels.at(20, 10).r, 140);
}

TEST(Png, SameDrawingSameBytes) {
    const Fonts fonts;
    const auto once = [&] {
        const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 480, 300));
        const CairoContext context(cairo_create(surface.get()));
        CairoCanvas canvas(fonts, context.get(), CairoCanvas::Target::pixels, 1.0);
        draw_specimen(canvas, light_theme());
        return to_png(surface.get());
    };
    EXPECT_EQ(once(), once());
}

}  // namespace
}  // namespace attn
