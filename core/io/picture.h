#pragma once

#include <string>
#include <string_view>

#include "core/picture.h"

namespace attn {

/// Decodes PNG, JPEG, BMP, GIF, TGA, PSD, PNM (stb_image), from memory; transparency is laid over white.
/// Throws Error in one clear sentence with `name`: empty, broken, not a picture, or over 100 Mpixel (found
/// before decoding).
Picture decode_picture(std::string_view bytes, std::string_view name);

/// A picture as a Scene carries it.
struct EncodedPicture {
    std::string type;  ///< image/png or image/jpeg
    std::string bytes;
};

/// The picture fitted into `side`×`side` (never enlarged), as PNG where that is small (≤ 48 kB), else as JPEG
/// of quality 92. What a Scene shows is the decoded result of this, so that a Scene read back from a figure
/// shows the same pixels.
EncodedPicture encode_for_scene(const Picture& picture, Index side = 256);

/// Shrinks or enlarges with a proper filter (Mitchell–Netravali for enlarging, an area-covering kernel for
/// shrinking, in linear light). Sizes are at least 1.
Picture resize(const Picture& picture, Index height, Index width);

/// The largest centred square.
Picture crop_square(const Picture& picture);

/// PNG bytes of a picture.
std::string encode_png(const Picture& picture);

}  // namespace attn
