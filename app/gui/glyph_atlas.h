#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "app/text.h"

namespace attn {

/// A glyph's picture in the atlas, and where it stands from the pen on the baseline, in device pixels (y
/// down).
struct Glyph {
    int x = 0, y = 0, width = 0, height = 0;  ///< in the atlas; width 0 for a blank
    int left = 0, top = 0;                    ///< from the pen to the picture's upper left corner
};

/// Glyphs rasterised when they are first drawn, at exactly the em that is asked for (Dear ImGui's own atlas
/// bakes whole ranges at whole pixel heights). Light hinting: crisp horizontals, true widths. White, with
/// coverage as alpha.
class GlyphAtlas {
  public:
    explicit GlyphAtlas(const Fonts& fonts);
    ~GlyphAtlas();
    GlyphAtlas(const GlyphAtlas&) = delete;
    GlyphAtlas& operator=(const GlyphAtlas&) = delete;

    /// The glyph of that face at `em` device pixels. When the atlas is full, blank until the next reset().
    /// `shift` is the pen's place between two pixels, in 1/steps of a pixel.
    const Glyph& glyph(int face, std::uint32_t index, double em, int shift);
    static constexpr int steps = 4;
    [[nodiscard]] bool full() const { return full_; }
    /// Forgets every glyph (the scale changed, or the atlas was full) and takes a size.
    void reset(int width, int height);

    /// RGBA pixels as bytes in memory order, width × height.
    [[nodiscard]] const std::vector<std::uint32_t>& pixels() const { return pixels_; }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    struct Rows {
        int first = 0, end = 0;
    };
    /// The rows changed since the last call.
    std::optional<Rows> take_changes();

  private:
    struct Faces;
    using Key = std::tuple<int, std::uint32_t, int, int>;  ///< face, glyph, em in 1/64 pixel, shift

    Glyph rasterise(int face, std::uint32_t index, int em64, int shift);
    bool place(Glyph& glyph);

    std::unique_ptr<Faces> faces_;
    int width_ = 0, height_ = 0;
    std::vector<std::uint32_t> pixels_;
    std::map<Key, Glyph> glyphs_;
    int shelf_x_ = 1, shelf_y_ = 1, shelf_height_ = 0;
    std::optional<Rows> changes_;
    bool full_ = false;
};

}  // namespace attn
