// SPDX-License-Identifier: EPL-2.0
// Farkas multipliers, rays and bounds on the objective of whole problems.
#include <algorithm>
#include <cmath>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/problem_view.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

using proof::Bounded;
using proof::BoxSums;
using proof::InOrder;
using proof::Parts;
using proof::ProblemView;
using proof::RaySums;
using proof::Sum;

/// A proof that needs no multipliers: bounds that leave no room. Returns false when there is none.
bool proveByCrossedBounds(LinearProgram const& lp, FarkasProof& proof) {
  auto const crossedOf = [&](std::vector<double> const& lower, std::vector<double> const& upper) {
    for (std::size_t k = 0; k < lower.size(); ++k)
      if (proof::boundsCross(lower[k], upper[k])) {
        proof.gap = lower[k] - upper[k];
        proof.scale = std::fabs(lower[k]) + std::fabs(upper[k]);
        // At least so much of 1 + |bound| both sides have to give for one number between them.
        proof.margin =
            std::isfinite(proof.gap) ? proof.gap / (2.0 + proof.scale) * (1.0 - 0x1p-40) : infinity;
        return static_cast<int>(k);
      }
    return -1;
  };
  proof.crossedColumn = crossedOf(lp.columnLower, lp.columnUpper);
  if (proof.crossedColumn < 0) proof.crossedRow = crossedOf(lp.rowLower, lp.rowUpper);
  proof.proved = proof.crossedColumn >= 0 || proof.crossedRow >= 0;
  return proof.proved;
}

double largestOf(std::span<double const> numbers) {
  double largest = 0.0;
  for (double const a : numbers) largest = std::max(largest, std::fabs(a));
  return largest;
}

/// The least value of sign c'x over the boxes of `problem`, which has the rows and costs of `lp`,
/// as far as multipliers prove it; see verifyBound.
template <class Problem>
BoxSums objectiveSums(LinearProgram const& lp, Problem const& problem, std::span<double const> y,
                      double tolerance) {
  BoxSums sums;
  sums.broken = infinity;
  Parts const multipliers(y, {});
  if (!multipliers.fits(at(lp.rows()))) return sums;
  auto const signedBy = [&](Bounded const& b) { return problem.sign < 0.0 ? -b : b; };
  proof::BoundedVector const product = productsOf(lp.matrix, nullptr, &multipliers).product;
  InOrder const inOrder{lp.rows(), lp.columns()};
  sums = boxSumsOf(
      inOrder, problem,
      [&](int j) { return signedBy(Bounded(lp.objective[at(j)]) - product[at(j)]); },
      [&](int i) { return signedBy(Bounded(y[at(i)])); },
      [&](int j) { return tolerance * (1.0 + std::fabs(lp.objective[at(j)])); }, tolerance);
  sums.least = sums.least + signedBy(Bounded(lp.objectiveOffset));
  return sums;
}

}  // namespace

void proof::clearRounding(LinearProgram const& lp, double share, std::vector<double>& ray,
                          std::vector<double>& rayLow) {
  double const largest = largestOf(ray);
  for (std::size_t j = 0; j < ray.size(); ++j) {
    if (std::fabs(ray[j]) > share * largest ||
        !approaches(ray[j], lp.columnLower[j], lp.columnUpper[j]))
      continue;
    ray[j] = 0.0;
    if (!rayLow.empty()) rayLow[j] = 0.0;
  }
}

FarkasProof verifyFarkas(LinearProgram const& lp, std::span<double const> y,
                         std::span<double const> yLow, double zero) {
  FarkasProof proof;
  if (proveByCrossedBounds(lp, proof)) return proof;
  proof.gap = -infinity;
  Parts const multipliers(y, yLow);
  if (!multipliers.fits(at(lp.rows()))) return proof;
  bool const asked = zero >= 0.0;
  zero = multipliers.zero(zero);
  ProblemView const problem{lp};
  InOrder const inOrder = problem.inOrder();
  proof::BoundedVector const product = productsOf(lp.matrix, nullptr, &multipliers).product;
  BoxSums sums = boxSumsOf(
      inOrder, problem, [&](int j) { return -product[at(j)]; },
      [&](int i) { return Bounded(multipliers[at(i)]); },
      [&](int j) { return zero * termsOfColumn(lp.matrix, j, multipliers); }, 0.0);
  if (asked) sums.neglected = 0.0;  // the caller takes it for zero, wherever points are
  proof.gap = lowerEnd(sums);
  proof.scale = sums.scale;
  double const margin = farkasMargin(sums, zero);
  proof.proved = margin > 0.0;
  if (proof.proved) proof.margin = margin;
  return proof;
}

RayProof verifyRay(LinearProgram const& lp, std::span<double const> x, std::span<double const> ray,
                   double feasibility, std::span<double const> rayLow, double zero,
                   std::span<double const> xLow) {
  RayProof proof;
  proof.pointViolation = proof.rayViolation = infinity;
  auto const n = at(lp.columns());
  Parts const point(x, xLow), direction(ray, rayLow);
  if (!point.fits(n) || !direction.fits(n)) return proof;
  proof.pointViolation = primalResidual(lp, point, productsOf(lp.matrix, &point, nullptr).activity);
  double const largest = largestOf(ray);
  if (largest == 0.0) return proof;

  zero = direction.zero(zero);
  ProblemView const problem{lp};
  InOrder const inOrder = problem.inOrder();
  std::vector<Sum> rowSteps(at(lp.rows()));
  for (int j = 0; j < lp.columns(); ++j) {
    if (direction.isZero(at(j))) continue;
    for (auto const [row, a] : lp.matrix.column(j)) rowSteps[at(row)].add(direction[at(j)], a);
  }
  RaySums const sums = raySumsOf(
      inOrder, problem, [&](int j) { return direction[at(j)]; },
      [&](int i) { return rowSteps[at(i)].value(); },
      [&](int i) { return rowSteps[at(i)].terms(); });
  proof.rayViolation = proof::worse(sums.violation, sums.blocked / largest);
  proof.slope = sums.slope.value.hi / largest;
  double const margin = rayMargin(sums, problem.sign, zero);
  proof.proved = margin > 0.0 && proof.pointViolation <= feasibility;
  if (proof.proved) proof.margin = margin;
  return proof;
}

double proof::boundOf(LinearProgram const& lp, std::span<double const> y,
                      ImpliedBounds const& bounds) {
  ProblemView const problem{lp};
  return problem.sign * lowerEnd(objectiveSums(lp, BoundedView{problem, bounds}, y, 0.0));
}

BoundProof verifyBound(LinearProgram const& lp, std::span<double const> y, double limit,
                       double tolerance) {
  BoundProof proof;
  ProblemView const problem{lp};
  BoxSums const sums = objectiveSums(lp, problem, y, tolerance);
  double const least = lowerEnd(sums);
  proof.bound = problem.sign * least;
  proof.scale = sums.scale + std::fabs(lp.objectiveOffset);
  proof.proved = proof::isNumber(least) && least > problem.sign * limit;
  return proof;
}

}  // namespace osi_cuda
