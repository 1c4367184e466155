// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "osi_cuda/engine/host/loop_team.hpp"
#include "osi_cuda/engine/host/tableau.hpp"

namespace osi_cuda::host {

/// The Team of team.hpp on the delayed tableau.
class HostTeam : public LoopTeam {
 public:
  explicit HostTeam(Tableau& tableau) : LoopTeam(tableau), t_(tableau) {}

  void column(int q) {
    pollStop();
    t_.formColumn(q, rows_.entry);
  }
  void row(int r) { t_.formRow(r, columns_.entry); }
  void combineRows() { t_.combineRows(rows_.change, columns_.change); }
  void combineColumns() { t_.combineColumns(columns_.change, rows_.change); }

  void steepestProducts() { t_.combineRows(rows_.entry, columns_.product); }
  void dualSteepestProducts();
  // By rows of D, of which only the columns that have a direction count.
  void shortestSteps(auto directionOf, auto boundOf) {
    double* const steps = columns_.product;
    auto const work = static_cast<std::int64_t>(t_.m) * t_.n;
    forChunks(t_.threads, t_.n, work, [&](int begin, int end) {
      std::vector<std::pair<int, double>> directions;
      for (int j = begin; j < end; ++j) {
        steps[j] = rules::unlimited;
        if (int const direction = directionOf(j); direction != 0)
          directions.emplace_back(j, direction);
      }
      for (int i = 0; i < t_.m; ++i) {
        double const* const row = t_.baseRow(i);
        double const x = rows_.value[i], lower = rows_.lower[i], upper = rows_.upper[i];
        for (auto const& [j, direction] : directions)
          steps[j] = std::fmin(steps[j], boundOf(x, lower, upper, direction * row[j]));
      }
    });
  }

  void updateColumnSketch(Exchange const& x);
  void updateRowSketch(Exchange const& x);
  void exchange(Exchange const& x);

 private:
  Tableau& t_;
};

}  // namespace osi_cuda::host
