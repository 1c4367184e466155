// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/solution.hpp"

/// Points and certificates of a basis, refined until they fit the original data, in the terms of
/// the original problem.
namespace osi_cuda {

/// The statuses that a point's basis has in the original problem: a nonbasic variable rests on the
/// nearer of its bounds there.
Basis basisOf(StandardForm const& form, Snapshot const& point);

/// The basic solution of the engine's basis: x_B from B x_B = -N x_N and y from B'y = c_B, each
/// solved anew (Engine::basicPoint); then objective and basis statuses. Activities and reduced
/// costs are left to the verifier (Verifier::assess). `point` gives the nonbasic variables, `cost`
/// the costs, by variable and scaled.
Solution basicSolution(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                       Snapshot const& point, std::vector<double> const& cost);

/// How large the residuals of an exact basic solution may come out because its x and y are rounded
/// to doubles, at most: 64 roundings of the largest sum of magnitudes of terms. `complementarity`
/// is left at 0.
Residuals roundingOf(LinearProgram const& lp, Solution const& point);

/// An engine's own point as it stands, in the same way, for a solve that stopped early.
Solution presentPoint(LinearProgram const& lp, StandardForm const& form, Snapshot const& point);

}  // namespace osi_cuda
