// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/simplex/pivot_runs.hpp"

namespace osi_cuda {

/// From a vertex and multipliers that are nearly optimal together, as an interior point method and
/// the primal pushes leave them, to a basis whose own multipliers are feasible: dual pushes, as
/// Megiddo (1991) and Bixby and Saltzman (1994) describe, by the ordinary dual pivots.
///
/// At a degenerate vertex, basic variables rest on bounds, and at the given multipliers y they have
/// reduced costs z of the right sign. Their costs are lowered by z, so that the basis itself has
/// the multipliers y, and their bounds are moved beyond them, while all other basic variables are
/// free: so only such variables leave, each by one dual pivot, to the bound that it rests on, where
/// it gets its cost back. So there are no more pivots than such variables, where the primal simplex
/// method may wander about among the bases of a vertex for thousands of them. The vertex stays
/// where it is: runs are short, and between them every variable goes back to its place.
class DualPushes : SharedParts {
 public:
  DualPushes(SharedParts const& parts, PivotRuns& runs) : SharedParts(parts), runs_(runs) {}

  /// `y`: the multipliers by constraint, scaled; empty: there is nothing to do. The engine has the
  /// problem's own bounds and costs, and has them again afterwards. False: a limit was reached.
  bool run(std::span<double const> y);

 private:
  bool gather(std::span<double const> y);
  void draw();
  int countLeft();
  double wrong(int variable, double reducedCost) const;

  PivotRuns& runs_;
  std::vector<double> vertex_;  ///< by variable: where it is while it is nonbasic
  std::vector<double> drawn_;   ///< by variable: basic, at a bound, and its z; 0: no such one
};

}  // namespace osi_cuda
