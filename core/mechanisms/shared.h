#pragma once

#include <string_view>

#include "core/array.h"
#include "core/parameter.h"
#include "core/trace.h"

namespace attn {

/// Knobs that several mechanisms have, and what their arrangements share.

Parameter temperature(double initial = 1.0);  ///< tau, 0.01…10
Parameter sharpness(double initial = 2.0);    ///< beta, 0…10
Parameter causal();
Parameter head_count(Index initial = 1);  ///< heads
Parameter valid_words();                  ///< valid, 0 for all

Parameter shuffled_keys();  ///< shuffle

/// Keys and values in another order, the same for both.
struct Shuffled {
    std::vector<Index> order;  ///< row → row that it was
    Array keys, values;
};
Shuffled shuffled(const Array& keys, const Array& values);
/// Notes the order, and as a step how far the output moved from what it is without the shuffle.
void note_shuffle(Trace& trace, std::vector<Index> order, const Array& unshuffled_output);
/// Largest |difference| of two outputs of one shape, 0 where it is but rounding, as a step.
Step output_change(const Array& before, const Array& after);

/// The number of keys that are not padding. Throws Error when `valid` exceeds the words there are.
Index valid_keys(const Knobs& knobs, Index keys);

/// What the scene offers, when it has `rank` axes and is not empty. Throws Error saying what to open: "a
/// picture".
const Array& offered(const Array& material, Index rank, std::string_view what);

/// The array times a number.
Array scaled(const Array& array, double factor);

/// Mean over the rows of their squared length.
double mean_square_length(const Array& rows);

}  // namespace attn
