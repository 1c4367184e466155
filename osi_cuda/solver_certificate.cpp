// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_certificate.hpp"

#include <string>
#include <utility>

#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/rational/certificates.hpp"

namespace osi_cuda {

ExactCertificate certificateOf(LinearProgram const& lp, Solution const& solution,
                               std::function<bool()> stop) {
  ExactCertificate made;
  // A basis may be proved whose point doubles do not hold.
  bool const onlyBasis = solution.status == Status::numerical && solution.exact.proved;
  made.status = onlyBasis ? Status::optimal : solution.status;
  rational::Limits limits;
  limits.stop = std::move(stop);
  constexpr bool fractions = true;
  switch (made.status) {
    case Status::optimal: {
      rational::Extras extras;
      extras.fractions = fractions;
      auto check = rational::checkBasis(lp, solution.basis, std::move(limits), extras);
      made.proved = check.outcome == rational::Outcome::proved;
      made.message = std::move(check.message);
      made.objective = std::move(check.objective);
      made.point = std::move(check.columnFractions);
      made.rowMultipliers = std::move(check.rowDualFractions);
      made.columnMultipliers = std::move(check.reducedCostFractions);
      break;
    }
    case Status::infeasible: {
      auto check = rational::proveInfeasible(lp, solution.basis, solution.farkas, std::move(limits),
                                             fractions);
      made.proved = check.outcome == rational::Outcome::proved;
      made.message = std::move(check.message);
      made.rowMultipliers = std::move(check.certificateFractions);
      made.columnMultipliers = std::move(check.combinationFractions);
      made.crossed = check.crossed;
      return made;
    }
    case Status::unbounded: {
      auto check =
          rational::proveUnbounded(lp, solution.basis, solution.ray, std::move(limits), fractions);
      made.proved = check.outcome == rational::Outcome::proved;
      made.message = std::move(check.message);
      made.point = std::move(check.pointFractions);
      made.ray = std::move(check.certificateFractions);
      break;
    }
    default:
      made.message =
          std::string("The status ") + toString(solution.status) + " is none that can be proved.";
      return made;
  }
  made.basis = solution.basis;
  return made;
}

}  // namespace osi_cuda
