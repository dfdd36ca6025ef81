#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/canvas.h"

namespace attn {

/// Writes down every call as one line of text, numbers rounded to hundredths of a point, so that what a
/// figure draws can be compared and read.
class RecordingCanvas final : public Canvas {
  public:
    explicit RecordingCanvas(const Fonts& fonts, double resolution = 1.0) : Canvas(fonts, resolution) {}

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

    /// The calls, in order: `text 10 20 left body #1a1e23 "query"`.
    [[nodiscard]] const std::vector<std::string>& calls() const { return calls_; }
    /// The calls that begin with `verb`.
    [[nodiscard]] std::vector<std::string> calls(std::string_view verb) const;
    /// Clips that were pushed and not popped; 0 after a figure is drawn.
    [[nodiscard]] int open_clips() const { return open_clips_; }

  private:
    std::vector<std::string> calls_;
    int open_clips_ = 0;
};

/// Empty when both are the same; else where they first part, with the lines of both.
std::string difference(std::span<const std::string> left, std::span<const std::string> right);

}  // namespace attn
