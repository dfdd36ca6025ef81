#include "tests/figures/pixels.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/export/cairo_canvas.h"
#include "core/error.h"

namespace attn {
namespace {

Pixels read_surface(cairo_surface_t* surface) {
    cairo_surface_flush(surface);
    Pixels pixels{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
    for (int y = 0; y < pixels.height; ++y) {
        const unsigned char* row = cairo_image_surface_get_data(surface) +
                                   std::ptrdiff_t{y} * cairo_image_surface_get_stride(surface);
        for (int x = 0; x < pixels.width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, row + std::ptrdiff_t{x} * 4, 4);
            pixels.colours.push_back(rgb(pixel & 0xFFFFFFU));
        }
    }
    return pixels;
}

cairo_status_t read_bytes(void* closure, unsigned char* data, unsigned int length) {
    auto& rest = *static_cast<std::string_view*>(closure);
    if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, rest.data(), length);
    rest.remove_prefix(length);
    return CAIRO_STATUS_SUCCESS;
}

Colour cell_colour(const std::vector<std::uint8_t>& rgba, Index cell) {
    const auto at = static_cast<std::size_t>(cell) * 4;
    return {rgba[at], rgba[at + 1], rgba[at + 2]};
}

/// Calls `visit` with every pixel whose middle lies in the area, and that middle in points.
void each_pixel(const Pixels& pixels, double scale, Rect area,
                const std::function<void(Colour, Point)>& visit) {
    for (int y = 0; y < pixels.height; ++y)
        for (int x = 0; x < pixels.width; ++x) {
            const Point middle{(x + 0.5) / scale, (y + 0.5) / scale};
            if (area.contains(middle)) visit(pixels.at(x, y), middle);
        }
}

}  // namespace

Rect Pixels::ink(Colour ground) const {
    int left = width, right = 0, top = height, bottom = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (at(x, y) != ground) {
                left = std::min(left, x);
                right = std::max(right, x + 1);
                top = std::min(top, y);
                bottom = std::max(bottom, y + 1);
            }
    if (right <= left) return {};
    return {double(left), double(top), double(right - left), double(bottom - top)};
}

Pixels decode_png(std::string_view bytes) {
    const CairoSurface surface(cairo_image_surface_create_from_png_stream(read_bytes, &bytes));
    check(cairo_surface_status(surface.get()));
    return read_surface(surface.get());
}

Pixels rasterise(const Fonts& fonts, Size size, double scale, const std::function<void(Canvas&)>& draw) {
    const CairoSurface surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(size.width * scale)),
                                   static_cast<int>(std::lround(size.height * scale))));
    const CairoContext context(cairo_create(surface.get()));
    CairoCanvas canvas(fonts, context.get(), CairoCanvas::Target::pixels, scale);
    canvas.fill({0, 0, size.width, size.height}, rgb(0xFFFFFF), 0.0);
    draw(canvas);
    check(cairo_status(context.get()));
    return read_surface(surface.get());
}

std::optional<std::string> view(const std::string& tool, const std::string& arguments,
                                std::string_view bytes) {
    if (std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) != 0) return std::nullopt;
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("attnscope-test-" + std::to_string(getpid()));
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::string command = tool + ' ' + arguments;
    command.replace(command.find('%'), 1, path.string());
    std::string output;
    if (FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r"); pipe != nullptr) {
        std::array<char, 65536> buffer{};
        while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe))
            output.append(buffer.data(), read);
        pclose(pipe);
    }
    std::filesystem::remove(path);
    return output;
}

int wrong_pixels(const Pixels& pixels, double scale, Rect area, const HeatMap& map, double margin) {
    const std::vector<std::uint8_t> rgba = colour_cells(*map.cells, map.colouring);
    const double cell_width = area.width / static_cast<double>(map.cells->width);
    const double cell_height = area.height / static_cast<double>(map.cells->height);
    const auto to_edge = [scale](double cells, double cell) {
        return std::abs(cells - std::round(cells)) * cell * scale;
    };
    int wrong = 0;
    each_pixel(pixels, scale, area, [&](Colour colour, Point middle) {
        const double column = (middle.x - area.x) / cell_width;
        const double row = (middle.y - area.y) / cell_height;
        if (to_edge(column, cell_width) < margin || to_edge(row, cell_height) < margin) return;
        const Index cell = static_cast<Index>(row) * map.cells->width + static_cast<Index>(column);
        if (colour != cell_colour(rgba, cell)) ++wrong;
    });
    return wrong;
}

int foreign_pixels(const Pixels& pixels, double scale, Rect area, const HeatMap& map) {
    const std::vector<std::uint8_t> rgba = colour_cells(*map.cells, map.colouring);
    std::set<std::tuple<int, int, int>> known;
    for (Index i = 0; i < map.cells->width * map.cells->height; ++i) {
        const Colour c = cell_colour(rgba, i);
        known.emplace(c.r, c.g, c.b);
    }
    int foreign = 0;
    each_pixel(pixels, scale, area, [&](Colour c, Point) {
        if (!known.contains({c.r, c.g, c.b})) ++foreign;
    });
    return foreign;
}

}  // namespace attn
