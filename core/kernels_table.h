#pragma once

#include <span>

#include "core/kernels.h"

namespace attn::kernels {

/// The kernels of one instruction set; each function is as core/kernels.h says.
struct Table {
    const char* name;
    void (*scores)(const float* a, const float* b, Index n, Index m, Index d, float scale, float* out);
    void (*multiply)(const float* weights, const float* values, Index n, Index m, Index d, float* out);
    void (*softmax)(float* scores, Index n, Index m, float sharpness, const float* allowed,
                    unsigned char* blind);
    void (*additive_scores)(const float* a, const float* b, const float* v, Index n, Index m, Index d,
                            float bias, float* out);
    void (*attend)(const Attention& attention, float* scores, float* weights, float* output,
                   unsigned char* blind);
    void (*attend_pairs)(const Attention& attention, const Pairs& pairs, float* scores, float* weights,
                         float* output, unsigned char* blind);
};

extern const Table baseline;
#ifdef ATTN_KERNELS_AVX2
extern const Table avx2;
#endif

/// Those that this processor can run, the fastest last.
std::span<const Table* const> supported();

}  // namespace attn::kernels
