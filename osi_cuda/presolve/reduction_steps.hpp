// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "osi_cuda/presolve/presolve.hpp"

namespace osi_cuda {

/// A reduction of the Reducer, with what its postsolve needs. Costs are those of a minimization.
struct ReductionStep {
  enum class Kind : char {
    droppedRow,   ///< row `row` says nothing
    boundRow,     ///< row `row`, with one entry `factor` in `column`, became bounds of the column
    parallelRow,  ///< row `row` is `factor` times row `other`, whose bounds were met with its own
    fixedColumn,  ///< `column` is `side`
    substituted   ///< `column` was replaced by equation `row`, `factor` its entry, `side` the right
  };
  Kind kind = Kind::droppedRow;
  /// Whether the lower and the upper bound are those of what was taken out: of a row where it
  /// became bounds, or a parallel one, of a column where an equation of two moved its bounds to the
  /// column `other`.
  bool lower = false, upper = false;
  bool atUpper = false;  ///< an inequality that is tight in every optimum is so at its upper bound
  int row = -1, column = -1, other = -1;
  double factor = 0.0, side = 0.0, cost = 0.0;
  std::size_t begin = 0, middle = 0, end = 0;  ///< entries: others of the row, others of the column
};

struct LineEntry {
  int index;  ///< a column in a row, a row in a column
  double value;
};

/// What the Reducer made of a problem, or of what a presolve before it has left.
class ReducedLines final : public Presolved {
 public:
  Solution postsolve(LinearProgram const& lp, Solution const& reduced) const override;

  std::unique_ptr<Presolved> before;  ///< or null
  /// The column and row of the Reducer's problem that each of what is left was.
  std::vector<int> ownColumns, ownRows;
  std::vector<ReductionStep> steps;  ///< in the order in which they were taken
  std::vector<LineEntry> entries;    ///< of the steps
};

/// The activities, reduced costs and objective that follow from columnValues and rowDuals.
void completePoint(LinearProgram const& lp, Solution& solution);

}  // namespace osi_cuda
