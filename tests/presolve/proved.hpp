// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::testing {

/// Whether the verifier accepts what a solution claims of `lp`; a solution without a claim has no
/// proof.
inline bool isProved(LinearProgram const& lp, Solution const& s) {
  switch (s.status) {
    case Status::optimal:
      return residualsOf(lp, s).largest() <= 1e-7;
    case Status::infeasible:
      return verifyFarkas(lp, s.farkas, s.farkasLow).proved;
    case Status::unbounded:
      return verifyRay(lp, s.columnValues, s.ray, 1e-6, s.rayLow, -1.0, s.columnValuesLow).proved;
    default:
      return false;
  }
}

}  // namespace osi_cuda::testing
