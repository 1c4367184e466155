// SPDX-License-Identifier: EPL-2.0
// The judges of Farkas multipliers, rays and bounds on the objective.
#include <algorithm>
#include <cmath>
#include <vector>

#include "osi_cuda/model/extended_products.hpp"
#include "osi_cuda/model/residuals.hpp"

namespace osi_cuda {
namespace {

constexpr double relativeNoise = 1e-9;

/// The part of a column's or row's step along a ray that goes towards a finite bound.
double stepTowardsBound(double step, double lower, double upper) {
  if (step > 0.0 && std::isfinite(upper)) return step;
  if (step < 0.0 && std::isfinite(lower)) return -step;
  return 0.0;
}

bool crossed(double lower, double upper) {
  if (lower == infinity || upper == -infinity) return true;
  if (!std::isfinite(lower) || !std::isfinite(upper)) return false;
  return Extended(lower) - upper > relativeNoise * (std::fabs(lower) + std::fabs(upper));
}

/// A proof that needs no multipliers: bounds that leave no room. Returns false when there is none.
bool proveByCrossedBounds(LinearProgram const& lp, FarkasProof& proof) {
  for (int j = 0; j < lp.columns() && proof.crossedColumn < 0; ++j)
    if (crossed(lp.columnLower[j], lp.columnUpper[j])) {
      proof.crossedColumn = j;
      proof.gap = lp.columnLower[j] - lp.columnUpper[j];
      proof.scale = std::fabs(lp.columnLower[j]) + std::fabs(lp.columnUpper[j]);
    }
  for (int i = 0; i < lp.rows() && proof.crossedColumn < 0 && proof.crossedRow < 0; ++i)
    if (crossed(lp.rowLower[i], lp.rowUpper[i])) {
      proof.crossedRow = i;
      proof.gap = lp.rowLower[i] - lp.rowUpper[i];
      proof.scale = std::fabs(lp.rowLower[i]) + std::fabs(lp.rowUpper[i]);
    }
  proof.proved = proof.crossedColumn >= 0 || proof.crossedRow >= 0;
  return proof.proved;
}

}  // namespace

FarkasProof verifyFarkas(LinearProgram const& lp, std::span<double const> y,
                         std::span<double const> yLow, double zero) {
  FarkasProof proof;
  if (proveByCrossedBounds(lp, proof)) return proof;
  proof.gap = -infinity;
  Parts const multipliers(y, yLow);
  if (!multipliers.fits(static_cast<std::size_t>(lp.rows()))) return proof;

  zero = multipliers.zero(zero);
  Sum gap;
  double reach = 0.0;  // by so much the gap falls if every bound b gives way by 1 + |b|
  for (int i = 0; i < lp.rows(); ++i) {
    if (multipliers.isZero(i)) continue;
    DoubleDouble const own = multipliers[i];
    double const bound = own.hi > 0.0 ? lp.rowLower[i] : lp.rowUpper[i];
    if (!std::isfinite(bound)) return proof;
    gap.add(own * bound);
    reach += std::fabs(own.hi) * (1.0 + std::fabs(bound));
  }
  for (int j = 0; j < lp.columns(); ++j) {
    Sum const z = columnTimes(lp.matrix, j, multipliers);
    if (z.value.isZero()) continue;
    double const bound = z.value.hi > 0.0 ? lp.columnUpper[j] : lp.columnLower[j];
    if (std::isfinite(bound)) {
      gap.add(-(z.value * bound));
      reach += std::fabs(z.value.hi) * (1.0 + std::fabs(bound));
    } else if (!(std::fabs(z.value.hi) <= zero * z.scale)) {
      return proof;
    }
  }
  proof.gap = gap.value.hi;
  proof.scale = gap.scale;
  proof.proved = gap.value.hi > zero * gap.scale;
  if (proof.proved) proof.margin = reach > 0.0 ? proof.gap / reach : infinity;
  return proof;
}

RayProof verifyRay(LinearProgram const& lp, std::span<double const> x, std::span<double const> ray,
                   double feasibility, std::span<double const> rayLow, double zero,
                   std::span<double const> xLow) {
  RayProof proof;
  proof.pointViolation = proof.rayViolation = infinity;
  auto const n = static_cast<std::size_t>(lp.columns());
  Parts const direction(ray, rayLow);
  if (!Parts(x, xLow).fits(n) || !direction.fits(n)) return proof;
  auto const activity =
      xLow.empty() ? productsOf(lp.matrix, x, {}).activity
                   : productsOfParts(lp.matrix, Parts(x, xLow), Parts({}, {}), false).activity;
  proof.pointViolation = primalResidual(lp, x, xLow, activity);
  double largest = 0.0;
  for (double const a : ray) largest = std::max(largest, std::fabs(a));
  if (largest == 0.0) return proof;

  zero = direction.zero(zero);
  std::vector<Sum> rowSteps(lp.rows());
  Sum slope;
  double reach = 0.0;
  proof.rayViolation = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    if (direction.isZero(j)) continue;
    DoubleDouble const step = direction[j];
    proof.rayViolation =
        std::max(proof.rayViolation,
                 stepTowardsBound(step.hi, lp.columnLower[j], lp.columnUpper[j]) / largest);
    slope.add(step * lp.objective[j]);
    reach += std::fabs(step.hi) * (1.0 + std::fabs(lp.objective[j]));
    auto const rows = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t k = 0; k < rows.size(); ++k) rowSteps[rows[k]].add(step * values[k]);
  }
  for (int i = 0; i < lp.rows(); ++i) {
    if (rowSteps[i].scale == 0.0) continue;
    double const relative = rowSteps[i].value.hi / rowSteps[i].scale;
    proof.rayViolation =
        std::max(proof.rayViolation, stepTowardsBound(relative, lp.rowLower[i], lp.rowUpper[i]));
  }
  proof.slope = slope.value.hi / largest;
  double const gain = lp.sense == Sense::maximize ? slope.value.hi : -slope.value.hi;
  proof.proved = gain > zero * slope.scale && proof.rayViolation <= zero &&
                 proof.pointViolation <= feasibility;
  if (proof.proved) proof.margin = gain / reach;
  return proof;
}

BoundProof verifyBound(LinearProgram const& lp, std::span<double const> y, double limit,
                       double tolerance) {
  BoundProof proof;
  if (!Parts(y, {}).fits(static_cast<std::size_t>(lp.rows()))) return proof;
  Extended const sign = lp.sense == Sense::maximize ? -1.0L : 1.0L;
  Extended bound = sign * lp.objectiveOffset, scale = std::fabs(bound), rounding = 0.0L;
  bool finite = true;
  auto const add = [&](Extended d, double lower, double upper, double cost) {
    double const at = d > 0.0L ? lower : upper;
    if (d == 0.0L) return;
    if (std::isfinite(at)) {
      bound += d * at;
      scale += std::fabs(d * at);
    } else if (!(std::fabs(d) <= tolerance * (1.0L + std::fabs(cost)))) {
      finite = false;
    }
  };
  for (int j = 0; j < lp.columns(); ++j) {
    auto const rows = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    Extended d = lp.objective[j], terms = std::fabs(d);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Extended const term = Extended(values[k]) * y[rows[k]];
      d -= term;
      terms += std::fabs(term);
    }
    double const at = sign * d > 0.0L ? lp.columnLower[j] : lp.columnUpper[j];
    if (std::isfinite(at)) rounding += terms * std::fabs(at);
    add(sign * d, lp.columnLower[j], lp.columnUpper[j], lp.objective[j]);
  }
  for (int i = 0; i < lp.rows(); ++i) add(sign * y[i], lp.rowLower[i], lp.rowUpper[i], 0.0);
  // 2^-64 for each of the additions that went into it.
  Extended const noise = 0x1p-60L * (rounding + scale);
  proof.bound = static_cast<double>(sign * bound);
  proof.scale = static_cast<double>(scale);
  proof.proved = finite && std::isfinite(proof.bound) && bound - noise > sign * Extended(limit);
  return proof;
}

}  // namespace osi_cuda
