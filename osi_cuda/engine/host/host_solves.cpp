// SPDX-License-Identifier: EPL-2.0
// Solves with the basis matrix. The tableau holds B^-1 in the columns of its nonbasic slacks: with
// residuals of the original data in extended precision it solves as exactly as an LU does, at the
// cost of a pivot. Where it has drifted too far for that, LU factors are formed.
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/engine/host/refined_solves.hpp"

namespace osi_cuda::host {
// z = B^-1 b: by constraint in, by row position out.
std::vector<double> HostEngine::applyInverse(std::span<double const> b) {
  std::vector<double> z(at(t_.m));
  for (std::size_t j = 0; j < t_.nonbasic.size(); ++j) {
    int const v = t_.nonbasic[j];
    t_.columnChange[j] = v >= t_.structurals ? b[at(v - t_.structurals)] : 0.0;
  }
  t_.combineColumns(t_.columnChange.data(), z.data());
  for (std::size_t i = 0; i < z.size(); ++i)
    if (t_.basic[i] >= t_.structurals) z[i] += b[at(t_.basic[i] - t_.structurals)];
  return z;
}

// y = B^-T c: by row position in, by constraint out.
std::vector<double> HostEngine::applyInverseTransposed(std::span<double const> c) {
  std::vector<double> product(at(t_.n));
  std::vector<double> y(at(t_.m), 0.0);
  t_.combineRows(c.data(), product.data());
  for (std::size_t j = 0; j < product.size(); ++j)
    if (t_.nonbasic[j] >= t_.structurals) y[at(t_.nonbasic[j] - t_.structurals)] = product[j];
  for (std::size_t i = 0; i < c.size(); ++i)
    if (t_.basic[i] >= t_.structurals) y[at(t_.basic[i] - t_.structurals)] = c[i];
  return y;
}

BasisFactor const& HostEngine::factor() {
  if (!factor_) {
    std::vector<char> basic(lower_.size(), 0);
    double p = 0.0;
    for (int v : t_.basic) {
      basic[at(v)] = 1;
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
  for (int i = 0; i < t_.m; ++i) positionOf[at(t_.basic[i])] = i;
  std::vector<int> order;
  for (int v : f.partition().basicStructural) order.push_back(positionOf[at(v)]);
  for (int i : f.partition().slackRows) order.push_back(positionOf[at(t_.n + i)]);
  return order;
}

std::vector<double> HostEngine::solve(std::span<double const> b, BasisFactor const& f) const {
  BasisPartition const& part = f.partition();
  auto const p = at(f.size());
  std::vector<double> x(p);
  for (std::size_t a = 0; a < p; ++a) x[a] = b[at(part.tightRows[a])];
  f.solveBlock(x.data(), 1, 1, {});
  std::vector<double> rest(b.begin(), b.end());
  for (std::size_t a = 0; a < p; ++a) {
    int const j = part.basicStructural[a];
    for (auto const [i, value] : form_->matrix().column(j)) rest[at(i)] -= value * x[a];
  }
  std::vector<int> const position = rowPositions(f);
  std::vector<double> z(at(t_.m), 0.0);
  for (std::size_t a = 0; a < p; ++a)
    if (position[a] >= 0) z[at(position[a])] = x[a];
  for (std::size_t k = 0; k < part.slackRows.size(); ++k)
    if (position[p + k] >= 0) z[at(position[p + k])] = rest[at(part.slackRows[k])];
  return z;
}

std::vector<double> HostEngine::solveTransposed(std::span<double const> c,
                                                BasisFactor const& f) const {
  BasisPartition const& part = f.partition();
  auto const p = at(f.size());
  std::vector<int> const position = rowPositions(f);
  std::vector<double> y(at(t_.m), 0.0);
  for (std::size_t k = 0; k < part.slackRows.size(); ++k)
    if (position[p + k] >= 0) y[at(part.slackRows[k])] = c[at(position[p + k])];
  std::vector<double> z(p, 0.0);
  for (std::size_t a = 0; a < p; ++a) {
    int const j = part.basicStructural[a];
    double sum = position[a] >= 0 ? c[at(position[a])] : 0.0;
    for (auto const [i, value] : form_->matrix().column(j))  // rows of R1 are still zero in y
      sum -= value * y[at(i)];
    z[a] = sum;
  }
  f.solveBlockTransposed(z.data());
  for (std::size_t a = 0; a < p; ++a) y[at(part.tightRows[a])] = z[a];
  return y;
}

/// `byTableau` and `byFactors` apply the inverse, refined until what `residual` tells is rounding.
std::vector<double> HostEngine::refined(std::span<double const> right, auto residual,
                                        auto byTableau, auto byFactors) {
  pollStop();
  if (!factor_) {
    std::vector<double> x = byTableau(right);
    if (refine(x, residual, byTableau)) return x;
  }
  BasisFactor const& f = factor();
  auto const solved = [&](std::span<double const> r) { return byFactors(r, f); };
  std::vector<double> x = solved(right);
  refine(x, residual, solved);
  return x;
}

std::vector<double> HostEngine::ftran(std::span<double const> b) {
  return refined(
      b, [&](auto const& z) { return columnResidual(*form_, t_.basic, b, z); },
      [this](auto const& r) { return applyInverse(r); },
      [this](auto const& r, BasisFactor const& f) { return solve(r, f); });
}

std::vector<double> HostEngine::btran(std::span<double const> c) {
  return refined(
      c, [&](auto const& y) { return rowResidual(*form_, t_.basic, c, y); },
      [this](auto const& r) { return applyInverseTransposed(r); },
      [this](auto const& r, BasisFactor const& f) { return solveTransposed(r, f); });
}

}  // namespace osi_cuda::host
