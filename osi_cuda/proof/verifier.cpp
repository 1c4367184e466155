// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/verifier.hpp"

#include <algorithm>

#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {

namespace {

/// rowActivity and reducedCosts where they are empty, and the activities of a point in two parts:
/// from `products`, or, where these are missing
/// because the point is none (it has entries that are not finite), by sums of doubles.
void fillProducts(LinearProgram const& lp, proof::Products const& products, Solution& solution) {
  auto const n = at(lp.columns()), m = at(lp.rows());
  bool const wanted = solution.rowActivity.empty() || !solution.columnValuesLow.empty();
  bool const activity = wanted && solution.columnValues.size() == n,
             costs = solution.reducedCosts.empty() && solution.rowDuals.size() == m;
  bool const activityKnown = products.activity.value.size() == m,
             productKnown = products.product.value.size() == n;
  if (activity) {
    solution.rowActivity.assign(m, 0.0);
    for (std::size_t i = 0; activityKnown && i < m; ++i)
      solution.rowActivity[i] = products.activity.value[i].hi;
  }
  if (costs) solution.reducedCosts = lp.objective;
  for (std::size_t j = 0; costs && productKnown && j < n; ++j)
    solution.reducedCosts[j] = (DoubleDouble(lp.objective[j]) - products.product.value[j]).hi;
  if ((!activity || activityKnown) && (!costs || productKnown)) return;
  for (std::size_t j = 0; j < n; ++j) {
    for (auto const [i, a] : lp.matrix.column(static_cast<int>(j))) {
      if (activity && !activityKnown) solution.rowActivity[at(i)] += a * solution.columnValues[j];
      if (costs && !productKnown) solution.reducedCosts[j] -= a * solution.rowDuals[at(i)];
    }
  }
}

template <class Proof>
bool claimCertified(Status status, Proof const& proof, Solution& solution) {
  if (!proof.proved) return false;
  solution.status = status;
  solution.objectiveEnclosure = {};
  solution.proof = ProofGrade::extended;
  solution.margin = proof.margin;
  return true;
}

}  // namespace

void Verifier::assess(Solution& solution) const {
  proof::Assessment const found = proof::assess(lp_, solution);
  solution.residuals = found.residuals;
  solution.objectiveEnclosure = found.enclosure;
  fillProducts(lp_, found.products, solution);
}

// Where large multipliers cancel, their rounding may come to more than the tolerances, and of each
// multiple of them to something else: one by 1 + share changes reduced costs by no more than that.
Solution Verifier::rounded(Solution const& parts) const {
  constexpr int mostMultiples = 16;
  Solution nearest = parts;
  nearest.message.clear();
  nearest.columnValuesLow.clear();
  nearest.rowDualsLow.clear();
  assess(nearest);
  Residuals const& r = nearest.residuals;
  bool const ofRounding = r.primal <= options_.primalTolerance && r.largest() <= nearlyPlain;
  if (accepts(r)) return nearest;
  Solution other = nearest;
  for (int k = 1; k <= mostMultiples && ofRounding && !accepts(other.residuals); ++k) {
    double const share = options_.dualTolerance * k / (2.0 * mostMultiples);
    for (std::size_t i = 0; i < parts.rowDualsLow.size(); ++i)
      other.rowDuals[i] = parts.rowDuals[i] + (parts.rowDualsLow[i] + share * parts.rowDuals[i]);
    other.reducedCosts.clear();
    assess(other);
  }
  if (accepts(other.residuals)) return other;
  nearest.message =
      "the point is the sum of two parts: the first alone, rounded to doubles, has residuals of " +
      brief(r.largest());
  return nearest;
}

bool Verifier::accepts(Residuals const& residuals) const {
  return residuals.primal <= options_.primalTolerance && residuals.dual <= options_.dualTolerance &&
         residuals.complementarity <= std::max(options_.primalTolerance, options_.dualTolerance);
}

bool Verifier::claimOptimal(Solution& solution) const {
  assess(solution);
  return claimAssessed(solution);
}

bool Verifier::claimAssessed(Solution& solution) const {
  if (!accepts(solution.residuals)) return false;
  solution.status = Status::optimal;
  solution.proof = ProofGrade::tolerance;
  return true;
}

bool Verifier::claimInterior(Solution& solution) const {
  if (!claimOptimal(solution)) return false;
  solution.status = Status::interior;
  return true;
}

bool Verifier::claimInfeasible(Solution& solution) const {
  FarkasProof const proof = verifyFarkas(lp_, solution.farkas, solution.farkasLow);
  return claimCertified(Status::infeasible, proof, solution);
}

bool Verifier::claimUnbounded(Solution& solution) const {
  RayProof const proof =
      verifyRay(lp_, solution.columnValues, solution.ray, options_.primalTolerance, solution.rayLow,
                -1.0, solution.columnValuesLow);
  return claimCertified(Status::unbounded, proof, solution);
}

bool Verifier::isCertain(Solution const& solution) const {
  return solution.status == Status::infeasible  ? solution.margin > options_.primalTolerance
         : solution.status == Status::unbounded ? solution.margin > options_.dualTolerance
                                                : true;
}

bool Verifier::claimRelaxed(Solution& solution) const {
  if (claimOptimal(solution)) return true;
  Residuals r = solution.residuals;
  r.complementarity /= mostGaps;
  if (!accepts(r)) return false;
  solution.status = Status::optimal;
  solution.proof = ProofGrade::tolerance;
  return true;
}

std::string Verifier::aboutTolerances(Status exactly, double margin, Solution const& optimum) {
  bool const infeasible = exactly == Status::infeasible;
  double const missed = infeasible ? optimum.residuals.primal : optimum.residuals.dual;
  std::string const of = infeasible ? "some bound b by " : "the sign of some reduced cost by ",
                    unit = infeasible ? " (1 + |b|)" : " (1 + |c|)";
  std::string const any =
      margin > 0.0 ? "Every point misses " + of + brief(margin) + unit + " or more, that of"
                   : std::string("The point of");
  return any + " objective " + brief(optimum.objective) + " misses " + of + brief(missed) + unit +
         " at most.";
}

bool Verifier::claimObjectiveLimit(Solution& solution) const {
  // Where every reduced cost has a finite bound, the enclosure is that proof already.
  double const limit = options_.objectiveLimit;
  ObjectiveEnclosure const& known = solution.objectiveEnclosure;
  bool const beyond = lp_.sense == Sense::maximize ? known.upper < limit : known.lower > limit;
  if (!beyond && !verifyBound(lp_, solution.rowDuals, limit, options_.dualTolerance).proved)
    return false;
  solution.status = Status::objectiveLimit;
  solution.objectiveEnclosure = {};
  solution.proof = ProofGrade::tolerance;
  return true;
}

void Verifier::stopAt(Status limit, Solution& solution) const {
  assess(solution);
  stopAssessed(limit, solution);
}

void Verifier::stopAssessed(Status limit, Solution& solution) const {
  solution.status = limit;
  solution.objectiveEnclosure = {};
}

void Verifier::confirmExact(Solution& solution) const {
  solution.proof = ProofGrade::exact;
  solution.exact.proved = true;
  solution.exact.status = solution.status;
}

void Verifier::adoptExact(Status status, Solution& solution) const {
  if (status == Status::optimal || solution.status == Status::numerical)
    solution.message.clear();  // it spoke of another point
  solution.status = status;
  confirmExact(solution);
  solution.exact.objective.clear();
  solution.exact.digits.clear();
  solution.objectiveEnclosure = {};
  solution.margin = 0.0;
  for (auto* const part : {&solution.columnValuesLow, &solution.rowDualsLow, &solution.farkas,
                           &solution.farkasLow, &solution.ray, &solution.rayLow})
    part->clear();
}

void Verifier::missPoint(Solution& solution) const {
  solution.status = Status::numerical;
  solution.proof = ProofGrade::none;
  solution.message =
      "the basis is optimal in exact arithmetic, but sums of two doubles miss its point by " +
      brief(solution.residuals.largest()) + " (relative)";
}

void Verifier::admitFailure(Solution& solution) const {
  assess(solution);
  solution.status = Status::numerical;
  solution.objectiveEnclosure = {};
  solution.message = "no status could be proved: the best point found violates a bound by " +
                     brief(solution.residuals.primal) + " and a reduced cost by " +
                     brief(solution.residuals.dual) + ", its objectives differ by " +
                     brief(solution.residuals.complementarity) + " (relative)";
}

}  // namespace osi_cuda
