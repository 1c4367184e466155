// SPDX-License-Identifier: EPL-2.0
// Solves with the basis matrix. The tableau holds B^-1 in the columns of its nonbasic slacks: with
// residuals of the original data in extended precision it solves as exactly as an LU does, at the
// cost of a pivot. Where it has drifted too far for that, LU factors are formed.
#include <algorithm>
#include <cmath>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/host/basis_moves.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/engine/host/host_team.hpp"
#include "osi_cuda/engine/host/kernels.hpp"
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
    std::vector<char> basic = t_.basicMarks();
    auto const p =
        static_cast<double>(std::ranges::count_if(t_.basic, [this](int v) { return v < t_.n; }));
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

// What keeps the tableau through changes that no pivot loop makes: single exchanges, another basis
// near the present one, adding and removing rows and columns.

// Values and reduced costs follow the exchange.
void HostEngine::exchange(int r, int q, double leavingValue) {
  if (t_.used == t_.capacity) t_.fold();
  HostTeam team(t_);
  exchangeOnce(team, t_, r, q, leavingValue);
  factor_.reset();
  weightsFor_.reset();
}

bool HostEngine::reach(std::vector<char> const& basic) {
  BasisDifference const difference = basisDifference(t_, basic);
  if (difference.rows.size() != difference.columns.size()) return false;
  double const p = static_cast<double>(std::count(basic.begin(), basic.begin() + t_.n, 1));
  double const m = t_.m, n = t_.n, d = static_cast<double>(difference.rows.size());
  double const exchanges = d * (2.0 * m * n + 2.0 * t_.capacity * (m + n));
  double const refactoring = p * p * (p + 2.0 * n) + 2.0 * (m - p) * n * form_->density() * p;
  if (exchanges > refactoring + 1e4) return false;
  std::vector<double> entries(at(t_.m));
  auto const column = [&](int q) -> std::vector<double> const& {
    if (t_.used == t_.capacity) t_.fold();
    t_.formColumn(q, entries.data());
    return entries;
  };
  return exchangeTowards(difference, column,
                         [&](int r, int q) { exchange(r, q, t_.rowValue[at(r)]); });
}

// Lost rows get a basic slack, lost columns become nonbasic, each by the largest pivot that there
// is; then both are columns and rows of zero influence and can go.
bool HostEngine::releaseLost(std::vector<char> const& lost) {
  auto const largest = [](std::vector<double> const& entries, auto const& mayMove) {
    int chosen = -1;
    double best = 1e-7;
    for (int k = 0; k < static_cast<int>(entries.size()); ++k) {
      double const size = std::fabs(entries[at(k)]);
      if (!(size > best) || !mayMove(k)) continue;
      best = size;
      chosen = k;
    }
    return chosen;
  };
  auto const isLost = [&](int v) { return lost[at(v)] != 0; };
  for (int j = 0; j < t_.n; ++j) {
    int const v = t_.nonbasic[at(j)];
    if (v < t_.n || !isLost(v)) continue;
    int const i = largest(
        column(j), [&](int k) { return t_.basic[at(k)] < t_.n || !isLost(t_.basic[at(k)]); });
    if (i < 0) return false;
    exchange(i, j, t_.rowValue[at(i)]);
  }
  for (int i = 0; i < t_.m; ++i) {
    int const v = t_.basic[at(i)];
    if (v >= t_.n || !isLost(v)) continue;
    int const j = largest(row(i), [&](int k) { return !isLost(t_.nonbasic[at(k)]); });
    if (j < 0) return false;
    exchange(i, j, t_.rowValue[at(i)]);
  }
  return true;
}

bool HostEngine::reshape(Reshape const& change, StandardForm const& form) {
  std::vector<int> const number = newVariables(change, t_.m, t_.n);
  std::vector<char> lost(number.size());
  std::ranges::transform(number, lost.begin(), [](int v) { return v < 0; });
  if (!releaseLost(lost)) return false;
  t_.fold();
  hold(form);
  form.transposed();  // formed before threads read it
  factor_.reset();
  weightsFor_.reset();
  t_.keep(lost, number, form.columns());
  for (int i = 0; i < form.rows(); ++i)
    if (change.rows[at(i)] < 0) appendRow(i);
  std::vector<int> addedColumns;
  std::vector<std::vector<double>> fresh;
  for (int j = 0; j < form.columns(); ++j) {
    if (change.columns[at(j)] >= 0) continue;
    addedColumns.push_back(j);
    fresh.push_back(tableauColumnOf(j));
  }
  t_.appendColumns(fresh, addedColumns);
  t_.resizeWork();
  suit();
  lower_ = form.lower;
  upper_ = form.upper;
  t_.cost = form.cost;
  placeBounds();
  return true;
}

// Row a of the form: s = -(a_N - a_B T) x_N, so the new row of T is a_N - a_B T.
void HostEngine::appendRow(int constraint) {
  std::vector<double> fresh(at(t_.n), 0.0);
  std::vector<double> coefficient(at(t_.structurals), 0.0);
  for (auto const [column, value] : form_->transposed().column(constraint))
    coefficient[at(column)] = value;
  for (int j = 0; j < t_.n; ++j) {
    int const v = t_.nonbasic[at(j)];
    if (v < t_.structurals) fresh[at(j)] = coefficient[at(v)];
  }
  for (int i = 0; i < t_.m; ++i) {
    int const v = t_.basic[at(i)];
    if (v < t_.structurals && coefficient[at(v)] != 0.0)
      axpy(at(t_.n), -coefficient[at(v)], t_.baseRow(i), fresh.data());
  }
  t_.appendRow(fresh, t_.structurals + constraint);
}

// Column a of the form: B^-1 a, of columns of B^-1 that stand in T or are unit columns.
std::vector<double> HostEngine::tableauColumnOf(int variable) {
  std::vector<double> coefficient(at(t_.m), 0.0);
  for (auto const [i, value] : form_->matrix().column(variable)) coefficient[at(i)] = value;
  return applyInverse(coefficient);
}

}  // namespace osi_cuda::host
