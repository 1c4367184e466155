// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

// Solvers of the dense benchmark that are no bridges: they give no basis, or can't be stopped. What
// is there was decided when this was built (bench/CMakeLists.txt).

namespace osi_cuda::bench {

/// HiGHS' interior point method with its crossover, presolve as it likes. Status, objective,
/// iterations (of both parts) and the point; its time limit is looked at now and then only.
Solution solveByHighsIpm(LinearProgram const& lp, double timeLimit, int threads);

/// cuPDLPx, a first-order method on the GPU, to this relative tolerance. In residuals stands what
/// it measures itself: relative 2-norms of primal and dual, and the gap.
Solution solveByCupdlpx(LinearProgram const& lp, double tolerance, double timeLimit);

}  // namespace osi_cuda::bench
