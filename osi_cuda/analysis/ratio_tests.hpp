// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// Who ends a movement of one variable or one cost.
struct Blocker {
  double step = infinity;  ///< how far it goes, >= 0
  double rate = 0.0;       ///< the tableau's entry, d(basic) / d(nonbasic)
  int variable = -1;
  bool toUpper = false;  ///< a basic variable: it reaches its upper bound

  /// Takes a candidate that comes earlier, or as early with a larger pivot.
  void offer(double step, double rate, int variable, bool toUpper);
};

/// A variable at the vertex; rows speak of their activity.
struct VertexVariable {
  double value = 0.0, lower = 0.0, upper = 0.0;
  /// To the bounds, >= 0 and infinite where there is none; 0: it rests there. What is zero up to
  /// 1e-24 of its terms in double-double arithmetic is zero, and so is the price.
  double roomUp = infinity, roomDown = infinity;
  double price = 0.0;  ///< reduced cost of a minimisation
  VariableStatus status = VariableStatus::basic;

  bool fixed() const { return lower == upper; }
};

/// Length n + m. `point` is a basic solution, in two parts where rounding to doubles would decide
/// what rests on a bound (as Solver::evaluate gives it).
std::vector<VertexVariable> variablesAt(LinearProgram const& lp, Solution const& point);

/// All four ratio tests of all variables at the vertex of a basis, from one pass over the tableau:
/// how far each nonbasic variable can move before a basic one reaches a bound, and by how much the
/// cost of each basic one can change before a reduced cost changes its sign. The latter are also
/// the dual ratio tests of that basic variable: it leaves to its lower bound as its cost falls.
struct RatioTests {
  std::vector<VertexVariable> variables;  ///< length n + m
  /// By variable, length n + m: of nonbasic ones how far they move up and down, of basic ones how
  /// far their cost rises and falls.
  std::vector<Blocker> up, down;
};

/// Nothing: `stop` answered true, which is asked once a row. `variables` are those of the tableau's
/// basis.
std::optional<RatioTests> ratioTests(Solver const& solver, std::vector<VertexVariable> variables,
                                     std::function<bool()> const& stop);

/// The same with every number that decides exact: what is not zero is never taken for zero.
/// Nothing: `stop` answered true, or there is not enough memory.
std::optional<RatioTests> exactRatioTests(LinearProgram const& lp, Basis const& basis,
                                          std::function<bool()> stop);

}  // namespace osi_cuda
