// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "lab/stress/claim.hpp"
#include "lab/stress/enumeration.hpp"
#include "lab/stress/integer_families.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::stress {

/// What an interface says of a problem with integer columns.
struct IntegerClaim {
  Answer answer = Answer::numerical;  ///< timeLimit: whatever stopped it
  std::string status;                 ///< in the interface's own word
  std::vector<double> point;          ///< empty: none
  double objective = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
  ObjectiveEnclosure enclosure;
  double whole =
      0.0;  ///< how far integers may be from whole numbers; Cbc's own points are not whole
  std::string fault;  ///< something that is wrong whatever the problem is
  double seconds = 0.0;
};

/// What is true of a problem: exactly, and for points that keep to the tolerance.
struct IntegerTruths {
  IntegerTruth exact, tolerant;
  explicit IntegerTruths(LinearProgram const& lp);
  IntegerTruths() = default;
  bool known() const { return exact.known && tolerant.known; }
};

/// The primal tolerance of solves.
inline constexpr double pointTolerance = 1e-7;

/// What is wrong with a claim; empty: nothing. The first word is the kind:
///     crash          the interface says what it must not say
///     infeasible     there is a point that keeps to everything exactly
///     unbounded      there is a best point
///     point          it is not whole, or misses a row or a bound by more than the tolerance
///     objective      it is not that of the point
///     optimum        the point of an optimal status is worse than the optimum by more than the
///     gaps bound          on the wrong side of the optimum or of the point, or worse than a proved
///     one enclosure      does not hold the optimum limit          was reported and not set
/// Where no point keeps to everything exactly, but one does to the tolerance, infeasible is right,
/// and so is an optimal status with such a point.
std::string faultOf(IntegerProblem const& problem, IntegerTruths const& truths,
                    IntegerClaim const& claim);

}  // namespace osi_cuda::stress
