// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/tableau.hpp"
#include "osi_cuda/base/index.hpp"

#include <algorithm>

#include "osi_cuda/base/blas.hpp"
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

// Small tableaus do without the library, as it takes longer to open than all their pivots do.
void Tableau::fold(std::function<void()> const& betweenStrips, double flopsAtOnce) {
  constexpr double withoutBlas = 1e5;  // flops; the loop takes as long there as a call
  if (2.0 * m * n * used <= std::min(withoutBlas, flopsAtOnce)) {
    for (int l = 0; l < used; ++l)
      for (int i = 0; i < m; ++i)
        if (uRow(l)[i] != 0.0) axpy(at(n), -uRow(l)[i], vRow(l), baseRow(i));
  } else {
    BlasThreads const blas(threads, 2.0 * m * n * used);
    int const strip = stripLength(m, 2.0 * n * used, flopsAtOnce);
    for (int begin = 0; begin < m; begin += strip) {
      if (begin > 0 && betweenStrips) betweenStrips();
      blas::dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, std::min(strip, m - begin), n, used,
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

// Adding and removing rows and columns of the tableau.

void Tableau::keep(std::vector<char> const& lost, std::vector<int> const& number, int columns) {
  auto const isLost = [&](int variable) { return lost[at(variable)] != 0; };
  std::vector<std::size_t> keptColumns;
  for (std::size_t j = 0; j < nonbasic.size(); ++j)
    if (!isLost(nonbasic[j])) keptColumns.push_back(j);
  std::size_t rows = 0;
  double* to = base.data();
  for (std::size_t i = 0; i < basic.size(); ++i) {
    if (isLost(basic[i])) continue;
    double const* const from = base.data() + i * at(n);
    if (keptColumns.size() == nonbasic.size()) {
      if (to != from) std::copy(from, from + n, to);
      to += n;
    } else {
      for (std::size_t const j : keptColumns) *to++ = from[j];
    }
    basic[rows] = number[at(basic[i])];
    rowValue[rows] = rowValue[i];
    ++rows;
  }
  std::size_t count = 0;
  for (std::size_t const j : keptColumns) {
    nonbasic[count] = number[at(nonbasic[j])];
    columnValue[count] = columnValue[j];
    ++count;
  }
  base.resize(at(to - base.data()));
  basic.resize(rows);
  rowValue.resize(rows);
  nonbasic.resize(count);
  columnValue.resize(count);
  m = static_cast<int>(rows);
  n = static_cast<int>(count);
  structurals = columns;
}

void Tableau::appendRow(std::vector<double> const& fresh, int variable) {
  base.insert(base.end(), fresh.begin(), fresh.end());
  basic.push_back(variable);
  rowValue.push_back(0.0);
  ++m;
}

void Tableau::appendColumns(std::vector<std::vector<double>> const& fresh,
                            std::vector<int> const& which) {
  if (fresh.empty()) return;
  auto const before = at(n), after = before + fresh.size();
  base.resize(at(m) * after);
  for (auto i = at(m); i-- > 0;) {
    double* const to = base.data() + i * after;
    std::copy_backward(base.data() + i * before, base.data() + (i + 1) * before, to + before);
    for (std::size_t k = 0; k < fresh.size(); ++k) to[before + k] = fresh[k][i];
  }
  nonbasic.insert(nonbasic.end(), which.begin(), which.end());
  columnValue.resize(after, 0.0);
  n = static_cast<int>(after);
}

void Tableau::resizeWork() {
  auto const mm = at(m), nn = at(n);
  u.resize(at(capacity) * mm);
  v.resize(at(capacity) * nn);
  for (auto* a : {&rowLower, &rowUpper, &rowEntry, &rowProduct, &rowChange}) a->resize(mm);
  for (auto* a :
       {&columnLower, &columnUpper, &reducedCost, &columnEntry, &columnProduct, &columnChange})
    a->resize(nn);
  rowWeight.assign(mm, 1.0);
  columnWeight.assign(nn, 1.0);
  cost.resize(mm + nn);
  columnSketch.clear();
  rowSketch.clear();
}

}  // namespace osi_cuda::host
