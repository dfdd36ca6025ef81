#include "app/export/bitmap.h"

#include <cstring>
#include <new>
#include <vector>

#include "core/error.h"

namespace attn {
namespace {

/// Cairo's pixel: native-endian 0xAARRGGBB, the colour multiplied by alpha.
std::uint32_t premultiplied(unsigned r, unsigned g, unsigned b, unsigned a) {
    const auto by_alpha = [a](unsigned part) { return (part * a + 127U) / 255U; };
    return (a << 24U) | (by_alpha(r) << 16U) | (by_alpha(g) << 8U) | by_alpha(b);
}

CairoSurface make_image(cairo_format_t format, Index width, Index height) {
    CairoSurface surface(
        cairo_image_surface_create(format, static_cast<int>(width), static_cast<int>(height)));
    check(cairo_surface_status(surface.get()));
    cairo_surface_flush(surface.get());
    return surface;
}

std::uint32_t* row_of(cairo_surface_t* surface, Index y) {
    return reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(surface) +
                                            y * cairo_image_surface_get_stride(surface));
}

}  // namespace

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error(std::string("expected the figure to be drawn, Cairo says: ") +
                    cairo_status_to_string(status));
}

CairoSurface to_surface(const Picture& picture) {
    CairoSurface surface = make_image(CAIRO_FORMAT_RGB24, picture.width, picture.height);
    const std::uint8_t* from = picture.rgb.data();
    for (Index y = 0; y < picture.height; ++y) {
        std::uint32_t* row = row_of(surface.get(), y);
        for (Index x = 0; x < picture.width; ++x, from += 3)
            row[x] = premultiplied(from[0], from[1], from[2], 255);
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

CairoSurface to_surface(const HeatMap& map, Index replicate) {
    const std::vector<std::uint8_t> rgba = colour_cells(*map.cells, map.colouring);
    const Index width = map.cells->width;
    const Index height = map.cells->height;
    CairoSurface surface = make_image(CAIRO_FORMAT_ARGB32, width * replicate, height * replicate);
    const std::uint8_t* from = rgba.data();
    for (Index y = 0; y < height; ++y) {
        std::uint32_t* first = row_of(surface.get(), y * replicate);
        for (Index x = 0; x < width; ++x, from += 4)
            for (Index i = 0; i < replicate; ++i)
                first[x * replicate + i] = premultiplied(from[0], from[1], from[2], from[3]);
        for (Index i = 1; i < replicate; ++i)
            std::memcpy(row_of(surface.get(), y * replicate + i), first,
                        static_cast<std::size_t>(width * replicate) * sizeof *first);
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

std::string to_png(cairo_surface_t* surface) {
    std::string bytes;
    check(cairo_surface_write_to_png_stream(surface, append_bytes, &bytes));
    return bytes;
}

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned int length) noexcept {
    try {
        static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
    } catch (const std::bad_alloc&) {
        return CAIRO_STATUS_NO_MEMORY;
    }
}

}  // namespace attn
