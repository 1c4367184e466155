// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/factors/factored_team.hpp"

namespace osi_cuda::factors {

/// Where a column meets the first bound of a basic variable, by Harris' rule.
struct Blocked {
  int row = -1;  ///< none
  double step = rules::unlimited;
  double bound = 0.0, largest = 0.0;  ///< of the row; |entry| of all
};

/// `direction`: +1 or -1, of the nonbasic variable of the column that the positions hold at
/// `entries`. `near`: room for those of them that are met no later than all before them.
inline Blocked blockedAt(host::Positions const& p, std::vector<int> const& entries,
                         double direction, PivotRequest const& request, std::vector<int>& near) {
  Blocked found;
  near.clear();
  double relaxed = rules::unlimited, best = 0.0;
  auto const boundOf = [&](int i, double rate) {
    return rate > 0.0 ? p.rowUpper[at(i)] : p.rowLower[at(i)];
  };
  for (int const i : entries) {
    double const rate = -direction * p.rowEntry[at(i)], size = std::fabs(rate);
    found.largest = std::max(found.largest, size);
    if (size < request.pivotTolerance) continue;
    double const gap = (boundOf(i, rate) - p.rowValue[at(i)]) / rate;
    if (gap <= relaxed) near.push_back(i);
    relaxed = std::min(relaxed, std::max(0.0, gap) + request.harris / size);
  }
  for (int const i : near) {
    double const rate = -direction * p.rowEntry[at(i)], size = std::fabs(rate);
    if (size <= best) continue;
    double const gap = std::max(0.0, (boundOf(i, rate) - p.rowValue[at(i)]) / rate);
    if (!(gap <= relaxed) || !(gap < rules::unlimited)) continue;
    best = size;
    found.row = i;
    found.step = gap;
    found.bound = boundOf(i, rate);
  }
  return found;
}

/// PushesColumns::push. A push takes a solve and, where a basic variable blocks it, an exchange: no
/// row, no reduced costs, no weights. Stop::full: a factorisation is due.
template <class Number>
PivotReport pushColumns(FactoredTableau<Number>& tableau, host::Positions& p,
                        std::function<bool()> const& stop, int& next, PivotRequest const& request) {
  FactoredTeam<Number> team(tableau, p, Algorithm::primal);
  team.watch(stop);
  PivotReport report;
  std::vector<int> near;
  for (; next < p.n; ++next) {
    auto const q = at(next);
    double const x = p.columnValue[q], lower = p.columnLower[q], upper = p.columnUpper[q];
    double const nearer = x - lower <= upper - x ? lower : upper,
                 target = std::isfinite(nearer) ? nearer : 0.0;
    if (!(x > lower && x < upper) || x == target) continue;
    report.stop = p.used == p.capacity || tableau.basis().worn() ? Stop::full
                  : report.iterations >= request.budget          ? Stop::budget
                                                                 : Stop::optimal;
    if (report.stop != Stop::optimal) return report;
    team.column(next);
    double const direction = target > x ? 1.0 : -1.0, way = std::fabs(target - x);
    Blocked const blocked = blockedAt(p, tableau.columnEntries(), direction, request, near);
    bool const leaves = blocked.step < way;
    if (leaves && std::fabs(p.rowEntry[at(blocked.row)]) < request.relativePivot * blocked.largest)
      continue;
    double const step = direction * (leaves ? blocked.step : way);
    for (int const i : tableau.columnEntries()) p.rowValue[at(i)] -= step * p.rowEntry[at(i)];
    p.columnValue[q] = leaves ? x + step : target;
    ++report.iterations;
    report.degenerate += leaves && blocked.step <= 1e-12;
    if (!leaves) {
      ++report.flips;
      continue;
    }
    p.rowValue[at(blocked.row)] = blocked.bound;
    team.exchangeVariables(blocked.row, next);
  }
  report.stop = Stop::optimal;
  return report;
}

}  // namespace osi_cuda::factors
