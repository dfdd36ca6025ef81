#pragma once

#include <string>
#include <string_view>

#include "app/canvas.h"

namespace attn {

/// Writes SVG 1.1 as a person would: text as text, a heat map as one path per colour, pictures inside the
/// file.
class SvgCanvas final : public Canvas {
  public:
    SvgCanvas(const Fonts& fonts, Size size);

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

    /// The whole file; `recipe` goes into <metadata id="attnscope">.
    [[nodiscard]] std::string document(std::string_view title, std::string_view recipe) const;

  private:
    Size size_;
    std::string body_;
    int clips_ = 0;
};

}  // namespace attn
