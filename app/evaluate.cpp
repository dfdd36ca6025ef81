#include "app/evaluate.h"

#include <algorithm>
#include <chrono>

#include "app/figure.h"
#include "app/figures/format.h"
#include "app/input/caption.h"
#include "app/input/parameters.h"
#include "app/input/toy_picture.h"
#include "app/input/words.h"
#include "core/catalog.h"
#include "core/channels.h"
#include "core/error.h"
#include "core/features.h"
#include "core/heads.h"
#include "core/io/npz.h"
#include "core/io/picture.h"
#include "core/mechanisms/shared.h"
#include "core/one_context.h"
#include "core/run_mechanism.h"

namespace attn {
namespace {

/// [3, H, W] in 0…1.
Array to_colours(const Picture& picture) {
    const Index pixels = picture.height * picture.width;
    Array colours({3, picture.height, picture.width});
    for (Index p = 0; p < pixels; ++p)
        for (Index c = 0; c < 3; ++c)
            colours.values()[static_cast<std::size_t>(c * pixels + p)] =
                static_cast<float>(picture.rgb[static_cast<std::size_t>(3 * p + c)]) / 255.0F;
    return colours;
}

/// The scene's picture as it is shown beside its cells.
Picture shown_picture(const Scene& scene, const Knobs& knobs) {
    if (!scene.input.picture()) return toy_picture();
    Picture whole = decode_picture(*scene.input.bytes, scene.input.name);
    return knobs.text("fit") == "square" ? crop_square(whole) : whole;
}

/// Labels go with their keys, and what the shuffle did to the output is said.
void tell_of_shuffle(Result& result) {
    const Trace& trace = result.trace;
    if (!trace.key_order.empty() && !result.key_labels.empty()) {
        std::vector<std::string> labels;
        for (const Index key : trace.key_order)
            labels.push_back(result.key_labels[static_cast<std::size_t>(key)]);
        result.key_labels = std::move(labels);
    }
    for (const Step& step : trace.steps) {
        if (step.id != "change") continue;
        const auto change = static_cast<double>(step.array->values().front());
        result.said +=
            std::string(result.said.empty() ? "" : "; ") + "keys shuffled: " +
            (change == 0.0 ? "no output changes" : "outputs change by up to " + significant(change));
    }
}

/// What the page says under its title: the mechanism's sentences, or what is true of this scene in their
/// place.
void say_what_is_true(const std::vector<Parameter>& schema, const Knobs& knobs, Result& result) {
    result.see = result.mechanism->teaching.see;
    result.misreading = result.mechanism->teaching.misreading;
    const auto is = [&](std::string_view knob, std::string_view choice) {
        return find(schema, knob) != nullptr && knobs.text(knob) == choice;
    };
    if (is("context", "fixed")) {
        result.see =
            "One fixed context: every target word gets the last source state, however long the sentence. "
            "This is the bottleneck that attention removed.";
        result.misreading.clear();
    } else if (is("features", "raw")) {
        result.see =
            "Raw colours are all positive, so products are largest with the brightest cells, whatever "
            "the query; centred or cosine features mend that, as learned projections do.";
    }
}

void name_channels(const Scene& scene, const Arrays& arrays, Result& result) {
    auto maps = std::make_shared<const Array>(require(arrays, "in.x"));
    const bool gated = maps->rank() == 3;  // else a position per row, and channels look at channels
    const Index count = gated ? maps->extent(0) : result.trace.keys.size();
    for (Index c = 0; c < count; ++c)
        result.channel_names.push_back(scene.input.arrays()
                                           ? std::to_string(c)
                                           : std::string(channel_names()[static_cast<std::size_t>(c)]));
    if (gated)
        result.channels = std::move(maps);
    else
        result.query_labels = result.key_labels = result.channel_names;
}

}  // namespace

struct Evaluator::Kept {
    std::string picture_key;
    std::shared_ptr<const Picture> picture;
    std::shared_ptr<const Array> colours;
    std::string material_key;
    Material material;

    /// The picture and its colours on the grid, read again only when the input, the grid or the fit changed.
    void read_picture(const Scene& scene, const Knobs& knobs);
    void read_material(const Scene& scene, const Mechanism& mechanism, const Knobs& knobs);

    PatternEvaluator patterns;
    std::shared_ptr<const Result> answer(const Scene& scene, const Question& question,
                                         const std::stop_token& stop);
    /// The words, the picture, the heads of a result that was made from them.
    void name_pieces(const Scene& scene, const Knobs& knobs, Result& result) const;
};

void Evaluator::Kept::read_picture(const Scene& scene, const Knobs& knobs) {
    const Grid grid = picture_grid(scene, knobs);
    std::string key = std::to_string(grid.height) + "×" + std::to_string(grid.width);
    if (scene.input.picture()) key += knobs.text("fit") + *scene.input.bytes;
    if (picture && key == picture_key) return;
    picture_key.clear();  // until all is read: what fails must not leave half behind under the old key
    material_key.clear();
    picture = std::make_shared<const Picture>(shown_picture(scene, knobs));
    colours = std::make_shared<const Array>(to_colours(resize(*picture, grid.height, grid.width)));
    picture_key = std::move(key);
}

void Evaluator::Kept::read_material(const Scene& scene, const Mechanism& shown, const Knobs& knobs) {
    const bool cells = looks_at_picture(scene);
    if (shown.family != Family::sequences || cells) read_picture(scene, knobs);
    std::string key = std::to_string(static_cast<int>(shown.family)) + (shown.self_attention ? "self" : "") +
                      (cells ? "cells" : "");
    const std::vector<Parameter> schema = input_parameters(scene, shown);
    for (const Parameter& knob : schema) key += '\n' + format(value_of(schema, scene.set, knob.id));
    if (key == material_key) return;
    material_key.clear();
    material = {};
    if (find(schema, "seed") != nullptr) material.seed = static_cast<std::uint64_t>(knobs.integer("seed"));
    if (cells) {
        material.keys = embed_cells(*colours, !scene.input.picture(), knobs.integer("d"), material.seed);
        material.key_grid = {colours->extent(1), colours->extent(2)};
        material.queries =
            embed_caption(split_words(knobs.text("target")), knobs.integer("d"), material.seed);
    } else if (shown.family == Family::sequences) {
        material.keys = embed_words(split_words(knobs.text("source")), knobs.integer("d"), material.seed);
        if (!shown.self_attention)
            material.queries =
                embed_words(split_words(knobs.text("target")), knobs.integer("d"), material.seed);
    } else {
        material.colours = *colours;
        if (shown.family == Family::channels) material.channels = channels(*colours);
        if (shown.family == Family::pixels) {
            material.features = features(*colours, knobs.text("features"), knobs.integer("d"), material.seed);
            material.untrained = knobs.text("features") == "random";
        }
    }
    material_key = std::move(key);
}

void Evaluator::Kept::name_pieces(const Scene& scene, const Knobs& knobs, Result& result) const {
    const Mechanism& shown = *result.mechanism;
    if (shown.head_names != nullptr) result.head_names = shown.head_names(knobs);
    const bool cells = looks_at_picture(scene);
    if (shown.family != Family::sequences || cells) {
        result.picture = picture;
        result.colours = colours;
    }
    if (cells) {
        result.query_labels = split_words(knobs.text("target"));
        result.said =
            about_caption(result.query_labels, !scene.input.picture(), material.seed) + "; " + result.said;
    } else if (shown.family == Family::sequences) {
        result.key_labels = split_words(knobs.text("source"));
        result.query_labels = shown.self_attention ? result.key_labels : split_words(knobs.text("target"));
    }
}

std::shared_ptr<const Result> Evaluator::Kept::answer(const Scene& scene, const Question& question,
                                                      const std::stop_token& stop) {
    auto result = std::make_shared<Result>();
    result->key = evaluation_key(scene);
    if (figure(scene.figure).subject == Subject::mechanism) result->mechanism = &mechanism(scene.mechanism);
    result->trace.queries = result->trace.keys = question.grid;
    const auto begin = std::chrono::steady_clock::now();
    result->findings = patterns.answer(question, stop);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    result->milliseconds = taken.count();
    return result;
}

Evaluator::Evaluator() : kept_(std::make_unique<Kept>()) {}
Evaluator::~Evaluator() = default;

std::shared_ptr<const Result> Evaluator::evaluate(const Scene& scene, const std::stop_token& stop) {
    const Figure& drawn = figure(scene.figure);
    if (drawn.ask != nullptr) return kept_->answer(scene, drawn.ask(scene), stop);
    const Mechanism& shown = mechanism(scene.mechanism);
    const std::vector<Parameter> knob_schema = schema(scene);
    const Knobs knobs(knob_schema, scene.set);
    auto result = std::make_shared<Result>();
    result->key = evaluation_key(scene);
    result->mechanism = &shown;
    Arrays arrays;
    if (scene.input.arrays()) {
        arrays = read_npz(*scene.input.bytes, scene.input.name).arrays;
    } else {
        kept_->read_material(scene, shown, knobs);
        arrays = shown.arrange(kept_->material, knobs, result->said);
        kept_->name_pieces(scene, knobs, *result);
    }
    const auto begin = std::chrono::steady_clock::now();
    result->trace = run_mechanism(shown, arrays, knobs);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    result->milliseconds = taken.count();

    tell_of_shuffle(*result);

    if (find(knob_schema, "context") != nullptr && knobs.text("context") == "fixed") {
        result->trace =
            with_one_context(std::move(result->trace), valid_keys(knobs, result->trace.keys.size()) - 1);
        result->said.clear();
    }
    say_what_is_true(knob_schema, knobs, *result);
    if (find(shown.parameters, "heads") != nullptr && result->trace.heads.size() > 1)
        for (const Combine how : {Combine::mean, Combine::greatest, Combine::least})
            result->all_heads.push_back(combined(result->trace.heads, how));
    if (shown.family == Family::channels) name_channels(scene, arrays, *result);
    if (drawn.add != nullptr) drawn.add(scene, *result, stop);
    return result;
}

Index query_of(const Scene& scene, const Result& result) {
    const std::vector<Parameter> knobs = schema(scene);
    if (find(knobs, "query") == nullptr) return 0;
    const Index wished = std::get<Index>(value_of(knobs, scene.set, "query"));
    return std::clamp<Index>(wished, 0, std::max<Index>(result.trace.queries.size() - 1, 0));
}

}  // namespace attn
