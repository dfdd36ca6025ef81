#include <algorithm>

#include "app/figures/format.h"
#include "app/figures/reach_parts.h"
#include "app/figures/view.h"
#include "app/input/parameters.h"

namespace attn {
namespace {

constexpr Index longest_matrix = 1024;  // N × N hops are held

Parameter toggle(std::string id, std::string label, std::string help) {
    Parameter knob;
    knob.id = std::move(id);
    knob.label = std::move(label);
    knob.help = std::move(help);
    knob.kind = Parameter::Kind::toggle;
    knob.group = Parameter::Group::view;
    knob.initial = true;
    return knob;
}

Parameter key_knob() {
    Parameter key;
    key.id = "key";
    key.label = "key";
    key.help =
        "whose bridges and paths are shown: its index, or row,column; −1 for one that the last layer brings";
    key.kind = Parameter::Kind::position;
    key.group = Parameter::Group::input;
    key.initial = Index{-1};
    key.low = -1;
    key.high = static_cast<double>(Index{1} << 24U);
    return key;
}

std::vector<Parameter> make_knobs() {
    Parameter view = view_choice(
        "view", "view", "how positions are laid out",
        {{"auto", "automatic", "cells of the grid; for short sequences the mask"},
         {"cells", "cells", "one query’s keys, laid out as the grid; sequences wrapped into rows"},
         {"matrix", "mask", "every query a row, every key a column; up to 1,024 positions"}});
    Parameter map =
        view_choice("map", "map", "every query’s own answer, as one more picture",
                    {{"none", "none", ""},
                     {"keys", "keys per query", "how many keys each query sees in the first layer"},
                     {"cover", "layers to cover",
                      "after how many layers each query sees everything; long work on large grids"}});
    // Both decide what is computed.
    view.group = map.group = Parameter::Group::input;
    return {view,
            map,
            side_parameter(Parameter::Group::input),
            key_knob(),
            toggle("bridges", "bridges", "light the positions that carry the key"),
            toggle("with_cost", "cost", "the pattern’s cost beside its reach, where there is room")};
}

bool matrix_wanted(const Knobs& knobs, Grid grid) {
    constexpr Index short_sequence = 256;
    const std::string& view = knobs.text("view");
    if (grid.size() > longest_matrix || view == "cells") return false;
    return view == "matrix" || (grid.height == 1 && grid.width <= short_sequence);
}

/// The curves beside a pattern: its own layers first, then the three that everybody knows.
void add_curves(Question& question, const std::vector<Layer>& layers) {
    const auto add = [&](const std::string& id, const Values& set) {
        const CostModel& model = cost_model(id);
        if (!model.curve) return;
        const bool there = std::any_of(
            question.curves.begin(), question.curves.end(),
            [&](const auto& curve) { return curve.model == &model && (curve.set == set || set.empty()); });
        if (!there)
            question.curves.push_back({layer_name({Layer::Kind::pattern, id, set, {}}), &model, set, 1});
    };
    for (const Layer& layer : layers) {
        if (layer.kind == Layer::Kind::pattern && cost_model(layer.id).curve)
            add(layer.id, layer.set);
        else
            question.typed.push_back(layer);
    }
    for (const char* id : {"local", "axial", "global"}) add(id, {});
}

std::string sentences_of(const Followed& followed) {
    const Grid grid = followed.stack->grid();
    std::string all;
    for (std::size_t i = 0; i < followed.layers.size(); ++i) {
        const Layer& layer = followed.layers[i];
        if (layer.kind != Layer::Kind::pattern) continue;
        const Pattern& shown = pattern(layer.id);
        if (shown.sentence == nullptr) continue;
        const std::string text = shown.sentence(Knobs(shown.parameters, layer.set), grid);
        if (text.empty()) continue;
        if (!all.empty()) all += "; ";
        if (followed.layers.size() > 1) all += "layer " + std::to_string(i + 1) + ": ";
        all += text;
    }
    const Index positions = followed.reach.counts.front();
    const Index keys = followed.stack->layer(1).count(followed.query);
    if (keys != positions && !followed.stack->skip) {
        if (!all.empty()) all += "; ";
        all += grouped(keys) + " summary keys stand for " + grouped(positions) + " positions";
    }
    return all;
}

}  // namespace

const std::vector<Parameter>& reach_knobs() {
    static const std::vector<Parameter> all = make_knobs();
    return all;
}

Question reach_question(const Scene& scene) {
    const std::vector<Parameter> schema = attn::schema(scene);
    const Knobs knobs(schema, scene.set);
    Question question;
    question.grid = query_grid(scene);
    question.query = std::clamp<Index>(knobs.integer("query"), 0, question.grid.size() - 1);
    question.layers = knobs.integer("layers");
    question.skip = knobs.flag("skip");
    question.stacks = {layers_of(scene)};
    question.keys = knobs.text("map") == "keys";
    question.cover = knobs.text("map") == "cover";
    question.all_hops = matrix_wanted(knobs, question.grid);
    question.side = knobs.integer("side");
    question.key = knobs.integer("key");
    add_curves(question, question.stacks.front());
    return question;
}

Heading reach_heading(const Followed& followed, bool refused_matrix) {
    Heading heading;
    heading.note = sentences_of(followed);
    heading.warning = blind_sentence(followed);
    if (refused_matrix)
        heading.warning = "The mask is shown for up to " + grouped(longest_matrix) +
                          " positions; here are the cells of one query.";
    if (followed.layers.size() > 1) {
        heading.title = followed.name;
        heading.source = "a stack of " + std::to_string(followed.layers.size()) + " layers, input first";
        heading.lead = "Each layer its own; they repeat from the first when more are asked for.";
        return heading;
    }
    const Layer& layer = followed.layers.front();
    if (layer.kind != Layer::Kind::pattern) {
        heading.title = followed.name;
        heading.source = "patterns combined";
        heading.lead = layer.kind == Layer::Kind::both     ? "A key is seen where every part sees it."
                       : layer.kind == Layer::Kind::either ? "A key is seen where some part sees it."
                                                           : "A key is seen where the part does not see it.";
        return heading;
    }
    const Pattern& shown = pattern(layer.id);
    heading.title = shown.title;
    if (followed.name != shown.id) heading.source = followed.name;
    if (!shown.source.empty() && !heading.source.empty()) heading.source += " · ";
    heading.source += shown.source;
    heading.lead = shown.see;
    return heading;
}

}  // namespace attn
