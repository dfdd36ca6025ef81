#include <cstdint>
#include <nlohmann/json.hpp>

#include "app/figure.h"
#include "app/scene.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;
constexpr int format_version = 1;

Json value_to_json(const Value& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Json set_to_json(const Values& values) {
    Json object = Json::object();
    for (const auto& [id, value] : values) object[id] = value_to_json(value);
    return object;
}

Json input_to_json(const Input& input) {
    Json object = Json::object();
    if (input.toy()) return object;
    object["name"] = input.name;
    object["type"] = input.type;
    object["data"] = to_base64(*input.bytes);
    return object;
}

/// ASCII, and never a failure: a file name need not be UTF-8.
std::string dump(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

[[noreturn]] void refuse(const std::string& what) {
    throw Error("this is not a scene of attnscope: " + what);
}

std::string text_at(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
        refuse("expected text under \"" + std::string(key) + "\"");
    return shown_name(found->get<std::string>());
}

Value value_from_json(const std::string& id, const Json& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        refuse("knob '" + id + "' is " + json.dump() + ", more than any knob can be");
    if (json.is_number_integer()) return json.get<Index>();
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return shown_name(json.get<std::string>());
    refuse("knob '" + id + "' is neither a number, text, true nor false");
}

Input input_from_json(const Json& object) {
    if (!object.is_object()) refuse("expected an object under \"input\"");
    if (object.empty()) return {};
    std::string name = text_at(object, "name");
    std::string type = text_at(object, "type");
    std::string bytes = from_base64(text_at(object, "data"));
    if (type == "image/png" || type == "image/jpeg")
        return picture_input(std::move(name), std::move(type), std::move(bytes));
    if (type != "application/x-npz")
        refuse("expected an input of type image/png, image/jpeg or application/x-npz, got '" + type + "'");
    return {.name = std::move(name),
            .type = std::move(type),
            .bytes = std::make_shared<const std::string>(std::move(bytes))};
}

Json parsed(std::string_view text) {
    constexpr int deepest =
        8;  // a scene has three levels; far deeper ones would overflow the stack when copied
    try {
        return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
            if (depth > deepest) refuse("it is nested more than " + std::to_string(deepest) + " deep");
            return true;
        });
    } catch (const Json::exception& e) {
        const std::string what =
            e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 5: …"
        const std::size_t internal = what.find("] ");
        refuse(what.starts_with('[') && internal != std::string::npos ? what.substr(internal + 2) : what);
    }
}

}  // namespace

std::string to_json(const Scene& scene) {
    Json object;
    object["attnscope"] = format_version;
    object["figure"] = scene.figure;
    object["mechanism"] = scene.mechanism;
    object["pattern"] = scene.pattern;
    object["input"] = input_to_json(scene.input);
    object["set"] = set_to_json(scene.set);
    return dump(object);
}

Scene scene_from_json(std::string_view text) {
    const Json object = parsed(text);
    if (!object.is_object() || !object.contains("attnscope")) refuse("no \"attnscope\" in it");
    if (object["attnscope"] != format_version)
        refuse("its format is " + object["attnscope"].dump() + ", this program reads 1");
    Scene scene;
    scene.figure = text_at(object, "figure");
    if (object.contains("mechanism")) scene.mechanism = mechanism(text_at(object, "mechanism")).id;
    if (object.contains("pattern")) scene.pattern = pattern(text_at(object, "pattern")).id;
    scene.input = input_from_json(object.value("input", Json::object()));
    const Json knobs = object.value("set", Json::object());
    if (!knobs.is_object()) refuse("expected an object under \"set\"");
    Values values;
    for (const auto& [id, value] : knobs.items()) values.emplace(id, value_from_json(id, value));
    set_all(scene, values);
    return scene;
}

std::string evaluation_key(const Scene& scene) {
    const Figure& drawn = figure(scene.figure);
    const bool runs = drawn.subject == Subject::mechanism && drawn.ask == nullptr;
    Json object;
    if (runs) {
        object["mechanism"] = scene.mechanism;
        if (drawn.add != nullptr) object["figure"] = scene.figure;
        if (looks_at_picture(scene)) object["over"] = "picture";
        if (scene.input.bytes) {
            object["input"] = std::hash<std::string_view>{}(*scene.input.bytes);
            object["size"] = scene.input.bytes->size();
        }
    } else {
        object["figure"] = scene.figure;
        object[drawn.subject == Subject::mechanism ? "mechanism" : "pattern"] =
            drawn.subject == Subject::mechanism ? scene.mechanism : scene.pattern;
    }
    Values computed;
    for (const Parameter& knob : schema(scene)) {
        if (knob.group == Parameter::Group::view) continue;
        // A mechanism's maps hold every query; a pattern is followed from one.
        if (knob.group == Parameter::Group::query && drawn.holds_every_query()) continue;
        const auto found = scene.set.find(knob.id);
        if (found != scene.set.end()) computed.insert(*found);
    }
    object["set"] = set_to_json(computed);
    return dump(object);
}

}  // namespace attn
