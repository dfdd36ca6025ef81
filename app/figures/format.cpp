#include "app/figures/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace attn {
namespace {

std::string printed(const char* form, int digits, double number) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), form, digits, number);
    return text.data();
}

/// Commas into the digits before the point, and the true minus sign.
std::string dressed(const std::string& number) {
    const bool negative = number.starts_with('-');
    const std::string_view digits = std::string_view(number).substr(negative ? 1 : 0);
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    std::string text = negative ? "−" : "";
    for (std::size_t i = 0; i < whole; ++i) {
        if (i > 0 && (whole - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text.append(digits.substr(whole));
}

std::string with_digits(Index number, const std::array<std::string_view, 10>& digits,
                        std::string_view minus) {
    std::string text;
    for (const char c : std::to_string(number))
        text += c == '-' ? minus : digits[static_cast<std::size_t>(c - '0')];
    return text;
}

}  // namespace

std::string grouped(Index number) {
    return dressed(std::to_string(number));
}

std::string significant(double number, int digits) {
    if (std::isnan(number)) return "not a number";
    if (std::isinf(number)) return number < 0 ? "−∞" : "∞";
    if (number == 0.0) return "0";
    // Rounded first: 0.99996 to three digits is 1.00, not 1.000.
    const std::string scientific = printed("%.*e", digits - 1, number);
    const std::size_t e = scientific.find('e');
    const int exponent = std::stoi(scientific.substr(e + 1));
    if (exponent < -4 || exponent >= 9)
        return dressed(scientific.substr(0, e)) + "·10" + superscript(exponent);
    return dressed(printed("%.*f", std::max(0, digits - 1 - exponent), number));
}

std::string fixed(double number, int decimals) {
    return dressed(printed("%.*f", decimals, number));
}

std::string plain(double number) {
    if (!std::isfinite(number)) return significant(number);
    const double size = std::abs(number);
    if (size != 0.0 && (size < 1e-4 || size >= 1e9)) return significant(number);
    std::string text = printed("%.*f", 6, number);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return dressed(text);
}

std::string percent(double share, int decimals) {
    return dressed(printed("%.*f", decimals, 100.0 * share)) + " %";
}

std::string bytes(double count) {
    static constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    while (count >= 999.5 && unit + 1 < units.size()) {
        count /= 1000.0;
        ++unit;
    }
    return (unit == 0 ? plain(std::round(count)) : significant(count)) + " " + units[unit];
}

std::string quoted(std::string_view text) {
    std::string safe;
    for (const char c : text) safe += c == '"' ? "\"\"" : std::string(1, c);
    return '"' + safe + '"';
}

std::string subscript(Index number) {
    return with_digits(number, {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"}, "₋");
}

std::string superscript(Index number) {
    return with_digits(number, {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}, "⁻");
}

}  // namespace attn
