#include "tests/figures/recording_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace attn {
namespace {

constexpr std::array<const char*, type_count> type_names = {"title",    "lead",  "body", "strong", "caption",
                                                            "emphasis", "label", "tile", "formula"};

/// Words and rounded numbers with a space between.
class Line {
  public:
    explicit Line(std::string_view verb) { text_ << std::setprecision(10) << verb; }
    Line& operator<<(double number) {
        const double rounded = std::round(number * 100.0) / 100.0;
        text_ << ' ' << rounded + 0.0;  // + 0.0: no negative zero
        return *this;
    }
    Line& operator<<(std::string_view word) {
        text_ << ' ' << word;
        return *this;
    }
    Line& operator<<(Colour colour) {
        text_ << " #" << std::hex << std::setfill('0');
        for (const int part : {int{colour.r}, int{colour.g}, int{colour.b}}) text_ << std::setw(2) << part;
        if (colour.a != 255) text_ << '/' << std::setw(2) << int{colour.a};
        text_ << std::dec;
        return *this;
    }
    Line& operator<<(Rect rect) { return *this << rect.x << rect.y << rect.width << rect.height; }
    Line& operator<<(Stroke stroke) {
        *this << stroke.colour << stroke.width;
        return stroke.dashed ? *this << "dashed" : *this;
    }
    Line& operator<<(std::span<const Point> points) {
        for (const Point& point : points) *this << point.x << point.y;
        return *this;
    }
    [[nodiscard]] std::string str() const { return text_.str(); }

  private:
    std::ostringstream text_;
};

/// FNV-1a: the same bytes give the same word on every machine.
std::string hash(std::span<const std::uint8_t> bytes) {
    std::uint64_t value = 14695981039346656037ULL;
    for (const std::uint8_t byte : bytes) value = (value ^ byte) * 1099511628211ULL;
    std::ostringstream text;
    text << std::hex << std::setw(16) << std::setfill('0') << value;
    return text.str();
}

std::string extent(Index height, Index width) {
    return std::to_string(height) + "x" + std::to_string(width);
}

}  // namespace

void RecordingCanvas::polyline(std::span<const Point> points, Stroke stroke) {
    calls_.push_back((Line("polyline") << stroke << points).str());
}

void RecordingCanvas::polygon(std::span<const Point> points, Colour fill) {
    calls_.push_back((Line("polygon") << fill << points).str());
}

void RecordingCanvas::rect(Rect rect, Stroke stroke, double radius) {
    calls_.push_back((Line("rect") << rect << stroke << radius).str());
}

void RecordingCanvas::fill(Rect rect, Colour colour, double radius) {
    calls_.push_back((Line("fill") << rect << colour << radius).str());
}

void RecordingCanvas::circle(Point centre, double radius, Colour fill, Stroke stroke) {
    calls_.push_back((Line("circle") << centre.x << centre.y << radius << fill << stroke).str());
}

void RecordingCanvas::image(Rect rect, const std::shared_ptr<const Picture>& picture, double opacity) {
    calls_.push_back(
        (Line("image") << rect << extent(picture->height, picture->width) << hash(picture->rgb) << opacity)
            .str());
}

void RecordingCanvas::heat_map(Rect rect, const HeatMap& map, double opacity) {
    calls_.push_back((Line("heat_map") << rect << extent(map.cells->height, map.cells->width)
                                       << hash(colour_cells(*map.cells, map.colouring)) << opacity)
                         .str());
}

void RecordingCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
    constexpr std::array<const char*, 3> aligns = {"left", "centre", "right"};
    calls_.push_back((Line("text") << baseline.x << baseline.y
                                   << aligns[static_cast<std::size_t>(style.align)]
                                   << type_names[static_cast<std::size_t>(style.type)] << style.colour
                                   << '"' + std::string(utf8) + '"')
                         .str());
}

void RecordingCanvas::push_clip(Rect rect) {
    ++open_clips_;
    calls_.push_back((Line("push_clip") << rect).str());
}

void RecordingCanvas::pop_clip() {
    --open_clips_;
    calls_.emplace_back("pop_clip");
}

std::vector<std::string> RecordingCanvas::calls(std::string_view verb) const {
    std::vector<std::string> found;
    for (const std::string& call : calls_)
        if (std::string_view(call).substr(0, call.find(' ')) == verb) found.push_back(call);
    return found;
}

std::string difference(std::span<const std::string> left, std::span<const std::string> right) {
    const auto [l, r] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    if (l == left.end() && r == right.end()) return {};
    std::ostringstream text;
    text << "call " << l - left.begin() << " of " << left.size() << " and " << right.size() << ":\n  "
         << (l == left.end() ? "(nothing)" : *l) << "\n  " << (r == right.end() ? "(nothing)" : *r);
    return text.str();
}

}  // namespace attn
