// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "lab/stress/judge.hpp"

namespace osi_cuda::stress {

/// What is true of a problem. Its numbers come from wherever they are found quickly, the solver's
/// own exact proofs; what is believed is only what the verifier of the stress set makes of them in
/// rational numbers.
struct Truth {
  bool known = false;
  Status status = Status::numerical;  ///< optimal, infeasible or unbounded
  mpq_class optimum;                  ///< with status optimal: c'x + offset
};

/// Takes `seconds` at most; not known then, or where no proof is found.
Truth truthOf(LinearProgram const& lp, double seconds);

/// Is the optimal value (plus or minus infinity where there is none) inside the enclosure?
bool contains(ObjectiveEnclosure const& enclosure, Truth const& truth, Sense sense);

}  // namespace osi_cuda::stress
