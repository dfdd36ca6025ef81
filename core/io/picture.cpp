#include "core/io/picture.h"

#include <stb_image.h>
#include <stb_image_resize.h>
#include <stb_image_write.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <memory>

#include "core/error.h"
#include "core/io/exif.h"
#include "core/io/file.h"

namespace attn {
namespace {

constexpr Index most_pixels = 100'000'000;
constexpr std::size_t largest_png = std::size_t{48} * 1024;
constexpr int jpeg_quality = 92;

/// Where stb's writers put their bytes. They are C: what goes wrong is remembered, not thrown through them.
struct Sink {
    std::string bytes;
    bool failed = false;
    static void write(void* sink, void* data, int size) noexcept {
        auto& self = *static_cast<Sink*>(sink);
        try {
            self.bytes.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
        } catch (...) {
            self.failed = true;
        }
    }
};

std::string in_pixels(Index width, Index height) {
    return std::to_string(width) + " × " + std::to_string(height) + " pixels";
}

void check_sides(Index height, Index width) {
    if (height < 1 || width < 1) throw Error("a picture needs at least one pixel");
    if (width > most_pixels / height)
        throw Error("a picture of " + in_pixels(width, height) +
                    " is over 100 Mpixel, the most there may be");
}

struct Sides {
    Index width = 0;
    Index height = 0;
    int channels = 0;
};

/// The size by the file's head alone. Throws Error when it is no picture or over the limit.
Sides sides_of(std::string_view bytes, const std::string& file) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    Sides sides;
    // stb refuses a large PNG as if it were of no known kind: its head is read here.
    if (bytes.starts_with("\x89PNG") && bytes.size() >= 24) {
        const auto number = [&](int at) {
            return Index{data[at]} << 24 | Index{data[at + 1]} << 16 | Index{data[at + 2]} << 8 |
                   data[at + 3];
        };
        sides = {number(16), number(20), 0};
    }
    const auto check = [&] {
        if (sides.height > 0 && sides.width > most_pixels / sides.height)
            throw Error(file + " has " + in_pixels(sides.width, sides.height) +
                        "; the most that is read is 100 Mpixel");
    };
    check();
    int width = 0;
    int height = 0;
    if (stbi_info_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &sides.channels) == 0)
        throw Error(file + " is not a picture that can be read (PNG, JPEG, BMP, GIF, TGA, PSD, PNM)");
    sides.width = width;
    sides.height = height;
    check();
    return sides;
}

/// Pixels from stb, transparency laid over white.
std::vector<std::uint8_t> over_white(const std::uint8_t* pixels, std::size_t count, int channels) {
    if (channels == 3) return {pixels, pixels + count * 3};
    std::vector<std::uint8_t> rgb(count * 3);
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned alpha = pixels[4 * i + 3];
        for (std::size_t c = 0; c < 3; ++c) {
            rgb[3 * i + c] =
                static_cast<std::uint8_t>((pixels[4 * i + c] * alpha + 255U * (255U - alpha) + 127U) / 255U);
        }
    }
    return rgb;
}

/// Turned and flipped as the EXIF orientation says.
Picture upright(Picture picture, int orientation) {
    if (orientation == 1) return picture;
    const bool turned = orientation >= 5;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Picture result{turned ? picture.width : picture.height, turned ? picture.height : picture.width, {}};
    result.rgb.reserve(picture.rgb.size());
    for (Index y = 0; y < result.height; ++y) {
        for (Index x = 0; x < result.width; ++x) {
            const Index row = turned ? x : y;
            const Index column = turned ? y : x;
            const Index from_row = from_below ? picture.height - 1 - row : row;
            const Index from_column = from_right ? picture.width - 1 - column : column;
            const auto* pixel = picture.rgb.data() + 3 * (from_row * picture.width + from_column);
            result.rgb.insert(result.rgb.end(), pixel, pixel + 3);
        }
    }
    return result;
}

std::string encode_jpeg(const Picture& picture) {
    Sink sink;
    const int done =
        stbi_write_jpg_to_func(&Sink::write, &sink, static_cast<int>(picture.width),
                               static_cast<int>(picture.height), 3, picture.rgb.data(), jpeg_quality);
    if (done == 0 || sink.failed) throw Error("the picture cannot be written as JPEG");
    return sink.bytes;
}

}  // namespace

Picture decode_picture(std::string_view bytes, std::string_view name) {
    const std::string file = shown_name(name);
    if (bytes.empty()) throw Error(file + " is empty");
    if (bytes.size() > INT_MAX) throw Error(file + " is larger than 2 GiB, the most that is read");
    const int kind = sides_of(bytes, file).channels;
    const int wanted = kind == 1 || kind == 3 ? 3 : 4;
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                              &width, &height, &channels, wanted),
        &stbi_image_free);
    if (!pixels || width < 1 || height < 1) {
        throw Error(file + " is a broken picture: it is damaged or cut off");
    }
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return upright({height, width, over_white(pixels.get(), count, wanted)}, exif_orientation(bytes));
}

EncodedPicture encode_for_scene(const Picture& picture, Index side) {
    const Index longest = std::max(picture.height, picture.width);
    const auto fitted = [&](Index length) {
        const double share =
            static_cast<double>(length) * static_cast<double>(side) / static_cast<double>(longest);
        return std::max<Index>(1, std::llround(share));
    };
    const Picture small =
        longest > side ? resize(picture, fitted(picture.height), fitted(picture.width)) : picture;
    std::string png = encode_png(small);
    if (png.size() <= largest_png) return {"image/png", std::move(png)};
    return {"image/jpeg", encode_jpeg(small)};
}

Picture resize(const Picture& picture, Index height, Index width) {
    check_sides(picture.height, picture.width);
    check_sides(height, width);
    Picture result{height, width, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * height * width))};
    const auto filter = [](Index from, Index to) {
        return to < from ? STBIR_FILTER_BOX : STBIR_FILTER_MITCHELL;
    };
    const int done = stbir_resize(
        picture.rgb.data(), static_cast<int>(picture.width), static_cast<int>(picture.height), 0,
        result.rgb.data(), static_cast<int>(width), static_cast<int>(height), 0, STBIR_TYPE_UINT8, 3,
        STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_CLAMP, STBIR_EDGE_CLAMP, filter(picture.width, width),
        filter(picture.height, height), STBIR_COLORSPACE_SRGB, nullptr);
    if (done == 0) throw Error("not enough memory to resize the picture");
    return result;
}

Picture crop_square(const Picture& picture) {
    const Index side = std::min(picture.height, picture.width);
    const Index top = (picture.height - side) / 2;
    const Index left = (picture.width - side) / 2;
    Picture result{side, side, {}};
    result.rgb.reserve(static_cast<std::size_t>(3 * side * side));
    for (Index y = 0; y < side; ++y) {
        const auto* row = picture.rgb.data() + 3 * ((top + y) * picture.width + left);
        result.rgb.insert(result.rgb.end(), row, row + 3 * side);
    }
    return result;
}

std::string encode_png(const Picture& picture) {
    check_sides(picture.height, picture.width);
    Sink sink;
    const int done = stbi_write_png_to_func(&Sink::write, &sink, static_cast<int>(picture.width),
                                            static_cast<int>(picture.height), 3, picture.rgb.data(), 0);
    if (done == 0 || sink.failed) throw Error("the picture cannot be written as PNG");
    return sink.bytes;
}

}  // namespace attn
