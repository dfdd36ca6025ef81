#include "app/export/export.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/export/cairo_canvas.h"
#include "app/export/embedding.h"
#include "app/export/svg_canvas.h"
#include "core/error.h"

namespace attn {
namespace {

using Draw = std::function<void(Canvas&)>;

/// Throws UsageError where the file would be too small to read or too large to make.
void check_size(Size size, double scale) {
    constexpr double least = 64.0;
    constexpr double most = 20000.0;
    const double shortest = std::min(size.width, size.height) * scale;
    const double longest = std::max(size.width, size.height) * scale;
    if (shortest >= least && longest <= most) return;  // false for NaN
    const auto side = [scale](double points) {
        const double pixels = points * scale;
        return std::abs(pixels) < 1e9 ? std::to_string(std::lround(pixels)) : std::string("far more");
    };
    throw UsageError("expected a figure of 64 to 20000 pixels a side, got " + side(size.width) + " by " +
                     side(size.height) + ": change the size or the scale");
}

std::string to_png_file(const Fonts& fonts, Size size, double scale, const std::string& recipe,
                        const Draw& draw) {
    const CairoSurface surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(size.width * scale)),
                                   static_cast<int>(std::lround(size.height * scale))));
    check(cairo_surface_status(surface.get()));
    const CairoContext context(cairo_create(surface.get()));
    CairoCanvas canvas(fonts, context.get(), CairoCanvas::Target::pixels, scale);
    draw(canvas);
    check(cairo_status(context.get()));
    return png_with_recipe(to_png(surface.get()), recipe);
}

std::string to_pdf_file(const Fonts& fonts, Size size, const std::string& title, const std::string& recipe,
                        const Draw& draw) {
    std::string bytes;
    const CairoSurface surface(
        cairo_pdf_surface_create_for_stream(append_bytes, &bytes, size.width, size.height));
    check(cairo_surface_status(surface.get()));
    // Text beside glyphs needs PDF 1.5; but there a newer Cairo packs the keywords away where no scan finds
    // them.
    const bool packs = cairo_version() >= CAIRO_VERSION_ENCODE(1, 17, 6);
    cairo_pdf_surface_restrict_to_version(surface.get(),
                                          packs ? CAIRO_PDF_VERSION_1_4 : CAIRO_PDF_VERSION_1_5);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "attnscope");
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS, recipe.c_str());
    // The same scene gives the same bytes: a fixed date.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    {
        const CairoContext context(cairo_create(surface.get()));
        CairoCanvas canvas(fonts, context.get(), CairoCanvas::Target::page, 4.0);
        draw(canvas);
        check(cairo_status(context.get()));
    }
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
    return bytes;
}

}  // namespace

std::string export_figure(const Scene& scene, const Result& result, const Fonts& fonts,
                          const ExportOptions& options) {
    const Figure& shown = figure(scene.figure);
    const Theme& look = theme(options.theme);
    const Size size = options.size == Size{} ? shown.natural : options.size;
    const bool png = options.format == "png";
    check_size(size, png ? options.scale : 1.0);

    const Page page{scene, result, look, {0, 0, size.width, size.height}, {}};
    const Draw draw = [&](Canvas& canvas) {
        canvas.fill(page.area, look.ground);
        shown.draw(page, canvas);
    };
    const std::string recipe = to_json(scene);
    std::string title(shown.title);
    if (result.mechanism != nullptr) title += " · " + std::string(result.mechanism->title);

    if (png) return to_png_file(fonts, size, options.scale, recipe, draw);
    if (options.format == "pdf") return to_pdf_file(fonts, size, title, recipe, draw);
    if (options.format == "svg") {
        SvgCanvas canvas(fonts, size);
        draw(canvas);
        return canvas.document(title, recipe);
    }
    throw UsageError("expected the format png, svg or pdf, got '" + options.format + "'");
}

}  // namespace attn
