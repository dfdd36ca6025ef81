// The kernels themselves, compiled once per instruction set by kernels_baseline.cpp and kernels_avx2.cpp,
// which name the table this defines (ATTN_TABLE) and rename the namespace Eigen by a macro, each to its own.
// Without that the linker would merge the template instances of both, and either the fast path would be slow
// or the portable one would hold AVX2 instructions. For the same reason nothing here may instantiate a
// template of the standard library that is not inlined; tests/core/purity_test.cpp looks at the object's
// symbols.

// Several threads are our own doing, over blocks of rows.
#define EIGEN_DONT_PARALLELIZE

#include <Eigen/Core>

#include "core/kernels_table.h"

namespace attn::kernels {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In = Eigen::Map<const Matrix>;
using Out = Eigen::Map<Matrix>;
using Row = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>;

constexpr float infinity = __builtin_huge_valf();

/// Rows of the score matrix that are scored, squashed and multiplied while they are in the cache.
constexpr Index attend_rows = 32;
/// Rows of a plain product: more of them, since each block packs the other factor anew.
constexpr Index product_rows = 64;
/// Operations below which a second thread costs more than it saves.
constexpr Index worth_a_thread = 1 << 17;

/// A weight below e⁻⁷³ of its row's largest is 0. That is far below the rounding of any sum, and subnormal
/// numbers, here or in the product that follows, would be several times slower.
constexpr float least_exponent = -74.0F;
constexpr float negligible = 1.9e-32F;

Index blocks_of(Index rows, Index block) {
    return (rows + block - 1) / block;
}
Index rows_in(Index block, Index size, Index rows) {
    const Index left = rows - block * size;
    return left < size ? left : size;
}

void product_transposed(const float* a, const float* b, Index n, Index m, Index d, float scale, float* out) {
    Out(out, n, m).noalias() = scale * In(a, n, d) * In(b, m, d).transpose();
}

void product(const float* a, const float* b, Index n, Index m, Index d, float* out) {
    Out(out, n, d).noalias() = In(a, n, m) * In(b, m, d);
}

bool any(const float* flags, Index m) {
    for (Index key = 0; key < m; ++key)
        if (flags[key] != 0.0F) return true;
    return false;
}

/// Where the largest score is infinite, the keys that have it share the mass.
void share(float* row, Index m, float largest, const float* allowed) {
    Index count = 0;
    for (Index key = 0; key < m; ++key) {
        const bool has = row[key] == largest && (allowed == nullptr || allowed[key] != 0.0F);
        row[key] = has ? 1.0F : 0.0F;
        count += has ? 1 : 0;
    }
    Row(row, m) /= static_cast<float>(count);
}

/// False when no key is allowed.
bool softmax_row(float* row, Index m, float sharpness, const float* allowed) {
    if (allowed != nullptr)
        for (Index key = 0; key < m; ++key) row[key] = allowed[key] != 0.0F ? row[key] : -infinity;
    Row x(row, m);
    const float largest = m > 0 ? x.maxCoeff() : -infinity;
    if (largest == -infinity && (m == 0 || (allowed != nullptr && !any(allowed, m)))) {
        x.setZero();
        return false;
    }
    if (largest == infinity || largest == -infinity) {
        share(row, m, largest, allowed);
        return true;
    }
    // Subtracted first, so that the exponent is never ∞ − ∞; a product that overflows is −∞, its weight 0.
    x = ((x - largest) * sharpness).max(least_exponent).exp();
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (Index key = 0; key < m; ++key) {
        row[key] = row[key] < negligible ? 0.0F : row[key];
        sum += row[key];
    }
    x *= 1.0F / sum;
    return true;
}

void softmax_block(float* block, Index rows, Index m, float sharpness, const float* allowed,
                   unsigned char* blind) {
    for (Index r = 0; r < rows; ++r)
        blind[r] =
            softmax_row(block + r * m, m, sharpness, allowed == nullptr ? nullptr : allowed + r * m) ? 0 : 1;
}

void scores_by_blocks(const float* a, const float* b, Index n, Index m, Index d, float scale, float* out) {
#pragma omp parallel for schedule(static) if (n * m * d > worth_a_thread)
    for (Index block = 0; block < blocks_of(n, product_rows); ++block) {
        const Index first = block * product_rows;
        product_transposed(a + first * d, b, rows_in(block, product_rows, n), m, d, scale, out + first * m);
    }
}

void multiply_by_blocks(const float* weights, const float* values, Index n, Index m, Index d, float* out) {
#pragma omp parallel for schedule(static) if (n * m * d > worth_a_thread)
    for (Index block = 0; block < blocks_of(n, product_rows); ++block) {
        const Index first = block * product_rows;
        product(weights + first * m, values, rows_in(block, product_rows, n), m, d, out + first * d);
    }
}

void softmax_by_blocks(float* rows, Index n, Index m, float sharpness, const float* allowed,
                       unsigned char* blind) {
#pragma omp parallel for schedule(static) if (n * m * 8 > worth_a_thread)
    for (Index block = 0; block < blocks_of(n, attend_rows); ++block) {
        const Index first = block * attend_rows;
        softmax_block(rows + first * m, rows_in(block, attend_rows, n), m, sharpness,
                      allowed == nullptr ? nullptr : allowed + first * m, blind + first);
    }
}

void attend_by_blocks(const Attention& a, float* scores, float* weights, float* output,
                      unsigned char* blind) {
#pragma omp parallel for schedule(static) if (a.n * a.m * (a.d + a.dv) > worth_a_thread)
    for (Index block = 0; block < blocks_of(a.n, attend_rows); ++block) {
        const Index first = block * attend_rows;
        const Index rows = rows_in(block, attend_rows, a.n);
        float* const score = scores + first * a.m;
        float* const weight = weights + first * a.m;
        product_transposed(a.q + first * a.d, a.k, rows, a.m, a.d, a.scale, score);
        Out(weight, rows, a.m) = In(score, rows, a.m);
        softmax_block(weight, rows, a.m, a.sharpness,
                      a.allowed == nullptr ? nullptr : a.allowed + first * a.m, blind + first);
        product(weight, a.v, rows, a.m, a.dv, output + first * a.dv);
    }
}

}  // namespace

constinit const Table ATTN_TABLE = {ATTN_TABLE_NAME, scores_by_blocks, multiply_by_blocks, softmax_by_blocks,
                                    attend_by_blocks};

}  // namespace attn::kernels
