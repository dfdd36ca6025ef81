#include "app/canvas.h"

#include <gtest/gtest.h>

#include "app/export/cairo_canvas.h"
#include "app/export/svg_canvas.h"
#include "tests/figures/recording_canvas.h"
#include "tests/figures/specimen.h"

namespace attn {
namespace {

TEST(Canvas, SnapsToWholePixels) {
    const Fonts fonts;
    EXPECT_DOUBLE_EQ(RecordingCanvas(fonts, 1.0).snap(10.4), 10.0);
    EXPECT_DOUBLE_EQ(RecordingCanvas(fonts, 2.0).snap(10.3), 10.5);
    EXPECT_DOUBLE_EQ(RecordingCanvas(fonts, 4.0).snap(-0.13), -0.25);
}

TEST(Canvas, EveryKindHasTheSameWidths) {
    const Fonts fonts;
    const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 8, 8));
    const CairoContext context(cairo_create(surface.get()));
    const CairoCanvas pixels(fonts, context.get(), CairoCanvas::Target::pixels, 2.3);
    const SvgCanvas svg(fonts, {8, 8});
    const RecordingCanvas recording(fonts);
    for (int i = 0; i < type_count; ++i) {
        const auto type = static_cast<Type>(i);
        const double width = recording.text_width("α = softmax(e/τ) ∈ ℝ, 0.0417", type);
        EXPECT_EQ(pixels.text_width("α = softmax(e/τ) ∈ ℝ, 0.0417", type), width);
        EXPECT_EQ(svg.text_width("α = softmax(e/τ) ∈ ℝ, 0.0417", type), width);
    }
}

TEST(Recording, WritesCallsDown) {
    const Fonts fonts;
    RecordingCanvas canvas(fonts);
    canvas.text({10.004, -0.001}, "query", {Type::strong, rgb(0x1A1E23), Align::right});
    canvas.line({0, 1}, {2, 1}, {rgb(0xFF0000, 128), 1.5, true});
    EXPECT_EQ(canvas.calls()[0], "text 10 0 right strong #1a1e23 \"query\"");
    EXPECT_EQ(canvas.calls()[1], "polyline #ff0000/80 1.5 dashed 0 1 2 1");
    EXPECT_EQ(canvas.calls("text").size(), 1U);
}

TEST(Recording, TellsWhereTwoPart) {
    const Fonts fonts;
    RecordingCanvas first(fonts, 1.0);
    RecordingCanvas second(fonts, 2.0);
    draw_specimen(first, light_theme());
    draw_specimen(second, light_theme());
    EXPECT_EQ(difference(first.calls(), second.calls()), "");
    EXPECT_EQ(first.open_clips(), 0);

    RecordingCanvas dark(fonts);
    draw_specimen(dark, dark_theme());
    EXPECT_NE(difference(first.calls(), dark.calls()), "");

    second.fill({0, 0, 1, 1}, rgb(0x000000), 0.0);
    EXPECT_NE(difference(first.calls(), second.calls()).find("(nothing)"), std::string::npos);
}

TEST(Recording, SeesTheContentOfAHeatMap) {
    const Fonts fonts;
    RecordingCanvas canvas(fonts);
    HeatMap map = specimen_heat_map(light_theme(), 8);
    canvas.heat_map({0, 0, 80, 80}, map, 1.0);
    Cells changed = *map.cells;
    changed.position.back() += 0.1F;
    map.cells = std::make_shared<const Cells>(changed);
    canvas.heat_map({0, 0, 80, 80}, map, 1.0);
    EXPECT_NE(canvas.calls()[0], canvas.calls()[1]);
}

}  // namespace
}  // namespace attn
