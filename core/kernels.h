#pragma once

#include <cstdint>

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

/// out[n, m] = v · tanh(aᵢ + bⱼ) + bias, for a[n, d], b[m, d] and v[d]: additive scores.
void additive_scores(const float* a, const float* b, const float* v, Index n, Index m, Index d, float bias,
                     float* out);

/// Queries, keys and values of several heads, which lie side by side in each row.
struct Attention {
    const float* q = nullptr;  ///< [n, heads·d]
    const float* k = nullptr;  ///< [m, heads·d]
    const float* v = nullptr;  ///< [m, heads·dv]
    Index n = 0, m = 0, d = 0, dv = 0;
    Index heads = 1;
    float scale = 1.0F;
    float sharpness = 1.0F;          ///< 1/τ
    const float* allowed = nullptr;  ///< null or [n, m] flags
};

/// All three steps at once, a block of rows at a time while it is in the cache: fills scores[heads, n, m]
/// (before τ and mask), weights[heads, n, m], output[n, heads·dv] and blind[heads, n].
void attend(const Attention& attention, float* scores, float* weights, float* output, unsigned char* blind);

/// The pairs to be scored, the same for every head: from key[first[i]] on, up to key[first[i + 1]], stand the
/// keys of query i.
struct Pairs {
    const Index* first = nullptr;  ///< [n + 1]
    /// −1 stands for no key and takes no mass, −2 for a key and a value of zeros.
    const std::int32_t* key = nullptr;
    /// Adds to the scores of one head's query, one per slot, before the softmax; null where nothing is added.
    void (*add)(const void* what, Index head, Index query, float* scores) = nullptr;
    const void* what = nullptr;
};

/// The same over these pairs alone, `allowed` aside: scores and weights are [heads, slots].
void attend_pairs(const Attention& attention, const Pairs& pairs, float* scores, float* weights,
                  float* output, unsigned char* blind);

/// "baseline" or "avx2".
const char* instruction_set();

}  // namespace attn::kernels
