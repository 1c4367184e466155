// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

// Small pieces that several bridges need. Not installed.

namespace osi_cuda {

/// A x, length m.
std::vector<double> activityOf(LinearProgram const& lp, std::span<double const> x);

/// c - A'y, length n.
std::vector<double> reducedCostsOf(LinearProgram const& lp, std::span<double const> y);

/// The nonbasic status of a variable at `value`, for solvers that do not tell which bound it rests
/// on: that of the nearer bound; free without bounds.
inline VariableStatus nonbasicStatusAt(double value, double lower, double upper) {
  if (!std::isfinite(lower) && !std::isfinite(upper)) return VariableStatus::free;
  return std::fabs(value - lower) <= std::fabs(value - upper) ? VariableStatus::atLower
                                                              : VariableStatus::atUpper;
}

/// A nonbasic status that these bounds allow: `wanted` where its bound is finite, else the other
/// bound, else free. Basic stays basic.
inline VariableStatus possibleStatus(VariableStatus wanted, double lower, double upper) {
  if (wanted == VariableStatus::basic) return wanted;
  if (wanted == VariableStatus::atUpper && std::isfinite(upper)) return wanted;
  if (std::isfinite(lower)) return VariableStatus::atLower;
  return std::isfinite(upper) ? VariableStatus::atUpper : VariableStatus::free;
}

/// The certificate as verifyFarkas wants it, y or -y; empty when neither proves anything.
std::vector<double> farkasOfEitherSign(LinearProgram const& lp, std::vector<double> y);

/// The ray as verifyRay accepts it from point x, `ray` or its opposite without steps that are
/// rounding; empty when neither is one.
std::vector<double> rayOfEitherSign(LinearProgram const& lp, std::span<double const> x,
                                    std::vector<double> ray);

}  // namespace osi_cuda
