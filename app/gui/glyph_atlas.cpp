#include "app/gui/glyph_atlas.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/error.h"

namespace attn {

struct GlyphAtlas::Faces {
    FT_Library library = nullptr;
    std::vector<FT_Face> faces;
    std::vector<int> sizes;  ///< em each face is set to, in 1/64 pixel

    explicit Faces(const Fonts& fonts) {
        if (FT_Init_FreeType(&library) != 0) throw Error("expected FreeType to start, it did not");
        for (const FontFile& file : fonts.files()) {
            FT_Face face = nullptr;
            if (FT_New_Face(library, file.path.c_str(), 0, &face) != 0) {
                release();
                throw Error("expected a font in " + file.path + ", found a file that FreeType cannot read");
            }
            faces.push_back(face);
        }
        sizes.assign(faces.size(), 0);
    }
    Faces(const Faces&) = delete;
    Faces& operator=(const Faces&) = delete;
    ~Faces() { release(); }

    FT_Face sized(int face, int em64) {
        const auto at = static_cast<std::size_t>(face);
        if (sizes[at] != em64) FT_Set_Char_Size(faces[at], 0, em64, 72, 72);
        sizes[at] = em64;
        return faces[at];
    }

  private:
    void release() {
        for (FT_Face face : faces) FT_Done_Face(face);
        FT_Done_FreeType(library);
    }
};

GlyphAtlas::GlyphAtlas(const Fonts& fonts) : faces_(std::make_unique<Faces>(fonts)) {}

GlyphAtlas::~GlyphAtlas() = default;

const Glyph& GlyphAtlas::glyph(int face, std::uint32_t index, double em, int shift) {
    const int em64 = static_cast<int>(std::lround(em * 64.0));
    const auto [at, added] = glyphs_.try_emplace(Key{face, index, em64, shift});
    if (added) at->second = rasterise(face, index, em64, shift);
    return at->second;
}

void GlyphAtlas::reset(int width, int height) {
    width_ = width;
    height_ = height;
    pixels_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0U);
    glyphs_.clear();
    shelf_x_ = shelf_y_ = 1;
    shelf_height_ = 0;
    changes_ = Rows{0, height_};
    full_ = false;
}

std::optional<GlyphAtlas::Rows> GlyphAtlas::take_changes() {
    return std::exchange(changes_, std::nullopt);
}

Glyph GlyphAtlas::rasterise(int face, std::uint32_t index, int em64, int shift) {
    FT_Face sized = faces_->sized(face, em64);
    if (FT_Load_Glyph(sized, index, FT_LOAD_TARGET_LIGHT) != 0) return {};
    if (sized->glyph->format != FT_GLYPH_FORMAT_OUTLINE) return {};
    FT_Outline_Translate(&sized->glyph->outline, shift * 64 / steps, 0);
    if (FT_Render_Glyph(sized->glyph, FT_RENDER_MODE_LIGHT) != 0) return {};
    const FT_Bitmap& bitmap = sized->glyph->bitmap;
    Glyph glyph{.width = static_cast<int>(bitmap.width),
                .height = static_cast<int>(bitmap.rows),
                .left = sized->glyph->bitmap_left,
                .top = -sized->glyph->bitmap_top};
    if (glyph.width == 0 || bitmap.pixel_mode != FT_PIXEL_MODE_GRAY || !place(glyph)) return {};
    for (int row = 0; row < glyph.height; ++row) {
        const unsigned char* source = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
        const auto start = static_cast<std::size_t>(glyph.y + row) * static_cast<std::size_t>(width_) +
                           static_cast<std::size_t>(glyph.x);
        for (int column = 0; column < glyph.width; ++column) {
            const auto coverage = static_cast<std::uint32_t>(source[column]);
            pixels_[start + static_cast<std::size_t>(column)] = 0x00FFFFFFU | coverage << 24U;
        }
    }
    const Rows touched{glyph.y, glyph.y + glyph.height};
    changes_ = changes_ ? Rows{std::min(changes_->first, touched.first), std::max(changes_->end, touched.end)}
                        : touched;
    return glyph;
}

/// Shelves of glyphs from left to right, a pixel apart.
bool GlyphAtlas::place(Glyph& glyph) {
    if (shelf_x_ + glyph.width + 1 > width_) {
        shelf_y_ += shelf_height_ + 1;
        shelf_x_ = 1;
        shelf_height_ = 0;
    }
    if (shelf_y_ + glyph.height + 1 > height_ || glyph.width + 2 > width_) {
        full_ = true;
        return false;
    }
    glyph.x = shelf_x_;
    glyph.y = shelf_y_;
    shelf_x_ += glyph.width + 1;
    shelf_height_ = std::max(shelf_height_, glyph.height);
    return true;
}

}  // namespace attn
