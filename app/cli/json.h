#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/parameter.h"

namespace attn::cli {

/// A knob's value as JSON's own kind, and knobs as an object.
nlohmann::ordered_json knob_json(const Value& value);
nlohmann::ordered_json knobs_json(const Values& values);

}  // namespace attn::cli
