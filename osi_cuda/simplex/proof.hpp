// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/solution.hpp"

/// Points and certificates of a basis, refined until they fit the original data, in the terms of
/// the original problem.

namespace osi_cuda {

/// The row of B^-1 that belongs to a basic variable: column j, or n + i of row i.
struct InverseRow {
  Basis basis;
  int variable = -1;
};

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

/// A lower bound, mostly within a factor of three, of the condition number ||B|| ||B^-1|| of the
/// engine's basis in the 1-norm, scaled as the form is: Hager 1984, as Higham states it (1988,
/// "FORTRAN codes for estimating the one-norm of a real or complex matrix"). It takes some four to
/// ten solves, and changes nothing. Infinite where solves give numbers that are none; 0 without
/// rows. `row`, if not null, becomes the row i whose B^-1 e_i is the longest that was met, or -1.
double conditionEstimate(StandardForm const& form, Engine& engine, int* row = nullptr);

}  // namespace osi_cuda
