#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The sizes of type there are. All are multiples of one text height, so that scale and present mode follow.
enum class Type {
    title,     ///< 20, semibold
    lead,      ///< 14, the sentence under a title
    body,      ///< 13
    strong,    ///< 13, semibold
    caption,   ///< 12
    emphasis,  ///< 12, semibold
    label,     ///< 11, section heads (written in capitals), ticks
    tile,      ///< 21, semibold, numbers
    formula    ///< 17
};
inline constexpr int type_count = 9;

/// One glyph at its place.
struct Placed {
    int face = 0;                  ///< index into Fonts::files()
    std::uint32_t glyph = 0;       ///< in that face
    std::uint32_t code_point = 0;
    double x = 0.0;                ///< points from the start of the line
};

struct TextLine {
    std::vector<Placed> glyphs;
    double width = 0.0;  ///< points
};

/// A font file that the layout chose, in the order of preference.
struct FontFile {
    std::string path;
    std::string family;       ///< "Inter"
    bool semibold = false;
    double em_to_pixels = 1.0; ///< (ascender − descender) / units per em: Dear ImGui's size is em times this
};

/// The project's one text layout: a face for each code point (Inter where it is installed, DejaVu Sans for what it
/// lacks or in its place), unhinted advances, digits in cells of equal width, no kerning. Every canvas draws from it, so
/// that a line has the same width in the window and in a file. Immutable once made; any thread may use it.
class Fonts {
  public:
    /// Finds the faces through fontconfig. Throws Error naming the packages when neither family is installed.
    Fonts();
    Fonts(const Fonts&) = delete;
    Fonts& operator=(const Fonts&) = delete;
    ~Fonts();

    [[nodiscard]] TextLine layout(std::string_view utf8, Type type) const;
    [[nodiscard]] double width(std::string_view utf8, Type type) const { return layout(utf8, type).width; }
    /// The em in points.
    [[nodiscard]] static double em(Type type);
    [[nodiscard]] static bool semibold(Type type);
    /// Distance between baselines.
    [[nodiscard]] static double line_height(Type type) { return em(type) * 1.45; }
    [[nodiscard]] const std::vector<FontFile>& files() const;

    /// The text broken into lines of at most `width` points, at spaces.
    [[nodiscard]] std::vector<std::string> wrap(std::string_view utf8, Type type, double width) const;
    /// The text, shortened with … to at most `width` points.
    [[nodiscard]] std::string fit(std::string_view utf8, Type type, double width) const;

  private:
    struct Faces;
    std::unique_ptr<Faces> faces_;
};

/// Code points of UTF-8 text; a broken byte becomes U+FFFD.
std::vector<std::uint32_t> code_points(std::string_view utf8);

}  // namespace attn
