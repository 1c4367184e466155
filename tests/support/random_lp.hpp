// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::testing {

/// A random linear program that was built backwards from its answer, so that the answer is known
/// without solving. All numbers are small multiples of 1/4: the answer is exact in doubles.
struct RandomLp {
  LinearProgram lp;
  Status expected = Status::optimal;  ///< optimal, infeasible or unbounded
  double objective = 0.0;             ///< the optimum; only with expected optimal

  std::vector<double> x;       ///< an optimal point; a feasible one when unbounded; else empty
  std::vector<double> y;       ///< optimal row duals in the problem's own sense; only when optimal
  Basis basis;                 ///< the nonsingular basis that x and y belong to; only when optimal
  std::vector<double> farkas;  ///< multipliers that prove infeasibility; else empty
  std::vector<double> ray;     ///< an improving ray; only when unbounded

  std::uint64_t seed = 0;
  /// "randomLp(seed 17, at most 12 x 12): 5 x 7, optimal, maximize, degenerate": what a failing
  /// test prints, and what replays it.
  std::string description;
};

/// Bounds on what randomLp draws.
struct RandomLpShape {
  int maxRows = 12;
  int maxColumns = 12;
  /// Draw only problems with this status; nothing: about 3/5 optimal, 1/5 infeasible, 1/5
  /// unbounded.
  std::optional<Status> status = std::nullopt;
  /// About one problem in ten has no rows or no columns. Off: both are at least one.
  bool emptyDimensions = true;
};

/// Draws the problem of this seed, the same on every machine. Among them: degenerate vertices and
/// duals, empty rows and columns, fixed, free, boxed and one-sided columns, equality rows, ranges,
/// free rows, duplicate rows, maximisation, objective constants, crossed bounds (as a rare way to
/// be infeasible).
RandomLp randomLp(std::uint64_t seed, RandomLpShape const& shape = {});

}  // namespace osi_cuda::testing
