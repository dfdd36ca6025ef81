#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/cost.h"
#include "core/error.h"
#include "core/id_list.h"

namespace attn {

namespace {

double d_of(const Knobs& knobs) {
    return static_cast<double>(knobs.integer("d"));
}
double heads_of(const Knobs& knobs) {
    return static_cast<double>(knobs.integer("heads"));
}
double real(const Knobs& knobs, std::string_view id) {
    return static_cast<double>(knobs.integer(id));
}

/// So many linear layers d × d for every position, with biases or without.
Learned projected(const Knobs& knobs, Extent extent, double layers, bool biased) {
    const double d = d_of(knobs);
    return {layers * d * d, biased ? layers * d : 0.0, layers * d * d * extent.positions()};
}

Learned queries_keys_values(const Knobs& knobs, Extent extent) {
    return projected(knobs, extent, 3.0, false);
}
Learned with_output(const Knobs& knobs, Extent extent) {
    return projected(knobs, extent, 4.0, true);
}

/// Tables for rows and for columns, (2⌊k/2⌋ + 1) offsets of d/2 numbers each.
Learned sasa(const Knobs& knobs, Extent extent) {
    Learned learned = queries_keys_values(knobs, extent);
    const double offsets = 2.0 * std::floor(real(knobs, "k") / 2.0) + 1.0;
    learned.weights += 2.0 * offsets * d_of(knobs) / 2.0;
    return learned;
}

/// Queries, keys, values and output along each axis; only the outputs have biases.
Learned axial(const Knobs& knobs, Extent extent) {
    Learned learned = projected(knobs, extent, 8.0, false);
    learned.biases = 2.0 * d_of(knobs);
    return learned;
}

/// One number for each offset of a window, per head.
Learned with_offsets(const Knobs& knobs, Extent extent, double window) {
    Learned learned = with_output(knobs, extent);
    learned.weights += heads_of(knobs) * (2.0 * window - 1.0) * (2.0 * window - 1.0);
    return learned;
}
Learned neighborhood(const Knobs& knobs, Extent extent) {
    return with_offsets(knobs, extent, real(knobs, "k"));
}
Learned swin(const Knobs& knobs, Extent extent) {
    return with_offsets(knobs, extent, real(knobs, "window"));
}

/// An s×s convolution makes the summaries, a layer norm (scale and shift) follows it; keys and values come
/// from them.
Learned gsa(const Knobs& knobs, Extent extent) {
    const double d = d_of(knobs);
    const double s = real(knobs, "subsample");
    const double cells = std::floor(extent.height / s) * std::floor(extent.width / s);
    return {(4.0 + s * s) * d * d + d, 6.0 * d,
            2.0 * d * d * extent.positions() + (2.0 + s * s) * d * d * cells};
}

/// Global tokens have projections of their own: their queries, and keys and values of all.
Learned sliding_window(const Knobs& knobs, Extent extent) {
    Learned learned = projected(knobs, extent, 3.0, true);
    const double globals = std::min(real(knobs, "globals"), extent.positions());
    if (globals > 0.0) {
        const double square = d_of(knobs) * d_of(knobs);
        learned.weights *= 2.0;
        learned.biases *= 2.0;
        learned.projections += square * (globals + 2.0 * extent.positions());
    }
    return learned;
}

double clusters_of(const Knobs& knobs, double positions) {
    const double clusters = real(knobs, "clusters");
    return clusters == 0.0 ? std::sqrt(positions) : std::min(clusters, positions);
}

Learned routing(const Knobs& knobs, Extent extent) {
    Learned learned = queries_keys_values(knobs, extent);
    learned.weights += std::floor(clusters_of(knobs, extent.positions())) * d_of(knobs);
    return learned;
}

double xca_entries(const Knobs& knobs, Extent) {
    return d_of(knobs) * d_of(knobs) / heads_of(knobs);
}

Learned xca(const Knobs& knobs, Extent extent) {
    Learned learned = with_output(knobs, extent);
    learned.weights += heads_of(knobs);  // temperatures
    return learned;
}

double non_local_positions(const Knobs& knobs, Extent extent) {
    return real(knobs, "frames") * extent.positions();
}

double non_local_entries(const Knobs& knobs, Extent extent) {
    const double keys = knobs.flag("pooled")
                            ? std::floor(extent.height / 2.0) * std::floor(extent.width / 2.0)
                            : extent.positions();
    return non_local_positions(knobs, extent) * real(knobs, "frames") * keys;
}

Learned non_local(const Knobs& knobs, Extent extent) {
    const double channels = real(knobs, "channels");
    const double inner = real(knobs, "inner");
    return {4.0 * channels * inner, 3.0 * inner + channels,
            4.0 * channels * inner * non_local_positions(knobs, extent)};
}

Index gate_channels(const Knobs& knobs) {
    return Index{1} << knobs.integer("log2C");
}

Learned gate(const Knobs& knobs, Extent) {
    const GateCost cost = gate_cost(gate_channels(knobs), knobs.integer("r"));
    return {static_cast<double>(cost.weights), static_cast<double>(cost.biases),
            static_cast<double>(cost.weights)};
}

Parameter integer(std::string id, std::string label, std::string help, Index initial, Index low, Index high) {
    Parameter p;
    p.id = std::move(id);
    p.label = std::move(label);
    p.help = std::move(help);
    p.kind = Parameter::Kind::integer;
    p.initial = initial;
    p.low = static_cast<double>(low);
    p.high = static_cast<double>(high);
    return p;
}

Parameter width_knob() {
    return integer("d", "width", "channels of queries, keys and values, all heads together", 64, 1, 1 << 16);
}
Parameter heads_knob() {
    return integer("heads", "heads", "attention matrices of one layer; each has d / heads channels", 1, 1,
                   1024);
}

/// What the mechanism of a pattern's name learns; patterns without one project queries, keys and values.
void add_learned(CostModel& model) {
    struct Row {
        std::string_view id;
        Learned (*learned)(const Knobs&, Extent);
        const char* words;
    };
    static constexpr auto rows = std::to_array<Row>({
        {"axial", axial, "queries, keys, values and output, along each axis"},
        {"neighborhood", neighborhood, "queries, keys, values and output, and a number per offset and head"},
        {"swin", swin, "queries, keys, values and output, and a number per offset and head"},
        {"lsa", with_output, "queries, keys, values and output"},
        {"gsa", gsa, "queries, keys, values and output, and the convolution that makes the summaries"},
        {"sliding-window", sliding_window, "queries, keys and values, once more for global tokens"},
    });
    model.learned = queries_keys_values;
    model.learns = "queries, keys and values, d × d each, without biases";
    for (const Row& row : rows)
        if (row.id == model.id) {
            model.learned = row.learned;
            model.learns = row.words;
        }
}

CostModel of_pattern(const Pattern& pattern) {
    CostModel model;
    model.id = pattern.id;
    model.title = pattern.title;
    model.parameters = pattern.parameters;
    model.parameters.push_back(width_knob());
    model.parameters.push_back(heads_knob());
    model.formula = pattern.formula;
    model.pattern = pattern.id;
    model.curve = pattern.entries != nullptr;
    add_learned(model);
    return model;
}

/// A mechanism that attends as a pattern does, and learns more.
CostModel like(std::string_view of, std::string id, std::string title,
               Learned (*learned)(const Knobs&, Extent), std::string learns) {
    CostModel model = of_pattern(pattern(of));
    model.id = std::move(id);
    model.title = std::move(title);
    model.learned = learned;
    model.learns = std::move(learns);
    return model;
}

CostModel routing_model() {
    CostModel model;
    model.id = "routing";
    model.title = "Routing";
    Parameter clusters = integer("clusters", "clusters", "each of as many queries and keys", 0, 1, 1 << 20);
    clusters.automatic = "√N";
    model.parameters = {clusters, width_knob(), heads_knob()};
    model.formula = "N²/clusters, N·√N at √N clusters";
    model.entries = [](const Knobs& knobs, Extent extent) {
        return extent.positions() * extent.positions() / clusters_of(knobs, extent.positions());
    };
    model.learned = routing;
    model.learns = "queries, keys and values, and the clusters' centroids";
    return model;
}

CostModel xca_model() {
    CostModel model;
    model.id = "xca";
    model.title = "Cross-covariance";
    model.parameters = {width_knob(), heads_knob()};
    model.formula = "d²/h";
    model.entries = xca_entries;
    model.score = [](const Knobs& knobs, Extent extent) {
        return extent.positions() * xca_entries(knobs, extent);
    };
    model.learned = xca;
    model.learns = "queries, keys, values and output, and a temperature per head";
    return model;
}

CostModel non_local_model() {
    CostModel model;
    model.id = "non-local";
    model.title = "Non-local block";
    Parameter pooled;
    pooled.id = "pooled";
    pooled.label = "pooled keys";
    pooled.help = "keys and values are 2×2 maxima of each frame";
    pooled.kind = Parameter::Kind::toggle;
    pooled.initial = false;
    model.parameters = {integer("channels", "channels", "of the feature map", 1024, 1, 1 << 16),
                        integer("inner", "inner channels", "of θ, φ and g", 512, 1, 1 << 16),
                        integer("frames", "frames", "of a video; the grid is one frame", 1, 1, 1024), pooled};
    model.formula = "(T·H·W)², a quarter with pooled keys";
    model.tokens = non_local_positions;
    model.entries = non_local_entries;
    model.score = [](const Knobs& knobs, Extent extent) {
        return non_local_entries(knobs, extent) * real(knobs, "inner");
    };
    model.learned = non_local;
    model.learns = "θ, φ, g and the way back, 1×1 convolutions";
    return model;
}

CostModel gate_model() {
    CostModel model;
    model.id = "se";
    model.title = "Squeeze-and-excitation";
    model.parameters = {integer("log2C", "log₂ channels", "of the block", 8, 4, 11),
                        integer("r", "reduction", "channels per unit between the two layers", 16, 1, 64)};
    model.formula = "C: one gate per channel";
    model.entries = [](const Knobs& knobs, Extent) { return static_cast<double>(gate_channels(knobs)); };
    // Gates multiply the map once, and nothing is scored but by the two layers.
    model.score = [](const Knobs&, Extent) { return 0.0; };
    model.learned = gate;
    model.learns = "the two layers of the excitation";
    model.curve = false;
    return model;
}

}  // namespace

std::span<const CostModel> cost_models() {
    static const std::vector<CostModel> table = [] {
        std::vector<CostModel> models;
        for (const Pattern& pattern : patterns()) models.push_back(of_pattern(pattern));
        models.push_back(like("global", "multi-head", "Multi-head attention", with_output,
                              "queries, keys, values and output"));
        models.push_back(like("local", "sasa", "Stand-alone self-attention", sasa,
                              "queries, keys and values, and tables of row and column offsets"));
        models.push_back(routing_model());
        models.push_back(xca_model());
        models.push_back(non_local_model());
        models.push_back(gate_model());
        return models;
    }();
    return table;
}

std::span<const CostPreset> cost_presets() {
    static const std::vector<CostPreset> table = {
        {"span-15", "axial, span 15", "axial", {{"m", Index{15}}}},
        {"span-56", "axial, span 56", "axial", {{"m", Index{56}}}},
        {"span-65", "axial, span 65", "axial", {{"m", Index{65}}}},
        {"image-transformer",
         "Image Transformer: blocks of 256, 512 memory positions",
         "block-1d",
         {{"l_q", Index{256}}, {"l_m", Index{256}}},
         {1, Index{32} * 32 * 3}},
        {"vit", "ViT: patches of 16", "global", {}, {224, 224}, 16},
    };
    return table;
}

const CostModel& cost_model(std::string_view id) {
    const auto all = cost_models();
    const auto found = std::ranges::find(all, id, &CostModel::id);
    if (found != all.end()) return *found;
    throw UsageError("expected a pattern or mechanism, one of " + id_list(all) + ", got '" + std::string(id) +
                     "'");
}

}  // namespace attn
