// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <gmpxx.h>

#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

// The verifier of the stress set. It shares no code with the solver: residuals by the definition in
// osi_cuda/proof/residuals.hpp, written anew, and certificates, all in rational numbers.

namespace osi_cuda::stress {

/// How far a point is from optimal. Infinite where something is missing or not finite.
struct JudgedResiduals {
  double primal = infinity;  ///< b / (1 + |bound|), largest
  double dual = infinity;    ///< |d_j| / (1 + |c_j|), |y_i|, largest of the wrong-signed
  double gap = infinity;     ///< |primal - dual objective| / (1 + |primal objective|)
  double objective = 0.0;

  double largest() const;
};

/// Of a point x (length n) and row duals y (length m), in rational numbers but for the last
/// rounding to doubles. What rounding took from them, if it is given (else empty), is added first.
JudgedResiduals judgedResiduals(LinearProgram const& lp, std::vector<double> const& x,
                                std::vector<double> const& y, std::vector<double> const& xLow = {},
                                std::vector<double> const& yLow = {});

/// What a certificate is worth.
enum class Proof {
  none,   ///< proves nothing, or is missing
  tight,  ///< what should be zero is so up to 1e-12 of its terms: credible, no proof
  exact   ///< proved in rational arithmetic
};
char const* toString(Proof proof);

/// A vector of rational numbers.
using Rationals = std::vector<mpq_class>;

/// high + low, exactly; `low` may be empty. A number that is not finite makes the result empty.
Rationals exactSum(std::vector<double> const& high, std::vector<double> const& low);

/// Do the multipliers (length m) prove that nothing satisfies all rows and bounds? Crossed bounds
/// prove it without multipliers.
Proof judgeFarkas(LinearProgram const& lp, Rationals const& y);

/// Does the objective improve without limit along the direction (length n), while rows and bounds
/// stay satisfied? Speaks of the direction only: that some point is feasible is another question.
Proof judgeRay(LinearProgram const& lp, Rationals const& ray);

/// Is x optimal, exactly, with duals y as the proof? No tolerance at all.
bool exactlyOptimal(LinearProgram const& lp, Rationals const& x, Rationals const& y);

/// Does x satisfy all rows and bounds exactly?
bool exactlyFeasible(LinearProgram const& lp, Rationals const& x);

/// c'x + offset.
mpq_class exactObjective(LinearProgram const& lp, Rationals const& x);

/// The certificates of a Solution, as exact as it gives them.
Rationals farkasOf(Solution const& solution);
Rationals rayOf(Solution const& solution);

}  // namespace osi_cuda::stress
