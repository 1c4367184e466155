// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// What a basis is worth, by dense elimination in extended precision that shares no code with the
/// solver.
struct BasisVerdict {
  bool singular = false;
  double primalViolation = 0.0, dualViolation = 0.0;  ///< largest, absolute
  double objective = 0.0;
  std::vector<double> value;  ///< columns and then row activities

  bool optimal(double tolerance = 1e-7) const {
    return !singular && primalViolation <= tolerance && dualViolation <= tolerance;
  }
};

/// `rowCosts`: prices on the activities of rows, length m; or empty: none.
BasisVerdict judgeBasis(LinearProgram const& lp, Basis const& basis,
                        std::vector<double> const& rowCosts = {});

}  // namespace osi_cuda::testing
