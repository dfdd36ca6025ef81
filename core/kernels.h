#pragma once

#include <span>

#include "core/array.h"

namespace attn::kernels {

/// Dense arithmetic at the bottom of every mechanism, for raw row-major float32 and as fast as the processor
/// allows: each is compiled twice (baseline, AVX2 + FMA) and chosen once at run time. All of them split rows
/// over OpenMP threads. Results of the two differ in the last bits.

/// out[n, m] = scale · a[n, d] · b[m, d]ᵀ: scores of n queries and m keys.
void scores(const float* a, const float* b, Index n, Index m, Index d, float scale, float* out);

/// out[n, d] = weights[n, m] · values[m, d].
void multiply(const float* weights, const float* values, Index n, Index m, Index d, float* out);

/// Softmax of each of n rows of m scores with 1/τ = `sharpness` (finite, > 0), in place; `allowed` is null or
/// n × m flags. Rows without an allowed key become zeros and are marked 1 in blind[n], the others 0. Scores
/// may be ±inf, not NaN: equal infinities share the mass. Weights under e⁻⁷³ of their row's largest are
/// exactly 0.
void softmax(float* scores, Index n, Index m, float sharpness, const float* allowed, unsigned char* blind);

/// All three at once, a block of rows at a time while it is in the cache: fills scores[n, m] (before τ and
/// mask), weights[n, m] and output[n, dv].
struct Attention {
    const float* q = nullptr;  ///< [n, d]
    const float* k = nullptr;  ///< [m, d]
    const float* v = nullptr;  ///< [m, dv]
    Index n = 0, m = 0, d = 0, dv = 0;
    float scale = 1.0F;
    float sharpness = 1.0F;          ///< 1/τ
    const float* allowed = nullptr;  ///< null or [n, m] flags
};
void attend(const Attention& attention, float* scores, float* weights, float* output, unsigned char* blind);

/// "baseline" or "avx2".
const char* instruction_set();

}  // namespace attn::kernels
