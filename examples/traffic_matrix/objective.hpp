// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda::examples::traffic {

/// How far a matrix X is from its estimate E:
///
///     e_j = (E_j - X_j) / w_j      w_j = max(E_j, floor)^q
///
///     minimax               max_j |e_j|
///     sum                   sum_j |e_j|
///     asymmetric            sum_j a_j, a_j = max(alpha e_j, -e_j): X below E weighs alpha times
///     piecewise             sum_j max(a_j, gamma + beta (a_j - gamma)), a_j = |e_j|: what exceeds
///                           gamma weighs beta times
///     asymmetric-piecewise  the same with a_j = max(alpha e_j, -e_j)
///
/// q = 0 measures in units of traffic, q = 1 relative to the estimate.
struct Objective {
  enum class Kind { minimax, sum, asymmetric, piecewise, asymmetricPiecewise };
  Kind kind = Kind::sum;
  double alpha = 1.0;  ///< > 0; 1 unless the kind is asymmetric
  double beta = 1.0;   ///< >= 1; 1 unless the kind is piecewise
  double gamma = 0.0;  ///< >= 0, in the unit of e_j
  double q = 1.0;      ///< in [0, 1]

  bool isAsymmetric() const {
    return kind == Kind::asymmetric || kind == Kind::asymmetricPiecewise;
  }
  bool isPiecewise() const { return kind == Kind::piecewise || kind == Kind::asymmetricPiecewise; }
};

/// "minimax", "sum", "asymmetric", "piecewise", "asymmetric-piecewise", in the order of Kind.
inline std::vector<std::string> const objectiveNames{"minimax", "sum", "asymmetric", "piecewise",
                                                     "asymmetric-piecewise"};

/// w_j. Length: pairs.
std::vector<double> errorUnits(std::vector<double> const& prior, double q, double floor);

}  // namespace osi_cuda::examples::traffic
