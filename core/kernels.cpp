#include "core/kernels.h"

#include <array>

#include "core/kernels_table.h"

namespace attn::kernels {
namespace {

#ifdef ATTN_KERNELS_AVX2
constexpr std::array tables = {&baseline, &avx2};
std::size_t count() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 2 : 1;
}
#else
constexpr std::array tables = {&baseline};
std::size_t count() {
    return 1;
}
#endif

const Table& chosen() {
    static const Table& table = *supported().back();
    return table;
}

}  // namespace

std::span<const Table* const> supported() {
    return std::span(tables).first(count());
}

void scores(const float* a, const float* b, Index n, Index m, Index d, float scale, float* out) {
    chosen().scores(a, b, n, m, d, scale, out);
}

void multiply(const float* weights, const float* values, Index n, Index m, Index d, float* out) {
    chosen().multiply(weights, values, n, m, d, out);
}

void softmax(float* scores, Index n, Index m, float sharpness, const float* allowed, unsigned char* blind) {
    chosen().softmax(scores, n, m, sharpness, allowed, blind);
}

void attend(const Attention& attention, float* scores, float* weights, float* output, unsigned char* blind) {
    chosen().attend(attention, scores, weights, output, blind);
}

void additive_scores(const float* a, const float* b, const float* v, Index n, Index m, Index d, float bias,
                     float* out) {
    chosen().additive_scores(a, b, v, n, m, d, bias, out);
}

void attend_pairs(const Attention& attention, const Pairs& pairs, float* scores, float* weights,
                  float* output, unsigned char* blind) {
    chosen().attend_pairs(attention, pairs, scores, weights, output, blind);
}

const char* instruction_set() {
    return chosen().name;
}

}  // namespace attn::kernels
