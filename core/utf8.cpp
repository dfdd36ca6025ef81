#include "core/utf8.h"

namespace attn {

std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80U) return 1;
    const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
    if (first < 0xC2U || first > 0xF4U || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!continues_utf8(text[i])) return 0;
    const unsigned second = byte(1);
    const bool overlong = (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
    const bool outside = (first == 0xEDU && second > 0x9FU) || (first == 0xF4U && second > 0x8FU);
    return overlong || outside ? 0 : length;
}

void append_utf8(std::string& text, std::uint32_t code_point) {
    const auto put = [&text](std::uint32_t byte) {
        text += static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (code_point < 0x80U) return put(code_point);
    if (code_point < 0x800U) {
        put(0xC0U | code_point >> 6U);
    } else {
        if (code_point < 0x10000U) {
            put(0xE0U | code_point >> 12U);
        } else {
            put(0xF0U | (code_point >> 18U & 0x07U));
            put(0x80U | (code_point >> 12U & 0x3FU));
        }
        put(0x80U | (code_point >> 6U & 0x3FU));
    }
    put(0x80U | (code_point & 0x3FU));
}

std::string lower_ascii(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return low;
}

}  // namespace attn
