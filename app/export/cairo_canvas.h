#pragma once

#include <vector>

#include "app/canvas.h"
#include "app/export/bitmap.h"

namespace attn {

/// Draws through Cairo: a PNG's pixels or a PDF's page.
class CairoCanvas final : public Canvas {
  public:
    enum class Target {
        pixels,  ///< edges, hairlines and glyphs stand on whole pixels
        page     ///< everything stands exactly where it was asked for
    };
    /// The context must be in device space and outlive the canvas. A page's device space is in points.
    CairoCanvas(const Fonts& fonts, cairo_t* context, Target target, double resolution);

    void polyline(std::span<const Point> points, Stroke stroke) override;
    void polygon(std::span<const Point> points, Colour fill) override;
    void rect(Rect rect, Stroke stroke, double radius) override;
    void fill(Rect rect, Colour colour, double radius) override;
    void circle(Point centre, double radius, Colour fill, Stroke stroke) override;
    void image(Rect rect, const std::shared_ptr<const Picture>& picture, double opacity) override;
    void heat_map(Rect rect, const HeatMap& map, double opacity) override;
    void text(Point baseline, std::string_view utf8, const TextStyle& style) override;
    void push_clip(Rect rect) override;
    void pop_clip() override;

  private:
    [[nodiscard]] Rect crisp(Rect rect) const;
    [[nodiscard]] double crisp_width(double width) const;
    void set_colour(Colour colour);
    void set_stroke(Stroke stroke);
    void trace(std::span<const Point> points);
    void trace(Rect rect, double radius);
    void paint(Rect rect, cairo_surface_t* surface, cairo_filter_t filter, double opacity);
    cairo_font_face_t* face(int index);

    cairo_t* context_;
    Target target_;
    std::vector<CairoFontFace> faces_;  ///< by index into Fonts::files(), opened when first used
};

}  // namespace attn
