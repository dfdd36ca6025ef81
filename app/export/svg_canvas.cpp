#include "app/export/svg_canvas.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "app/export/bitmap.h"
#include "app/export/xml.h"
#include "core/io/file.h"
#include "core/utf8.h"

namespace attn {
namespace {

/// Up to this many cells a side a map is paths, which every viewer shows with hard edges; above, they would
/// weigh too much.
constexpr Index most_cells_as_paths = 256;

/// At most `decimals` digits after the point, no trailing zeros.
std::string number(double value, int decimals = 2) {
    if (!std::isfinite(value)) return "0";
    std::array<char, 64> buffer{};
    const double limited = std::clamp(value, -1e9, 1e9);
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), limited,
                                       std::chars_format::fixed, decimals);
    std::string text(buffer.data(), written.ptr);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string attribute(std::string_view name, std::string_view value) {
    return ' ' + std::string(name) + "=\"" + std::string(value) + '"';
}

std::string attribute(std::string_view name, double value) {
    return attribute(name, number(value));
}

std::string hex(Colour colour) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "#";
    for (const unsigned part : {unsigned{colour.r}, unsigned{colour.g}, unsigned{colour.b}}) {
        text += digits[part >> 4U];
        text += digits[part & 15U];
    }
    return text;
}

/// The attributes of a paint: `fill` or `stroke`.
std::string paint(std::string_view kind, Colour colour) {
    std::string text = attribute(kind, hex(colour));
    if (colour.a < 255) text += attribute(std::string(kind) + "-opacity", number(colour.a / 255.0, 3));
    return text;
}

std::string opacity_attribute(double opacity) {
    return opacity < 1.0 ? attribute("opacity", number(opacity, 3)) : std::string();
}

std::string stroke_attributes(Stroke stroke) {
    std::string text = attribute("fill", "none") + paint("stroke", stroke.colour);
    if (stroke.width != 1.0) text += attribute("stroke-width", stroke.width);
    if (stroke.dashed) text += attribute("stroke-dasharray", "4 4");
    return text;
}

std::string place(Rect rect) {
    return attribute("x", rect.x) + attribute("y", rect.y) + attribute("width", rect.width) +
           attribute("height", rect.height);
}

/// Without smoothing, what is thinner than a pixel could vanish.
std::string crisp(double thickness) {
    return thickness >= 1.0 ? attribute("shape-rendering", "crispEdges") : "";
}

std::string coordinates(std::span<const Point> points) {
    std::string text;
    for (const Point& point : points) {
        if (!text.empty()) text += ' ';
        text += number(point.x) + ',' + number(point.y);
    }
    return text;
}

std::string png_image(Rect rect, cairo_surface_t* surface, std::string_view attributes) {
    return "<image" + place(rect) + attribute("preserveAspectRatio", "none") + std::string(attributes) +
           attribute("xlink:href", "data:image/png;base64," + to_base64(to_png(surface))) + "/>\n";
}

/// One path per colour, in units of cells; equal neighbours of a row are one rectangle.
std::string cell_paths(const HeatMap& map) {
    const std::vector<std::uint8_t> rgba = colour_cells(*map.cells, map.colouring);
    const Index width = map.cells->width;
    const auto colour_at = [&](Index cell) {
        const std::uint8_t* from = &rgba[static_cast<std::size_t>(cell) * 4];
        return std::array<std::uint8_t, 4>{from[0], from[1], from[2], from[3]};
    };
    std::map<std::array<std::uint8_t, 4>, std::string> paths;
    for (Index y = 0; y < map.cells->height; ++y)
        for (Index x = 0, end = 0; x < width; x = end) {
            const auto colour = colour_at(y * width + x);
            for (end = x + 1; end < width && colour_at(y * width + end) == colour;) ++end;
            const std::string run = std::to_string(end - x);
            std::string& path = paths[colour];
            path.append("M").append(std::to_string(x)).append(" ").append(std::to_string(y));
            path.append("h").append(run).append("v1h-").append(run).append("z");
        }
    std::string text;
    for (const auto& [c, path] : paths)
        if (c[3] > 0)
            text += "<path" + paint("fill", {c[0], c[1], c[2], c[3]}) + attribute("d", path) + "/>\n";
    return text;
}

/// The line with a <tspan> at its own place for each digit, and for what follows one.
std::string placed_digits(std::string_view utf8, const TextLine& line, double left) {
    const std::vector<std::uint32_t> characters = code_points(utf8);
    const auto is_digit = [&](std::size_t i) { return characters[i] >= '0' && characters[i] <= '9'; };
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < characters.size(); begin = end) {
        end = begin + 1;
        while (end < characters.size() && !is_digit(begin) && !is_digit(end)) ++end;
        std::string piece;
        for (std::size_t i = begin; i < end; ++i) append_utf8(piece, characters[i]);
        text += begin == 0 && !is_digit(0) ? xml_escaped(piece)
                                           : "<tspan" + attribute("x", left + line.glyphs[begin].x) + '>' +
                                                 xml_escaped(piece) + "</tspan>";
    }
    return text;
}

}  // namespace

SvgCanvas::SvgCanvas(const Fonts& fonts, Size size) : Canvas(fonts, 4.0), size_(size) {}

void SvgCanvas::polyline(std::span<const Point> points, Stroke stroke) {
    if (points.size() < 2 || stroke.width <= 0.0) return;
    if (points.size() == 2) {
        const bool upright = points[0].x == points[1].x;
        const bool level = points[0].y == points[1].y;
        body_ += "<line" + attribute("x1", points[0].x) + attribute("y1", points[0].y) +
                 attribute("x2", points[1].x) + attribute("y2", points[1].y) + stroke_attributes(stroke) +
                 (upright || level ? crisp(stroke.width) : "") + "/>\n";
        return;
    }
    const bool closed = points.front() == points.back();
    body_ += (closed ? "<polygon" : "<polyline") +
             attribute("points", coordinates(closed ? points.first(points.size() - 1) : points)) +
             stroke_attributes(stroke) + attribute("stroke-linejoin", "round") + "/>\n";
}

void SvgCanvas::polygon(std::span<const Point> points, Colour fill) {
    body_ += "<polygon" + attribute("points", coordinates(points)) + paint("fill", fill) + "/>\n";
}

void SvgCanvas::rect(Rect rect, Stroke stroke, double radius) {
    if (stroke.width <= 0.0) return;
    const double inner = radius - stroke.width / 2;
    body_ += "<rect" + place(rect.inset(stroke.width / 2)) + (inner > 0.0 ? attribute("rx", inner) : "") +
             stroke_attributes(stroke) + (radius > 0.0 ? "" : crisp(stroke.width)) + "/>\n";
}

void SvgCanvas::fill(Rect rect, Colour colour, double radius) {
    if (rect.width <= 0.0 || rect.height <= 0.0) return;
    // Many thin bars side by side would come out uneven.
    const bool wide = std::min(rect.width, rect.height) >= 3.0;
    body_ += "<rect" + place(rect) +
             (radius > 0.0 ? attribute("rx", radius)
              : wide       ? crisp(1.0)
                           : "") +
             paint("fill", colour) + "/>\n";
}

void SvgCanvas::circle(Point centre, double radius, Colour fill, Stroke stroke) {
    body_ += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) +
             paint("fill", fill);
    if (stroke.width > 0.0) body_ += paint("stroke", stroke.colour) + attribute("stroke-width", stroke.width);
    body_ += "/>\n";
}

void SvgCanvas::image(Rect rect, const std::shared_ptr<const Picture>& picture, double opacity) {
    if (picture->width > 0 && picture->height > 0)
        body_ += png_image(rect, to_surface(*picture).get(), opacity_attribute(opacity));
}

void SvgCanvas::heat_map(Rect rect, const HeatMap& map, double opacity) {
    const Index width = map.cells->width;
    const Index height = map.cells->height;
    const Index longest = std::max(width, height);
    if (width == 0 || height == 0) return;
    if (longest > most_cells_as_paths) {
        // Some viewers smooth whatever they are told: repeated cells keep the blur to their edges.
        const Index replicate = std::clamp<Index>(2048 / longest, 1, 8);
        body_ += png_image(rect, to_surface(map, replicate).get(),
                           attribute("style", "image-rendering:pixelated") + opacity_attribute(opacity));
        return;
    }
    const std::string transform = "translate(" + number(rect.x) + ' ' + number(rect.y) + ") scale(" +
                                  number(rect.width / static_cast<double>(width), 6) + ' ' +
                                  number(rect.height / static_cast<double>(height), 6) + ')';
    body_ += "<g" + attribute("transform", transform) + attribute("shape-rendering", "crispEdges") +
             opacity_attribute(opacity) + ">\n" + cell_paths(map) + "</g>\n";
}

/// Whole lines, anchored where they were aligned: readers that kern or have other fonts still line up there.
/// Formulas are drawn in pieces that abut, so in them every digit has its place.
void SvgCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
    if (utf8.empty()) return;
    std::string attributes = attribute("y", baseline.y) + attribute("font-size", Fonts::em(style.type)) +
                             paint("fill", style.colour);
    if (Fonts::semibold(style.type)) attributes += attribute("font-weight", "600");
    if (style.type == Type::formula) {
        const TextLine line = fonts().layout(utf8, style.type);
        const double left = baseline.x - line.width * (style.align == Align::left     ? 0.0
                                                       : style.align == Align::centre ? 0.5
                                                                                      : 1.0);
        body_ += "<text" + attribute("x", left) + attributes + attribute("xml:space", "preserve") + '>' +
                 placed_digits(utf8, line, left) + "</text>\n";
        return;
    }
    const bool spaces =
        utf8.front() == ' ' || utf8.back() == ' ' || utf8.find("  ") != std::string_view::npos;
    if (style.align != Align::left)
        attributes += attribute("text-anchor", style.align == Align::centre ? "middle" : "end");
    if (spaces) attributes += attribute("xml:space", "preserve");
    body_ += "<text" + attribute("x", baseline.x) + attributes + '>' + xml_escaped(utf8) + "</text>\n";
}

void SvgCanvas::push_clip(Rect rect) {
    const std::string id = "clip" + std::to_string(++clips_);
    body_ += "<clipPath" + attribute("id", id) + "><rect" + place(rect) + "/></clipPath>\n<g" +
             attribute("clip-path", "url(#" + id + ')') + ">\n";
}

void SvgCanvas::pop_clip() {
    body_ += "</g>\n";
}

std::string SvgCanvas::document(std::string_view title, std::string_view recipe) const {
    // Digits of equal width and no kerning, as in the project's own layout, where a viewer can do that.
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
           "version=\"1.1\"" +
           attribute("width", size_.width) + attribute("height", size_.height) +
           attribute("viewBox", "0 0 " + number(size_.width) + ' ' + number(size_.height)) +
           attribute("font-family", "Inter, 'DejaVu Sans', sans-serif") +
           attribute("style", "font-variant-numeric:tabular-nums;font-kerning:none") + ">\n<title>" +
           xml_escaped(title) + "</title>\n<metadata id=\"attnscope\">" + xml_escaped(recipe) +
           "</metadata>\n" + body_ + "</svg>\n";
}

}  // namespace attn
