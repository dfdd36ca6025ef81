#include "app/figures/magnitude.h"

#include <array>
#include <cmath>
#include <string_view>

#include "app/figures/format.h"

namespace attn {

std::string magnitude(double number, int digits) {
    static constexpr std::array<std::string_view, 6> units = {"", " k", " M", " G", " T", " P"};
    std::size_t unit = 0;
    while (std::abs(number) >= 999.5 && unit + 1 < units.size()) {
        number /= 1000.0;
        ++unit;
    }
    const std::string text =
        unit == 0 ? plain(std::round(number * 100.0) / 100.0) : significant(number, digits);
    return text + std::string(units[unit]);
}

std::string layers_in_words(Index layers) {
    static constexpr std::array<std::string_view, 13> words = {"no",   "one",    "two",   "three", "four",
                                                               "five", "six",    "seven", "eight", "nine",
                                                               "ten",  "eleven", "twelve"};
    const auto at = static_cast<std::size_t>(layers);
    const std::string count = at < words.size() ? std::string(words[at]) : grouped(layers);
    return count + (layers == 1 ? " layer" : " layers");
}

}  // namespace attn
