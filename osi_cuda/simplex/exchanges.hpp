// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/team.hpp"

/// Changes of the basis that no pivot rule asks for, as a loop for a Team.
namespace osi_cuda {

/// What part a variable plays in exchanges.
enum class Role : unsigned char {
  stays,   ///< where it is
  leaves,  ///< the basis, if it is basic and another one needs its place
  enters   ///< the basis, if it is nonbasic
};

/// Which exchanges to make: those that bring the variables of role `enters` into the basis, or the
/// one at `row` and `column`.
struct ExchangeRequest {
  Role const* role = nullptr;   ///< by variable; null: the one at row and column
  int most = 0;                 ///< more exchanges than this are not begun
  int row = -1, column = -1;    ///< positions
  double leavingValue = 0.0;    ///< where the variable of that row goes
  double smallestEntry = 1e-5;  ///< of a pivot, beside the largest entry of its column

  OSI_CUDA_HD bool single() const { return role == nullptr; }
};

/// The line at place k of that state.
OSI_CUDA_LOOP rules::Candidate candidateAt(auto const& lines, int k, double key, double entry) {
  rules::Candidate c;
  c.key = key;
  c.tie = static_cast<std::uint32_t>(k);
  c.position = k;
  c.variable = lines.variable[k];
  c.entry = entry;
  c.value = lines.value[k];
  return c;
}

/// Each entering column takes, of the rows whose variables may leave, the one with its largest
/// entry; a column without a good one waits for the others. Values and reduced costs follow. Stops:
/// optimal (all are made), budget (there are too many: none is made), full, unstable (no column
/// that waits has a good entry; what was reached is a basis all the same).
OSI_CUDA_LOOP PivotReport makeExchanges(Team auto& team, ExchangeRequest const& request) {
  PivotReport report;
  auto const rows = team.rows();
  auto const columns = team.columns();
  // rows.change: 1 where the variable may leave; columns.change: by falling numbers, who is next.
  team.forRows([&](int i) {
    bool const may =
        request.single() ? i == request.row : request.role[rows.variable[i]] == Role::leaves;
    rows.change[i] = may ? 1.0 : 0.0;
  });
  team.forColumns([&](int j) {
    bool const enters =
        request.single() ? j == request.column : request.role[columns.variable[j]] == Role::enters;
    columns.change[j] = enters ? 1.0 : 0.0;
  });
  auto const count = [&](int& sum, int j) { sum += columns.change[j] != 0.0 ? 1 : 0; };
  int waiting = team.reduceColumns(0, count, rules::sumCounts);
  if (waiting > request.most) return report;  // Stop::budget
  report.stop = Stop::optimal;
  for (int failures = 0, inARow = 0; waiting > 0;) {
    if (team.used() == team.capacity()) {
      report.stop = Stop::full;
      return report;
    }
    auto const next = [&](rules::Candidate& best, int j) {
      if (columns.change[j] != 0.0)
        best =
            rules::better(best, candidateAt(columns, j, columns.change[j], columns.reducedCost[j]));
    };
    rules::Candidate const entering = team.reduceColumns(rules::Candidate{}, next, rules::better);
    int const q = entering.position;
    team.column(q);
    auto const size = [&](double& largest, int i) { largest = fmax(largest, fabs(rows.entry[i])); };
    double const largest =
        team.reduceRows(0.0, size, [](double a, double b) { return a > b ? a : b; });
    auto const place = [&](rules::Candidate& best, int i) {
      if (rows.change[i] != 0.0 && rows.entry[i] != 0.0)
        best = rules::better(best, candidateAt(rows, i, fabs(rows.entry[i]), rows.entry[i]));
    };
    rules::Candidate const leaving = team.reduceRows(rules::Candidate{}, place, rules::better);
    if (!leaving.found() || leaving.key < request.smallestEntry * fmax(1.0, largest)) {
      ++failures;
      if (++inARow >= waiting) {
        report.stop = Stop::unstable;
        return report;
      }
      team.forColumns([&](int j) {
        if (j == q) columns.change[j] = 1.0 / (1 + failures);
      });
      continue;
    }
    inARow = 0;
    --waiting;
    Exchange x = Exchange::on(leaving.position, q, leaving.entry);
    x.leavingValue = request.single() ? request.leavingValue : leaving.value;
    double const step = (leaving.value - x.leavingValue) * x.inverse;
    x.enteringValue = entering.value + step;
    team.row(x.row);
    double const ratio = entering.entry * x.inverse;
    team.forColumns([&](int j) {
      columns.reducedCost[j] = j == q ? -ratio : columns.reducedCost[j] - ratio * columns.entry[j];
      if (j == q) columns.change[j] = 0.0;
    });
    team.forRows([&](int i) {
      rows.value[i] -= step * rows.entry[i];
      if (i == x.row) rows.change[i] = 0.0;
    });
    team.exchange(x);
    ++report.iterations;
  }
  return report;
}

}  // namespace osi_cuda
