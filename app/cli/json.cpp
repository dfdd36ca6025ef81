#include "app/cli/json.h"

#include <nlohmann/json.hpp>

namespace attn::cli {

using Json = nlohmann::ordered_json;

Json knob_json(const Value& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Json knobs_json(const Values& values) {
    Json object = Json::object();
    for (const auto& [id, value] : values) object[id] = knob_json(value);
    return object;
}

}  // namespace attn::cli
