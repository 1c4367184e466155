// SPDX-License-Identifier: EPL-2.0
// What keeps the tableau through changes that no pivot loop makes: single exchanges, another basis
// near the present one, rows and columns that come and go.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/engine/host/host_team.hpp"
#include "osi_cuda/engine/host/kernels.hpp"

namespace osi_cuda::host {

// Values and reduced costs follow the exchange.
void HostEngine::exchange(int r, int q, double leavingValue) {
  exchangeInTableau(r, q, leavingValue);
}

void HostEngine::exchangeInTableau(int r, int q, double leavingValue) {
  std::atomic<bool> const never{false};
  if (t_.used == t_.capacity) t_.fold();
  HostTeam team(t_, never);
  team.column(q);
  team.row(r);
  Exchange x = Exchange::on(r, q, t_.rowEntry[static_cast<std::size_t>(r)]);
  double const step = (t_.rowValue[static_cast<std::size_t>(r)] - leavingValue) / x.alpha;
  x.enteringValue = t_.columnValue[static_cast<std::size_t>(q)] + step;
  x.leavingValue = leavingValue;
  axpy(static_cast<std::size_t>(t_.m), -step, t_.rowEntry.data(), t_.rowValue.data());
  double const ratio = t_.reducedCost[static_cast<std::size_t>(q)] / x.alpha;
  axpy(static_cast<std::size_t>(t_.n), -ratio, t_.columnEntry.data(), t_.reducedCost.data());
  t_.reducedCost[static_cast<std::size_t>(q)] = -ratio;
  team.exchange(x);
  factor_.reset();
  weightsFor_.reset();
}

// Each entering column takes, of the rows that are to leave, the one with its largest entry; a
// column without a good one waits for the others.
bool HostEngine::reach(std::vector<char> const& basic) {
  std::vector<int> rows, columns;
  int structurals = 0;
  for (int i = 0; i < t_.m; ++i)
    if (!basic[static_cast<std::size_t>(t_.basic[static_cast<std::size_t>(i)])]) rows.push_back(i);
  for (int j = 0; j < t_.n; ++j) {
    if (basic[static_cast<std::size_t>(j)]) ++structurals;
    if (basic[static_cast<std::size_t>(t_.nonbasic[static_cast<std::size_t>(j)])])
      columns.push_back(j);
  }
  if (rows.size() != columns.size()) return false;
  double const m = t_.m, n = t_.n, p = structurals, d = static_cast<double>(rows.size());
  double const exchanges = d * (2.0 * m * n + 2.0 * t_.capacity * (m + n));
  double const refactoring =
      p * p * (p + 2.0 * n) + 2.0 * (m - p) * n * form_->matrix().density() * p;
  if (exchanges > refactoring + 1e4) return false;

  std::size_t failures = 0;
  std::vector<double> entries(static_cast<std::size_t>(t_.m));
  for (std::size_t next = 0; !columns.empty(); next = columns.empty() ? 0 : next % columns.size()) {
    if (t_.used == t_.capacity) t_.fold();
    t_.formColumn(columns[next], entries.data());
    double largest = 0.0, best = 0.0;
    std::size_t chosen = 0;
    for (double const u : entries) largest = std::max(largest, std::fabs(u));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double const size = std::fabs(entries[static_cast<std::size_t>(rows[k])]);
      if (size > best) {
        best = size;
        chosen = k;
      }
    }
    if (best < 1e-5 * std::max(1.0, largest)) {
      if (++failures > columns.size()) return false;  // what was reached is a basis all the same
      ++next;
      continue;
    }
    failures = 0;
    exchangeInTableau(rows[chosen], columns[next],
                      t_.rowValue[static_cast<std::size_t>(rows[chosen])]);
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(chosen));
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return true;
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
  form_ = &form;
  form.transposed();  // formed before threads read it
  factor_.reset();
  weightsFor_.reset();
  t_.keep(lost, number, newColumns);
  for (int const i : addedRows) appendRow(i);
  std::vector<std::vector<double>> fresh;
  for (int const j : addedColumns) fresh.push_back(tableauColumnOf(j));
  t_.appendColumns(fresh, addedColumns);
  t_.resizeWork();
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
