#include "core/io/table.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace attn {
namespace {

/// Indices and flags are whole and have no exponent.
std::string number(float value, Element element) {
    return element == Element::real ? shortest(value) : std::to_string(static_cast<std::int64_t>(value));
}

std::string quoted(const std::string& name) {
    return nlohmann::json(name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string shortest(float value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string to_csv(const Array& array) {
    const Index columns = array.rank() == 0 ? 1 : array.extent(-1);
    const std::size_t axes = array.rank() == 0 ? 0 : array.shape().size() - 1;
    std::string text;
    const auto add = [&text](const std::string& cell) {
        text += text.empty() || text.back() == '\n' ? cell : ',' + cell;
    };
    for (std::size_t a = 0; a < axes; ++a) add("axis" + std::to_string(a));
    for (Index c = 0; c < columns; ++c) add(std::to_string(c));
    text += '\n';
    Shape place(axes, 0);
    for (Index start = 0; start < array.size(); start += columns) {
        for (const Index i : place) add(std::to_string(i));
        for (const float value :
             array.values().subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(columns))) {
            add(number(value, array.element()));
        }
        text += '\n';
        for (std::size_t a = axes; a-- > 0;) {
            if (++place[a] < array.shape()[a]) break;
            place[a] = 0;
        }
    }
    return text;
}

std::string to_json(const Arrays& arrays) {
    std::string text = "{";
    for (const auto& [name, array] : arrays) {
        text += (text.size() > 1 ? ",\n " : "\n ") + quoted(name) +
                ": {\"shape\": " + describe(array.shape()) + ", \"values\": [";
        bool first = true;
        for (const float value : array.values()) {
            if (!first) text += ", ";
            first = false;
            const std::string digits = number(value, array.element());
            text += std::isfinite(value) ? digits : '"' + digits + '"';
        }
        text += "]}";
    }
    return text + "\n}\n";
}

}  // namespace attn
