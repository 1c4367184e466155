// SPDX-License-Identifier: EPL-2.0
// Proofs of infeasibility and unboundedness as Osi has them.
#include <algorithm>
#include <cmath>

#include "osi/state.hpp"
#include "osi_cuda/proof/residuals.hpp"

using osi_cuda::at;
using osi_cuda::VariableStatus;

namespace {

bool parallel(std::vector<double> const& a, std::vector<double> const& b) {
  double ab = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab * ab >= (1.0 - 1e-12) * aa * bb;
}

}  // namespace

// The solver's multipliers y prove min y'(A x) > max (A'y)'x. Osi's ray r is for rows A x <= b:
// r'b < 0 where r'A >= 0, which is r = -y. The full ray goes on with multipliers of the bounds that
// the columns rest on, x_j <= u_j or -x_j <= -l_j, which cancel r'A.
double* OsiCudaSolverInterface::State::newDualRay(std::vector<double> const& y, bool full) const {
  std::size_t const n = columnLower.size(), m = rowLower.size();
  double* const result = new double[std::max<std::size_t>(1, full ? m + n : m)];
  for (std::size_t i = 0; i < m; ++i) result[i] = -y[i];
  if (!full) return result;
  std::fill(result + m, result + m + n, 0.0);
  if (m > 0 && n > 0) matrix.transposeTimes(result, result + m);
  for (std::size_t j = 0; j < n; ++j) {
    double const x = columnValue[j];
    VariableStatus const rests = basis.columns[j];
    if (rests == VariableStatus::atLower) continue;
    bool const above = rests == VariableStatus::atUpper || x > columnUpper[j];
    if (above || !(x < columnLower[j])) result[m + j] = above ? -result[m + j] : 0.0;
  }
  return result;
}

// More than the one that the solve found: every basic variable outside its bounds whose row of B^-1
// proves infeasibility too.
std::vector<double*> OsiCudaSolverInterface::getDualRays(int maxNumRays, bool fullRay) const {
  State const& s = *state_;
  if (maxNumRays <= 0 || !isProvenPrimalInfeasible() || s.farkas.size() != s.rowLower.size())
    return {};
  std::vector<std::vector<double>> found{s.farkas};
  if (maxNumRays > 1 && s.rows() > 0 && s.checkNumbers()) {
    osi_cuda::Solver const& solver = tableau("getDualRays");
    auto const& basics = basicVariables();
    for (std::size_t i = 0; i < basics.size(); ++i) {
      if (static_cast<int>(found.size()) >= maxNumRays) break;
      auto const j = at(basics[i]), n = s.columnLower.size();
      double const value = j < n ? s.columnValue[j] : s.rowActivity[j - n];
      double const lower = j < n ? s.columnLower[j] : s.rowLower[j - n];
      double const upper = j < n ? s.columnUpper[j] : s.rowUpper[j - n];
      if (value >= lower - osi_cuda::osi::coinTolerance * (1.0 + std::fabs(lower)) &&
          value <= upper + osi_cuda::osi::coinTolerance * (1.0 + std::fabs(upper)))
        continue;
      auto y = solver.inverseRow(static_cast<int>(i));
      bool proved = osi_cuda::verifyFarkas(solver.problem(), y).proved;
      if (!proved) {
        for (double& multiplier : y) multiplier = -multiplier;
        proved = osi_cuda::verifyFarkas(solver.problem(), y).proved;
      }
      bool const known =
          std::ranges::any_of(found, [&](auto const& other) { return parallel(y, other); });
      if (proved && !known) found.push_back(std::move(y));
    }
  }
  std::vector<double*> rays;
  for (auto const& y : found) rays.push_back(s.newDualRay(y, fullRay));
  return rays;
}

std::vector<double*> OsiCudaSolverInterface::getPrimalRays(int maxNumRays) const {
  auto const& direction = state_->ray;
  if (maxNumRays <= 0 || direction.size() != at(state_->columns()) || direction.empty() ||
      !isProvenDualInfeasible())
    return {};
  double* const ray = new double[direction.size()];
  std::ranges::copy(direction, ray);
  return {ray};
}
