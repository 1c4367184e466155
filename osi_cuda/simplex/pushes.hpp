// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/simplex/pivot_runs.hpp"

namespace osi_cuda {

/// From a point that is no vertex to one that is: what an interior point method leaves behind. The
/// primal pushes of Megiddo (1991) and Bixby and Saltzman (1994), by the ordinary primal pivots: a
/// nonbasic variable that is strictly between its bounds gets a cost that draws it to the nearer
/// one; all others have none, so that only such variables enter, and each goes to its bound or into
/// the basis. In the basis it needs to be drawn no more, and what left for it has to stay: so runs
/// are short, and costs and bounds are set anew between them. Bounds of basic variables are
/// relaxed where the point violates them.
class Pushes : SharedParts {
 public:
  Pushes(SharedParts const& parts, PivotRuns& runs) : SharedParts(parts), runs_(runs) {}

  /// `value`, by variable, scaled: where nonbasic variables begin. True: none is left that can be
  /// pushed; false: a limit was reached. The problem has its own bounds and costs again.
  bool run(std::vector<double> const& value);

 private:
  int pullBetween(Bounds const& room);

  PivotRuns& runs_;
};

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
