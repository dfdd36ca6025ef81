#include <algorithm>
#include <charconv>

#include "app/cli/commands.h"
#include "app/figure.h"
#include "app/open.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"

namespace attn::cli {
namespace {

bool shows(const Mechanism& mechanism, std::string_view figure) {
    return std::ranges::find(mechanism.figures, figure) != mechanism.figures.end();
}

/// The scene in this figure, with the first mechanism that it shows where the asked one was nobody's wish.
Scene in_figure(const Scene& scene, std::string_view id, bool mechanism_is_free) {
    static_cast<void>(figure(id));
    if (mechanism_is_free && !shows(mechanism(scene.mechanism), id)) {
        const auto all = mechanisms();
        const auto able = std::ranges::find_if(all, [&](const Mechanism& m) { return shows(m, id); });
        if (able != all.end()) return with_figure(with_mechanism(scene, able->id), id);
    }
    return with_figure(scene, id);
}

Scene with_image(const Scene& scene, const SceneOptions& options) {
    if (!options.mechanism.empty() && mechanism(options.mechanism).family == Family::sequences)
        throw UsageError("--image needs a mechanism that looks at pictures; " + options.mechanism +
                         " looks at words");
    return open_picture(scene, options.image);
}

void set_knob(Scene& scene, const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UsageError("--set takes name=value, such as tau=0.15, and got '" + assignment + "'");
    // Text goes into files, which hold UTF-8.
    set_text(scene, assignment.substr(0, equals), shown_name(assignment.substr(equals + 1)));
}

}  // namespace

Scene changed(Scene scene, const SceneOptions& options) {
    if (!options.mechanism.empty()) {
        scene = with_mechanism(scene, options.mechanism);
        if (options.file.empty()) scene = with_figure(scene, mechanism(options.mechanism).figures.front());
    }
    if (!options.image.empty()) scene = with_image(scene, options);
    if (!options.figure.empty()) {
        const bool nothing_chosen =
            options.file.empty() && options.mechanism.empty() && options.image.empty();
        scene = in_figure(scene, options.figure, nothing_chosen);
    }
    // The query is legal or not on the grid that the other knobs make: it comes last.
    const auto is_query = [](const std::string& text) { return text.starts_with("query="); };
    for (const std::string& knob : options.set)
        if (!is_query(knob)) set_knob(scene, knob);
    for (const std::string& knob : options.set)
        if (is_query(knob)) set_knob(scene, knob);
    return scene;
}

Scene scene_of(const SceneOptions& options) {
    return changed(options.file.empty() ? Scene{} : open_file({}, options.file), options);
}

PageSize page_size(const std::string& text) {
    PageSize size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    const bool crossed = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
    const auto height = crossed ? std::from_chars(width.ptr + 1, end, size.height) : width;
    if (!crossed || height.ec != std::errc() || height.ptr != end || size.width <= 0 || size.height <= 0)
        throw UsageError("--size takes WIDTHxHEIGHT, such as 960x600, and got '" + text + "'");
    return size;
}

std::string output_format(const std::string& path, std::initializer_list<std::string_view> known) {
    const std::size_t dot = path.find_last_of("./");
    std::string ending = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot + 1);
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (std::ranges::find(known, ending) != known.end()) return ending;
    std::string endings;
    for (const std::string_view one : known) endings += (endings.empty() ? "." : ", .") + std::string(one);
    throw UsageError("the output file must end in one of " + endings + ", and '" + path + "' does not");
}

Arrays outputs_of(const Trace& trace) {
    Arrays arrays;
    for (const auto& [name, array] : trace.out) arrays.emplace(name, *array);
    return arrays;
}

Values case_knobs_of(const Scene& scene) {
    const std::vector<Parameter>& knobs = mechanism(scene.mechanism).parameters;
    Values values{{"mechanism", scene.mechanism}};
    for (const Parameter& knob : knobs) values.emplace(knob.id, value_of(knobs, scene.set, knob.id));
    return values;
}

}  // namespace attn::cli
