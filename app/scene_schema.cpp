#include <algorithm>
#include <cmath>

#include "app/figure.h"
#include "app/figures/view.h"
#include "app/input/parameters.h"
#include "app/input/words.h"
#include "app/scene.h"
#include "core/catalog.h"
#include "core/channels.h"
#include "core/error.h"

namespace attn {
namespace {

/// Gates have no query: every piece of the map is turned up or down by itself. A class token is one query.
bool query_is_chosen(const Mechanism& shown) {
    return shown.family == Family::sequences || shown.self_attention;
}

/// The channels that one head compares.
Index channels_of_a_head(const Scene& scene, const Mechanism& shown) {
    const auto all = static_cast<Index>(channel_names().size());
    if (find(shown.parameters, "heads") == nullptr) return all;
    return std::max<Index>(all / Knobs(shown.parameters, scene.set).integer("heads"), 1);
}

Grid mechanism_grid(const Scene& scene) {
    const Mechanism& shown = mechanism(scene.mechanism);
    if (!query_is_chosen(shown)) return {1, 1};
    if (scene.input.arrays()) return {1, 0};
    const std::vector<Parameter> knobs = input_parameters(scene, shown);
    const Knobs values(knobs, scene.set);
    if (shown.family == Family::pixels) return picture_grid(scene, values);
    if (shown.family == Family::channels) return {1, channels_of_a_head(scene, shown)};
    try {
        const auto words = split_words(values.text(shown.self_attention ? "source" : "target"));
        return {1, static_cast<Index>(words.size())};
    } catch (const Error&) {
        return {1, 0};  // no words: the evaluation says so
    }
}

/// Where a scene opens: half down and a fifth across, on the toy picture's red ball; the third word of a
/// sentence; for a pattern a place where its window is whole.
Index telling_place(Subject subject, Grid grid) {
    if (subject != Subject::mechanism) return (grid.height - 1) / 2 * grid.width + grid.width * 9 / 16;
    if (grid.height == 1) return std::min<Index>(2, std::max<Index>(grid.width - 1, 0));
    return grid.height / 2 * grid.width + grid.width * 5 / 24;
}

Parameter query_parameter(Subject subject, Grid grid) {
    const bool known = grid.size() > 0;
    return {.id = "query",
            .symbol = "q",
            .label = "query",
            .help = grid.height > 1 ? "the position that asks: its index, or row,column"
                                    : "the position that asks",
            .kind = Parameter::Kind::position,
            .group = Parameter::Group::query,
            .initial = known ? telling_place(subject, grid) : Index{0},
            .low = 0,
            .high = static_cast<double>(known ? grid.size() - 1 : Index{1} << 24U)};
}

void append(std::vector<Parameter>& knobs, std::vector<Parameter> more) {
    for (Parameter& knob : more) knobs.push_back(std::move(knob));
}

/// Which of several heads a figure of single maps shows.
Parameter head_parameter(Index heads) {
    return {.id = "head",
            .label = "head shown",
            .help = "which of the heads is drawn, counted from 1",
            .kind = Parameter::Kind::integer,
            .group = Parameter::Group::view,
            .initial = Index{1},
            .low = 1,
            .high = static_cast<double>(heads)};
}

/// The same where small maps of all heads stand beside the one that is drawn.
std::vector<Parameter> head_strip_parameters(Index heads) {
    Parameter head = head_parameter(heads);
    head.enabled_by = "all_heads";
    head.enabled_for = {"one"};
    return {view_choice("all_heads", "heads", "what is drawn of several heads",
                        {{"one", "one", "one of them"},
                         {"mean", "mean", "for each pair the mean of all heads"},
                         {"max", "max", "for each pair the greatest of all heads"},
                         {"min", "min", "for each pair the least of all heads"}}),
            head,
            {.id = "strip",
             .label = "small maps",
             .help = "of all heads, beside the one that is drawn",
             .kind = Parameter::Kind::toggle,
             .group = Parameter::Group::view,
             .initial = true}};
}

/// A decoder's states ask an encoder's states: what stands between them could be one fixed context.
bool has_decoder_states(const Mechanism& shown) {
    const auto reads = [&](std::string_view name) {
        return std::any_of(shown.inputs.begin(), shown.inputs.end(),
                           [&](const ArraySpec& input) { return input.name == name; });
    };
    return reads("in.h_t") && reads("in.h_s");
}

Parameter context_parameter() {
    return {.id = "context",
            .label = "context",
            .help = "what the decoder gets of the source",
            .kind = Parameter::Kind::choice,
            .initial = std::string("step"),
            .choices = {{"step", "one per step", "attention: a mean of its own for every target word"},
                        {"fixed", "one fixed", "no attention: the last source state for every target word"}}};
}

/// Which channel is drawn of gates that every channel has of its own; how many there are only the input says.
Parameter channel_parameter() {
    Parameter knob = head_parameter(1024);
    knob.label = "channel shown";
    knob.help = "which of the channels is drawn, counted from 1";
    knob.offered = static_cast<double>(channel_names().size());
    return knob;
}

std::vector<Parameter> mechanism_schema(const Scene& scene, const Figure& drawn) {
    const Mechanism& shown = mechanism(scene.mechanism);
    if (std::find(shown.figures.begin(), shown.figures.end(), drawn.id) == shown.figures.end()) {
        std::string others;
        for (const std::string_view id : shown.figures)
            others += (others.empty() ? "" : ", ") + std::string(id);
        throw UsageError("figure '" + scene.figure + "' does not show " + scene.mechanism +
                         "; these do: " + others);
    }
    if (drawn.ask != nullptr) return {};
    std::vector<Parameter> knobs;
    if (query_is_chosen(shown)) knobs.push_back(query_parameter(drawn.subject, query_grid(scene)));
    append(knobs, shown.parameters);
    if (drawn.id == "alignment" && has_decoder_states(shown)) knobs.push_back(context_parameter());
    append(knobs, input_parameters(scene, shown));
    if (find(shown.parameters, "heads") != nullptr) {
        const Index heads = Knobs(shown.parameters, scene.set).integer("heads");
        if (heads > 1)
            append(knobs,
                   drawn.head_strip ? head_strip_parameters(heads) : std::vector{head_parameter(heads)});
    }
    if (shown.mixed) knobs.push_back(channel_parameter());
    return knobs;
}

bool stacked(const Scene& scene) {
    const auto stack = scene.set.find("stack");
    return stack != scene.set.end() && !std::get<std::string>(stack->second).empty();
}

std::vector<Parameter> pattern_schema(const Scene& scene, const Figure& drawn) {
    const Pattern& shown = pattern(scene.pattern);
    std::vector<Parameter> knobs = {query_parameter(drawn.subject, query_grid(scene))};
    if (!stacked(scene)) append(knobs, shown.parameters);  // a stack says its own
    append(knobs, layer_parameters());
    append(knobs, grid_parameters());
    return knobs;
}

}  // namespace

bool looks_at_picture(const Scene& scene) {
    const Mechanism& shown = mechanism(scene.mechanism);
    if (!shown.over_picture || scene.input.arrays()) return false;
    if (scene.figure == "overlay" || scene.figure == "alignment") return scene.figure == "overlay";
    const auto over = scene.set.find("over");
    return over == scene.set.end() ? shown.figures.front() == "overlay"
                                   : std::get<std::string>(over->second) == "picture";
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

Grid query_grid(const Scene& scene) {
    const Subject subject = figure(scene.figure).subject;
    if (subject == Subject::mechanism) return mechanism_grid(scene);
    const std::vector<Parameter> knobs = grid_parameters();
    const Knobs values(knobs, scene.set);
    return {values.integer("rows"), values.integer("columns")};
}

std::vector<Parameter> schema(const Scene& scene) {
    const Figure& drawn = figure(scene.figure);
    std::vector<Parameter> knobs;
    if (drawn.subject == Subject::mechanism) knobs = mechanism_schema(scene, drawn);
    if (drawn.subject == Subject::pattern) knobs = pattern_schema(scene, drawn);
    append(knobs, figure_knobs(scene));
    return knobs;
}

std::vector<Parameter> figure_knobs(const Scene& scene) {
    const Figure& drawn = figure(scene.figure);
    std::vector<Parameter> knobs = drawn.parameters;
    const bool words_ask = drawn.subject == Subject::mechanism && looks_at_picture(scene);
    for (Parameter& knob : knobs) {
        if (knob.id == "query") knob = query_parameter(drawn.subject, query_grid(scene));
        // A word's look is a few bright places, and a word that names nothing has none.
        if (knob.id == "colour_scale" && words_ask) knob.initial = std::string("linear");
    }
    return knobs;
}

std::vector<Layer> layers_of(const Scene& scene) {
    if (stacked(scene)) return parse_stack(std::get<std::string>(scene.set.at("stack")));
    Layer layer;
    layer.id = scene.pattern;
    for (const Parameter& knob : pattern(scene.pattern).parameters)
        if (const auto set = scene.set.find(knob.id); set != scene.set.end()) layer.set.insert(*set);
    return {layer};
}

}  // namespace attn
