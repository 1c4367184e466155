// SPDX-License-Identifier: EPL-2.0
#include "bridges/translation.hpp"

#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/tolerances.hpp"

namespace osi_cuda {

std::vector<double> activityOf(LinearProgram const& lp, std::span<double const> x) {
  std::vector<double> activity(lp.rows(), 0.0);
  for (int j = 0; j < lp.columns(); ++j)
    for (auto const [i, a] : lp.matrix.column(j)) activity[i] += a * x[j];
  return activity;
}

std::vector<double> reducedCostsOf(LinearProgram const& lp, std::span<double const> y) {
  std::vector<double> reducedCosts = lp.objective;
  for (int j = 0; j < lp.columns(); ++j)
    for (auto const [i, a] : lp.matrix.column(j)) reducedCosts[j] -= a * y[i];
  return reducedCosts;
}

std::vector<double> farkasOfEitherSign(LinearProgram const& lp, std::vector<double> y) {
  if (verifyFarkas(lp, y).proved) return y;
  for (double& multiplier : y) multiplier = -multiplier;
  if (verifyFarkas(lp, y).proved) return y;
  return {};
}

std::vector<double> rayOfEitherSign(LinearProgram const& lp, std::span<double const> x,
                                    std::vector<double> ray) {
  std::vector<double> none;
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<double> cleared = ray;
    proof::clearRounding(lp, proof::roundedZero, cleared, none);
    if (verifyRay(lp, x, cleared).proved) return cleared;
    for (double& step : ray) step = -step;
  }
  return {};
}

}  // namespace osi_cuda
