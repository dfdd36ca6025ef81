#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/map.h"
#include "core/recipe.h"

namespace attn {

/// One attention map of a mechanism. Scores are as the source has them, its own scale included, before τ and β and
/// before any mask.
struct Head {
    Map scores;
    Map weights;
};

/// A named intermediate that the recipe figure can show: "theta", "gate".
struct Step {
    std::string id;
    std::string label;
    SharedArray array;  ///< any shape; the last two axes are drawn
};

/// What a mechanism computed, step by step.
struct Trace {
    Grid queries;                ///< what asks: rows of every head's maps
    Grid keys;                   ///< what is looked at: columns
    std::vector<Head> heads;     ///< at least one; a channel gate has one of 1 × C
    Map allowed;                 ///< 0 = masked; empty where every pair is allowed
    std::vector<Index> blind;    ///< queries with every key masked: their weights and output are 0
    Squash squash = Squash::softmax;
    double sharpness = 1.0;      ///< τ for a softmax, β for a sigmoid, the number of keys for divide
    SharedArray values;          ///< [keys, d_v], what is averaged; null for gates
    SharedArray output;          ///< [queries, d_o], after multiply: Σ α v (before any output projection)
    std::vector<Step> steps;
    /// Every array a case file calls `out.*`, by its full name, in the case's shape.
    std::map<std::string, SharedArray, std::less<>> out;
};

}  // namespace attn
