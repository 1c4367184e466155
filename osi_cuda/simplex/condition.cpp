// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/condition.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace osi_cuda {
namespace {

using std::size_t;

double sumOfMagnitudes(std::vector<double> const& vector) {
  return std::accumulate(vector.begin(), vector.end(), 0.0,
                         [](double sum, double entry) { return sum + std::fabs(entry); });
}

/// The largest sum of magnitudes of a basic column; those of slacks have one entry, 1.
double basisNorm(StandardForm const& form, std::vector<int> const& basic) {
  double norm = 0.0;
  for (int const v : basic) {
    double sum = v < form.columns() ? 0.0 : 1.0;
    if (v < form.columns())
      for (double const entry : form.matrix().columnValues(v)) sum += std::fabs(entry);
    norm = std::max(norm, sum);
  }
  return norm;
}

double inverseNorm(Engine& engine, size_t m, int* row) {
  constexpr int mostRounds = 5;  // two or three are usual
  std::vector<double> x(m, 1.0 / static_cast<double>(m));
  double norm = 0.0;
  size_t last = m;
  for (int round = 0; round < mostRounds; ++round) {
    std::vector<double> signs = engine.solves().ftran(x);
    double const found = sumOfMagnitudes(signs);
    if (!std::isfinite(found)) return found;
    if (round > 0 && found <= norm) break;
    norm = found;
    if (row) *row = round > 0 ? static_cast<int>(last) : -1;
    for (double& entry : signs) entry = entry < 0.0 ? -1.0 : 1.0;
    std::vector<double> const slope = engine.solves().btran(signs);
    auto const larger = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
    auto const steepest = at(std::ranges::max_element(slope, larger) - slope.begin());
    if (steepest == last) break;
    x.assign(m, 0.0);
    x[steepest] = 1.0;
    last = steepest;
  }
  // A vector of alternating signs and growing size, for matrices that mislead the walk above.
  for (size_t i = 0; i < m; ++i) {
    double const grown =
        1.0 + static_cast<double>(i) / static_cast<double>(std::max<size_t>(m - 1, 1));
    x[i] = i % 2 == 0 ? grown : -grown;
  }
  double const other =
      2.0 * sumOfMagnitudes(engine.solves().ftran(x)) / (3.0 * static_cast<double>(m));
  return std::isfinite(other) ? std::max(norm, other) : other;
}

}  // namespace

double conditionEstimate(StandardForm const& form, Engine& engine, int* row) {
  auto const m = at(form.rows());
  if (m == 0) return 0.0;
  double const condition =
      basisNorm(form, engine.snapshot().basicVariable) * inverseNorm(engine, m, row);
  return std::isfinite(condition) ? condition : infinity;
}

}  // namespace osi_cuda
