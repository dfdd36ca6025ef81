#pragma once

#include <Eigen/Core>

#include "core/array.h"

namespace attn {

/// Eigen's views of arrays. Include this in .cpp files only: Eigen is slow to compile.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXf;
using MatrixView = Eigen::Map<Matrix>;
using ConstMatrixView = Eigen::Map<const Matrix>;
using VectorView = Eigen::Map<Vector>;
using ConstVectorView = Eigen::Map<const Vector>;

/// The array as rows × columns; the product must be its size (an assertion, shapes are checked by `require`).
inline ConstMatrixView matrix(const Array& a, Index rows, Index columns) {
    eigen_assert(rows * columns == a.size());
    return {a.values().data(), rows, columns};
}
inline MatrixView matrix(Array& a, Index rows, Index columns) {
    eigen_assert(rows * columns == a.size());
    return {a.values().data(), rows, columns};
}
/// A matrix [rows, columns] as it is.
inline ConstMatrixView matrix(const Array& a) { return matrix(a, a.extent(0), a.extent(1)); }
inline MatrixView matrix(Array& a) { return matrix(a, a.extent(0), a.extent(1)); }
/// All numbers in storage order, as a column.
inline ConstVectorView vector(const Array& a) { return {a.values().data(), a.size()}; }
inline VectorView vector(Array& a) { return {a.values().data(), a.size()}; }

}  // namespace attn
