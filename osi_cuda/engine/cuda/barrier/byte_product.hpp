// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {

/// Products S'S or S S' of a scaled matrix S with itself, from entries of 16 bits, at several times
/// the speed of double precision. Each line of S is rounded to whole numbers q of up to 2^15 times
/// a factor of its own, and q = 256 h + l with bytes h and l; then
///
///     Q'Q = 65536 H'H + 256 (H'L + L'H) + L'L
///
/// are products of bytes whose sums in 32 bits are exact (Ozaki's scheme: Ootomo, Ozaki and Yokota
/// 2024). What comes out is positive semidefinite, and its errors, being those of rounding A, have
/// no direction. That is enough for a factor with which conjugate gradients on the exact matrix
/// need no step or a few. Half precision was measured too: its sums, in single precision, lose up
/// to 2e-4 of the diagonal, and it takes longer (docs/evidence/dense.md).
class ByteProduct {
 public:
  /// Of a sum that has to fit into 32 bits: H'L + L'H adds two products of a high byte, up to 127,
  /// and a low one, down to -128, for each entry of a line. Longer lines are taken in pieces, whose
  /// sums are added in double precision.
  static constexpr int longest = 1 << 16;
  static_assert(2LL * 127 * 128 * longest <= INT32_MAX);

  /// For a dense matrix A of m rows and n columns in columns; S'S of order n, or S S' of order m.
  /// From column to column there are `lead` numbers. `memory`: bytes() of the device's, which
  /// form() writes to.
  void prepare(int m, int n, int lead, bool byColumns, void* memory, cudaStream_t stream,
               cublasHandle_t blas);

  /// The lower triangle of S'S for S = diag(root) A, root of length m, or of S S' for
  /// S = A diag(root), of length n. `stride`: from column to column of the result.
  void form(double const* matrix, double const* root, double* normal, int stride);

  static std::uint64_t bytes(int m, int n, bool byColumns);

 private:
  /// Lines, their lengths and what is formed at a time, in multiples of 16 bytes.
  struct Sizes {
    int lines, length, paddedLines, paddedLength, block;
  };
  static Sizes sizesOf(int m, int n, bool byColumns);

  void split(double const* matrix, double const* root);
  void multiply(int first, int count, int begin, signed char const* a, signed char const* b,
                bool add, int* sums);

  int m_ = 0, n_ = 0, lead_ = 0;
  bool byColumns_ = false;
  Sizes sizes_{};
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  signed char *high_ = nullptr, *low_ = nullptr;  ///< line after line
  int* sums_ = nullptr;                           ///< of a block of columns: H'H, H'L + L'H, L'L
  double* factor_ = nullptr;  ///< by line; for rows, the largest of each strip behind it
};

}  // namespace osi_cuda::cuda
