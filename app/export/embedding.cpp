#include "app/export/embedding.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "app/export/export.h"
#include "app/export/xml.h"
#include "core/error.h"
#include "core/utf8.h"

namespace attn {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view png_signature = "\x89PNG\r\n\x1A\n"sv;
constexpr std::string_view png_key = "attnscope\0"sv;

[[noreturn]] void broken(std::string_view how) {
    throw Error("expected the recipe of a figure, found one that is " + std::string(how) +
                ": export the figure again");
}

/// Whether text is, or begins as, the JSON of a scene.
bool looks_like_recipe(std::string_view text) {
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.starts_with('{') && text.substr(0, 64).find("\"attnscope\"") != std::string_view::npos;
}

// ---- PNG

/// The checksum of ISO 3309, as PNG has it.
std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t value = 0xFFFFFFFFU;
    for (const char byte : bytes) {
        value ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~value;
}

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>((value >> shift) & 0xFFU);
    return bytes;
}

/// The number in the first four bytes.
std::uint32_t read_big_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(0, 4)) value = (value << 8U) | static_cast<unsigned char>(byte);
    return value;
}

std::optional<std::string> recipe_of_png(std::string_view rest) {
    rest.remove_prefix(png_signature.size());
    while (rest.size() >= 12) {
        const std::size_t length = read_big_endian(rest);
        const std::string_view body = rest.substr(4);  // type and data, perhaps cut short
        const bool ours = body.starts_with("tEXt") && body.substr(4).starts_with(png_key);
        if (length > rest.size() - 12) {
            if (ours) broken("cut short");
            return std::nullopt;
        }
        if (ours) {
            if (crc32(body.substr(0, length + 4)) != read_big_endian(body.substr(length + 4)))
                broken("damaged");
            const std::string_view text = body.substr(4, length).substr(png_key.size());
            if (!looks_like_recipe(text)) broken("not a scene");
            return std::string(text);
        }
        rest.remove_prefix(length + 12);
    }
    return std::nullopt;
}

// ---- SVG

bool is_svg(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '<' &&
           bytes.substr(0, 4096).find("<svg") != std::string_view::npos;
}

std::optional<std::string> recipe_of_svg(std::string_view rest) {
    constexpr std::string_view open = "<metadata";
    for (std::size_t at = rest.find(open); at != std::string_view::npos; at = rest.find(open)) {
        rest.remove_prefix(at);
        const std::size_t tag_end = rest.find('>');
        if (tag_end == std::string_view::npos) return std::nullopt;
        const std::string_view tag = rest.substr(0, tag_end);
        rest.remove_prefix(tag_end + 1);
        if (tag.find("\"attnscope\"") == std::string_view::npos &&
            tag.find("'attnscope'") == std::string_view::npos)
            continue;
        const std::size_t end = rest.find("</metadata");
        if (end == std::string_view::npos) broken("cut short");
        std::string text = xml_unescaped(rest.substr(0, end));
        if (!looks_like_recipe(text)) broken("not a scene");
        return text;
    }
    return std::nullopt;
}

// ---- PDF

/// A PDF string, as far as it could be read.
struct PdfString {
    std::string bytes;
    bool complete = false;
};

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// After `<`: pairs of hexadecimal digits, white space between them, a missing last digit is 0.
PdfString read_hex_string(std::string_view text) {
    PdfString result;
    int high = -1;
    for (const char c : text) {
        if (c == '>') {
            if (high >= 0) result.bytes += static_cast<char>(high << 4);
            result.complete = true;
            break;
        }
        if (" \t\r\n\f\0"sv.find(c) != std::string_view::npos) continue;
        const int digit = hex_digit(c);
        if (digit < 0) break;
        if (high < 0) {
            high = digit;
        } else {
            result.bytes += static_cast<char>((high << 4) | digit);
            high = -1;
        }
    }
    return result;
}

/// What follows a backslash at `at`; leaves `at` on the last character used.
void append_escape(std::string& bytes, std::string_view text, std::size_t& at) {
    const char c = text[at];
    if (c >= '0' && c <= '7') {
        unsigned value = 0;
        const std::size_t end = std::min(at + 3, text.size());
        for (; at < end && text[at] >= '0' && text[at] <= '7'; ++at)
            value = value * 8 + static_cast<unsigned>(text[at] - '0');
        --at;
        bytes += static_cast<char>(value & 0xFFU);
        return;
    }
    if (c == '\n') return;  // the line goes on
    if (c == '\r') {
        if (at + 1 < text.size() && text[at + 1] == '\n') ++at;
        return;
    }
    constexpr std::string_view letters = "nrtbf";
    constexpr std::string_view meanings = "\n\r\t\b\f";
    const std::size_t known = letters.find(c);
    bytes += known == std::string_view::npos ? c : meanings[known];
}

/// After `(`: balanced parentheses belong to the text.
PdfString read_literal_string(std::string_view text) {
    PdfString result;
    int depth = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) {
            append_escape(result.bytes, text, ++at);
            continue;
        }
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) {
            result.complete = true;
            break;
        }
        result.bytes += text[at];
    }
    return result;
}

/// A text string: UTF-16BE or UTF-8 where it says so, else taken as ASCII.
std::string decode_text(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) return std::string(bytes.substr(3));
    if (!bytes.starts_with("\xFE\xFF")) return std::string(bytes);
    const auto unit = [bytes](std::size_t at) {
        return static_cast<std::uint32_t>((static_cast<unsigned char>(bytes[at]) << 8) |
                                          static_cast<unsigned char>(bytes[at + 1]));
    };
    std::string text;
    for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
        std::uint32_t code_point = unit(at);
        const bool high = code_point >= 0xD800 && code_point < 0xDC00;
        if (high && at + 3 < bytes.size() && (unit(at + 2) & 0xFC00U) == 0xDC00) {
            code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (unit(at + 2) - 0xDC00);
            at += 2;
        } else if ((code_point & 0xF800U) == 0xD800) {
            code_point = 0xFFFD;  // half a pair
        }
        append_utf8(text, code_point);
    }
    return text;
}

/// Backwards: the document's information stands last. A few places are tried, since pages and recipes may
/// hold the word.
std::optional<std::string> recipe_of_pdf(std::string_view bytes) {
    constexpr std::string_view key = "/Keywords";
    constexpr int most_places = 16;
    bool cut_short = false;
    std::size_t at = bytes.rfind(key);
    for (int place = 0; place < most_places && at != std::string_view::npos; ++place) {
        std::string_view value = bytes.substr(at + key.size());
        value = value.substr(std::min(value.find_first_not_of(" \t\r\n\f"), value.size()));
        if (value.starts_with('(') || value.starts_with('<')) {
            const PdfString read =
                value[0] == '(' ? read_literal_string(value.substr(1)) : read_hex_string(value.substr(1));
            std::string text = decode_text(read.bytes);
            if (looks_like_recipe(text)) {
                if (read.complete) return text;
                cut_short = true;
            }
        }
        at = at == 0 ? std::string_view::npos : bytes.rfind(key, at - 1);
    }
    if (cut_short) broken("cut short");
    return std::nullopt;
}

}  // namespace

std::string png_with_recipe(std::string_view png, std::string_view recipe) {
    constexpr std::size_t after_header = 33;  // signature 8, IHDR 4 + 4 + 13 + 4
    const std::string body = "tEXt" + std::string(png_key) + std::string(recipe);
    std::string result(png.substr(0, after_header));
    result += big_endian(static_cast<std::uint32_t>(body.size() - 4)) + body + big_endian(crc32(body));
    result += png.substr(after_header);
    return result;
}

std::optional<std::string> embedded_recipe(std::string_view bytes) {
    if (bytes.starts_with(png_signature)) return recipe_of_png(bytes);
    if (is_svg(bytes)) return recipe_of_svg(bytes);
    if (bytes.substr(0, 1024).find("%PDF-") != std::string_view::npos) return recipe_of_pdf(bytes);
    return std::nullopt;
}

}  // namespace attn
