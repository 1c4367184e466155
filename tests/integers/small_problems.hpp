// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "tests/support/random.hpp"

namespace osi_cuda::testing {

inline Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  return options;
}

/// n columns from 0 to 3 with whole numbers everywhere, a third of the rows equations.
inline LinearProgram smallProblem(unsigned seed, int m, int n, Sense sense) {
  Random random(seed);
  auto const draw = [&](int low, int high) { return static_cast<double>(random.whole(low, high)); };
  LinearProgram lp;
  lp.sense = sense;
  lp.objectiveOffset = draw(-5, 5);
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  std::vector<double> activity(static_cast<std::size_t>(m), 0.0);
  for (int j = 0; j < n; ++j) {
    double const inside = draw(0, 3);
    for (int i = 0; i < m; ++i) {
      double const entry = draw(-4, 6);
      if (entry == 0.0) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(entry);
      activity[static_cast<std::size_t>(i)] += entry * inside;
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    lp.objective.push_back(draw(-9, 9));
    lp.columnLower.push_back(0.0);
    lp.columnUpper.push_back(3.0);
    lp.integer.push_back(1);
  }
  for (double const at : activity) {
    bool const even = draw(0, 2) == 0.0;
    double const shift = draw(-2, 1);  // some have no point
    lp.rowLower.push_back(even ? at : -infinity);
    lp.rowUpper.push_back(even ? at : at + shift);
  }
  return lp;
}

/// The optimum over all points of such a problem.
inline std::optional<double> enumerated(LinearProgram const& lp) {
  std::optional<double> best;
  int const n = lp.columns();
  for (int code = 0; code < 1 << (2 * n); ++code) {
    std::vector<double> activity(static_cast<std::size_t>(lp.rows()), 0.0);
    double objective = lp.objectiveOffset;
    for (int j = 0; j < n; ++j) {
      double const x = (code >> (2 * j)) & 3;
      objective += lp.objective[j] * x;
      auto const rows = lp.matrix.columnIndices(j);
      for (std::size_t k = 0; k < rows.size(); ++k)
        activity[static_cast<std::size_t>(rows[k])] += lp.matrix.columnValues(j)[k] * x;
    }
    bool inside = true;
    for (std::size_t i = 0; i < activity.size(); ++i)
      inside = inside && activity[i] >= lp.rowLower[i] && activity[i] <= lp.rowUpper[i];
    bool const better =
        !best || (lp.sense == Sense::minimize ? objective < *best : objective > *best);
    if (inside && better) best = objective;
  }
  return best;
}

inline bool isPoint(LinearProgram const& lp, std::vector<double> const& x) {
  std::vector<double> activity(static_cast<std::size_t>(lp.rows()), 0.0);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const value = x[static_cast<std::size_t>(j)];
    if (lp.integer[j] && value != std::round(value)) return false;
    if (value < lp.columnLower[j] - 1e-7 || value > lp.columnUpper[j] + 1e-7) return false;
    auto const rows = lp.matrix.columnIndices(j);
    for (std::size_t k = 0; k < rows.size(); ++k)
      activity[static_cast<std::size_t>(rows[k])] += lp.matrix.columnValues(j)[k] * value;
  }
  for (std::size_t i = 0; i < activity.size(); ++i)
    if (activity[i] < lp.rowLower[i] - 1e-6 * (1 + std::fabs(lp.rowLower[i])) ||
        activity[i] > lp.rowUpper[i] + 1e-6 * (1 + std::fabs(lp.rowUpper[i])))
      return false;
  return true;
}

}  // namespace osi_cuda::testing
