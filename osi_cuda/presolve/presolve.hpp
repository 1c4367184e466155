// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"

/// From a linear program to a smaller one with the same optimum, and from a point of that back to
/// one of the given. Nothing is claimed here: what follows from a presolve is a basis to begin at.

namespace osi_cuda {

struct PresolveRequest {
  double primalTolerance = 1e-9;  ///< infeasibility that reductions may leave unnoticed
  double dualTolerance = 1e-9;    ///< reduced cost that counts as one
  std::function<bool()> stop;     ///< asked between reductions: true ends the presolve; or empty
};

/// How a presolve ended.
enum class PresolveEnd {
  reduced,     ///< there is a smaller problem, which may be empty
  unchanged,   ///< nothing could be taken away
  infeasible,  ///< no point seems to satisfy all rows and bounds
  unbounded,   ///< the objective seems to have no bound, if there is a feasible point
  stopped      ///< `stop` said so
};

/// A smaller problem, and the record of how it came about.
class Presolved {
 public:
  virtual ~Presolved() = default;

  /// Without names and integrality marks; sense and objective are those of the given problem.
  LinearProgram problem;
  /// The column and the row of the given problem that each of the smaller one was; of a dual none.
  std::vector<int> columns, rows;

  /// The point and the basis of the given problem that follow from those of the smaller one:
  /// columnValues, rowDuals and basis are read and given; activities, reduced costs and objective
  /// are formed from the given problem `lp`, which is the one that was presolved. May be called any
  /// number of times. Throws std::runtime_error with a message where it fails, std::bad_alloc.
  virtual Solution postsolve(LinearProgram const& lp, Solution const& reduced) const = 0;

  /// A basis of the given problem to go on from, with the statuses that variables of the smaller
  /// one have there; others rest as in a slack basis. Its number of basic variables is right.
  virtual Basis enlarged(LinearProgram const& lp, Basis const& reduced) const;
  /// The part of a basis that speaks of what the smaller problem has; it may have too many basic
  /// variables, or too few. A shorter basis is filled up: rows basic, columns not.
  virtual Basis restricted(Basis const& given) const;
  /// Whether it is the dual, whose variables are no variables of the given problem.
  virtual bool isDual() const { return false; }
  /// Of a dual: whether its ray gives Farkas multipliers, which `given` gets then.
  virtual bool liftRay(Solution const& /*reduced*/, Solution& /*given*/) const { return false; }
};

struct PresolveOutcome {
  PresolveEnd end = PresolveEnd::unchanged;
  std::unique_ptr<Presolved> presolved;  ///< with PresolveEnd::reduced; else null
};

/// Presolves by the actions of CoinUtils and reductions of its own. Throws std::runtime_error with
/// a message where they fail, std::bad_alloc.
PresolveOutcome presolve(LinearProgram const& lp, PresolveRequest const& request);

// From the proof that a smaller problem is infeasible to one of the given problem.

/// Makes an engine of sparse factors; empty: there is none.
using FactorsMaker = std::function<std::unique_ptr<Engine>(EngineOptions const&)>;

/// What `reduced`, the infeasible smaller problem's solution with its Farkas multipliers, proves in
/// the given problem `lp`: multipliers of its rows that stand up to the verifier there, with the
/// basis they belong to; the point is that of the postsolve. Nothing where the multipliers that
/// follow are no proof, or one that hardly more than rounding carries: then the problem has to be
/// solved. Nothing as well where the budget ends. Throws what Presolved::postsolve throws, and
/// std::bad_alloc.
std::optional<Solution> liftInfeasibility(FactorsMaker const& factors, LinearProgram const& lp,
                                          Presolved const& presolved, Solution const& reduced,
                                          Options const& options, Budget& budget);

// The dual of a problem, for problems with many more rows than columns, as regressions are.
//
// Columns of one entry are no columns here: together with the row's bounds they make the row i a
// convex, piecewise linear penalty of its activity, whose conjugate is concave and piecewise
// linear in the row's multiplier u_i. To minimise c'x + sum_i f_i(a_i'x) over the p remaining
// columns within their bounds becomes
//
//     max sum_i h_i(u_i)   subject to   a_j'u = c_j for a free column j, <= or >= for one with a
//                                       bound; u_i between the breakpoints of h_i
//
// with p rows. Each linear piece of h_i is a column: one for each row of a quantile or an L1
// regression, between -(1 - tau) and tau. Rockafellar: Convex Analysis (1970), section 31.

/// Rows, columns and nonzeros of the dual, at most: what a plan compares.
struct DualSize {
  int rows = 0, columns = 0;
  std::int64_t nonzeros = 0;
};
DualSize dualSize(LinearProgram const& lp);

/// The dual as a smaller problem, to be maximised; its multipliers are the point, its point the
/// multipliers. PresolveEnd::unchanged where the multipliers that the costs of single entries allow
/// contradict each other: then the given problem has no optimum. Throws std::bad_alloc.
PresolveOutcome dualise(LinearProgram const& lp);

}  // namespace osi_cuda
