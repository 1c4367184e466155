// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "bridges/bridge.hpp"

namespace osi_cuda {

/// Certificates found by way of other problems, for claims that come without one. The solvers only
/// search: what they find is checked by verifyFarkas, verifyRay and residualsOf, so a wrong solver
/// can make a search fail but not prove anything false.
struct Certificates {
  std::optional<std::vector<double>> farkas;  ///< proves that no feasible point exists
  std::optional<std::vector<double>> point;   ///< a feasible point: primal residual <= 1e-6
  std::optional<std::vector<double>> ray;  ///< with `point`, proves that the objective has no bound
};

/// Solves, with one solver after the other until something is found,
///
///     min sum (p + q)   s.t.  rowLower <= A x + p - q <= rowUpper,  x in its bounds, p, q >= 0,
///
/// whose optimal x is a feasible point if there is one, and whose row duals are Farkas multipliers
/// otherwise; and, with a feasible point at hand,
///
///     min c'r (max when maximising)  s.t.  A r and r in the recession cones of their bounds,
///                                          -1 <= r <= 1,
///
/// whose optimal r is an improving ray if there is one.
Certificates searchCertificates(LinearProgram const& lp, std::vector<BridgePointer> const& solvers,
                                BridgeOptions const& options);

}  // namespace osi_cuda
