#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/array.h"

namespace attn {

/// sRGB, 8 bits, straight alpha.
struct Colour {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    friend bool operator==(const Colour&, const Colour&) = default;
};

/// From 0xRRGGBB.
constexpr Colour rgb(std::uint32_t hex, std::uint8_t alpha = 255) {
    return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U),
            static_cast<std::uint8_t>(hex), alpha};
}

/// a + t (b − a) per channel, t in 0…1, alpha included.
Colour mix(Colour a, Colour b, double t);

/// WCAG 2 contrast ratio of two opaque colours, 1…21.
double contrast(Colour a, Colour b);

/// 256 colours from low to high.
using Ramp = std::array<Colour, 256>;
const Ramp& viridis();   ///< weights
const Ramp& blue_red();  ///< scores and differences: blue – white – red about the middle

/// How numbers become places on a ramp.
enum class Scale {
    linear,
    logarithmic,  ///< log₁₀; numbers ≤ 0 are below
    rank,         ///< by order: the share of the other data that is smaller (ties share the mean)
    uniform       ///< times the number of keys, logarithmic: 1 is the uniform weight
};

/// Which numbers of the data the ramp's ends stand for. A tagged value, never a magic pair. Data here are the
/// cells that are neither masked nor NaN nor infinite.
struct Range {
    enum class Kind {
        automatic,  ///< least … greatest of the data; on a logarithmic scale of those > 0, and at most five
                    ///< decades
        fixed,      ///< low … high; on a logarithmic scale a low ≤ 0 is five decades under high
        symmetric,  ///< −m … m, m the largest magnitude (1 where all are 0); automatic on any scale but the
                    ///< linear
        per_row  ///< automatic in each row: positions are 0…1, and so are the ends that are shown
    };
    Kind kind = Kind::automatic;
    double low = 0.0;
    double high = 1.0;
};

/// What a cell is, decided on the CPU; each class but `value` has a look of its own.
enum class CellClass : std::uint8_t { value, masked, nan, plus_infinity, minus_infinity, below, above };

/// How a heat map is coloured.
struct Colouring {
    const Ramp* ramp = nullptr;
    Range range;
    Scale scale = Scale::linear;
    Colour masked, nan, plus_infinity, minus_infinity;  ///< `below` and `above` take the ramp's ends
};

/// A heat map ready for a ramp: `position` is the number on the scale (its logarithm, its rank, …), to be
/// mapped by low … high onto 0…255. Shape height × width.
struct Cells {
    Index height = 0, width = 0;
    std::vector<float> position;
    std::vector<CellClass> classes;
    float low = 0.0F, high = 1.0F;  ///< of `position`; equal when there is only one number
    /// The same ends for the colour bar: numbers of the data, or multiples of the uniform weight on that
    /// scale.
    double shown_low = 0.0, shown_high = 1.0;
};

/// Classifies and scales. `values` is height × width; `masked`, when not empty, has one flag per cell,
/// non-zero = masked. `keys` is the number of keys for Scale::uniform. Throws Error when the counts do not
/// fit together, a fixed range is upside down or ends at or below 0 on a logarithmic scale, or the scale
/// `uniform` has no keys.
Cells classify(std::span<const float> values, Index width, const Colouring& colouring,
               std::span<const std::uint8_t> masked = {}, Index keys = 0);

/// The ramp's index of a position: int(floor(clamp((v − low)·(1/(high − low)), 0, 1)·255 + 0.5)) in float, in
/// this order; shaders/heat_map.frag repeats it and a test pins the two together. high == low gives 255.
int ramp_index(float position, float low, float high);

/// The colour of one cell.
Colour colour_of(float position, CellClass cell, const Cells& cells, const Colouring& colouring);

/// All cells as RGBA, row-major, 4 bytes each.
std::vector<std::uint8_t> colour_cells(const Cells& cells, const Colouring& colouring);

}  // namespace attn
