// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// What proves a status of a linear program in rational arithmetic, for others to check. Numbers
/// are texts, "p/q" in lowest terms or "p". The problem is that of `numbers`.
///
/// - optimal: a feasible `point` x, multipliers y and d = c - A'y; y'r + d'x over activities r
///   within the row bounds and x within the column bounds cannot be better than `objective`.
/// - infeasible: Farkas multipliers y and d = -A'y; every x has y'(A x) + d'x = 0, and the least
///   y'r + d'x within the bounds exceeds 0. Or bounds that cross.
/// - unbounded: a feasible `point` and a `ray` along which nothing meets a bound and the objective
///   improves.
struct ExactCertificate {
  bool proved = false;
  std::string message;  ///< what is proved, or why nothing is
  /// Doubles, decimals, or automatic: doubles beside fractions.
  ExactNumbers numbers = ExactNumbers::doubles;
  std::map<double, std::string>
      fractions;  ///< what stands for another rational, "p/q" in lowest terms

  Status status = Status::numerical;           ///< optimal, infeasible or unbounded
  std::string objective;                       ///< optimal: c'x + offset
  Basis basis;                                 ///< optimal, unbounded: that of `point`
  std::vector<std::string> point;              ///< x, length n
  std::vector<std::string> rowMultipliers;     ///< y, length m
  std::vector<std::string> columnMultipliers;  ///< d, length n
  std::vector<std::string> ray;                ///< length n
  /// Infeasible: a variable whose bounds cross, which needs no multipliers. Column j, or n + i for
  /// row i; -1: none.
  int crossed = -1;
};

}  // namespace osi_cuda
