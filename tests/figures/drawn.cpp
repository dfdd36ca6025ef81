#include "tests/figures/drawn.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

bool inside(Rect part, Rect whole) {
    constexpr double slack = 0.01;
    return part.x >= whole.x - slack && part.y >= whole.y - slack && part.right() <= whole.right() + slack &&
           part.bottom() <= whole.bottom() + slack;
}

bool overlap(Rect a, Rect b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

void ProbeCanvas::polyline(std::span<const Point> points, Stroke stroke) {
    for (const Point& point : points) keep({point.x, point.y, 0.0, 0.0}, stroke.colour);
    lines.emplace_back(points.begin(), points.end());
}

void ProbeCanvas::polygon(std::span<const Point> points, Colour fill) {
    for (const Point& point : points) keep({point.x, point.y, 0.0, 0.0}, fill);
}

void ProbeCanvas::rect(Rect rect, Stroke stroke, double /*radius*/) {
    keep(rect, stroke.colour);
}

void ProbeCanvas::fill(Rect rect, Colour colour, double /*radius*/) {
    keep(rect, colour);
}

void ProbeCanvas::circle(Point centre, double radius, Colour fill, Stroke /*stroke*/) {
    circles.push_back({centre.x - radius, centre.y - radius, 2 * radius, 2 * radius});
    keep(circles.back(), fill);
}

void ProbeCanvas::image(Rect rect, const std::shared_ptr<const Picture>& picture, double /*opacity*/) {
    keep(rect, {});
    finite = finite && picture != nullptr;
}

void ProbeCanvas::heat_map(Rect rect, const HeatMap& map, double /*opacity*/) {
    keep(rect, {});
    maps.push_back(map);
}

void ProbeCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
    const double width = text_width(utf8, style.type);
    const double height = 0.7 * Fonts::em(style.type);
    const double shift = style.align == Align::left ? 0.0 : style.align == Align::right ? width : width / 2;
    const Rect box{baseline.x - shift, baseline.y - height, width, height};
    keep(box, style.colour);
    texts.push_back({std::string(utf8), box, style.colour});
}

std::string ProbeCanvas::all_text() const {
    std::string all;
    for (const Written& each : texts) all += each.text + '\n';
    return all;
}

void ProbeCanvas::keep(Rect rect, Colour colour) {
    for (const double number : {rect.x, rect.y, rect.width, rect.height})
        finite = finite && std::isfinite(number);
    shapes.push_back(rect);
    colours.push_back(colour);
}

const Fonts& fonts() {
    static const Fonts all;
    return all;
}

Scene scene_of(std::string_view figure, std::string_view subject, const Set& knobs) {
    Scene scene;
    scene.figure = std::string(figure);
    if (attn::figure(figure).subject == Subject::mechanism) scene.mechanism = std::string(subject);
    if (attn::figure(figure).subject == Subject::pattern) scene.pattern = std::string(subject);
    for (const auto& [id, text] : knobs) set_text(scene, id, text);
    return scene;
}

Drawn drawn(const Scene& scene, std::shared_ptr<const Result> result, Size size, Focus focus,
            const Theme& look, double resolution) {
    Drawn all{scene, std::move(result), std::make_unique<ProbeCanvas>(fonts(), resolution), {}};
    const Page page{all.scene, *all.result, look, {10, 20, size.width, size.height}, focus};
    all.hits = figure(scene.figure).draw(page, *all.canvas);
    return all;
}

Drawn drawn(const Scene& scene, Size size, Focus focus) {
    Evaluator evaluator;
    return drawn(scene, evaluator.evaluate(scene), size, focus);
}

std::string faults(const Drawn& page, Size size) {
    const Rect area{10, 20, size.width, size.height};
    std::string all;
    if (!page.canvas->finite) all += "a coordinate is no number\n";
    for (const Written& text : page.canvas->texts)
        if (!inside(text.box, area)) all += "outside: " + text.text + '\n';
    for (const Rect& shape : page.canvas->shapes) {
        if (!inside(shape, area)) all += "a shape is outside\n";
        if (shape.width < 0.0 || shape.height < 0.0) all += "a shape is inside out\n";
    }
    for (const Hit& hit : page.hits)
        if (!inside(hit.area, area) || hit.rows < 1 || hit.columns < 1) all += "a hit is outside\n";
    const auto& texts = page.canvas->texts;
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (overlap(texts[i].box, texts[j].box))
                all += texts[i].text + " lies on " + texts[j].text + '\n';
    return all;
}

std::string joined(const Drawn& page) {
    std::string line;
    for (const Written& each : page.canvas->texts) line += each.text;
    return line;
}

}  // namespace attn
