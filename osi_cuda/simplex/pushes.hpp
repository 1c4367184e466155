// SPDX-License-Identifier: EPL-2.0
#pragma once

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

}  // namespace osi_cuda
