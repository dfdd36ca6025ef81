#include "app/cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/error.h"
#include "core/id_list.h"
#include "core/io/file.h"
#include "core/utf8.h"

namespace attn::cli {
namespace {

constexpr Index most_positions = Index{1} << 22U;  // keeps every count of pairs and bytes in 64 bits

/// "16x24" as two numbers of at least 1.
template <typename Number>
std::optional<std::pair<Number, Number>> crossed(const std::string& text) {
    std::pair<Number, Number> sides;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, sides.first);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x') return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, sides.second);
    if (second.ec != std::errc() || second.ptr != end || sides.first < 1 || sides.second < 1)
        return std::nullopt;
    return sides;
}

}  // namespace

PageSize page_size(const std::string& text) {
    const auto sides = crossed<int>(text);
    if (!sides) throw UsageError("--size takes WIDTHxHEIGHT, such as 960x600, and got '" + text + "'");
    return {sides->first, sides->second};
}

Grid grid_of(const std::string& text) {
    const auto sides = crossed<Index>(text);
    if (!sides || sides->first > most_positions / sides->second)
        throw UsageError("--grid takes ROWSxCOLUMNS, such as 16x16 or 1x64, with at most " +
                         std::to_string(most_positions) + " positions, and got '" + text + "'");
    return {sides->first, sides->second};
}

std::string output_format(const std::string& path, std::initializer_list<std::string_view> known) {
    const std::size_t name = path.find_last_of('/') + 1;  // 0 where there is no folder
    const std::size_t dot = path.find_last_of('.');
    const bool has_ending = dot != std::string::npos && dot > name;  // a name that begins with it has none
    const std::string ending = has_ending ? lower_ascii(path.substr(dot + 1)) : "";
    if (std::ranges::find(known, ending) != known.end()) return ending;
    std::string endings;
    for (const std::string_view one : known) endings += (endings.empty() ? "." : ", .") + std::string(one);
    throw UsageError("the output file must end in " + (known.size() == 1 ? endings : "one of " + endings) +
                     ", and '" + path + "' does not");
}

std::pair<std::string, std::string> assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UsageError("--set takes name=value, such as tau=0.15, and got '" + text + "'");
    // Text goes into files, which hold UTF-8.
    return {text.substr(0, equals), shown_name(text.substr(equals + 1))};
}

Values assigned(std::string_view owner, std::span<const Parameter> knobs,
                std::span<const std::string> assignments) {
    Values values;
    for (const std::string& text : assignments) {
        const auto [id, value] = assignment(text);
        const Parameter* knob = find(knobs, id);
        if (knob == nullptr)
            throw UsageError("'" + std::string(owner) + "' has no knob '" + id + "'; it has " +
                             id_list(knobs));
        values.insert_or_assign(id, parse(*knob, value));
    }
    return values;
}

Values complete(std::span<const Parameter> knobs, const Values& set) {
    Values values;
    for (const Parameter& knob : knobs) values.emplace(knob.id, value_of(knobs, set, knob.id));
    return values;
}

}  // namespace attn::cli
