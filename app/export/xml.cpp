#include "app/export/xml.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "app/text.h"
#include "core/utf8.h"

namespace attn {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

/// Appends what `&name;` stands for; false when that is nothing known.
bool append_entity(std::string& text, std::string_view name) {
    for (const auto& [known, character] : entities)
        if (name == known) {
            text += character;
            return true;
        }
    if (name.size() < 2 || name[0] != '#') return false;
    const bool hexadecimal = name[1] == 'x';
    const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
    std::uint32_t code_point = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code_point, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size() || code_point > 0x10FFFF) return false;
    append_utf8(text, code_point);
    return true;
}

}  // namespace

std::string xml_escaped(std::string_view utf8) {
    std::string text;
    text.reserve(utf8.size());
    for (const std::uint32_t code_point : code_points(utf8)) {
        if (code_point == '&') {
            text += "&amp;";
        } else if (code_point == '<') {
            text += "&lt;";
        } else if (code_point == '>') {
            text += "&gt;";
        } else if (code_point < 0x20) {
            text += ' ';
        } else {
            append_utf8(text, code_point == 0xFFFE || code_point == 0xFFFF ? 0xFFFD : code_point);
        }
    }
    return text;
}

std::string xml_unescaped(std::string_view content) {
    constexpr std::string_view cdata = "<![CDATA[";
    constexpr std::size_t longest_entity = 8;  // "#x10FFFF"
    std::string text;
    text.reserve(content.size());
    while (!content.empty()) {
        if (content.starts_with(cdata)) {
            content.remove_prefix(cdata.size());
            const std::size_t end = content.find("]]>");
            text += content.substr(0, end);
            content.remove_prefix(end == std::string_view::npos ? content.size() : end + 3);
            continue;
        }
        if (content[0] == '&') {
            const std::size_t end = content.substr(0, longest_entity + 2).find(';');
            if (end != std::string_view::npos && append_entity(text, content.substr(1, end - 1))) {
                content.remove_prefix(end + 1);
                continue;
            }
        }
        text += content[0];
        content.remove_prefix(1);
    }
    return text;
}

}  // namespace attn
