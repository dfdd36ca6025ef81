#include "core/io/exif.h"

#include <cstddef>

namespace attn {
namespace {

/// The unsigned number of `count` bytes at `at`, 0 beyond the end.
std::size_t number(std::string_view bytes, std::size_t at, std::size_t count, bool little) {
    if (at > bytes.size() || bytes.size() - at < count) return 0;
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        value = value << 8U | static_cast<unsigned char>(bytes[at + (little ? count - 1 - i : i)]);
    }
    return value;
}

/// Orientation (tag 0x0112) in the first directory of a TIFF header.
int tiff_orientation(std::string_view tiff) {
    const bool little = tiff.starts_with("II");
    const std::size_t directory = number(tiff, 4, 4, little);
    const std::size_t entries = number(tiff, directory, 2, little);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        if (number(tiff, entry, 2, little) != 0x0112) continue;
        const std::size_t value = number(tiff, entry + 8, 2, little);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

}  // namespace

int exif_orientation(std::string_view bytes) {
    constexpr std::string_view exif("Exif\0\0", 6);
    constexpr std::size_t start_of_scan = 0xFFDA;
    if (!bytes.starts_with("\xFF\xD8\xFF")) return 1;
    for (std::size_t at = 2; at + 4 <= bytes.size();) {
        const std::size_t marker = number(bytes, at, 2, false);
        if (marker < 0xFF00 || marker == start_of_scan) break;
        if (marker == 0xFFFF) {  // a fill byte
            ++at;
            continue;
        }
        const std::size_t length = number(bytes, at + 2, 2, false);
        const std::string_view segment = bytes.substr(at + 4, length);
        if (segment.starts_with(exif)) return tiff_orientation(segment.substr(exif.size()));
        at += 2 + length;
    }
    return 1;
}

}  // namespace attn
