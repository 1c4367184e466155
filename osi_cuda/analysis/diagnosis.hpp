// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/solve/solver.hpp"

/// What makes a problem hard to solve in doubles, or its answer hard to use; docs/guide/doctor.md.
namespace osi_cuda {

/// Something that a modeller may want to change. Variable j < n is column j, n + i row i.
struct Finding {
  std::string kind;            ///< "big_m", "row_units", ...: the words of docs/guide/doctor.md
  std::string text;            ///< what it is, with names and numbers
  std::string advice;          ///< what to do about it
  std::vector<int> variables;  ///< of which it speaks, the worst first
};

/// The smallest and largest magnitudes of some numbers that are neither zero nor infinite.
struct MagnitudeRange {
  double least = infinity, most = 0.0;
  int leastRow = -1, leastColumn = -1, mostRow = -1, mostColumn = -1;  ///< -1: none

  void add(double number, int row, int column);
  double ratio() const { return most > 0.0 ? most / least : 1.0; }
};

/// What can be said of a problem without solving it.
struct ModelDiagnosis {
  MagnitudeRange coefficients, costs, columnBounds, rowBounds;
  /// Coefficients of the row and of the column with the largest ratio of two of them.
  MagnitudeRange worstRow, worstColumn;
  std::vector<Finding> findings;
};

/// Some passes over the matrix, and sorting of rows and columns.
ModelDiagnosis diagnose(LinearProgram const& lp);

/// What can be said of an optimal vertex.
struct OptimumDiagnosis {
  BasisCondition condition;
  /// Whether x and y are the only optimal ones, where reduced costs and distances to bounds of at
  /// most 1e-9, relative, count as zero; nothing: a limit came first.
  std::optional<bool> uniquePoint, uniqueDuals;
  std::vector<Finding> findings;
};

/// `solution` is an optimal one that the last solve of `solver` returned. The basis alone settles
/// uniqueness where no nonbasic variable has a reduced cost of zero (x), or no basic variable rests
/// on a bound (y). Else a second problem does: over all optimal x the sum of what those variables
/// move from their bounds, over all optimal y the sum of reduced costs of those basic variables
/// (Mangasarian 1979, "Uniqueness of solution in linear programming", by his condition of a zero
/// optimum). Throws as Solver::solve does.
OptimumDiagnosis diagnose(Solver& solver, Solution const& solution, Options const& options = {},
                          Callbacks const& callbacks = {});

}  // namespace osi_cuda
