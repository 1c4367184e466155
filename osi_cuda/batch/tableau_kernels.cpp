// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/tableau_kernels.hpp"

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/wide_registers.hpp"

// Plain loops, for wide registers.
namespace osi_cuda::batch {
namespace {

// Eight sums, so that they fill wide registers; into each clone by itself.
inline __attribute__((always_inline)) double maskedSquares(int n, double const* __restrict row,
                                                           double const* __restrict mask) {
  double part[8] = {};
  int j = 0;
  for (; j + 8 <= n; j += 8)
    for (int l = 0; l < 8; ++l) part[l] += mask[j + l] * row[j + l] * row[j + l];
  double rest = 0.0;
  for (; j < n; ++j) rest += mask[j] * row[j] * row[j];
  return (((part[0] + part[4]) + (part[1] + part[5])) +
          ((part[2] + part[6]) + (part[3] + part[7]))) +
         rest;
}

}  // namespace

OSI_CUDA_CLONES void exchangeTableau(int m, int n, int stride, double* tableau, double const* u,
                                     double const* __restrict w, int r, int q,
                                     double* __restrict columnWeights,
                                     double const* __restrict mask, double* rowWeights) {
  if (columnWeights)
    for (int j = 0; j < n; ++j) columnWeights[j] = 1.0;
  for (int i = 0; i < m; ++i) {
    double* const __restrict row = tableau + at(i) * at(stride);
    double const factor = u[i];
    if (i == r) {
      for (int j = 0; j < n; ++j) row[j] = w[j];
    } else {
      row[q] = 0.0;
      if (factor != 0.0)
        for (int j = 0; j < n; ++j) row[j] -= factor * w[j];
    }
    if (columnWeights)
      for (int j = 0; j < n; ++j) columnWeights[j] += row[j] * row[j];
    if (rowWeights) rowWeights[i] = maskedSquares(n, row, mask);
  }
}

OSI_CUDA_CLONES void combineTableauRows(int m, int n, int stride, double const* tableau,
                                        double const* factor, double* __restrict sum) {
  for (int j = 0; j < n; ++j) sum[j] = 0.0;
  for (int i = 0; i < m; ++i) {
    double const* const __restrict row = tableau + at(i) * at(stride);
    double const f = factor[i];
    if (f == 0.0) continue;
    for (int j = 0; j < n; ++j) sum[j] += f * row[j];
  }
}

OSI_CUDA_CLONES void combineTableauColumns(int m, int n, int stride, double const* tableau,
                                           double const* __restrict factor,
                                           double* __restrict sum) {
  for (int i = 0; i < m; ++i) {
    double const* const row = tableau + at(i) * at(stride);
    double part[8] = {};
    int j = 0;
    for (; j + 8 <= n; j += 8)
      for (int l = 0; l < 8; ++l) part[l] += factor[j + l] * row[j + l];
    double rest = 0.0;
    for (; j < n; ++j) rest += factor[j] * row[j];
    sum[i] = (((part[0] + part[4]) + (part[1] + part[5])) +
              ((part[2] + part[6]) + (part[3] + part[7]))) +
             rest;
  }
}

OSI_CUDA_CLONES void columnNorms(int m, int n, int stride, double const* tableau,
                                 double* __restrict weights) {
  for (int j = 0; j < n; ++j) weights[j] = 1.0;
  for (int i = 0; i < m; ++i) {
    double const* const __restrict row = tableau + at(i) * at(stride);
    for (int j = 0; j < n; ++j) weights[j] += row[j] * row[j];
  }
}

OSI_CUDA_CLONES void rowNorms(int m, int n, int stride, double const* tableau, double const* mask,
                              double* weights) {
  for (int i = 0; i < m; ++i) weights[i] = maskedSquares(n, tableau + at(i) * at(stride), mask);
}

}  // namespace osi_cuda::batch
