#include "app/gui/imgui_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "app/gui/triangles.h"
#include "backends/imgui_impl_opengl3.h"
#include "imgui.h"

static_assert(
    IMGUI_VERSION_NUM >= 18600 && IMGUI_VERSION_NUM < 19200,
    "Dear ImGui 1.92 made the font atlas dynamic: attach() needs its AddCustomRect and texture updates");

namespace attn {
namespace {

ImU32 packed(Colour c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}

Colour faded(Colour c, double opacity) {
    c.a = static_cast<std::uint8_t>(std::lround(c.a * std::clamp(opacity, 0.0, 1.0)));
    return c;
}

float number(double value) {
    return static_cast<float>(value);
}

ImTextureID texture_id(unsigned texture) {
    // Dear ImGui carries OpenGL's number in a pointer.
    return reinterpret_cast<ImTextureID>(
        static_cast<std::uintptr_t>(texture));  // NOLINT(performance-no-int-to-ptr)
}

bool same_look(const Colouring& a, const Colouring& b) {
    return a.ramp == b.ramp && a.masked == b.masked && a.nan == b.nan && a.plus_infinity == b.plus_infinity &&
           a.minus_infinity == b.minus_infinity;
}

/// A side of whole device pixels, at least one.
double whole(double pixels) {
    return std::max(1.0, std::floor(pixels + 0.5));
}

}  // namespace

DrawStore::DrawStore(const Fonts& fonts, double scale) : fonts_(&fonts), atlas_(fonts) {
    attach(scale > 1.5 ? 2048 : 1024);
}

DrawStore::~DrawStore() = default;

/// Reserves most of a Dear ImGui font texture of that side for the glyphs.
void DrawStore::attach(int side) {
    constexpr int margin = 24;  // room beside the region for what Dear ImGui itself keeps there: its built-in
    constexpr int own_rows = 140;  // font, a white texel, anti-aliased lines
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const bool first = side_ == 0;
    if (!first) ImGui_ImplOpenGL3_DestroyFontsTexture();
    atlas.Clear();
    atlas.TexDesiredWidth = side_ = side;
    atlas_.reset(side - margin, side - own_rows);
    const int region = atlas.AddCustomRectRegular(atlas_.width(), atlas_.height());
    atlas.Build();
    const ImFontAtlasCustomRect& rect = *atlas.GetCustomRectByIndex(region);
    region_x_ = rect.X;
    region_y_ = rect.Y;
    u_ = 1.0F / static_cast<float>(atlas.TexWidth);
    v_ = 1.0F / static_cast<float>(atlas.TexHeight);
    // The back end makes the texture with its shaders, and would make it again if it came first.
    if (first)
        ImGui_ImplOpenGL3_CreateDeviceObjects();
    else
        ImGui_ImplOpenGL3_CreateFontsTexture();
}

void DrawStore::begin_frame(double scale) {
    if (atlas_.full() && side_ < 4096) {
        attach(side_ * 2);
    } else if (scale != scale_ || atlas_.full()) {
        atlas_.reset(atlas_.width(), atlas_.height());
    }
    scale_ = scale;
    heat_maps_.remove_if([](const KeptHeatMap& kept) { return kept.cells.expired() || !kept.drawn; });
    for (KeptHeatMap& kept : heat_maps_) kept.drawn = false;
    pictures_.remove_if([](const KeptPicture& kept) { return kept.picture.expired(); });
}

void DrawStore::end_frame() {
    const auto changes = atlas_.take_changes();
    if (!changes) return;
    const auto texture = reinterpret_cast<std::uintptr_t>(ImGui::GetIO().Fonts->TexID);
    gl::update_rgba8(static_cast<unsigned>(texture), region_x_, region_y_ + changes->first, atlas_.width(),
                     changes->end - changes->first, atlas_.width(),
                     atlas_.pixels().data() + static_cast<std::ptrdiff_t>(changes->first) * atlas_.width());
}

const gl::Texture& DrawStore::heat_map(const HeatMap& map) {
    for (KeptHeatMap& kept : heat_maps_) {
        if (kept.cells.lock() == map.cells && same_look(kept.colouring, map.colouring)) {
            kept.drawn = true;
            return kept.texture;
        }
    }
    heat_maps_.push_back({map.cells, map.colouring, painter_.paint(*map.cells, map.colouring)});
    return heat_maps_.back().texture;
}

const gl::Texture& DrawStore::picture(const std::shared_ptr<const Picture>& picture) {
    for (const KeptPicture& kept : pictures_) {
        if (kept.picture.lock() == picture) return kept.texture;
    }
    std::vector<std::uint8_t> pixels;
    pixels.reserve(picture->rgb.size() / 3 * 4);
    for (std::size_t at = 0; at + 2 < picture->rgb.size(); at += 3) {
        pixels.insert(pixels.end(), {picture->rgb[at], picture->rgb[at + 1], picture->rgb[at + 2], 255});
    }
    pictures_.push_back(
        {picture, gl::Texture::rgba8(static_cast<int>(picture->width), static_cast<int>(picture->height),
                                     gl::Filter::linear, pixels)});
    return pictures_.back().texture;
}

ImguiCanvas::ImguiCanvas(ImDrawList& list, DrawStore& store, double resolution)
    : Canvas(*store.fonts_, resolution), list_(&list), store_(&store) {}

std::unique_ptr<ImguiCanvas> ImguiCanvas::window(DrawStore& store, double resolution) {
    return std::make_unique<ImguiCanvas>(*ImGui::GetWindowDrawList(), store, resolution);
}

std::unique_ptr<ImguiCanvas> ImguiCanvas::foreground(DrawStore& store, double resolution) {
    return std::make_unique<ImguiCanvas>(*ImGui::GetForegroundDrawList(), store, resolution);
}

/// A horizontal or vertical line as whole pixels: anti-aliasing would smear a hairline over two.
void ImguiCanvas::straight(Point a, Point b, const Stroke& stroke) {
    const double s = resolution();
    const double thick = whole(stroke.width * s);
    const bool level = a.y == b.y;
    double from = (level ? std::min(a.x, b.x) : std::min(a.y, b.y)) * s;
    const double to = std::floor((level ? std::max(a.x, b.x) : std::max(a.y, b.y)) * s + 0.5);
    const double across = std::floor((level ? a.y : a.x) * s - thick / 2 + 0.5);
    from = std::floor(from + 0.5);
    const double on = stroke.dashed ? whole(4 * s) : to - from;
    while (from < to) {
        const double end = std::min(from + on, to);
        const ImVec2 low =
            level ? ImVec2(number(from), number(across)) : ImVec2(number(across), number(from));
        const ImVec2 high =
            level ? ImVec2(number(end), number(across + thick)) : ImVec2(number(across + thick), number(end));
        list_->AddRectFilled(low, high, packed(stroke.colour));
        from += on + whole(4 * s);
    }
}

void ImguiCanvas::polyline(std::span<const Point> points, Stroke stroke) {
    if (points.size() < 2) return;
    if (points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y)) {
        straight(points[0], points[1], stroke);
        return;
    }
    const double s = resolution();
    const auto draw = [&](const std::vector<ImVec2>& path) {
        if (path.size() < 2) return;
        list_->AddPolyline(path.data(), static_cast<int>(path.size()), packed(stroke.colour),
                           ImDrawFlags_None, number(stroke.width * s));
    };
    std::vector<ImVec2> path{{number(points[0].x * s), number(points[0].y * s)}};
    if (!stroke.dashed) {
        for (const Point p : points.subspan(1)) path.emplace_back(number(p.x * s), number(p.y * s));
        draw(path);
        return;
    }
    double left = 4.0;  // of the present dash or gap
    bool on = true;
    for (std::size_t i = 1; i < points.size(); ++i) {
        Point at = points[i - 1];
        const Point to = points[i];
        double length = std::hypot(to.x - at.x, to.y - at.y);
        while (length > 0.0) {
            const double step = std::min(left, length);
            at = {at.x + (to.x - at.x) * step / length, at.y + (to.y - at.y) * step / length};
            path.emplace_back(number(at.x * s), number(at.y * s));
            length -= step;
            left -= step;
            if (left > 0.0) continue;
            if (on) draw(path);
            path.assign(1, path.back());
            on = !on;
            left = 4.0;
        }
    }
    if (on) draw(path);
}

void ImguiCanvas::polygon(std::span<const Point> points, Colour fill) {
    if (points.size() < 3) return;
    const double s = resolution();
    std::vector<ImVec2> corners;
    corners.reserve(points.size());
    for (const Point p : points) corners.emplace_back(number(p.x * s), number(p.y * s));
    if (convex(points)) {
        list_->AddConvexPolyFilled(corners.data(), static_cast<int>(corners.size()), packed(fill));
        return;
    }
    // Anti-aliased triangles would show seams where they meet.
    const ImDrawListFlags flags = list_->Flags;
    list_->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (const auto& [a, b, c] : triangles(points)) {
        list_->AddTriangleFilled(corners[a], corners[b], corners[c], packed(fill));
    }
    list_->Flags = flags;
}

void ImguiCanvas::rect(Rect rect, Stroke stroke, double radius) {
    const double s = resolution();
    const double thick = whole(stroke.width * s);
    const double x0 = std::floor(rect.x * s + 0.5), x1 = std::floor(rect.right() * s + 0.5);
    const double y0 = std::floor(rect.y * s + 0.5), y1 = std::floor(rect.bottom() * s + 0.5);
    const ImU32 colour = packed(stroke.colour);
    if (radius > 0.0) {  // Dear ImGui moves the outline by half a pixel inwards, for a thickness of one
        const double by = (thick - 1) / 2;
        list_->AddRect({number(x0 + by), number(y0 + by)}, {number(x1 - by), number(y1 - by)}, colour,
                       number(radius * s), ImDrawFlags_RoundCornersAll, number(thick));
        return;
    }
    const auto bar = [&](double left, double top, double right, double bottom) {
        if (right <= left || bottom <= top) return;
        list_->AddRectFilled({number(left), number(top)}, {number(right), number(bottom)}, colour);
    };
    bar(x0, y0, x1, std::min(y0 + thick, y1));
    bar(x0, std::max(y1 - thick, y0), x1, y1);
    bar(x0, y0 + thick, x0 + thick, y1 - thick);
    bar(x1 - thick, y0 + thick, x1, y1 - thick);
}

void ImguiCanvas::fill(Rect rect, Colour colour, double radius) {
    if (std::exchange(ground_, std::nullopt) == Ground{rect, colour}) return;
    const double s = resolution();
    double x0 = rect.x * s, x1 = rect.right() * s, y0 = rect.y * s, y1 = rect.bottom() * s;
    const auto settle = [](double& low, double& high) {  // thin bars keep their thickness wherever they lie
        if (high - low > 4.0) return;
        const double size = whole(high - low);
        low = std::floor(low + 0.5);
        high = low + size;
    };
    if (x1 <= x0 || y1 <= y0) return;
    if (radius <= 0.0) {
        settle(x0, x1);
        settle(y0, y1);
    }
    list_->AddRectFilled({number(x0), number(y0)}, {number(x1), number(y1)}, packed(colour),
                         number(radius * s));
}

void ImguiCanvas::circle(Point centre, double radius, Colour fill, Stroke stroke) {
    const double s = resolution();
    const ImVec2 at{number(centre.x * s), number(centre.y * s)};
    const double line = stroke.width * s;
    if (fill.a != 0) list_->AddCircleFilled(at, number(radius * s), packed(fill));
    if (line > 0.0) list_->AddCircle(at, number(radius * s + 0.5), packed(stroke.colour), 0, number(line));
}

void ImguiCanvas::textured(Rect rect, const gl::Texture& texture, double opacity) {
    const double s = resolution();
    const auto pixel = [s](double points) { return number(std::floor(points * s + 0.5)); };
    list_->AddImage(texture_id(texture.id()), {pixel(rect.x), pixel(rect.y)},
                    {pixel(rect.right()), pixel(rect.bottom())}, {0.0F, 0.0F}, {1.0F, 1.0F},
                    packed(faded({255, 255, 255, 255}, opacity)));
}

void ImguiCanvas::image(Rect rect, const std::shared_ptr<const Picture>& picture, double opacity) {
    if (picture && picture->width > 0 && picture->height > 0) {
        textured(rect, store_->picture(picture), opacity);
    }
}

void ImguiCanvas::heat_map(Rect rect, const HeatMap& map, double opacity) {
    if (map.cells && map.cells->width > 0 && map.cells->height > 0) {
        textured(rect, store_->heat_map(map), opacity);
    }
}

void ImguiCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
    const double s = resolution();
    const TextLine line = fonts().layout(utf8, style.type);
    const double before = style.align == Align::left     ? 0.0
                          : style.align == Align::centre ? line.width / 2
                                                         : line.width;
    const double start = (baseline.x - before) * s;
    const double y = std::floor(baseline.y * s + 0.5);
    const double em = Fonts::em(style.type) * s;
    const int steps = em < 40.0 ? GlyphAtlas::steps : 1;  // on large glyphs half a pixel is not seen
    const ImU32 colour = packed(style.colour);
    for (const Placed& placed : line.glyphs) {
        const double pen = std::floor((start + placed.x * s) * steps + 0.5);
        const double pixel = std::floor(pen / steps);
        const int shift = static_cast<int>(pen - pixel * steps) * GlyphAtlas::steps / steps;
        const Glyph& glyph = store_->atlas_.glyph(placed.face, placed.glyph, em, shift);
        if (glyph.width == 0) continue;
        const double x = pixel + glyph.left;
        const ImVec2 low{number(x), number(y + glyph.top)};
        const ImVec2 high{low.x + number(glyph.width), low.y + number(glyph.height)};
        const ImVec2 uv{number(store_->region_x_ + glyph.x) * store_->u_,
                        number(store_->region_y_ + glyph.y) * store_->v_};
        const ImVec2 uv_high{uv.x + number(glyph.width) * store_->u_,
                             uv.y + number(glyph.height) * store_->v_};
        list_->PrimReserve(6, 4);
        list_->PrimRectUV(low, high, uv, uv_high, colour);
    }
}

void ImguiCanvas::push_clip(Rect rect) {
    const double s = resolution();
    const auto pixel = [s](double points) { return number(std::floor(points * s + 0.5)); };
    list_->PushClipRect({pixel(rect.x), pixel(rect.y)}, {pixel(rect.right()), pixel(rect.bottom())}, true);
}

void ImguiCanvas::pop_clip() {
    list_->PopClipRect();
}

}  // namespace attn
