#include "app/open.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/export/export.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/io/picture.h"

namespace attn {
namespace {

constexpr std::size_t largest_carried_case = 4'000'000;
constexpr std::string_view picture_mechanism = "non-local";

std::string last_part(std::string_view path) {
    return shown_name(std::filesystem::path(path).filename().native());
}

/// What the file is, by its first bytes other than space.
bool begins_with(std::string_view bytes, std::string_view mark) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && bytes.substr(start).starts_with(mark);
}

Scene with_picture(const Scene& current, std::string_view bytes, const std::string& name) {
    EncodedPicture carried = encode_for_scene(decode_picture(bytes, name));
    const Mechanism& shown = mechanism(current.mechanism);
    Scene next = current;
    if (shown.over_picture)
        next = looks_at_picture(current) ? current : with_figure(current, "overlay");
    else if (shown.family == Family::sequences)
        next = with_mechanism(current, picture_mechanism);
    next.input = picture_input(name, std::move(carried.type), std::move(carried.bytes));
    return with_mechanism(next, next.mechanism);  // brings the knobs in line with the new input
}

/// What a file holds is the file's fault, not that of who typed the command.
template <typename Read>
auto read_as_file(const std::string& name, Read&& read) {
    try {
        return read();
    } catch (const Error& error) {
        throw Error(name + ": " + error.what());
    }
}

std::optional<Scene> exported_scene(std::string_view bytes, const std::string& name) {
    return read_as_file(name, [&]() -> std::optional<Scene> {
        const std::optional<std::string> recipe = embedded_recipe(bytes);
        return recipe ? std::optional(scene_from_json(*recipe)) : std::nullopt;
    });
}

Scene carried_case(const Scene& current, std::string bytes, const std::string& name) {
    if (bytes.size() > largest_carried_case)
        throw Error(name + " has " + std::to_string(bytes.size()) +
                    " bytes; a scene carries cases of up to 4 MB, 'attnscope compute' takes larger ones");
    Scene next = case_scene(std::move(bytes), name, current.mechanism);
    const auto& figures = mechanism(next.mechanism).figures;
    if (std::find(figures.begin(), figures.end(), current.figure) != figures.end())
        next.figure = current.figure;
    return next;
}

}  // namespace

Scene case_scene(std::string bytes, std::string_view name, std::string_view fallback) {
    const std::string file = shown_name(name);
    const Values from_file = read_npz(bytes, file).knobs;
    const auto named = from_file.find("mechanism");
    const auto* id = named == from_file.end() ? nullptr : std::get_if<std::string>(&named->second);
    if (id == nullptr && fallback.empty()) throw Error(file + " names no mechanism: it has no p.mechanism");
    return read_as_file(file, [&] {
        const Mechanism& computed = mechanism(id != nullptr ? std::string_view(*id) : fallback);
        Scene scene{.figure = std::string(computed.figures.front()), .mechanism = std::string(computed.id)};
        scene.set = case_knobs(computed, from_file);
        scene.input.name = file;
        scene.input.type = "application/x-npz";
        scene.input.bytes = std::make_shared<const std::string>(std::move(bytes));
        return scene;
    });
}

Scene open_picture(const Scene& current, std::string_view path) {
    return with_picture(current, read_file(path), last_part(path));
}

Scene open_file(const Scene& current, std::string_view path) {
    std::string bytes = read_file(path);
    const std::string name = last_part(path);
    if (bytes.empty()) throw Error(name + " is empty");
    if (bytes.starts_with("PK")) return carried_case(current, std::move(bytes), name);
    if (begins_with(bytes, "{")) return read_as_file(name, [&] { return scene_from_json(bytes); });
    if (std::optional<Scene> exported = exported_scene(bytes, name)) return *std::move(exported);
    if (begins_with(bytes, "%PDF") || begins_with(bytes, "<"))
        throw Error(name + " holds no scene of attnscope; only figures that attnscope exported open again");
    return with_picture(current, bytes, name);
}

}  // namespace attn
