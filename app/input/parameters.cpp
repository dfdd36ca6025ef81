#include "app/input/parameters.h"

#include "app/input/caption.h"
#include "app/input/words.h"
#include "app/question.h"
#include "core/features.h"

namespace attn {
namespace {

Parameter grid() {
    return {.id = "grid",
            .label = "cells a side",
            .help = "how many cells the picture is averaged into along its longer side",
            .kind = Parameter::Kind::integer,
            .group = Parameter::Group::input,
            .initial = Index{24},
            .low = 2,
            .high = 64};
}

Parameter fit() {
    return {.id = "fit",
            .label = "picture",
            .help = "what of a picture that is not square is laid on the grid",
            .kind = Parameter::Kind::choice,
            .group = Parameter::Group::input,
            .initial = std::string("square"),
            .choices = {{"square", "square", "the largest square in its middle"},
                        {"whole", "whole", "all of it; the shorter side has fewer cells"}}};
}

Parameter sentence(std::string id, std::string label, std::string help, std::string_view initial) {
    return {.id = std::move(id),
            .label = std::move(label),
            .help = std::move(help),
            .kind = Parameter::Kind::text,
            .group = Parameter::Group::input,
            .initial = std::string(initial)};
}

Parameter embedding_size() {
    return {.id = "d",
            .symbol = "d",
            .label = "embedding size",
            .help = "numbers in a word's embedding",
            .kind = Parameter::Kind::integer,
            .group = Parameter::Group::input,
            .initial = Index{32},
            .low = 8,
            .high = 512,
            .scale = Parameter::Scale::logarithmic};
}

Parameter seed() {
    return {.id = "seed",
            .label = "seed",
            .help = "of the random directions that concepts are given",
            .kind = Parameter::Kind::integer,
            .group = Parameter::Group::input,
            .initial = Index{7},
            .low = 0,
            .high = 9999};
}

Parameter over(const Mechanism& mechanism) {
    Parameter knob = {.id = "over",
                      .label = "keys",
                      .help = "what the words look at",
                      .kind = Parameter::Kind::choice,
                      .group = Parameter::Group::input,
                      .choices = {{"words", "words", "the words of a source sentence"},
                                  {"picture", "picture", "the cells of a picture"}}};
    knob.initial = std::string(mechanism.figures.front() == "overlay" ? "picture" : "words");
    return knob;
}

}  // namespace

std::vector<Parameter> input_parameters(const Scene& scene, const Mechanism& mechanism) {
    if (scene.input.arrays()) return {};
    const bool free = mechanism.over_picture && scene.figure != "overlay" && scene.figure != "alignment";
    if (looks_at_picture(scene)) {
        std::vector<Parameter> knobs;
        if (free) knobs.push_back(over(mechanism));
        knobs.push_back(sentence("target", "words", "what asks: the queries", toy_caption));
        knobs.push_back(grid());
        if (scene.input.picture()) knobs.push_back(fit());
        knobs.push_back(embedding_size());
        knobs.push_back(seed());
        return knobs;
    }
    if (mechanism.family == Family::sequences) {
        std::vector<Parameter> knobs;
        if (free) knobs.push_back(over(mechanism));
        knobs.push_back(
            sentence("source", mechanism.self_attention ? "words" : "source words",
                     mechanism.self_attention ? "what asks and is looked at" : "what is looked at: the keys",
                     toy_source));
        if (!mechanism.self_attention)
            knobs.push_back(sentence("target", "target words", "what asks: the queries", toy_target));
        knobs.push_back(embedding_size());
        knobs.push_back(seed());
        return knobs;
    }
    std::vector<Parameter> knobs = {grid()};
    if (scene.input.picture()) knobs.push_back(fit());
    if (mechanism.family == Family::pixels)
        for (Parameter& knob : feature_parameters()) knobs.push_back(std::move(knob));
    return knobs;
}

std::vector<Parameter> layer_parameters() {
    return {
        {.id = "layers",
         .symbol = "L",
         .label = "layers",
         .help = "how many layers lie between the query and what it sees",
         .kind = Parameter::Kind::integer,
         .group = Parameter::Group::layers,
         .initial = Index{2},
         .low = 1,
         .high = 64,
         .offered = 12},
        {.id = "stack",
         .label = "stack",
         .help = "each layer its own, input first: local k=7; axial. Repeated when more layers are asked for",
         .kind = Parameter::Kind::text,
         .group = Parameter::Group::layers,
         .initial = std::string()},
        {.id = "skip",
         .label = "skip connection",
         .help = "what was seen stays seen: each layer also sees the position itself",
         .kind = Parameter::Kind::toggle,
         .group = Parameter::Group::layers,
         .initial = false}};
}

Parameter side_parameter(Parameter::Group group) {
    return {.id = "side",
            .symbol = "S",
            .label = "cost at side",
            .unit = "pixels",
            .help = "of the square picture at which costs are read off",
            .kind = Parameter::Kind::integer,
            .group = group,
            .initial = Index{224},
            .low = static_cast<double>(least_side),
            .high = static_cast<double>(greatest_side),
            .scale = Parameter::Scale::logarithmic};
}

std::vector<Parameter> grid_parameters() {
    const auto side = [](std::string id, std::string label, double most) {
        return Parameter{.id = std::move(id),
                         .label = std::move(label),
                         .help = "of the grid; a sequence is one row",
                         .kind = Parameter::Kind::integer,
                         .group = Parameter::Group::input,
                         .initial = Index{16},
                         .low = 1,
                         .high = most,
                         .offered = 64};
    };
    return {side("rows", "rows", 512), side("columns", "columns", 4096)};
}

}  // namespace attn
