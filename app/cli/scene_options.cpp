#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/figure.h"
#include "app/open.h"
#include "core/catalog.h"
#include "core/error.h"

namespace attn::cli {
namespace {

bool shows(const Mechanism& mechanism, std::string_view figure) {
    return std::ranges::find(mechanism.figures, figure) != mechanism.figures.end();
}

/// The scene in this figure; where nobody asked for the mechanism and the figure does not show it, with the
/// first that it shows.
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
    if (!options.mechanism.empty() && mechanism(options.mechanism).family == Family::sequences &&
        !mechanism(options.mechanism).over_picture)
        throw UsageError("--image needs a mechanism that looks at pictures; " + options.mechanism +
                         " looks at words");
    return open_picture(scene, options.image);
}

/// What is not legal by one knob may be by all together; some decide which others there are, and those which
/// queries there are.
void set_knobs(Scene& scene, const std::vector<std::string>& assignments) {
    std::vector<std::pair<std::string, std::string>> wishes;
    for (const std::string& text : assignments) wishes.push_back(assignment(text));
    const auto decides = [](std::string_view id) {
        return std::ranges::find(deciding_knobs, id) != deciding_knobs.end();
    };
    for (const std::string_view first : deciding_knobs)
        for (const auto& [id, text] : wishes)
            if (id == first) set_text(scene, id, text);
    const std::vector<Parameter> knobs = schema(scene);
    Values values;
    for (const auto& [id, text] : wishes) {
        if (decides(id) || id == "query") continue;
        const Parameter* knob = find(knobs, id);
        if (knob == nullptr)
            set_text(scene, id, text);  // throws, naming the knobs there are
        else
            values.insert_or_assign(id, parse(*knob, text));
    }
    set_all(scene, values);
    for (const auto& [id, text] : wishes)
        if (id == "query") set_text(scene, id, text);
}

/// The first figure about patterns, where the scene's own is not.
Scene with_pattern_shown(const Scene& scene, const std::string& id) {
    const Scene next = with_pattern(scene, id);
    if (figure(scene.figure).subject == Subject::pattern) return next;
    const auto all = figures();
    const auto able = std::ranges::find(all, Subject::pattern, &Figure::subject);
    return able == all.end() ? next : with_figure(next, able->id);
}

}  // namespace

Scene changed(Scene scene, const SceneOptions& options) {
    if (!options.mechanism.empty()) {
        scene = with_mechanism(scene, options.mechanism);
        if (options.file.empty()) scene = with_figure(scene, mechanism(options.mechanism).figures.front());
    }
    if (!options.pattern.empty()) scene = with_pattern_shown(scene, options.pattern);
    if (!options.image.empty()) scene = with_image(scene, options);
    if (!options.figure.empty()) {
        const bool nothing_chosen =
            options.file.empty() && options.mechanism.empty() && options.image.empty();
        scene = in_figure(scene, options.figure, nothing_chosen);
    }
    set_knobs(scene, options.set);
    return scene;
}

Scene scene_of(const SceneOptions& options) {
    if (options.file.empty()) return changed({}, options);
    Scene scene;
    if (!options.mechanism.empty()) scene.mechanism = mechanism(options.mechanism).id;  // of an unnamed case
    scene = open_file(scene, options.file);
    if (scene.input.arrays() && !options.mechanism.empty() && scene.mechanism != options.mechanism)
        throw Error(options.file + " is a case of " + scene.mechanism + ", not of " + options.mechanism);
    return changed(std::move(scene), options);
}

Arrays outputs_of(const Trace& trace) {
    Arrays arrays;
    for (const auto& [name, array] : trace.out) arrays.emplace(name, *array);
    return arrays;
}

Values case_knobs_of(const Scene& scene) {
    Values values = complete(mechanism(scene.mechanism).parameters, scene.set);
    values.emplace("mechanism", scene.mechanism);
    return values;
}

}  // namespace attn::cli
