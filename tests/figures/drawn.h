#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure.h"

namespace attn {

struct Written {
    std::string text;
    Rect box;  ///< of its capitals
    Colour colour;
};

/// Keeps where everything lies, as numbers.
class ProbeCanvas final : public Canvas {
  public:
    ProbeCanvas(const Fonts& fonts, double resolution) : Canvas(fonts, resolution) {}

    std::vector<Written> texts;
    std::vector<Rect> shapes;
    std::vector<Colour> colours;
    std::vector<HeatMap> maps;
    std::vector<std::vector<Point>> lines;
    std::vector<Rect> circles;
    bool finite = true;

    void polyline(std::span<const Point> points, Stroke stroke) override;
    void polygon(std::span<const Point> points, Colour fill) override;
    void rect(Rect rect, Stroke stroke, double radius) override;
    void fill(Rect rect, Colour colour, double radius) override;
    void circle(Point centre, double radius, Colour fill, Stroke stroke) override;
    void image(Rect rect, const std::shared_ptr<const Picture>& picture, double opacity) override;
    void heat_map(Rect rect, const HeatMap& map, double opacity) override;
    void text(Point baseline, std::string_view utf8, const TextStyle& style) override;
    void push_clip(Rect /*rect*/) override {}
    void pop_clip() override {}

    [[nodiscard]] std::string all_text() const;

  private:
    void keep(Rect rect, Colour colour);
};

const Fonts& fonts();

using Set = std::vector<std::pair<std::string, std::string>>;

/// A scene of a figure about a mechanism, or about a pattern.
Scene scene_of(std::string_view figure, std::string_view subject, const Set& knobs = {});

struct Drawn {
    Scene scene;
    std::shared_ptr<const Result> result;
    std::unique_ptr<ProbeCanvas> canvas;
    std::vector<Hit> hits;
};

Drawn drawn(const Scene& scene, std::shared_ptr<const Result> result, Size size = {960, 700},
            Focus focus = {}, const Theme& look = light_theme(), double resolution = 1.0);
Drawn drawn(const Scene& scene, Size size = {960, 700}, Focus focus = {});

/// All that can go wrong with a page, in words; empty when nothing did.
std::string faults(const Drawn& page, Size size);

/// All text in one line, as an equation is written in runs.
std::string joined(const Drawn& page);

}  // namespace attn
