// SPDX-License-Identifier: EPL-2.0
// What CoinUtils' presolve wants of LAPACK where it is linked as an archive. Hidden: OpenBLAS calls
// these functions by the same names, and means its own.
#include "osi_cuda/base/blas.hpp"

extern "C" {

[[gnu::visibility("hidden")]] void dgetrf_(int const* rows, int const* columns, double* a,
                                           int const* stride, int* pivots, int* fault) {
  static osi_cuda::LateFunction<decltype(dgetrf_)> late("dgetrf_", nullptr);
  late(rows, columns, a, stride, pivots, fault);
}

[[gnu::visibility("hidden")]] void dgetrs_(char const* side, int const* order, int const* count,
                                           double const* a, int const* stride, int const* pivots,
                                           double* b, int const* strideOfB, int* fault) {
  static osi_cuda::LateFunction<decltype(dgetrs_)> late("dgetrs_", nullptr);
  late(side, order, count, a, stride, pivots, b, strideOfB, fault);
}

}  // extern "C"
