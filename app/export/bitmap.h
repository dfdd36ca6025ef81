#pragma once

#include <cairo.h>

#include <memory>
#include <string>

#include "app/canvas.h"

namespace attn {

struct CairoRelease {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
    void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
using CairoContext = std::unique_ptr<cairo_t, CairoRelease>;
using CairoSurface = std::unique_ptr<cairo_surface_t, CairoRelease>;
using CairoFontFace = std::unique_ptr<cairo_font_face_t, CairoRelease>;
using CairoFontOptions = std::unique_ptr<cairo_font_options_t, CairoRelease>;

/// Throws Error in Cairo's own words when something went wrong.
void check(cairo_status_t status);

/// One pixel per pixel of the picture.
CairoSurface to_surface(const Picture& picture);
/// One pixel per cell. `replicate` repeats each cell that many times both ways.
CairoSurface to_surface(const HeatMap& map, Index replicate = 1);

/// PNG bytes of an image surface.
std::string to_png(cairo_surface_t* surface);

/// Cairo's stream callback: appends to the std::string at `closure`.
cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned int length) noexcept;

}  // namespace attn
