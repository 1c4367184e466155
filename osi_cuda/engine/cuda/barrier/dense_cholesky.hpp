// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {

/// The Cholesky factor L of a symmetric matrix on a device, by cuSOLVER, and solves with it.
///
/// A triangular solve by substitution waits for each column: two of them take 1.5 ms at order
/// 10000, where to read L twice takes 0.2. So the diagonal blocks of L are inverted, by doubling
/// from blocks of 32 (inv [A 0; B C] = [A^-1 0; -C^-1 B A^-1 C^-1]), all of a size at once; then a
/// solve is a few products with vectors.
class DenseCholesky {
 public:
  /// For matrices of this order whose columns are normalStride(order) apart, in the order of
  /// `stream`, with the handles of that stream. What follows a column has to be zero.
  void prepare(int order, cudaStream_t stream, cublasHandle_t blas, cusolverDnHandle_t solver);

  /// Its lower triangle becomes L. `info` on the device becomes other than 0 where the matrix is
  /// not positive definite; then L is not to be used.
  void factor(double* matrix, int* info);
  /// The part of factor() that solves need, where the matrix is L already.
  void invertDiagonal(double const* matrix);

  /// x <- (L L')^-1 x, L as factor() left it.
  void solve(double const* matrix, double* x);

  /// The inverted blocks, one below another, normalStride(order) apart from column to column.
  double const* inverse() const { return inverse_.data(); }

  /// What is held, in bytes; see choleskyBytes.
  std::uint64_t held() const {
    return sizeof(double) * (work_.size() + inverse_.size() + product_.size());
  }

 private:
  static constexpr int base = smallestInverse;  ///< of the blocks that are inverted by a warp each

  /// Pairs of neighbouring blocks of one size whose inverses become that of both.
  struct Level {
    int size = 0;
    int pairs = 0;
    int first = 0;  ///< where their lists of pointers begin in places_
  };

  void placePairs(double const* matrix);
  double* inverseAt(int row, int column) const;

  int order_ = 0, stride_ = 0, inverseOrder_ = 0;
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cusolverDnHandle_t solver_ = nullptr;
  DeviceArray<double> work_;  ///< of cuSOLVER
  DeviceArray<double>
      inverse_;  ///< stride_ x inverseOrder_: the inverted blocks, one below another
  DeviceArray<double> product_;  ///< of a merge
  DeviceArray<double> half_;     ///< of a solve: L^-1 b
  DeviceArray<double*> places_;
  double const* placedFor_ = nullptr;  ///< the matrix that places_ belong to
  std::vector<Level> levels_;
};

}  // namespace osi_cuda::cuda
