// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/judge.hpp"

#include <algorithm>
#include <cstdio>

#include "osi_cuda/model/residuals.hpp"

namespace osi_cuda {

// Three digits are enough to see what is wrong; std::to_string would print 1e-7 as 0.000000.
std::string Judge::text(double residual) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", residual);
  return buffer;
}

void Judge::assess(Solution& solution) const {
  solution.residuals = residualsOf(lp_, solution);
}

bool Judge::accepts(Residuals const& residuals) const {
  return residuals.primal <= options_.primalTolerance && residuals.dual <= options_.dualTolerance &&
         residuals.complementarity <= std::max(options_.primalTolerance, options_.dualTolerance);
}

bool Judge::claimOptimal(Solution& solution) const {
  assess(solution);
  return claimAssessed(solution);
}

bool Judge::claimAssessed(Solution& solution) const {
  if (!accepts(solution.residuals)) return false;
  solution.status = Status::optimal;
  solution.proof = ProofGrade::tolerance;
  return true;
}

bool Judge::claimInterior(Solution& solution) const {
  if (!claimOptimal(solution)) return false;
  solution.status = Status::interior;
  return true;
}

bool Judge::claimInfeasible(Solution& solution) const {
  FarkasProof const proof = verifyFarkas(lp_, solution.farkas, solution.farkasLow);
  if (!proof.proved) return false;
  solution.status = Status::infeasible;
  solution.proof = ProofGrade::extended;
  solution.margin = proof.margin;
  return true;
}

bool Judge::claimUnbounded(Solution& solution) const {
  RayProof const proof =
      verifyRay(lp_, solution.columnValues, solution.ray, options_.primalTolerance, solution.rayLow,
                -1.0, solution.columnValuesLow);
  if (!proof.proved) return false;
  solution.status = Status::unbounded;
  solution.proof = ProofGrade::extended;
  solution.margin = proof.margin;
  return true;
}

bool Judge::claimObjectiveLimit(Solution& solution) const {
  if (!verifyBound(lp_, solution.rowDuals, options_.objectiveLimit, options_.dualTolerance).proved)
    return false;
  solution.status = Status::objectiveLimit;
  solution.proof = ProofGrade::tolerance;
  return true;
}

void Judge::stopAt(Status limit, Solution& solution) const {
  assess(solution);
  solution.status = limit;
}

void Judge::admitFailure(Solution& solution) const {
  assess(solution);
  solution.status = Status::numerical;
  solution.message = "no status could be proved: the best point found violates a bound by " +
                     text(solution.residuals.primal) + " and a reduced cost by " +
                     text(solution.residuals.dual) + ", its objectives differ by " +
                     text(solution.residuals.complementarity) + " (relative)";
}

}  // namespace osi_cuda
