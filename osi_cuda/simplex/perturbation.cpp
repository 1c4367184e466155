// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/perturbation.hpp"

#include <cmath>

#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {
namespace {

/// A number in [1/2, 1) that depends on the seed and the variable only.
double share(std::uint64_t seed, std::size_t variable) {
  std::uint64_t const bits = rules::mix(rules::mix(seed) + variable * 0x9E3779B97F4A7C15ull);
  return 0.5 + 0.5 * static_cast<double>(bits >> 11) * 0x1p-53;
}

std::vector<char> basicMarks(Snapshot const& point) {
  std::vector<char> marks(point.value.size(), 0);
  for (int v : point.basicVariable) marks[at(v)] = 1;
  return marks;
}

}  // namespace

std::vector<double> perturbCosts(std::vector<double> const& cost, std::vector<double> const& lower,
                                 std::vector<double> const& upper, Snapshot const& point,
                                 double size, std::uint64_t seed) {
  std::vector<double> perturbed = cost;
  std::vector<char> const basic = basicMarks(point);
  for (std::size_t v = 0; v < cost.size(); ++v) {
    if (!(lower[v] < upper[v])) continue;
    bool const hasLower = std::isfinite(lower[v]), hasUpper = std::isfinite(upper[v]);
    if (!hasLower && !hasUpper) continue;
    bool raise = hasLower;  // at a lower bound d >= 0: raising the cost keeps it so
    if (hasLower && hasUpper) {
      if (basic[v])
        raise = rules::mix(seed ^ v) & 1;
      else
        raise = point.value[v] - lower[v] <= upper[v] - point.value[v];
    }
    double const shift = share(seed, v) * size * (1.0 + std::fabs(cost[v]));
    perturbed[v] += raise ? shift : -shift;
  }
  return perturbed;
}

void perturbBounds(std::vector<double>& lower, std::vector<double>& upper, Snapshot const& point,
                   double size, std::uint64_t seed) {
  std::vector<char> const basic = basicMarks(point);
  for (std::size_t v = 0; v < lower.size(); ++v) {
    if (!basic[v] && !(lower[v] < upper[v])) continue;
    if (std::isfinite(lower[v]))
      lower[v] -= share(seed, 2 * v) * size * (1.0 + std::fabs(lower[v]));
    if (std::isfinite(upper[v]))
      upper[v] += share(seed, 2 * v + 1) * size * (1.0 + std::fabs(upper[v]));
  }
}

void relaxBounds(std::vector<double>& lower, std::vector<double>& upper, Snapshot const& point,
                 double tolerance, std::uint64_t seed) {
  for (int variable : point.basicVariable) {
    auto const v = at(variable);
    double const x = point.value[v], beyond = share(seed, v);
    if (x < lower[v] - tolerance) lower[v] = x - beyond * (lower[v] - x);
    if (x > upper[v] + tolerance) upper[v] = x + beyond * (x - upper[v]);
  }
}

std::vector<double> modifyCosts(std::vector<double> const& cost, std::vector<double> const& lower,
                                std::vector<double> const& upper, Snapshot const& point,
                                double tolerance, std::uint64_t seed) {
  std::vector<double> modified = cost;
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    double const d = point.reducedCost[v];
    if (std::fabs(d) <= tolerance || !(lower[v] < upper[v])) continue;
    if (std::isfinite(d > 0.0 ? lower[v] : upper[v])) continue;
    bool const free = std::isinf(lower[v]) && std::isinf(upper[v]);
    modified[v] -= free ? d : d * (1.0 + share(seed, v));
  }
  return modified;
}

}  // namespace osi_cuda
