#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/late_array.h"
#include "core/map.h"
#include "core/recipe.h"

namespace attn {

/// One attention map of a mechanism. Scores are as the source has them, its own scale included, before τ and
/// β and before any mask.
struct Head {
    Map scores;
    Map weights;
};

/// A named intermediate that the recipe figure shows: "theta", "gate".
struct Step {
    /// What its numbers belong to, and so how it is drawn.
    enum class Shape {
        pairs,      ///< queries × keys: the query's row over the keys
        queries,    ///< queries × features
        keys,       ///< keys × features
        clusters,   ///< queries × clusters, 1 where the cluster has the query
        positions,  ///< [C, H, W], a map of any size over the picture
        numbers     ///< any count, in the pieces' order where there are as many
    };
    /// What it does to the score or the weight of its pair.
    enum class Part {
        apart,
        addend,  ///< the addends' sum is the score
        factor   ///< the weight is what the squash leaves, times this
    };
    std::string id;
    std::string label;  ///< "q·k: content", a symbol and what it is
    Shape shape;
    LateArray array{};        ///< null where there are maps
    std::vector<Map> maps{};  ///< of all shapes but positions and numbers: one, or one for each head
    Part part = Part::apart;
};

/// What a mechanism computed, step by step.
struct Trace {
    Grid queries;                  ///< what asks: rows of every head's maps
    Grid keys;                     ///< what is looked at: columns
    std::vector<Index> key_order;  ///< column → key, where the keys were shuffled; empty otherwise
    std::vector<Head> heads;       ///< at least one; a channel gate has one of 1 × C
    Map allowed;                   ///< 0 = masked; empty where every pair is allowed
    std::vector<Index> blind;      ///< queries with every key masked: their weights and output are 0
    Squash squash = Squash::softmax;
    double sharpness = 1.0;  ///< τ for a softmax, β for a sigmoid, the number of keys for divide
    Index width = 0;         ///< d, where scores are products over √d and nothing is added; else 0
    SharedArray values;      ///< [keys, d_v], what is averaged; null for gates
    SharedArray gated;       ///< [C, H, W], what gates multiply; null elsewhere
    std::vector<Index>
        picked;          ///< the one key of each query that is multiplied; empty where all are averaged
    SharedArray output;  ///< Σ α v [queries, d_o] (axial: projected and added); of gates g·x [C, H, W]
    std::vector<Step> steps;
    /// Every array a case file calls `out.*`, by its full name, in the case's shape. Those of queries × keys
    /// are made when they are read, where the mechanism does not score all pairs.
    std::map<std::string, LateArray, std::less<>> out;
};

}  // namespace attn
