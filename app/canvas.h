#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "app/text.h"
#include "core/colour.h"
#include "core/picture.h"

namespace attn {

/// Points, y down. One point is one pixel at scale 1.
struct Point {
    double x = 0.0, y = 0.0;
    friend bool operator==(const Point&, const Point&) = default;
};
struct Size {
    double width = 0.0, height = 0.0;
    friend bool operator==(const Size&, const Size&) = default;
};
struct Rect {
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] Point centre() const { return {x + width / 2, y + height / 2}; }
    [[nodiscard]] bool contains(Point p) const {
        return p.x >= x && p.x < right() && p.y >= y && p.y < bottom();
    }
    [[nodiscard]] Rect inset(double by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
    friend bool operator==(const Rect&, const Rect&) = default;
};

struct Stroke {
    Colour colour;
    double width = 1.0;
    bool dashed = false;  ///< 4 on, 4 off
};

enum class Align { left, centre, right };

struct TextStyle {
    Type type = Type::body;
    Colour colour;
    Align align = Align::left;
};

/// A heat map to be drawn: classified cells and how they are coloured. Shared, so that a canvas can keep what
/// it made from it (a texture) as long as the same cells are drawn.
struct HeatMap {
    std::shared_ptr<const Cells> cells;
    Colouring colouring;
};

/// Where a figure is drawn: the window, a PNG, PDF or SVG file, or a list of calls for tests. Ten virtuals;
/// everything else is made from them. A figure never asks which canvas it has.
class Canvas {
  public:
    explicit Canvas(const Fonts& fonts, double resolution) : fonts_(&fonts), resolution_(resolution) {}
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;
    virtual ~Canvas() = default;

    virtual void polyline(std::span<const Point> points, Stroke stroke) = 0;
    virtual void polygon(std::span<const Point> points,
                         Colour fill) = 0;  ///< convex or not, even-odd not needed
    virtual void rect(Rect rect, Stroke stroke,
                      double radius = 0.0) = 0;  ///< the stroke lies inside the rectangle
    virtual void fill(Rect rect, Colour colour, double radius = 0.0) = 0;
    /// The stroke is centred on the radius; width 0: none.
    virtual void circle(Point centre, double radius, Colour fill, Stroke stroke) = 0;
    virtual void image(Rect rect, const std::shared_ptr<const Picture>& picture,
                       double opacity = 1.0) = 0;  ///< smooth
    virtual void heat_map(Rect rect, const HeatMap& map,
                          double opacity = 1.0) = 0;  ///< seamless hard-edged cells
    virtual void text(Point baseline, std::string_view utf8, const TextStyle& style) = 0;
    virtual void push_clip(Rect rect) = 0;
    virtual void pop_clip() = 0;

    void line(Point a, Point b, Stroke stroke) {
        const Point both[] = {a, b};
        polyline(both, stroke);
    }
    /// Advance width in points of a line of text.
    [[nodiscard]] double text_width(std::string_view utf8, Type type) const {
        return fonts_->width(utf8, type);
    }
    [[nodiscard]] const Fonts& fonts() const { return *fonts_; }

    /// Device pixels per point: the window's content scale, a PNG's scale; 4 for PDF and SVG. Figures align
    /// the edges of cells to whole pixels with it and ask maps for no more cells than can be seen.
    [[nodiscard]] double resolution() const { return resolution_; }
    /// The nearest whole device pixel, in points.
    [[nodiscard]] double snap(double points) const;

  private:
    const Fonts* fonts_;
    double resolution_;
};

}  // namespace attn
