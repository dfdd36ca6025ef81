#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/question.h"
#include "app/scene.h"
#include "core/mechanism.h"
#include "core/picture.h"
#include "core/trace.h"

namespace attn {

/// One query's row of A_L ··· A_1 (core/reach_rollout.h), or why there is none.
struct RolledRow {
    std::vector<float> one, all;  ///< through one layer, heads averaged, and through L
    std::string problem;          ///< a sentence; else empty
};

/// All that a figure may draw, and nothing of how it was asked for. Immutable.
struct Result {
    std::string key;                           ///< evaluation_key of the scene it answers
    const Mechanism* mechanism = nullptr;      ///< null for a figure that is about none
    Trace trace;                               ///< of a figure that asks: only the grid of queries and keys
    std::shared_ptr<const Findings> findings;  ///< of a figure that asks (Figure::ask); null otherwise
    std::shared_ptr<const Picture>
        picture;  ///< as the user gave it (≤ 256 a side), cropped as asked; null for words
    std::shared_ptr<const Array> colours;   ///< [3, H, W] on the grid, sRGB 0…1; null for words
    std::shared_ptr<const Array> channels;  ///< [8, H, W] of the gate figure; null otherwise
    std::vector<std::string> channel_names;
    std::vector<std::string> query_labels;  ///< words; empty for pixels
    std::vector<std::string> key_labels;
    std::vector<Head> all_heads;  ///< all in one map: mean, greatest, least; empty where there is one head
    std::vector<std::string> head_names;  ///< of the heads made by hand; fewer than there are heads, or none
    std::string see;         ///< the sentence under the title: the mechanism's, or what this scene makes true
    std::string misreading;  ///< under it; empty where the scene has another subject
    std::string said;        ///< "random projections, seed 7"; empty for own arrays
    std::optional<RolledRow> rolled;  ///< of the figure `rollout`
    double milliseconds = 0.0;        ///< of run() alone
};

/// Computes. Keeps what it made of the last scene's input, so that moving τ costs only the mechanism itself,
/// and what it knows of patterns, so that moving the query costs only its reach. Not for two threads at once.
class Evaluator {
  public:
    Evaluator();
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;
    /// Throws Error in one sentence, Cancelled when stopped.
    std::shared_ptr<const Result> evaluate(const Scene& scene, const std::stop_token& stop = {});

  private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
};

/// The query a scene asks for: its knob `query`, or the default place (half down, a fifth across; for words
/// the middle), brought into the grid of the result.
Index query_of(const Scene& scene, const Result& result);

}  // namespace attn
