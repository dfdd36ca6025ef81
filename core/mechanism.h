#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/grid.h"
#include "core/parameter.h"
#include "core/trace.h"

namespace attn {

/// One array a mechanism reads or writes.
struct ArraySpec {
    std::string_view name;   ///< "w.query"
    std::string_view shape;  ///< "[A, n]"
    std::string_view meaning;
    bool optional = false;
};

/// What a scene can offer a mechanism: the picture and the words, already turned into numbers. Arrays that
/// the scene does not have are of size 0.
struct Material {
    Array features;          ///< [C, H, W] of the picture, as the knob `features` says
    Array colours;           ///< [3, H, W] sRGB in 0…1
    Array channels;          ///< [8, H, W] the eight named filters
    Array queries;           ///< [T_y, C] embedded target words
    Array keys;              ///< [T_x, C] embedded source words, or [H·W, C] cells of a picture
    Grid key_grid;           ///< how the keys lie
    bool untrained = false;  ///< projections are to be drawn at random, in place of none
    std::uint64_t seed = 7;  ///< of every random projection
};

/// What a reader should know of a mechanism (figure `recipe`, the catalogue, the table of all mechanisms).
struct Teaching {
    std::string_view pieces;      ///< what is scored
    std::string_view depends_on;  ///< what the score is a function of
    std::string_view squash;
    std::string_view multiply;
    std::string_view sits;        ///< where it sits in a network
    std::string_view see;         ///< what its picture should teach, one sentence
    std::string_view misreading;  ///< the common misreading set right, one sentence
};

enum class Family { sequences, pixels, channels };

/// One attention mechanism as plain data and two functions. A new mechanism is one file with one such value
/// and a line in core/catalog.cpp.
struct Mechanism {
    std::string_view id{};
    std::string_view title{};
    Family family = Family::sequences;
    bool self_attention =
        true;            ///< queries and keys are the same pieces (false: a target row asks a source row)
    bool mixed = false;  ///< a gate for each channel and position: every channel is a head of its trace
    bool over_picture = false;  ///< its keys may be a picture's cells in place of source words
    std::string_view source{};  ///< authors, year, equation
    /// The three steps in the source's symbols: "e = vᵀ tanh(W s + U h + b)", "α = softmax(e / τ)", "c = Σ α
    /// h"
    std::string_view score{}, squash{}, multiply{};
    Teaching teaching{};
    std::vector<Parameter> parameters{};
    std::vector<ArraySpec> inputs{};
    std::vector<ArraySpec> outputs{};
    std::vector<std::string_view> figures{};  ///< ids of the figures that show it, the best first

    /// Score, squash, multiply, of arrays whose numbers run_mechanism has checked. Throws Error naming the
    /// array, the shape expected and the shape given.
    Trace (*run)(const Arrays& arrays, const Knobs& knobs) = nullptr;
    /// The arrays of this mechanism made from a scene's picture or words, with weights made by hand or
    /// seeded; the sentence in `said` tells which ("random projections, seed 7"). It stands under the figure.
    Arrays (*arrange)(const Material& material, const Knobs& knobs, std::string& said) = nullptr;
    /// What the heads of that arrangement do, in their order, as far as they were made by hand ("previous
    /// word"); null where none were.
    std::vector<std::string> (*head_names)(const Knobs& knobs) = nullptr;
};

}  // namespace attn
