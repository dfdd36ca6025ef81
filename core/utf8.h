#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

/// Bytes of the UTF-8 sequence at the front of `text` (not empty), 0 where it is broken (RFC 3629: no
/// overlong forms, no surrogates, nothing past U+10FFFF).
std::size_t utf8_length(std::string_view text);

/// Whether a byte goes on with a sequence that an earlier one began.
inline bool continues_utf8(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Appends one code point of the Unicode range.
void append_utf8(std::string& text, std::uint32_t code_point);

/// A–Z as a–z, every other byte as it is.
std::string lower_ascii(std::string_view text);

}  // namespace attn
