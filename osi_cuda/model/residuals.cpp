// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "osi_cuda/model/extended_products.hpp"

namespace osi_cuda {
namespace {

double boundViolation(Extended value, double lower, double upper) {
  if (lower == infinity || upper == -infinity) return infinity;  // no number satisfies these
  Extended violation = 0.0L;
  if (value < lower) violation = (lower - value) / (1.0L + std::fabs(lower));
  if (value > upper) violation = std::max(violation, (value - upper) / (1.0L + std::fabs(upper)));
  return static_cast<double>(violation);
}

Extended extendedObjective(LinearProgram const& lp, std::span<double const> x,
                           std::span<double const> low = {}) {
  Extended sum = lp.objectiveOffset;
  for (int j = 0; j < lp.columns(); ++j) sum += Extended(lp.objective[j]) * x[j];
  if (!low.empty())
    for (int j = 0; j < lp.columns(); ++j) sum += Extended(lp.objective[j]) * low[j];
  return sum;
}

bool restsOn(double bound, Extended value) {
  return std::isfinite(bound) &&
         std::fabs(value - bound) <= atBoundTolerance * (1.0L + std::fabs(bound));
}

/// Charges each reduced cost to the dual residual or to the gap between the objectives. Works on
/// the minimisation problem: the caller changes signs.
class DualLedger {
 public:
  explicit DualLedger(Extended objective) : gapUnit_(1.0L + std::fabs(objective)) {}

  void charge(Extended reducedCost, Extended value, double lower, double upper, double cost) {
    if (reducedCost == 0.0L) return;
    double const wanted = reducedCost > 0.0L ? lower : upper;
    double const other = reducedCost > 0.0L ? upper : lower;
    // A violated bound is charged as primal residual; here it counts as rested on, so that a fixed
    // variable, for which every sign is right, stays right when it is missed by a little.
    Extended const inside = std::clamp<Extended>(value, lower, std::max(lower, upper));
    Extended const gap = reducedCost * (value - wanted);  // infinite where the bound is
    Extended const unit = 1.0L + std::fabs(cost);
    bool const atWanted = restsOn(wanted, inside);
    bool const atOther = restsOn(other, inside);
    // The smaller charge, without divisions: gap / gapUnit_ or reduced cost / unit.
    if (atWanted || (!atOther && std::fabs(gap) * unit <= std::fabs(reducedCost) * gapUnit_)) {
      gap_ += gap;
    } else {
      dual_ = std::max(dual_, std::fabs(reducedCost) / unit);
    }
  }
  Extended dual() const { return dual_; }
  Extended complementarity() const { return std::fabs(gap_) / gapUnit_; }

 private:
  Extended gapUnit_;
  Extended dual_ = 0.0L;
  Extended gap_ = 0.0L;
};

}  // namespace

double primalResidual(LinearProgram const& lp, std::span<double const> x,
                      std::span<double const> low, std::vector<Extended> const& activity) {
  double largest = 0.0;
  for (int j = 0; j < lp.columns(); ++j)
    largest =
        std::max(largest, boundViolation(low.empty() ? Extended(x[j]) : Extended(x[j]) + low[j],
                                         lp.columnLower[j], lp.columnUpper[j]));
  for (int i = 0; i < lp.rows(); ++i)
    largest = std::max(largest, boundViolation(activity[i], lp.rowLower[i], lp.rowUpper[i]));
  return largest;
}

double objectiveOf(LinearProgram const& lp, std::span<double const> x,
                   std::span<double const> low) {
  return static_cast<double>(extendedObjective(lp, x, low));
}

Residuals residualsOf(LinearProgram const& lp, Solution const& solution, Products* products) {
  auto const& x = solution.columnValues;
  auto const& y = solution.rowDuals;
  auto const& xLow = solution.columnValuesLow;
  auto const& yLow = solution.rowDualsLow;
  auto const n = static_cast<std::size_t>(lp.columns()), m = static_cast<std::size_t>(lp.rows());
  Residuals residuals{infinity, infinity, infinity};
  if (!Parts(x, xLow).fits(n)) return residuals;
  bool const multipliers = Parts(y, yLow).fits(m);
  Products made =
      xLow.empty() && yLow.empty()
          ? productsOf(lp.matrix, x,
                       multipliers ? std::span<double const>(y) : std::span<double const>())
          : productsOfParts(lp.matrix, Parts(x, xLow), Parts(y, yLow), multipliers);
  auto const& [activity, product] = made;
  residuals.primal = primalResidual(lp, x, xLow, activity);
  if (!multipliers) {
    if (products) *products = std::move(made);
    return residuals;
  }

  auto const whole = [](std::vector<double> const& high, std::vector<double> const& low, int i) {
    return low.empty() ? Extended(high[i]) : Extended(high[i]) + low[i];
  };
  Extended const sign = lp.sense == Sense::maximize ? -1.0L : 1.0L;
  DualLedger ledger(extendedObjective(lp, x, xLow));
  for (int j = 0; j < lp.columns(); ++j) {
    Extended const reducedCost = lp.objective[j] - (y.empty() ? 0.0L : product[j]);
    ledger.charge(sign * reducedCost, whole(x, xLow, j), lp.columnLower[j], lp.columnUpper[j],
                  lp.objective[j]);
  }
  for (int i = 0; i < lp.rows(); ++i)
    ledger.charge(sign * whole(y, yLow, i), activity[i], lp.rowLower[i], lp.rowUpper[i], 0.0);
  residuals.dual = static_cast<double>(ledger.dual());
  residuals.complementarity = static_cast<double>(ledger.complementarity());
  if (products) *products = std::move(made);
  return residuals;
}

}  // namespace osi_cuda
