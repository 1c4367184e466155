// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/problem.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "osi_cuda/barrier/view.hpp"

namespace osi_cuda {
namespace {

/// From so many entries of a hundred on A is kept without gaps.
constexpr double denseShare = 0.3;

double squaresOfLengths(SparseMatrix const& lines) {
  double sum = 0.0;
  for (int j = 0; j < lines.columns; ++j) {
    auto const length = static_cast<double>(lines.starts[static_cast<std::size_t>(j) + 1] -
                                            lines.starts[static_cast<std::size_t>(j)]);
    sum += length * (length + 1.0) / 2.0;
  }
  return sum;
}

}  // namespace

BarrierWork barrierWork(StandardForm const& form, double scattered) {
  double const m = form.rows(), n = form.columns();
  SparseMatrix const& a = form.matrix();
  auto const entries = static_cast<double>(a.nonzeros());
  BarrierWork work;
  bool const gapless = form.full() || entries > denseShare * m * n;
  auto const workOf = [&](bool byColumns) {
    BarrierWork w = work;
    double const order = byColumns ? n : m, other = byColumns ? m : n;
    w.byColumns = byColumns;
    w.order = static_cast<int>(order);
    double const dense = order * order * other;
    double const sparse =
        gapless ? dense : 2.0 * scattered * squaresOfLengths(byColumns ? form.transposed() : a);
    w.dense = gapless || dense < sparse;
    w.product = std::min(dense, sparse);
    w.factor = order * order * order / 3.0;
    w.solve = 2.0 * order * order + 4.0 * entries;
    return w;
  };
  BarrierWork const rows = workOf(false);
  if (!(n < m)) return rows;
  // By columns, an equation is a weight of 1 / delta: it is better kept by rows, unless that is
  // much more work.
  int equations = 0;
  for (int i = 0; i < form.rows(); ++i) {
    auto const v = static_cast<std::size_t>(form.columns() + i);
    equations += form.lower[v] == form.upper[v];
  }
  BarrierWork const columns = workOf(true);
  double const gain = equations > 0 ? 50.0 : 1.0;
  return columns.iteration() * gain < rows.iteration() ? columns : rows;
}

std::uint64_t barrierBytes(StandardForm const& form, BarrierWork const& work, bool formed) {
  constexpr std::uint64_t number = sizeof(double), index = sizeof(std::int32_t);
  auto const m = static_cast<std::uint64_t>(form.rows()),
             n = static_cast<std::uint64_t>(form.columns()),
             order = formed ? static_cast<std::uint64_t>(work.order) : 0;
  auto const entries = static_cast<std::uint64_t>(form.nonzeros());
  std::uint64_t const matrix = work.dense ? (formed ? 2 * number * m * n : 0)
                                          : 2 * entries * (number + index) + number * (m + n + 2);
  constexpr std::uint64_t vectors = 32;
  return matrix + number * order * order + vectors * number * (m + n);
}

namespace barrier {

std::vector<unsigned char> boundKinds(StandardForm const& form) {
  std::vector<unsigned char> kinds(form.lower.size(), 0);
  for (std::size_t v = 0; v < kinds.size(); ++v) {
    if (form.lower[v] >= form.upper[v]) {
      kinds[v] = isFixed;
      continue;
    }
    if (std::isfinite(form.lower[v])) kinds[v] |= hasLower;
    if (std::isfinite(form.upper[v])) kinds[v] |= hasUpper;
  }
  return kinds;
}

double boundSize(StandardForm const& form) {
  double size = 0.0;
  for (auto const* bounds : {&form.lower, &form.upper})
    for (double const bound : *bounds)
      if (std::isfinite(bound)) size = std::max(size, std::fabs(bound));
  return size;
}

double costSize(StandardForm const& form) {
  double size = 0.0;
  for (double const cost : form.cost) size = std::max(size, std::fabs(cost));
  return size;
}

int correctorsFor(double factorSeconds, double solveSeconds) {
  // On dense problems of 1000 x 500 and 2000 x 1000 a gap of 1e-4 took 18, 15, 13, 12 and 11
  // iterations with none to four of them: from these ratios on one more is worth its solve.
  constexpr double worth[] = {2.0, 5.0, 10.0, 25.0};
  double const ratio = factorSeconds / solveSeconds;
  return static_cast<int>(
      std::count_if(std::begin(worth), std::end(worth), [&](double w) { return ratio > w; }));
}

}  // namespace barrier
}  // namespace osi_cuda
