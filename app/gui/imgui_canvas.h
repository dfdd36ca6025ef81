#pragma once

#include <list>
#include <memory>
#include <optional>

#include "app/canvas.h"
#include "app/gui/gl/heat_map.h"
#include "app/gui/gl/texture.h"
#include "app/gui/glyph_atlas.h"

struct ImDrawList;

namespace attn {

/// What drawing keeps from frame to frame: glyphs and textures. Needs a current OpenGL context and Dear ImGui
/// context from birth to death.
class DrawStore {
  public:
    DrawStore(const Fonts& fonts, double scale);
    ~DrawStore();
    DrawStore(const DrawStore&) = delete;
    DrawStore& operator=(const DrawStore&) = delete;

    /// Before a frame's first drawing: takes over a new scale and forgets textures that nobody draws any
    /// more.
    void begin_frame(double scale);
    /// After its last: hands new glyphs to the GPU.
    void end_frame();
    /// Whether the frame lacks glyphs because the atlas was full; the next frame starts it anew.
    [[nodiscard]] bool incomplete() const { return atlas_.full(); }

  private:
    friend class ImguiCanvas;
    struct KeptHeatMap {
        std::weak_ptr<const Cells> cells;
        Colouring colouring;
        gl::Texture texture;
        bool drawn = true;
    };
    struct KeptPicture {
        std::weak_ptr<const Picture> picture;
        gl::Texture texture;
    };

    const gl::Texture& heat_map(const HeatMap& map);
    const gl::Texture& picture(const std::shared_ptr<const Picture>& picture);
    void attach(int side);

    const Fonts* fonts_;
    GlyphAtlas atlas_;
    int region_x_ = 0, region_y_ = 0;  ///< of the atlas inside Dear ImGui's texture
    int side_ = 0;                     ///< of Dear ImGui's texture
    float u_ = 0.0F, v_ = 0.0F;        ///< one texel
    double scale_ = 0.0;
    gl::HeatMapPainter painter_;
    std::list<KeptHeatMap> heat_maps_;
    std::list<KeptPicture> pictures_;
};

/// The canvas on a Dear ImGui draw list: the one file that calls draw lists and knows Dear ImGui's version.
/// Text is drawn glyph by glyph from the project's own layout at whole device pixels, from a region of Dear
/// ImGui's font texture, so that text and shapes share one draw call.
class ImguiCanvas final : public Canvas {
  public:
    /// `resolution` is device pixels per point.
    ImguiCanvas(ImDrawList& list, DrawStore& store, double resolution);
    /// On the current window's draw list, or above every window.
    static std::unique_ptr<ImguiCanvas> window(DrawStore& store, double resolution);
    static std::unique_ptr<ImguiCanvas> foreground(DrawStore& store, double resolution);

    /// The area is known to have this colour already: filling it once more, as every figure begins with, is
    /// left out. It would cost a software renderer as much as all the rest of a figure.
    void set_ground(Rect area, Colour colour) { ground_ = {area, colour}; }

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

  private:
    void straight(Point a, Point b, const Stroke& stroke);
    void textured(Rect rect, const gl::Texture& texture, double opacity);

    struct Ground {
        Rect area;
        Colour colour;
        friend bool operator==(const Ground&, const Ground&) = default;
    };

    ImDrawList* list_;
    DrawStore* store_;
    std::optional<Ground> ground_;  ///< until something is filled
};

}  // namespace attn
