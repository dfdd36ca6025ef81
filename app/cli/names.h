#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure.h"
#include "core/mechanism.h"
#include "core/parameter.h"
#include "core/pattern.h"

namespace attn::cli {

// The words of `list` and `describe`, in text and JSON alike.

std::string_view name_of(Family family);           ///< "sequences", "pixels", "channels"
std::string_view name_of(Pattern::Family family);  ///< "pictures", "sequences", "own"
std::string_view name_of(Subject subject);         ///< "mechanism", "pattern", "none"
std::string_view name_of(Parameter::Kind kind);    ///< "toggle", "integer", …
std::string_view name_of(Parameter::Group group);  ///< "query", "mechanism", "layers", "input", "view"
std::string joined(std::span<const std::string_view> words);  ///< "overlay, recipe"

/// The knobs that `--set` takes for this mechanism, but for those of a figure.
std::vector<Parameter> knobs_of(const Mechanism& mechanism);
std::string initial_of(const Parameter& knob);   ///< its default, as it is written
std::string meaning_of(const Parameter& knob);   ///< label, unit and help in one line
std::string shape_note(const ArraySpec& array);  ///< " (optional)" or nothing
/// The named fields that teach, in the order of the recipe.
std::vector<std::pair<std::string_view, std::string_view>> lessons(const Mechanism& mechanism);

/// What may be written after `=`: "0.01…10 (log)", "gaussian | dot", "on | off".
std::string legal_values(const Parameter& parameter);

}  // namespace attn::cli
