#include "app/export/cairo_canvas.h"

#include <cairo-ft.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/utf8.h"

namespace attn {
namespace {

/// A font file opened for one Cairo face, closed when Cairo lets that go.
struct OpenedFont {
    FT_Library library = nullptr;
    FT_Face face = nullptr;

    explicit OpenedFont(const std::string& path) {
        if (FT_Init_FreeType(&library) != 0 || FT_New_Face(library, path.c_str(), 0, &face) != 0) {
            if (library != nullptr) FT_Done_FreeType(library);
            throw Error("expected to open the font " + path + ", it cannot be read any more");
        }
    }
    OpenedFont(const OpenedFont&) = delete;
    OpenedFont& operator=(const OpenedFont&) = delete;
    ~OpenedFont() {
        FT_Done_Face(face);
        FT_Done_FreeType(library);
    }
};

CairoFontFace open_face(const std::string& path) {
    static const cairo_user_data_key_t key{};
    auto font = std::make_unique<OpenedFont>(path);
    CairoFontFace face(cairo_ft_font_face_create_for_ft_face(font->face, 0));
    const auto close = [](void* opened) { delete static_cast<OpenedFont*>(opened); };
    check(cairo_font_face_set_user_data(face.get(), &key, font.get(), close));
    font.release();  // NOLINT(bugprone-unused-return-value): Cairo has it now
    return face;
}

bool visible(Stroke stroke) {
    return stroke.width > 0.0 && stroke.colour.a > 0;
}

}  // namespace

CairoCanvas::CairoCanvas(const Fonts& fonts, cairo_t* context, Target target, double resolution)
    : Canvas(fonts, resolution), context_(context), target_(target), faces_(fonts.files().size()) {
    const bool pixels = target == Target::pixels;
    if (pixels) cairo_scale(context_, resolution, resolution);
    // Light hinting sharpens stems on pixels; the layout's advances are never touched.
    const CairoFontOptions options(cairo_font_options_create());
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options.get(),
                                      pixels ? CAIRO_HINT_STYLE_SLIGHT : CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(context_, options.get());
}

/// Edges on whole pixels, so that neighbours neither overlap nor leave a seam; what is half a pixel thick
/// stays seen.
Rect CairoCanvas::crisp(Rect rect) const {
    if (target_ == Target::page) return rect;
    const double pixel = 1.0 / resolution();
    const auto extent = [&](double from, double length) {
        const double snapped = snap(from + length) - snap(from);
        return snapped < pixel / 2 && length >= pixel / 2 ? pixel : snapped;
    };
    return {snap(rect.x), snap(rect.y), extent(rect.x, rect.width), extent(rect.y, rect.height)};
}

double CairoCanvas::crisp_width(double width) const {
    return target_ == Target::page ? width : std::max(snap(width), 1.0 / resolution());
}

void CairoCanvas::set_colour(Colour colour) {
    cairo_set_source_rgba(context_, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0, colour.a / 255.0);
}

void CairoCanvas::set_stroke(Stroke stroke) {
    set_colour(stroke.colour);
    cairo_set_line_width(context_, stroke.width);
    constexpr std::array<double, 2> dash = {4.0, 4.0};
    cairo_set_dash(context_, dash.data(), stroke.dashed ? 2 : 0, 0.0);
}

void CairoCanvas::trace(std::span<const Point> points) {
    cairo_new_path(context_);
    for (const Point& point : points) cairo_line_to(context_, point.x, point.y);
}

void CairoCanvas::trace(Rect rect, double radius) {
    cairo_new_path(context_);
    const double r = std::min({radius, rect.width / 2, rect.height / 2});
    if (r <= 0.0) {
        cairo_rectangle(context_, rect.x, rect.y, rect.width, rect.height);
        return;
    }
    const double quarter = std::numbers::pi / 2;
    cairo_arc(context_, rect.right() - r, rect.y + r, r, -quarter, 0);
    cairo_arc(context_, rect.right() - r, rect.bottom() - r, r, 0, quarter);
    cairo_arc(context_, rect.x + r, rect.bottom() - r, r, quarter, 2 * quarter);
    cairo_arc(context_, rect.x + r, rect.y + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(context_);
}

void CairoCanvas::polyline(std::span<const Point> points, Stroke stroke) {
    if (points.size() < 2 || !visible(stroke)) return;
    const bool rule = points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
    if (rule && target_ == Target::pixels) {
        stroke.width = crisp_width(stroke.width);
        const bool upright = points[0].x == points[1].x;
        const double half = stroke.width / 2;
        const auto across = [&](double middle) { return snap(middle - half) + half; };
        const auto settle = [&](Point p) {
            return upright ? Point{across(p.x), snap(p.y)} : Point{snap(p.x), across(p.y)};
        };
        const std::array<Point, 2> snapped = {settle(points[0]), settle(points[1])};
        trace(snapped);
    } else {
        trace(points);
        if (points.size() > 2 && points.front() == points.back()) cairo_close_path(context_);
    }
    set_stroke(stroke);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(context_);
}

void CairoCanvas::polygon(std::span<const Point> points, Colour fill) {
    trace(points);
    set_colour(fill);
    cairo_fill(context_);
}

void CairoCanvas::rect(Rect rect, Stroke stroke, double radius) {
    if (!visible(stroke)) return;
    stroke.width = crisp_width(stroke.width);
    trace(crisp(rect).inset(stroke.width / 2), radius - stroke.width / 2);
    set_stroke(stroke);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_MITER);
    cairo_stroke(context_);
}

void CairoCanvas::fill(Rect rect, Colour colour, double radius) {
    trace(crisp(rect), radius);
    set_colour(colour);
    cairo_fill(context_);
}

void CairoCanvas::circle(Point centre, double radius, Colour fill, Stroke stroke) {
    cairo_new_path(context_);
    cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_close_path(context_);
    set_colour(fill);
    cairo_fill_preserve(context_);
    if (visible(stroke)) {
        set_stroke(stroke);
        cairo_stroke(context_);
    }
    cairo_new_path(context_);
}

/// The surface stretched over the rectangle. Padding keeps a filter from mixing the outermost pixels with
/// nothing.
void CairoCanvas::paint(Rect rect, cairo_surface_t* surface, cairo_filter_t filter, double opacity) {
    const int columns = cairo_image_surface_get_width(surface);
    const int rows = cairo_image_surface_get_height(surface);
    if (columns == 0 || rows == 0 || rect.width <= 0 || rect.height <= 0) return;
    cairo_save(context_);
    cairo_rectangle(context_, rect.x, rect.y, rect.width, rect.height);
    cairo_clip(context_);
    cairo_translate(context_, rect.x, rect.y);
    cairo_scale(context_, rect.width / columns, rect.height / rows);
    cairo_set_source_surface(context_, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context_), filter);
    cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
    if (opacity < 1.0)
        cairo_paint_with_alpha(context_, opacity);
    else
        cairo_paint(context_);
    cairo_restore(context_);
}

void CairoCanvas::image(Rect rect, const std::shared_ptr<const Picture>& picture, double opacity) {
    paint(crisp(rect), to_surface(*picture).get(), CAIRO_FILTER_GOOD, opacity);
}

void CairoCanvas::heat_map(Rect rect, const HeatMap& map, double opacity) {
    paint(crisp(rect), to_surface(map).get(), CAIRO_FILTER_NEAREST, opacity);
}

cairo_font_face_t* CairoCanvas::face(int index) {
    const auto i = static_cast<std::size_t>(index);
    if (!faces_[i]) faces_[i] = open_face(fonts().files()[i].path);
    return faces_[i].get();
}

/// One run of glyphs for each face, since Cairo itself never falls back. A run is one cluster: a PDF then
/// carries the run's exact text beside its glyphs, instead of having readers guess at spaces between the
/// digits' cells.
void CairoCanvas::text(Point baseline, std::string_view utf8, const TextStyle& style) {
    const TextLine line = fonts().layout(utf8, style.type);
    const std::vector<std::uint32_t> characters = code_points(utf8);
    const double shift =
        style.align == Align::left ? 0.0 : line.width / (style.align == Align::centre ? 2 : 1);
    const auto settle = [this](double at) { return target_ == Target::pixels ? snap(at) : at; };
    const double left = baseline.x - shift;
    set_colour(style.colour);
    for (std::size_t begin = 0, end = 0; begin < line.glyphs.size(); begin = end) {
        const int used = line.glyphs[begin].face;
        std::vector<cairo_glyph_t> glyphs;
        std::string written;
        for (; end < line.glyphs.size() && line.glyphs[end].face == used; ++end) {
            const Placed& placed = line.glyphs[end];
            glyphs.push_back({placed.glyph, settle(left + placed.x), settle(baseline.y)});
            append_utf8(written, std::max(characters[end], std::uint32_t{' '}));
        }
        const cairo_text_cluster_t cluster = {static_cast<int>(written.size()),
                                              static_cast<int>(glyphs.size())};
        cairo_set_font_face(context_, face(used));
        cairo_set_font_size(context_, Fonts::em(style.type));
        cairo_show_text_glyphs(context_, written.data(), cluster.num_bytes, glyphs.data(), cluster.num_glyphs,
                               &cluster, 1, cairo_text_cluster_flags_t{});
    }
}

void CairoCanvas::push_clip(Rect rect) {
    cairo_save(context_);
    trace(crisp(rect), 0.0);
    cairo_clip(context_);
}

void CairoCanvas::pop_clip() {
    cairo_restore(context_);
}

}  // namespace attn
