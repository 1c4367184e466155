// SPDX-License-Identifier: EPL-2.0
//
// Problems at the edge of the tolerances.
#include "lab/stress/kinds.hpp"
#include "tests/support/edge_problems.hpp"

namespace osi_cuda::stress {

std::vector<Kind> edgeKinds() {
  return {{"edges", false, "infeasible or unbounded by 0.001 to 1000 times a tolerance",
           [](Dice& dice, BaseModel const&) { return testing::edgeProblem(dice).lp; }}};
}

}  // namespace osi_cuda::stress
