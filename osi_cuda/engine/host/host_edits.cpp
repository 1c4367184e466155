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
  exchangeInTableau(r, q, leavingValue);
}

void HostEngine::exchangeInTableau(int r, int q, double leavingValue) {
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
  double const refactoring =
      p * p * (p + 2.0 * n) + 2.0 * (m - p) * n * form_->matrix().density() * p;
  if (exchanges > refactoring + 1e4) return false;
  std::vector<double> entries(static_cast<std::size_t>(t_.m));
  auto const column = [&](int q) -> std::vector<double> const& {
    if (t_.used == t_.capacity) t_.fold();
    t_.formColumn(q, entries.data());
    return entries;
  };
  return exchangeTowards(difference, column, [&](int r, int q) {
    exchangeInTableau(r, q, t_.rowValue[static_cast<std::size_t>(r)]);
  });
}

// Lost rows get a basic slack, lost columns become nonbasic, each by the largest pivot that there
// is; then both are columns and rows of zero influence and can go.
bool HostEngine::releaseLost(std::vector<char> const& lost) {
  for (int j = 0; j < t_.n; ++j) {
    int const v = t_.nonbasic[static_cast<std::size_t>(j)];
    if (v < t_.n || !lost[static_cast<std::size_t>(v)]) continue;
    std::vector<double> const u = column(j);
    int chosen = -1;
    double best = 1e-7;
    for (int i = 0; i < t_.m; ++i) {
      int const b = t_.basic[static_cast<std::size_t>(i)];
      bool const mayLeave = b < t_.n || !lost[static_cast<std::size_t>(b)];
      double const size = std::fabs(u[static_cast<std::size_t>(i)]);
      if (mayLeave && size > best) {
        best = size;
        chosen = i;
      }
    }
    if (chosen < 0) return false;
    exchangeInTableau(chosen, j, t_.rowValue[static_cast<std::size_t>(chosen)]);
  }
  for (int i = 0; i < t_.m; ++i) {
    int const b = t_.basic[static_cast<std::size_t>(i)];
    if (b >= t_.n || !lost[static_cast<std::size_t>(b)]) continue;
    std::vector<double> const v = row(i);
    int chosen = -1;
    double best = 1e-7;
    for (int j = 0; j < t_.n; ++j) {
      bool const mayEnter =
          !lost[static_cast<std::size_t>(t_.nonbasic[static_cast<std::size_t>(j)])];
      double const size = std::fabs(v[static_cast<std::size_t>(j)]);
      if (mayEnter && size > best) {
        best = size;
        chosen = j;
      }
    }
    if (chosen < 0) return false;
    exchangeInTableau(i, chosen, t_.rowValue[static_cast<std::size_t>(i)]);
  }
  return true;
}

bool HostEngine::reshape(Reshape const& change, StandardForm const& form) {
  int const oldColumns = t_.n, oldRows = t_.m;
  std::vector<int> number(static_cast<std::size_t>(oldColumns + oldRows), -1);  // old -> new
  int const newColumns = static_cast<int>(change.columns.size());
  std::vector<int> addedRows, addedColumns;
  for (int j = 0; j < newColumns; ++j) {
    int const old = change.columns[static_cast<std::size_t>(j)];
    if (old < 0)
      addedColumns.push_back(j);
    else
      number[static_cast<std::size_t>(old)] = j;
  }
  for (int i = 0; i < static_cast<int>(change.rows.size()); ++i) {
    int const old = change.rows[static_cast<std::size_t>(i)];
    if (old < 0)
      addedRows.push_back(i);
    else
      number[static_cast<std::size_t>(oldColumns + old)] = newColumns + i;
  }
  std::vector<char> lost(number.size());
  std::transform(number.begin(), number.end(), lost.begin(), [](int v) { return v < 0; });
  if (!releaseLost(lost)) return false;
  t_.fold();
  hold(form);
  form.transposed();  // formed before threads read it
  factor_.reset();
  weightsFor_.reset();
  t_.keep(lost, number, newColumns);
  for (int const i : addedRows) appendRow(i);
  std::vector<std::vector<double>> fresh;
  for (int const j : addedColumns) fresh.push_back(tableauColumnOf(j));
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
  std::vector<double> fresh(static_cast<std::size_t>(t_.n), 0.0);
  std::vector<double> coefficient(static_cast<std::size_t>(t_.structurals), 0.0);
  auto const indices = form_->transposed().columnIndices(constraint);
  auto const values = form_->transposed().columnValues(constraint);
  for (std::size_t e = 0; e < indices.size(); ++e)
    coefficient[static_cast<std::size_t>(indices[e])] = values[e];
  for (int j = 0; j < t_.n; ++j) {
    int const v = t_.nonbasic[static_cast<std::size_t>(j)];
    if (v < t_.structurals)
      fresh[static_cast<std::size_t>(j)] = coefficient[static_cast<std::size_t>(v)];
  }
  for (int i = 0; i < t_.m; ++i) {
    int const v = t_.basic[static_cast<std::size_t>(i)];
    if (v < t_.structurals && coefficient[static_cast<std::size_t>(v)] != 0.0)
      axpy(static_cast<std::size_t>(t_.n), -coefficient[static_cast<std::size_t>(v)], t_.baseRow(i),
           fresh.data());
  }
  t_.appendRow(fresh, t_.structurals + constraint);
}

// Column a of the form: B^-1 a, of columns of B^-1 that stand in T or are unit columns.
std::vector<double> HostEngine::tableauColumnOf(int variable) {
  std::vector<double> coefficient(static_cast<std::size_t>(t_.m), 0.0);
  auto const indices = form_->matrix().columnIndices(variable);
  auto const values = form_->matrix().columnValues(variable);
  for (std::size_t e = 0; e < indices.size(); ++e)
    coefficient[static_cast<std::size_t>(indices[e])] = values[e];
  return applyInverse(coefficient);
}

}  // namespace osi_cuda::host
