// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/crossover.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "osi_cuda/barrier/basis_choice.hpp"

namespace osi_cuda {
namespace {

VariableStatus opposite(VariableStatus status) {
  if (status == VariableStatus::atLower) return VariableStatus::atUpper;
  if (status == VariableStatus::atUpper) return VariableStatus::atLower;
  return status;
}

/// Puts m independent variables first in `order`, the easily moved ones before others: of those
/// below `stiff` the ones with short columns come first within four decades of stiffness, and
/// slacks take the rows that are left.
void putIndependentFirst(StandardForm const& form, BarrierPoint const& point, double stiff,
                         int threads, std::function<bool()> const& stop,
                         std::vector<std::size_t>& order) {
  int const n = form.columns();
  SparseMatrix const& a = form.matrix();
  auto const lengthOf = [&](std::size_t v) {
    return v < static_cast<std::size_t>(n) ? a.columnIndices(static_cast<int>(v)).size()
                                           : std::size_t{1};
  };
  auto const decade = [&](std::size_t v) {
    double const stiffness = point.stiffness[v];
    return stiffness > 0.0 ? std::floor(0.25 * std::log10(stiffness)) : -100.0;
  };
  std::vector<std::size_t> sorted;
  for (std::size_t v = 0; v < order.size(); ++v)
    if (std::isfinite(point.stiffness[v])) sorted.push_back(v);
  std::ranges::sort(sorted, [&](std::size_t x, std::size_t y) {
    bool const insideX = point.stiffness[x] <= stiff, insideY = point.stiffness[y] <= stiff;
    if (insideX != insideY) return insideX;
    double const dx = insideX ? decade(x) : point.stiffness[x];
    double const dy = insideX ? decade(y) : point.stiffness[y];
    if (dx != dy) return dx < dy;
    if (lengthOf(x) != lengthOf(y)) return lengthOf(x) < lengthOf(y);
    return x > y;
  });
  std::vector<char> const basic = independentBasis(form, sorted, threads, stop);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t v) { return basic[v] != 0; });
}

}  // namespace

MiddleStiffness middleStiffness(std::vector<double> stiffness, std::size_t m) {
  auto const parted = stiffness.begin() + static_cast<std::ptrdiff_t>(m);
  std::nth_element(stiffness.begin(), parted, stiffness.end());
  auto const middle = [](auto begin, auto end) {
    end = std::partition(begin, end, [](double s) { return s > 0.0 && std::isfinite(s); });
    if (begin == end) return 1.0;
    auto const half = begin + (end - begin) / 2;
    std::nth_element(begin, half, end);
    return *half;
  };
  return {middle(stiffness.begin(), parted), middle(parted, stiffness.end())};
}

CrossoverStart startOf(StandardForm const& form, BarrierPoint const& point, int threads,
                       std::function<bool()> const& stop) {
  constexpr double atBound = 1e-6, dense = 0.3, wellAbove = 1e2, soft = 1e-3, far = 1e-2;
  auto const n = static_cast<std::size_t>(form.columns()),
             m = static_cast<std::size_t>(form.rows());
  std::vector<std::size_t> order(n + m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const before = [&](std::size_t a, std::size_t b) {
    if (point.stiffness[a] != point.stiffness[b]) return point.stiffness[a] < point.stiffness[b];
    return a > b;  // slacks first: their columns are independent
  };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(m), order.end(),
                   before);
  // What parts basic from nonbasic variables: between the middle of each kind, and well above that
  // of the basic ones, for where the others are no stiffer they are between their bounds as well.
  // Where an optimal face is large, most of both kinds are: then who is far from its bounds at a
  // multiplier next to none is between them, as to snap it to one would move all basic variables.
  // To snap one that is next to a bound moves them by next to nothing, and saves many pushes.
  auto const [basic, nonbasic] = middleStiffness(point.stiffness, m);
  bool const sparse = form.density() < dense;
  double const stiff = std::max(std::sqrt(basic) * std::sqrt(nonbasic), wellAbove * basic);
  if (sparse) putIndependentFirst(form, point, stiff, threads, stop, order);
  CrossoverStart start;
  start.inside = {point.value, point.multiplier};
  start.basis.columns.assign(n, VariableStatus::basic);
  start.basis.rows.assign(m, VariableStatus::basic);
  for (std::size_t k = m; k < n + m; ++k) {
    std::size_t const v = order[k];
    double const lower = form.lower[v], upper = form.upper[v], x = point.value[v];
    VariableStatus status = VariableStatus::free;
    if (std::isfinite(lower) || std::isfinite(upper)) {
      bool const atLower = x - lower <= upper - x;
      double const bound = atLower ? lower : upper;
      status = atLower ? VariableStatus::atLower : VariableStatus::atUpper;
      double const away = std::fabs(x - bound) / (1.0 + std::fabs(bound));
      bool const between = (point.stiffness[v] < stiff && away > atBound) ||
                           (sparse && point.stiffness[v] < soft && away > far);
      if (!between || x < lower || x > upper) start.inside.value[v] = bound;
      start.between += start.inside.value[v] != bound;
    }
    if (v < n)
      start.basis.columns[v] = status;
    else
      start.basis.rows[v - n] = opposite(status);  // the slack is the negative of the activity
  }
  return start;
}

}  // namespace osi_cuda
