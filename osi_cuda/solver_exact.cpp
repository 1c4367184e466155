// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_exact.hpp"

#include <chrono>
#include <utility>

#include "osi_cuda/model/residuals.hpp"
#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/rational/certificates.hpp"

namespace osi_cuda {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void takeNearest(LinearProgram const& lp, rational::BasisCheck& check, Solution& solution) {
  solution.objective = check.objectiveValue;
  solution.columnValues = std::move(check.columnValues);
  solution.rowActivity = std::move(check.rowActivity);
  solution.rowDuals = std::move(check.rowDuals);
  solution.reducedCosts = std::move(check.reducedCosts);
  solution.columnValuesLow.clear();
  solution.rowDualsLow.clear();
  solution.residuals = residualsOf(lp, solution);
}

void proveOptimal(LinearProgram const& lp, rational::Limits limits, Solution& solution) {
  rational::BasisCheck check = rational::checkBasis(lp, solution.basis, std::move(limits));
  ExactProof& exact = solution.exact;
  exact.proved = check.outcome == rational::Outcome::proved;
  exact.message = std::move(check.message);
  exact.objective = std::move(check.objective);
  exact.digits = std::move(check.digits);
  if (exact.proved) takeNearest(lp, check, solution);
}

}  // namespace

void proveExactly(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
                  Solution& solution) {
  Clock::time_point const start = Clock::now();
  double const timeLeft = options.timeLimit - solution.seconds;
  rational::Limits limits;
  limits.stop = [&] {
    return (callbacks.interrupted && callbacks.interrupted()) || secondsSince(start) > timeLeft;
  };
  ExactProof& exact = solution.exact;
  auto const take = [&](rational::CertificateCheck check) {
    exact.proved = check.outcome == rational::Outcome::proved;
    exact.message = std::move(check.message);
  };
  switch (solution.status) {
    case Status::optimal:
      proveOptimal(lp, limits, solution);
      break;
    case Status::infeasible:
      take(rational::proveInfeasible(lp, solution.basis, solution.farkas, limits));
      break;
    case Status::unbounded:
      take(rational::proveUnbounded(lp, solution.basis, solution.ray, limits));
      break;
    default:
      return;
  }
  exact.tried = true;
  exact.seconds = secondsSince(start);
  solution.seconds += exact.seconds;
  if (exact.proved) solution.proof = ProofGrade::exact;
  if (!exact.proved && solution.message.empty()) solution.message = exact.message;
}

}  // namespace osi_cuda
