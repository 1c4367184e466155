// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/tableau.hpp"
#include "osi_cuda/base/index.hpp"

#include <cblas.h>

#include <algorithm>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/host/kernels.hpp"
#include "osi_cuda/engine/host/parallel.hpp"

namespace osi_cuda::host {

void Tableau::resize(int rows, int columns, int blockSize, int sketch) {
  resizePositions(rows, columns, blockSize);
  sketchSize = sketch;
  auto const mm = at(m), nn = at(n);
  base.assign(mm * nn, 0.0);
  u.assign(at(capacity) * mm, 0.0);
  v.assign(at(capacity) * nn, 0.0);
  columnSketch.clear();
  rowSketch.clear();
}

void Tableau::fold(std::function<void()> const& betweenStrips, double flopsAtOnce) {
  if (used > 0 && m > 0 && n > 0) {
    BlasThreads const blas(threads, 2.0 * m * n * used);
    int const strip = stripLength(m, 2.0 * n * used, flopsAtOnce);
    for (int begin = 0; begin < m; begin += strip) {
      if (begin > 0 && betweenStrips) betweenStrips();
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, std::min(strip, m - begin), n, used,
                  -1.0, u.data() + begin, m, v.data(), n, 1.0, baseRow(begin), n);
    }
  }
  used = 0;
}

void Tableau::formColumn(int q, double* out) {
  forChunks(threads, m, static_cast<std::int64_t>(m) * (used + 8), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) out[i] = baseRow(i)[q];
    for (int l = 0; l < used; ++l) {
      double const coefficient = vRow(l)[q];
      if (coefficient != 0.0) axpy(at(end - begin), -coefficient, uRow(l) + begin, out + begin);
    }
  });
}

void Tableau::formRow(int r, double* out) {
  forChunks(threads, n, static_cast<std::int64_t>(n) * (used + 1), [&](int begin, int end) {
    std::copy(baseRow(r) + begin, baseRow(r) + end, out + begin);
    for (int l = 0; l < used; ++l) {
      double const coefficient = uRow(l)[r];
      if (coefficient != 0.0) axpy(at(end - begin), -coefficient, vRow(l) + begin, out + begin);
    }
  });
}

void Tableau::combineRows(double const* g, double* out) {
  std::vector<int> active;
  for (int i = 0; i < m; ++i)
    if (g[i] != 0.0) active.push_back(i);
  std::vector<double> folded(at(used), 0.0);  // U g
  for (int l = 0; l < used; ++l)
    for (int i : active) folded[at(l)] += g[i] * uRow(l)[i];
  auto const work = static_cast<std::int64_t>(n) * (static_cast<int>(active.size()) + used);
  forChunks(threads, n, work, [&](int begin, int end) {
    auto const length = at(end - begin);
    std::fill(out + begin, out + end, 0.0);
    for (int i : active) axpy(length, g[i], baseRow(i) + begin, out + begin);
    for (int l = 0; l < used; ++l) {
      double const coefficient = folded[at(l)];
      if (coefficient != 0.0) axpy(length, -coefficient, vRow(l) + begin, out + begin);
    }
  });
}

void Tableau::combineColumns(double const* g, double* out) {
  std::vector<int> active;
  for (int j = 0; j < n; ++j)
    if (g[j] != 0.0) active.push_back(j);
  bool const dense = static_cast<int>(active.size()) * 4 > n;
  std::vector<double> folded(at(used), 0.0);  // V g
  for (int l = 0; l < used; ++l)
    for (int j : active) folded[at(l)] += g[j] * vRow(l)[j];
  auto const work = static_cast<std::int64_t>(m) * (static_cast<int>(active.size()) + used);
  forChunks(threads, m, work, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      double const* row = baseRow(i);
      if (dense) {
        out[i] = dot(at(n), row, g);
      } else {
        double sum = 0.0;
        for (int j : active) sum += g[j] * row[j];
        out[i] = sum;
      }
    }
    for (int l = 0; l < used; ++l) {
      double const coefficient = folded[at(l)];
      if (coefficient != 0.0) axpy(at(end - begin), -coefficient, uRow(l) + begin, out + begin);
    }
  });
}

}  // namespace osi_cuda::host
