#include "app/scene.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/figure.h"
#include "app/input/parameters.h"
#include "app/input/words.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/picture.h"

namespace attn {
namespace {

Knobs input_knobs(const std::vector<Parameter>& knobs, const Scene& scene) {
    return {knobs, scene.set};
}

Grid picture_grid(const Scene& scene, const Knobs& knobs) {
    const Index side = knobs.integer("grid");
    if (!scene.input.picture() || knobs.text("fit") == "square") return {side, side};
    const auto [height, width] = std::pair{scene.input.height, scene.input.width};
    const auto shorter = [side](Index a, Index b) {
        return std::max<Index>(1, std::llround(static_cast<double>(side * a) / static_cast<double>(b)));
    };
    return height > width ? Grid{side, shorter(width, height)} : Grid{shorter(height, width), side};
}

/// Where a scene opens: half down and a fifth across, on the toy picture's red ball; the third word of a
/// sentence.
Index telling_place(Grid grid) {
    if (grid.height == 1) return std::min<Index>(2, std::max<Index>(grid.width - 1, 0));
    return grid.height / 2 * grid.width + grid.width * 5 / 24;
}

Parameter query_parameter(const Scene& scene) {
    const Grid grid = query_grid(scene);
    const bool known = grid.size() > 0;
    return {.id = "query",
            .symbol = "q",
            .label = "query",
            .help = grid.height > 1 ? "the position that asks: its index, or row,column"
                                    : "the position that asks",
            .kind = Parameter::Kind::position,
            .group = Parameter::Group::query,
            .initial = known ? telling_place(grid) : Index{0},
            .low = 0,
            .high = static_cast<double>(known ? grid.size() - 1 : Index{1} << 24U)};
}

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

/// The query that lies at the same place of another grid.
Index moved(Index query, Grid from, Grid to) {
    if (from.size() == 0 || to.size() == 0) return query;
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

Grid query_grid(const Scene& scene) {
    const Mechanism& shown = mechanism(scene.mechanism);
    if (shown.family == Family::channels) return {1, 1};
    if (scene.input.arrays()) return {1, 0};
    const std::vector<Parameter> knobs = input_parameters(scene, shown);
    const Knobs values = input_knobs(knobs, scene);
    if (shown.family == Family::pixels) return picture_grid(scene, values);
    try {
        const auto words = split_words(values.text(shown.self_attention ? "source" : "target"));
        return {1, static_cast<Index>(words.size())};
    } catch (const Error&) {
        return {1, 0};  // no words: the evaluation says so
    }
}

std::vector<Parameter> schema(const Scene& scene) {
    const Mechanism& shown = mechanism(scene.mechanism);
    const Figure& drawn = figure(scene.figure);
    if (std::find(shown.figures.begin(), shown.figures.end(), drawn.id) == shown.figures.end()) {
        std::string others;
        for (const std::string_view id : shown.figures)
            others += (others.empty() ? "" : ", ") + std::string(id);
        throw UsageError("figure '" + scene.figure + "' does not show " + scene.mechanism +
                         "; these do: " + others);
    }
    std::vector<Parameter> knobs;
    if (shown.family != Family::channels) knobs.push_back(query_parameter(scene));
    knobs.insert(knobs.end(), shown.parameters.begin(), shown.parameters.end());
    for (Parameter& knob : input_parameters(scene, shown)) knobs.push_back(std::move(knob));
    knobs.insert(knobs.end(), drawn.parameters.begin(), drawn.parameters.end());
    return knobs;
}

void set(Scene& scene, std::string_view id, const Value& value) {
    const std::vector<Parameter> knobs = schema(scene);
    Value legal = checked(knob_of(knobs, id), value);
    const Grid before = query_grid(scene);
    scene.set.insert_or_assign(std::string(id), std::move(legal));
    const Grid after = query_grid(scene);
    if (const auto query = scene.set.find("query"); query != scene.set.end() && before != after)
        query->second = moved(std::get<Index>(query->second), before, after);
    settle(scene);
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

Scene with_figure(const Scene& scene, std::string_view id) {
    Scene next = scene;
    next.figure = std::string(figure(id).id);
    settle(next);
    return next;
}

}  // namespace attn
