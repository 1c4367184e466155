// SPDX-License-Identifier: EPL-2.0
// Claims about a linear program verified in rational arithmetic: its doubles are taken as the
// rationals that they are, and every comparison is one of rationals. Nothing here is shared with
// the simplex engines. Method and sources: docs/explanation/exact.md.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/rational/watch.hpp"

namespace osi_cuda::rational {

/// What is left to do at a basis whose solution x*, y* is not optimal exactly: the linear program
/// in p (x - x*), with costs d (c - A'y*) for columns and d y* for the activities of rows. The
/// factors p and d, powers of two, make the largest violations near 1. So a solver in doubles,
/// whose tolerances are far above them in the problem itself, sees them well. It is the problem of
/// the iterative refinement of linear programs (Gleixner, Steffy and Wolter 2016), with residuals
/// that are exact but for their rounding to doubles.
///
/// A row whose activity has a cost gets a column for it, behind the others, and becomes an
/// equation.
struct Remainder {
  LinearProgram lp;             ///< m x (n + length of `costedRows`)
  Basis start;                  ///< the basis in question
  std::vector<int> costedRows;  ///< of the problem; the k-th has its activity behind the columns
  Basis beyond;                 ///< of variables behind those of the remainder, which stay

  /// A basis of the remainder as one of the problem.
  Basis basisOf(Basis const& ofRemainder) const;
};

enum class Outcome {
  proved,     ///< the claim is true
  refuted,    ///< the basis or the certificate does not prove it; the result says what fails
  singular,   ///< the basic columns are dependent
  notABasis,  ///< a wrong length, or a number of basic variables that is not m
  stopped,    ///< Limits::stop said so
  tooLarge    ///< more memory would have been needed than Limits::memory
};

/// A condition of optimality that fails, and by how much. Variable j < n is column j, n + i row i.
struct Violation {
  int variable = 0;
  double amount = 0.0;  ///< > 0; may be denormal, or 0 where it is below the doubles
};

/// What checkBasis makes on request.
struct Extras {
  bool fractions = false;  ///< x, y and c - A'y as texts
  bool remainder = false;  ///< of a refuted basis
  /// If the remainder has these first rows and columns alone, and as many basic variables as rows
  /// are among those: others have to keep their status.
  int rows = -1, columns = -1;
};

/// What checkBasis found. Empty vectors and texts where it did not come so far.
struct BasisCheck {
  Outcome outcome = Outcome::stopped;
  std::string message;  ///< a message, whatever the outcome

  /// Basic variables beyond a bound, and those whose own bounds cross; by variable.
  std::vector<Violation> primal;
  /// Nonbasic variables whose reduced cost (of a row: its dual value) has a sign that their value
  /// does not allow; by variable.
  std::vector<Violation> dual;
  /// With outcome singular the basic columns that depend on the others, and as many nonbasic rows
  /// (n + i) whose activities could be basic in their place.
  std::vector<int> dependent;

  std::string objective;      ///< c'x + offset of the basic solution, "-464753/1000" or "-8"
  std::string digits;         ///< the same in 30 significant decimal digits
  int denominatorDigits = 0;  ///< decimal digits of the common denominator of x and of that of y,
                              ///< the longer one

  // The basic solution, each number the double nearest to the exact one.
  double objectiveValue = 0.0;
  ObjectiveEnclosure objectiveEnclosure;  ///< of outcome proved: the objective, down and up
  std::vector<double> columnValues, rowActivity, rowDuals, reducedCosts;
  std::vector<double> columnValuesLow, rowDualsLow;  ///< what that took away, nearest
  /// x, y and c - A'y in lowest terms, on request.
  std::vector<std::string> columnFractions, rowDualFractions, reducedCostFractions;
  /// On request, of a refuted basis whose violations are not below all doubles.
  std::optional<Remainder> remainder;

  /// Moves the basic solution into `solution`: objective, point and multipliers.
  void moveTo(Solution& solution) {
    solution.objective = objectiveValue;
    solution.columnValues = std::move(columnValues);
    solution.columnValuesLow = std::move(columnValuesLow);
    solution.rowActivity = std::move(rowActivity);
    solution.rowDuals = std::move(rowDuals);
    solution.rowDualsLow = std::move(rowDualsLow);
    solution.reducedCosts = std::move(reducedCosts);
  }
};

/// Is the basic solution of `basis` optimal: x within all bounds, and every reduced cost of a sign
/// that the value of its variable allows? The system of the basis is solved by Lifting.
/// Nonbasic variables rest on their bounds as placementOf() says. `lp` has no fault (findFault).
BasisCheck checkBasis(LinearProgram const& lp, Basis const& basis, Limits limits = {},
                      Extras extras = {});

}  // namespace osi_cuda::rational
