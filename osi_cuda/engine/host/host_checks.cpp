// SPDX-License-Identifier: EPL-2.0
// The host engine's products with the original matrix, and measures.
#include <algorithm>
#include <cmath>

#include "osi_cuda/engine/host/host_engine.hpp"

namespace osi_cuda::host {

Measure HostEngine::measure(double primalTolerance, double dualTolerance) {
  Measure r;
  for (int i = 0; i < t_.m; ++i) {
    double const gap = std::fabs(
        rules::violation(t_.rowValue[i], t_.rowLower[i], t_.rowUpper[i], primalTolerance));
    if (gap == 0.0) continue;
    r.primalSum += gap;
    r.primalMax = std::max(r.primalMax, gap);
    ++r.primalCount;
  }
  for (int j = 0; j < t_.n; ++j) {
    double const pull = std::fabs(rules::attraction(t_.reducedCost[j], t_.columnValue[j],
                                                    t_.columnLower[j], t_.columnUpper[j]));
    r.objective += t_.reducedCost[j] * t_.columnValue[j];
    if (pull <= dualTolerance) continue;
    r.dualSum += pull;
    r.dualMax = std::max(r.dualMax, pull);
    ++r.dualCount;
  }
  return r;
}

// The exact pass costs mn a pivot, the sketch about 64 (m + n), and as many passes to begin with:
// where the tableau lies in a cache and solves are short, as in branch and bound, that is dear.
Pricing HostEngine::usualPricing() const {
  double const m = t_.m, n = t_.n;
  return m * n < std::max(64.0 * (m + n), 1e5) ? Pricing::steepest : Pricing::sketched;
}

Drift HostEngine::drift() {
  Snapshot const s = snapshot();
  int const n = t_.n, m = t_.m;
  Drift drift;
  for (int i = 0; i < m; ++i) {
    double sum = s.value[static_cast<std::size_t>(n + i)], largest = std::fabs(sum);
    auto const indices = form_->transposed().columnIndices(i);
    auto const values = form_->transposed().columnValues(i);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      double const term = values[e] * s.value[static_cast<std::size_t>(indices[e])];
      sum += term;
      largest = std::max(largest, std::fabs(term));
    }
    drift.primal = std::max(drift.primal, std::fabs(sum) / (1.0 + largest));
  }
  std::vector<double> y(static_cast<std::size_t>(m));  // d of slack i is c_i - y_i
  for (int i = 0; i < m; ++i) {
    auto const slack = static_cast<std::size_t>(n + i);
    y[static_cast<std::size_t>(i)] = t_.cost[slack] - s.reducedCost[slack];
  }
  for (int j = 0; j < n; ++j) {
    auto const column = static_cast<std::size_t>(j);
    double sum = t_.cost[column] - s.reducedCost[column], largest = std::fabs(t_.cost[column]);
    auto const indices = form_->matrix().columnIndices(j);
    auto const values = form_->matrix().columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      double const term = values[e] * y[static_cast<std::size_t>(indices[e])];
      sum -= term;
      largest = std::max(largest, std::fabs(term));
    }
    drift.dual = std::max(drift.dual, std::fabs(sum) / (1.0 + largest));
  }
  return drift;
}

std::vector<double> HostEngine::multiply(std::span<double const> x) {
  std::vector<double> out(static_cast<std::size_t>(t_.m));
#pragma omp parallel for schedule(static) \
    num_threads(t_.threads) if (form_->matrix().nonzeros() > 100000)
  for (int i = 0; i < t_.m; ++i) {
    long double sum = 0.0L;
    auto const indices = form_->transposed().columnIndices(i);
    auto const values = form_->transposed().columnValues(i);
    for (std::size_t e = 0; e < indices.size(); ++e)
      sum += static_cast<long double>(values[e]) * x[static_cast<std::size_t>(indices[e])];
    out[static_cast<std::size_t>(i)] = static_cast<double>(sum);
  }
  return out;
}

std::vector<double> HostEngine::multiplyTransposed(std::span<double const> y) {
  std::vector<double> out(static_cast<std::size_t>(t_.n));
#pragma omp parallel for schedule(static) \
    num_threads(t_.threads) if (form_->matrix().nonzeros() > 100000)
  for (int j = 0; j < t_.n; ++j) {
    long double sum = 0.0L;
    auto const indices = form_->matrix().columnIndices(j);
    auto const values = form_->matrix().columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e)
      sum += static_cast<long double>(values[e]) * y[static_cast<std::size_t>(indices[e])];
    out[static_cast<std::size_t>(j)] = static_cast<double>(sum);
  }
  return out;
}

}  // namespace osi_cuda::host
