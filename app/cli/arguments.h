#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/grid.h"
#include "core/parameter.h"

namespace attn::cli {

// What words of the command line mean. All throw UsageError saying what was expected.

/// "960x600".
struct PageSize {
    int width = 0, height = 0;
};
PageSize page_size(const std::string& text);

/// "16x24": rows × columns, up to 2²² positions.
Grid grid_of(const std::string& text);

/// The ending of an output file without its dot, in small letters; it must be one of `known`.
std::string output_format(const std::string& path, std::initializer_list<std::string_view> known);

/// "tau=0.15" in its two parts.
std::pair<std::string, std::string> assignment(const std::string& text);

/// Assignments to knobs of `owner`, which the message names.
Values assigned(std::string_view owner, std::span<const Parameter> knobs,
                std::span<const std::string> assignments);

/// The value of every knob, set or not.
Values complete(std::span<const Parameter> knobs, const Values& set);

}  // namespace attn::cli
