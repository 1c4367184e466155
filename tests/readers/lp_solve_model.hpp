// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <lpsolve/lp_lib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// A file in its own LP format as lp_solve reads it; nothing if it reports errors.
/// What lp_solve has read; takes `p`, which may be null.
inline std::optional<LinearProgram> modelFromLpSolve(lprec* p) {
  std::unique_ptr<lprec, decltype(&delete_lp)> const problem(p, delete_lp);
  if (!p) return std::nullopt;

  LinearProgram lp;
  int const m = get_Nrows(p);
  int const n = get_Ncolumns(p);
  auto const bounded = [p](double bound) {
    if (bound >= get_infinite(p)) return infinity;
    return bound <= -get_infinite(p) ? -infinity : bound;
  };
  lp.sense = is_maxim(p) ? Sense::maximize : Sense::minimize;
  lp.objectiveOffset = get_rh(p, 0);
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  std::vector<int> rows(m + 1);
  std::vector<double> values(m + 1);
  for (int j = 1; j <= n; ++j) {
    int const count = get_columnex(p, j, values.data(), rows.data());
    std::vector<std::pair<int, double>> entries;
    lp.objective.push_back(0.0);
    for (int k = 0; k < count; ++k) {
      if (rows[k] == 0) lp.objective.back() = values[k];
      if (rows[k] > 0 && values[k] != 0.0) entries.emplace_back(rows[k] - 1, values[k]);
    }
    std::ranges::sort(entries);
    for (auto const& [row, value] : entries) {
      lp.matrix.indices.push_back(row);
      lp.matrix.values.push_back(value);
    }
    lp.matrix.starts.push_back(std::ssize(lp.matrix.indices));
    double lower = bounded(get_lowbo(p, j));
    double upper = bounded(get_upbo(p, j));
    if (is_semicont(p, j)) lp.choices.addSemicontinuous(j - 1, lower, upper);
    lp.columnLower.push_back(lower);
    lp.columnUpper.push_back(upper);
    lp.columnNames.emplace_back(get_col_name(p, j));
    lp.integer.push_back(is_int(p, j) ? 1 : 0);
  }
  for (int i = 1; i <= m; ++i) {
    double const rhs = bounded(get_rh(p, i));
    double const width = bounded(get_rh_range(p, i));
    int const type = get_constr_type(p, i);
    bool const isOneSided = std::isinf(width);  // a row without bounds has an infinite side, too
    double const lower = type == LE ? (isOneSided ? -infinity : rhs - width) : rhs;
    double const upper = type == GE ? (isOneSided ? infinity : rhs + width) : rhs;
    lp.rowLower.push_back(lower);
    lp.rowUpper.push_back(upper);
    lp.rowNames.emplace_back(get_row_name(p, i));
  }
  return lp;
}

/// In its own LP format.
inline std::optional<LinearProgram> readWithLpSolve(std::string const& path) {
  std::unique_ptr<std::FILE, decltype(&std::fclose)> const file(std::fopen(path.c_str(), "r"),
                                                                std::fclose);
  if (!file) return std::nullopt;
  std::string name;
  return modelFromLpSolve(read_lp(file.get(), NEUTRAL, name.data()));
}

/// A plain MPS file, as fixed format and, if it is none, as free format.
inline std::optional<LinearProgram> readMpsWithLpSolve(std::string path) {
  if (lprec* const fixed = read_MPS(path.data(), NEUTRAL)) return modelFromLpSolve(fixed);
  return modelFromLpSolve(read_freeMPS(path.data(), NEUTRAL));
}

}  // namespace osi_cuda::testing
