#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cost.h"
#include "core/reach.h"
#include "core/score_scale.h"

namespace attn {

/// One curve of cost against the side of a picture.
struct CurveSpec {
    std::string name;  ///< "local k = 7"
    const CostModel* model = nullptr;
    Values set;
    Index patch = 1;  ///< side in pixels of the square that is one position
};

/// An experiment with random queries and keys, read off at d features.
struct ScaleSpec {
    Index keys = 2;
    std::uint64_t seed = 0;
    Index d = 1;
};

/// What a figure wants to know, made from its scene.
struct Question {
    // Which keys.
    Grid grid{1, 1};
    Index query = 0;
    Index layers = 1;  ///< L
    bool skip = false;
    std::vector<std::vector<Layer>> stacks;  ///< each followed from the query, layers input first
    bool keys = false;                       ///< keys of every query wanted
    bool cover = false;        ///< layers to cover of every query wanted, however long that takes
    bool all_hops = false;     ///< hops of every query wanted
    std::optional<Index> key;  ///< whose bridges and paths are wanted; −1: one that the last layer brings

    // How much.
    std::vector<CurveSpec> curves;
    Measure measure = Measure::entries;
    Index side = 224;                    ///< where the curves are read off, pixels
    const CostPreset* preset = nullptr;  ///< to be counted at its own size
    std::vector<Layer> typed;  ///< layers without a formula, to be counted or estimated at that side

    std::optional<ScaleSpec> scale;  ///< what dividing scores by √d does
};

/// What one layer's attention matrix holds.
struct LayerEntries {
    std::optional<double> formula;
    std::optional<Index> exact;
    std::optional<Estimate> estimate;  ///< where counting every query would take minutes
    [[nodiscard]] double best() const { return exact ? static_cast<double>(*exact) : estimate->entries; }
};

/// How one key is seen, and by how many paths any key is.
struct Ways {
    Index key = 0;
    std::vector<Index> bridges;    ///< of that key, through all L layers
    std::vector<PathCount> paths;  ///< through all L layers, per key
    bool any_key = false;          ///< bridges of another key take no time: they are asked for while drawing
};

/// One stack of layers followed from one query.
struct Followed {
    std::string name;  ///< "local k = 7, axial"
    std::vector<Layer> layers;
    std::shared_ptr<const Stack> stack;
    Index query = 0;
    Reach reach;  ///< through L layers
    Coverage coverage;
    std::vector<LayerEntries> entries;  ///< of each layer on the grid
    std::shared_ptr<const std::vector<Index>>
        keys;                                  ///< of every query in the first layer; null unless wanted
    std::shared_ptr<const CoverageMap> cover;  ///< null where it takes long and nobody wants it
    /// N × N: seen_at for every query (row) and key (column); null unless wanted.
    std::shared_ptr<const std::vector<std::int32_t>> all_hops;

    /// What was asked of a key; null unless wanted.
    std::shared_ptr<const Ways> ways;

    [[nodiscard]] Index depth() const { return static_cast<Index>(reach.counts.size()); }
    /// The first layer at which the key is seen, 0 where it is not within L. The query itself is seen where
    /// the first layer or a skip connection shows it.
    [[nodiscard]] std::int32_t seen_at(Index key) const;
};

/// A curve and what it costs at the mark.
struct CostCurve {
    CurveSpec spec;
    std::vector<double> values;  ///< of the measure, at CostChart::sides
    double mark_value = 0.0;     ///< of the measure
    Cost mark;                   ///< counted at ⌊side / patch⌋ positions a side, at least 1
};

/// Where curve a overtakes curve b, or b a.
struct Crossing {
    std::size_t a = 0, b = 0;
    double side = 0.0;
    double value = 0.0;
};

struct CostChart {
    Measure measure = Measure::entries;
    Index side = 224;           ///< the mark
    std::vector<double> sides;  ///< 8 … 512, equal ratios
    std::vector<CostCurve> curves;
    std::vector<Crossing> crossings;
    std::optional<Cost> preset, preset_global;  ///< the preset at its own size, and global attention there
    std::vector<LayerEntries> typed;            ///< of Question::typed
};

inline constexpr Index least_side = 8;
inline constexpr Index greatest_side = 512;

/// What dividing scores by √d does, at one d.
struct ScaleFindings {
    std::shared_ptr<const ScaleExperiment> experiment;
    ScalePoint point;                     ///< at d
    std::vector<float> scores;            ///< q·k of one query with every key
    std::vector<float> unscaled, scaled;  ///< their softmax without and with the division
};

struct Findings {
    std::vector<Followed> followed;
    CostChart cost;
    std::optional<ScaleFindings> scale;
};

/// "local k = 7": a layer with the knobs that were set, and always its first number.
std::string layer_name(const Layer& layer);
/// "local k = 7, axial".
std::string stack_name(const std::vector<Layer>& layers);

/// Curves in the text form of a stack, any cost model: "global; local k=9; xca". Knobs of `common` serve
/// every model that has them and does not set them. Throws UsageError with one sentence.
std::vector<CurveSpec> parse_curves(std::string_view text, const Values& common, Index patch);

/// Answers questions; keeps what does not depend on the query, so that a drag costs one walk. Not for two
/// threads at once.
class PatternEvaluator {
  public:
    PatternEvaluator();
    ~PatternEvaluator();
    PatternEvaluator(const PatternEvaluator&) = delete;
    PatternEvaluator& operator=(const PatternEvaluator&) = delete;
    /// Throws Error in one sentence, Cancelled when stopped.
    std::shared_ptr<const Findings> answer(const Question& question, const std::stop_token& stop);

  private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
};

}  // namespace attn
