#pragma once

#include <cstdint>
#include <string>

namespace attn {

/// Appends one code point of the Unicode range; what code_points() gave is always valid.
inline void append_utf8(std::string& text, std::uint32_t code_point) {
    const auto put = [&text](std::uint32_t byte) {
        text += static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (code_point < 0x80) {
        put(code_point);
        return;
    }
    if (code_point < 0x800) {
        put(0xC0U | (code_point >> 6U));
    } else {
        if (code_point < 0x10000) {
            put(0xE0U | (code_point >> 12U));
        } else {
            put(0xF0U | (code_point >> 18U));
            put(0x80U | ((code_point >> 12U) & 0x3FU));
        }
        put(0x80U | ((code_point >> 6U) & 0x3FU));
    }
    put(0x80U | (code_point & 0x3FU));
}

}  // namespace attn
