#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/pattern_layer.h"

namespace attn {

/// A real-valued picture side or grid, so that curves are smooth.
struct Extent {
    double height = 1.0;
    double width = 1.0;
    [[nodiscard]] double positions() const { return height * width; }
};

/// What one layer learns, and the multiply-adds of its linear layers.
struct Learned {
    double weights = 0.0;  ///< tables and embeddings included
    double biases = 0.0;
    double projections = 0.0;
};

/// One thing whose cost can be asked: a pattern, or a mechanism.
struct CostModel {
    std::string id;
    std::string title;
    std::vector<Parameter> parameters;  ///< the pattern's or mechanism's, then d and heads
    std::string formula;                ///< of the entries of one head; empty where there is none
    std::string pattern;                ///< the pattern that its entries are those of; empty for none
    std::string learns;                 ///< what is counted as learned, in words
    bool curve = true;                  ///< whether it can be drawn against the side of a picture

    /// Positions (null: those of the grid), entries of the attention matrix (null: by the formula of
    /// `pattern`), multiply-adds of the scores (null: entries · d), and what is learned.
    double (*tokens)(const Knobs& knobs, Extent extent) = nullptr;
    double (*entries)(const Knobs& knobs, Extent extent) = nullptr;
    double (*score)(const Knobs& knobs, Extent extent) = nullptr;
    Learned (*learned)(const Knobs& knobs, Extent extent) = nullptr;
};

/// Patterns in their order, then mechanisms that are no pattern: multi-head, sasa, routing, xca, non-local,
/// se. An explicit table.
std::span<const CostModel> cost_models();
/// Throws UsageError naming the ids there are.
const CostModel& cost_model(std::string_view id);

/// A published setting, to be chosen by name.
struct CostPreset {
    std::string id;
    std::string label;
    std::string model;
    Values set;
    Grid grid = {224, 224};  ///< of pixels, or of positions in a row
    Index patch = 1;         ///< side of the square of pixels that is one position
};
std::span<const CostPreset> cost_presets();

/// One layer's cost on a grid. Multiply-adds count a multiplication and its addition once; FLOPs count them
/// twice.
struct Cost {
    std::string id;
    Values set;
    Index tokens = 0;
    std::optional<Index> entries;  ///< of one head, by formula; empty where there is none
    std::optional<Index>
        entries_exact;  ///< weights really stored, edges included; empty where no pattern says
    struct {
        Index score = 0;
        Index value = 0;
        Index projections = 0;
    } multiply_adds;
    Index bytes_fp16 = 0;  ///< of the attention matrices of all heads
    Index bytes_fp32 = 0;
    struct {
        Index weights = 0;
        Index biases = 0;
    } parameters;
    [[nodiscard]] Index flops() const {
        return 2 * (multiply_adds.score + multiply_adds.value + multiply_adds.projections);
    }
};

/// Multiply-adds and bytes follow the formula, and the exact count where there is none. Throws UsageError as
/// BoundPattern does, Error where the setting is not legal on the grid, Cancelled when stopped (only typed
/// rules and combinations take long).
Cost cost(const CostModel& model, Values set, Grid grid, const std::stop_token& stop = {});

/// The weights of one head really stored: the sum of `stored` over all queries, by structure. Throws
/// Cancelled.
Index exact_entries(const BoundPattern& layer, const std::stop_token& stop = {});

/// A typed rule on a large grid takes minutes to count. From some queries drawn at random, always the same.
struct Estimate {
    double entries = 0.0;
    double error = 0.0;  ///< standard error of `entries`
};
Estimate estimated_entries(const BoundPattern& layer, Index queries = 256, const std::stop_token& stop = {});

/// What a curve shows.
enum class Measure {
    entries,        ///< of one head
    multiply_adds,  ///< scores and values: entries · 2d
    flops,          ///< twice that
    bytes_fp16,     ///< entries · heads · 2
    bytes_fp32      ///< entries · heads · 4
};

/// The curve of a model against the side S of a square picture cut into patches: N = (S/patch)². Throws
/// UsageError for knobs that are not the model's, Error where the model has no formula.
std::function<double(double side)> cost_curve(const CostModel& model, Values set, Measure measure,
                                              double patch = 1.0);

/// The sides in low … high at which one curve overtakes the other; empty where none does. Curves that
/// coincide over a stretch do not cross there.
std::vector<double> crossings(const std::function<double(double)>& a, const std::function<double(double)>& b,
                              double low, double high);

/// A squeeze-and-excitation block beside a 3×3 convolution on as many channels.
struct GateCost {
    Index weights = 0;
    Index biases = 0;
    Index conv3x3 = 0;
    [[nodiscard]] double ratio() const { return static_cast<double>(weights) / static_cast<double>(conv3x3); }
};
/// Throws Error when r does not divide the channels.
GateCost gate_cost(Index channels, Index r);

/// All blocks of SE-ResNet-50: (2/r) Σ N_s C_s².
struct NetworkGates {
    Index weights = 0;
    double last_stage_share = 0.0;
};
NetworkGates se_resnet_50(Index r = 16);

/// The window k at which stand-alone attention on d_in → d_out channels costs as many multiply-adds a
/// position as a 3×3 convolution: ⌊√((9 − 3)·d_in·d_out / (2·d_out))⌋.
Index window_as_dear_as_conv3x3(Index d_in, Index d_out);

}  // namespace attn
