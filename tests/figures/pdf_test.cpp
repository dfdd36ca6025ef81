#include <cairo-pdf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/export/cairo_canvas.h"
#include "tests/figures/pixels.h"
#include "tests/figures/specimen.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

std::string make_pdf(const Fonts& fonts, Size size, const std::function<void(Canvas&)>& draw) {
    std::string bytes;
    const CairoSurface surface(
        cairo_pdf_surface_create_for_stream(append_bytes, &bytes, size.width, size.height));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    {
        const CairoContext context(cairo_create(surface.get()));
        CairoCanvas canvas(fonts, context.get(), CairoCanvas::Target::page, 4.0);
        draw(canvas);
        check(cairo_status(context.get()));
    }
    cairo_surface_finish(surface.get());
    return bytes;
}

TEST(Pdf, AReaderFindsTheExactWords) {
    const Fonts fonts;
    const std::string pdf =
        make_pdf(fonts, specimen_size, [](Canvas& canvas) { draw_specimen(canvas, light_theme()); });
    const auto words = view("pdftotext", "-layout % -", pdf);
    if (!words) GTEST_SKIP() << "pdftotext is not installed";
    for (const char* expected :
         {"Non-local block", "Small τ picks one, large τ averages: q·k ∈ ℝ, W xᵀ.", "e = θ(xᵢ)·φ(xⱼ)",
          "0.0417 & <11.11>", "e = 0.912 → α = exp(0.912/0.15) / Σ = 0.0417"})
        EXPECT_THAT(*words, HasSubstr(expected));
}

TEST(Pdf, AViewerShowsCellsExactAndSeamless) {
    const Fonts fonts;
    const HeatMap map = specimen_heat_map(light_theme(), 16);
    const Rect area{10, 10, 160, 160};
    const std::string pdf = make_pdf(fonts, {180, 180}, [&](Canvas& canvas) { canvas.heat_map(area, map); });
    for (const int dpi : {72, 144, 200}) {
        const auto png = view("pdftoppm", "-png -singlefile -r " + std::to_string(dpi) + " %", pdf);
        if (!png) GTEST_SKIP() << "pdftoppm is not installed";
        const double scale = dpi / 72.0;
        const Pixels pixels = decode_png(*png);
        EXPECT_EQ(foreign_pixels(pixels, scale, area.inset(0.5), map), 0) << dpi;
        EXPECT_EQ(wrong_pixels(pixels, scale, area, map, 2.0), 0)
            << dpi;  // the viewer rounds an image outwards
    }
}

TEST(Pdf, HoldsTextAndCellsAsSuch) {
    const Fonts fonts;
    const std::string pdf =
        make_pdf(fonts, specimen_size, [](Canvas& canvas) { draw_specimen(canvas, light_theme()); });
    EXPECT_THAT(pdf, HasSubstr("/FontFile3"));
    EXPECT_THAT(pdf, HasSubstr("/Width 16"));  // one pixel per cell, no picture of the page
    EXPECT_LT(pdf.size(), 60000U);
}

TEST(Pdf, SameDrawingSameBytes) {
    const Fonts fonts;
    const auto once = [&] {
        return make_pdf(fonts, specimen_size, [](Canvas& canvas) { draw_specimen(canvas, dark_theme()); });
    };
    EXPECT_EQ(once(), once());
}

}  // namespace
}  // namespace attn
