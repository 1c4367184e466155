// SPDX-License-Identifier: EPL-2.0
// Solves with the basis matrix. The tableau holds B^-1 in the columns of its nonbasic slacks: with
// residuals of the original data in extended precision it solves as exactly as an LU does, at the
// cost of a pivot. Where it has drifted too far for that, LU factors are formed.
#include "osi_cuda/blas_threads.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/engine/host/refined_solves.hpp"

namespace osi_cuda::host {
// z = B^-1 b: by constraint in, by row position out.
std::vector<double> HostEngine::applyInverse(std::span<double const> b) {
  std::vector<double> z(static_cast<std::size_t>(t_.m));
  for (std::size_t j = 0; j < t_.nonbasic.size(); ++j) {
    int const v = t_.nonbasic[j];
    t_.columnChange[j] =
        v >= t_.structurals ? b[static_cast<std::size_t>(v - t_.structurals)] : 0.0;
  }
  t_.combineColumns(t_.columnChange.data(), z.data());
  for (std::size_t i = 0; i < z.size(); ++i)
    if (t_.basic[i] >= t_.structurals)
      z[i] += b[static_cast<std::size_t>(t_.basic[i] - t_.structurals)];
  return z;
}

// y = B^-T c: by row position in, by constraint out.
std::vector<double> HostEngine::applyInverseTransposed(std::span<double const> c) {
  std::vector<double> product(static_cast<std::size_t>(t_.n));
  std::vector<double> y(static_cast<std::size_t>(t_.m), 0.0);
  t_.combineRows(c.data(), product.data());
  for (std::size_t j = 0; j < product.size(); ++j)
    if (t_.nonbasic[j] >= t_.structurals)
      y[static_cast<std::size_t>(t_.nonbasic[j] - t_.structurals)] = product[j];
  for (std::size_t i = 0; i < c.size(); ++i)
    if (t_.basic[i] >= t_.structurals)
      y[static_cast<std::size_t>(t_.basic[i] - t_.structurals)] = c[i];
  return y;
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
  pollStop();
  auto const residual = [&](std::vector<double> const& z) {
    return columnResidual(*form_, t_.basic, b, z);
  };
  if (!factor_) {
    std::vector<double> z = applyInverse(b);
    if (refine(z, residual, [&](std::vector<double> const& r) { return applyInverse(r); }))
      return z;
  }
  BasisFactor const& f = factor();
  std::vector<double> z = solve(b, f);
  refine(z, residual, [&](std::vector<double> const& r) { return solve(r, f); });
  return z;
}

std::vector<double> HostEngine::btran(std::span<double const> c) {
  pollStop();
  auto const residual = [&](std::vector<double> const& y) {
    return rowResidual(*form_, t_.basic, c, y);
  };
  if (!factor_) {
    std::vector<double> y = applyInverseTransposed(c);
    if (refine(y, residual,
               [&](std::vector<double> const& r) { return applyInverseTransposed(r); }))
      return y;
  }
  BasisFactor const& f = factor();
  std::vector<double> y = solveTransposed(c, f);
  refine(y, residual, [&](std::vector<double> const& r) { return solveTransposed(r, f); });
  return y;
}

}  // namespace osi_cuda::host
