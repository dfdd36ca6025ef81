#include "app/scene.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/figure.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/picture.h"

namespace attn {
namespace {

const Parameter& knob_of(const std::vector<Parameter>& knobs, std::string_view id) {
    if (const Parameter* found = find(knobs, id)) return *found;
    std::string ids;
    for (const Parameter& knob : knobs) ids += (ids.empty() ? "" : ", ") + knob.id;
    throw UsageError("no knob '" + std::string(id) + "' here; there are: " + ids);
}

/// Keeps of `scene.set` what its schema knows and allows, without what equals a default.
void settle(Scene& scene) {
    const std::vector<Parameter> knobs = schema(scene);
    Values kept;
    for (const auto& [id, value] : scene.set) {
        const Parameter* knob = find(knobs, id);
        if (knob == nullptr) continue;
        try {
            Value legal = checked(*knob, value);
            if (legal != knob->initial) kept.emplace(id, std::move(legal));
        } catch (const UsageError&) {
            continue;  // a value that the new schema does not allow goes back to the default
        }
    }
    scene.set = std::move(kept);
}

/// Knobs may be wrong together where each is in its range: a window wider than the side of the grid.
void refuse_what_cannot_be_asked(const Scene& scene) {
    const Figure& drawn = figure(scene.figure);
    if (drawn.ask == nullptr) return;
    const Question question = drawn.ask(scene);
    for (const std::vector<Layer>& stack : question.stacks)
        for (const Layer& layer : stack)
            if (const auto sentence = problem(layer, question.grid)) throw UsageError(*sentence);
}

/// The query that lies at the same place of another grid.
Index moved(Index query, Grid from, Grid to) {
    if (from.size() == 0 || to.size() == 0 || from == to) return query;
    const auto scaled = [](Index at, Index old_length, Index length) {
        const double centre = (static_cast<double>(at) + 0.5) / static_cast<double>(old_length);
        return std::clamp<Index>(static_cast<Index>(centre * static_cast<double>(length)), 0, length - 1);
    };
    if (to.height == 1) return std::min(query, to.width - 1);
    return scaled(query / from.width, from.height, to.height) * to.width +
           scaled(query % from.width, from.width, to.width);
}

}  // namespace

bool operator==(const Input& a, const Input& b) {
    const auto same_bytes = [&] {
        return a.bytes == b.bytes || (a.bytes && b.bytes && *a.bytes == *b.bytes);
    };
    return a.name == b.name && a.type == b.type && same_bytes();
}

Input picture_input(std::string name, std::string type, std::string bytes) {
    const Picture picture = decode_picture(bytes, name.empty() ? "the scene's picture" : name);
    return {.name = std::move(name),
            .type = std::move(type),
            .bytes = std::make_shared<const std::string>(std::move(bytes)),
            .height = picture.height,
            .width = picture.width};
}

void set_all(Scene& scene, const Values& values) {
    Scene next = scene;
    const auto put = [&next](const std::string& id, const Value& value) {
        next.set.insert_or_assign(id, checked(knob_of(schema(next), id), value));
    };
    for (const std::string_view id : deciding_knobs)
        if (const auto first = values.find(id); first != values.end()) put(first->first, first->second);
    for (const auto& [id, value] : values)
        if (id != "query" && std::ranges::find(deciding_knobs, id) == deciding_knobs.end()) put(id, value);
    if (const auto query = values.find("query"); query != values.end()) {
        put(query->first, query->second);
    } else if (const auto kept = next.set.find("query"); kept != next.set.end()) {
        kept->second = moved(std::get<Index>(kept->second), query_grid(scene), query_grid(next));
    }
    refuse_what_cannot_be_asked(next);
    settle(next);
    scene = std::move(next);
}

void set(Scene& scene, std::string_view id, const Value& value) {
    set_all(scene, {{std::string(id), value}});
}

void set_text(Scene& scene, std::string_view id, std::string_view text) {
    const std::vector<Parameter> knobs = schema(scene);
    set(scene, id, parse(knob_of(knobs, id), text, query_grid(scene).width));
}

Scene with_mechanism(const Scene& scene, std::string_view id) {
    const Mechanism& before = mechanism(scene.mechanism);
    const Mechanism& after = mechanism(id);
    Scene next = scene;
    next.mechanism = std::string(id);
    if (std::find(after.figures.begin(), after.figures.end(), scene.figure) == after.figures.end())
        next.figure = std::string(after.figures.front());
    if (scene.input.arrays() && before.id != after.id)
        next.input = {};  // one mechanism's arrays do not fit another
    if (before.family != after.family) next.set.erase("query");
    settle(next);
    return next;
}

Scene with_pattern(const Scene& scene, std::string_view id) {
    Scene next = scene;
    next.pattern = std::string(pattern(id).id);
    next.set.erase("stack");
    settle(next);
    return next;
}

Scene with_figure(const Scene& scene, std::string_view id) {
    Scene next = scene;
    next.figure = std::string(figure(id).id);
    if (figure(scene.figure).subject == Subject::mechanism && mechanism(scene.mechanism).over_picture)
        next.set["over"] = std::string(looks_at_picture(scene) ? "picture" : "words");
    settle(next);
    return next;
}

}  // namespace attn
