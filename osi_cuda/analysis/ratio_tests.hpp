// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "osi_cuda/solver.hpp"

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
  double price = 0.0;  ///< reduced cost of a minimisation
  VariableStatus status = VariableStatus::basic;

  bool fixed() const { return lower == upper; }
  double roomUp() const;    ///< to the upper bound; 0 where only rounding is left
  double roomDown() const;  ///< to the lower bound
};

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

/// Nothing: `stop` answered true, which is asked once a row. `point` is that of the tableau's
/// basis.
std::optional<RatioTests> ratioTests(Solver const& solver, Solution const& point,
                                     std::function<bool()> const& stop);

}  // namespace osi_cuda
