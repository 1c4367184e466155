// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/cholesky.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/host/parallel.hpp"

namespace osi_cuda::host {
namespace {

/// Up to so many multiplications a call of BLAS takes longer than a loop.
constexpr double fewProducts = 2000.0;
/// Columns that are factored at once.
constexpr int blockColumns = 256;

bool factorFewColumns(double* a, int rows, int count) {
  for (int k = 0; k < count; ++k) {
    double* const column = a + at(k) * at(rows);
    if (!(column[k] > 0.0)) return false;
    double const inverse = 1.0 / std::sqrt(column[k]);
    for (int i = k; i < rows; ++i) column[i] *= inverse;
    for (int j = k + 1; j < count; ++j) {
      double* const to = a + at(j) * at(rows);
      double const factor = column[j];
      for (int i = j; i < rows; ++i) to[i] -= factor * column[i];
    }
  }
  return true;
}

}  // namespace

bool factorColumns(double* a, int rows, int count, std::function<void()> const& pause) {
  if (1.0 * rows * count * count < fewProducts) return factorFewColumns(a, rows, count);
  for (int first = 0; first < count; first += blockColumns) {
    pause();
    int const width = std::min(blockColumns, count - first), below = rows - first - width;
    double* const corner = a + at(first) * at(rows) + at(first);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', width, corner, rows) != 0) return false;
    if (below == 0) break;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, below, width, 1.0,
                corner, rows, corner + width, rows);
    addProduct(-1.0, corner + width, rows, below, count - first - width, width,
               corner + width + at(width) * at(rows), rows, pause);
  }
  return true;
}

void addProduct(double alpha, double const* x, int stride, int height, int width, int depth,
                double* to, int toStride, std::function<void()> const& pause) {
  if (1.0 * height * width * depth < fewProducts) {
    for (int j = 0; j < width; ++j)
      for (int k = 0; k < depth; ++k) {
        double const* const column = x + at(k) * at(stride);
        double const factor = alpha * column[j];
        for (int i = j; i < height; ++i) to[at(j) * at(toStride) + at(i)] += factor * column[i];
      }
    return;
  }
  int const strip = stripLength(width, 1.0 * height * depth);
  for (int begin = 0; begin < width; begin += strip) {
    if (begin > 0) pause();
    int const count = std::min(strip, width - begin), below = height - begin - count;
    double const* const rows = x + begin;
    double* const corner = to + at(begin) * at(toStride) + at(begin);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, count, depth, alpha, rows, stride, 1.0,
                corner, toStride);
    if (below > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, below, count, depth, alpha, rows + count,
                  stride, rows, stride, 1.0, corner + count, toStride);
  }
}

}  // namespace osi_cuda::host
