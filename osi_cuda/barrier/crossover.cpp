// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/crossover.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace osi_cuda {
namespace {

VariableStatus opposite(VariableStatus status) {
  if (status == VariableStatus::atLower) return VariableStatus::atUpper;
  if (status == VariableStatus::atUpper) return VariableStatus::atLower;
  return status;
}

/// The stiffness that parts basic from nonbasic variables, whatever the scale of points and
/// multipliers: between the middle of each kind, and well above that of the basic ones, for where
/// the others are no stiffer they are between their bounds as well.
double partingStiffness(BarrierPoint const& point, std::vector<std::size_t> const& order,
                        std::size_t m) {
  auto const middle = [&](std::size_t begin, std::size_t end) {
    std::vector<double> found;
    for (std::size_t k = begin; k < end; ++k) {
      double const stiffness = point.stiffness[order[k]];
      if (stiffness > 0.0 && std::isfinite(stiffness)) found.push_back(stiffness);
    }
    if (found.empty()) return 1.0;
    auto const half = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
    std::nth_element(found.begin(), half, found.end());
    return *half;
  };
  constexpr double wellAbove = 1e3;
  double const basic = middle(0, m);
  return std::max(std::sqrt(basic) * std::sqrt(middle(m, order.size())), wellAbove * basic);
}

}  // namespace

CrossoverStart startOf(StandardForm const& form, BarrierPoint const& point) {
  constexpr double atBound = 1e-9;
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
  double const stiff = partingStiffness(point, order, m);
  CrossoverStart start;
  start.value = point.value;
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
      bool const between =
          point.stiffness[v] < stiff && std::fabs(x - bound) > atBound * (1.0 + std::fabs(bound));
      if (!between || x < lower || x > upper) start.value[v] = bound;
      start.between += start.value[v] != bound;
    }
    if (v < n)
      start.basis.columns[v] = status;
    else
      start.basis.rows[v - n] = opposite(status);  // the slack is the negative of the activity
  }
  return start;
}

}  // namespace osi_cuda
