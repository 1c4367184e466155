// SPDX-License-Identifier: EPL-2.0
// What keeps the tableau through changes that no pivot loop makes: single exchanges, another basis
// near the present one, adding and removing rows and columns.
#include <algorithm>
#include <cmath>

#include "osi_cuda/engine/host/basis_moves.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/engine/host/host_team.hpp"
#include "osi_cuda/engine/host/kernels.hpp"

namespace osi_cuda::host {

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
