// SPDX-License-Identifier: EPL-2.0
// The host engine's products with the original matrix: residuals, solves with the basis, measures.
#include <algorithm>
#include <cmath>

#include "osi_cuda/engine/host/blas_threads.hpp"
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

BasisFactor const& HostEngine::factor() {
  if (!factor_) {
    std::vector<char> basic(lower_.size(), 0);
    double p = 0.0;
    for (int v : t_.basic) {
      basic[static_cast<std::size_t>(v)] = 1;
      p += v < t_.n ? 1.0 : 0.0;
    }
    BlasThreads const blas(t_.threads, p * p * p);
    factor_.emplace(*form_, basic, stop_);
  }
  return *factor_;
}

// Variables of the factor's order (S, then slacks of R2) -> row positions of the tableau.
std::vector<int> HostEngine::rowPositions(BasisFactor const& f) const {
  std::vector<int> positionOf(lower_.size(), -1);
  for (int i = 0; i < t_.m; ++i) positionOf[static_cast<std::size_t>(t_.basic[i])] = i;
  std::vector<int> order;
  for (int v : f.partition().basicStructural)
    order.push_back(positionOf[static_cast<std::size_t>(v)]);
  for (int i : f.partition().slackRows)
    order.push_back(positionOf[static_cast<std::size_t>(t_.n + i)]);
  return order;
}

std::vector<double> HostEngine::solve(std::span<double const> b, BasisFactor const& f) const {
  BasisPartition const& part = f.partition();
  auto const p = static_cast<std::size_t>(f.size());
  std::vector<double> x(p);
  for (std::size_t a = 0; a < p; ++a) x[a] = b[static_cast<std::size_t>(part.tightRows[a])];
  f.solveBlock(x.data(), 1, 1, {});
  std::vector<double> rest(b.begin(), b.end());
  for (std::size_t a = 0; a < p; ++a) {
    int const j = part.basicStructural[a];
    auto const indices = form_->matrix().columnIndices(j);
    auto const values = form_->matrix().columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e)
      rest[static_cast<std::size_t>(indices[e])] -= values[e] * x[a];
  }
  std::vector<int> const position = rowPositions(f);
  std::vector<double> z(static_cast<std::size_t>(t_.m), 0.0);
  for (std::size_t a = 0; a < p; ++a)
    if (position[a] >= 0) z[static_cast<std::size_t>(position[a])] = x[a];
  for (std::size_t k = 0; k < part.slackRows.size(); ++k)
    if (position[p + k] >= 0)
      z[static_cast<std::size_t>(position[p + k])] =
          rest[static_cast<std::size_t>(part.slackRows[k])];
  return z;
}

std::vector<double> HostEngine::solveTransposed(std::span<double const> c,
                                                BasisFactor const& f) const {
  BasisPartition const& part = f.partition();
  auto const p = static_cast<std::size_t>(f.size());
  std::vector<int> const position = rowPositions(f);
  std::vector<double> y(static_cast<std::size_t>(t_.m), 0.0);
  for (std::size_t k = 0; k < part.slackRows.size(); ++k)
    if (position[p + k] >= 0)
      y[static_cast<std::size_t>(part.slackRows[k])] = c[static_cast<std::size_t>(position[p + k])];
  std::vector<double> z(p, 0.0);
  for (std::size_t a = 0; a < p; ++a) {
    int const j = part.basicStructural[a];
    double sum = position[a] >= 0 ? c[static_cast<std::size_t>(position[a])] : 0.0;
    auto const indices = form_->matrix().columnIndices(j);
    auto const values = form_->matrix().columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e)  // rows of R1 are still zero in y
      sum -= values[e] * y[static_cast<std::size_t>(indices[e])];
    z[a] = sum;
  }
  f.solveBlockTransposed(z.data());
  for (std::size_t a = 0; a < p; ++a) y[static_cast<std::size_t>(part.tightRows[a])] = z[a];
  return y;
}

std::vector<double> HostEngine::ftran(std::span<double const> b) {
  BasisFactor const& f = factor();
  std::vector<double> z = solve(b, f);
  for (int round = 0; round < 2; ++round) {
    std::vector<long double> residual(b.begin(), b.end());
    for (int i = 0; i < t_.m; ++i) {
      int const v = t_.basic[i];
      long double const x = z[static_cast<std::size_t>(i)];
      if (v >= t_.n) {
        residual[static_cast<std::size_t>(v - t_.n)] -= x;
        continue;
      }
      auto const indices = form_->matrix().columnIndices(v);
      auto const values = form_->matrix().columnValues(v);
      for (std::size_t e = 0; e < indices.size(); ++e)
        residual[static_cast<std::size_t>(indices[e])] -= values[e] * x;
    }
    std::vector<double> const rounded(residual.begin(), residual.end());
    std::vector<double> const correction = solve(rounded, f);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += correction[i];
  }
  return z;
}

std::vector<double> HostEngine::btran(std::span<double const> c) {
  BasisFactor const& f = factor();
  std::vector<double> y = solveTransposed(c, f);
  for (int round = 0; round < 2; ++round) {
    std::vector<double> residual(static_cast<std::size_t>(t_.m));
    for (int i = 0; i < t_.m; ++i) {
      int const v = t_.basic[i];
      long double sum = c[static_cast<std::size_t>(i)];
      if (v >= t_.n) {
        sum -= y[static_cast<std::size_t>(v - t_.n)];
      } else {
        auto const indices = form_->matrix().columnIndices(v);
        auto const values = form_->matrix().columnValues(v);
        for (std::size_t e = 0; e < indices.size(); ++e)
          sum -= static_cast<long double>(values[e]) * y[static_cast<std::size_t>(indices[e])];
      }
      residual[static_cast<std::size_t>(i)] = static_cast<double>(sum);
    }
    std::vector<double> const correction = solveTransposed(residual, f);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += correction[i];
  }
  return y;
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
