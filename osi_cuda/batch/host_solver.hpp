// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/host_team.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/options.hpp"

namespace osi_cuda::batch {

/// Solves one small problem after the other on the calling thread, in memory that it keeps.
class HostSolver {
 public:
  explicit HostSolver(std::atomic<bool> const& interrupt) : team_(interrupt) {}

  /// Whether a problem of this size is one for it: to the ordinary solver's delayed updates and
  /// sparse factors belong those whose tableau does not lie in a cache.
  static bool fits(int rows, int columns) {
    constexpr std::int64_t mostCells = 300000;
    return std::int64_t{rows} * columns <= mostCells;
  }

  SmallReport solve(SmallProblem const& problem, SmallSettings const& settings);

  // The answer of the last solve, as SmallAnswer says.
  double const* x() const { return x_.data(); }
  double const* y() const { return y_.data(); }
  void copyBasis(VariableStatus* columns, VariableStatus* rows) const;
  BatchCertificate certificate(SmallReport const& report) const;

 private:
  HostTeam team_;
  SmallProblem problem_;
  std::vector<double> x_, y_, yLow_, ray_, rayLow_;
  std::vector<std::uint8_t> columnStatus_, rowStatus_;
};

/// The problem as the ordinary solver takes it.
LinearProgram toLinearProgram(SmallProblem const& problem);

struct SingleAnswer {
  SmallEnd end = SmallEnd::unsettled;
  Solution solution;
};
/// By the ordinary solver from that basis, on the calling thread, within `seconds`.
SingleAnswer solveSingly(LinearProgram const& lp, BatchOptions const& options, double seconds,
                         std::atomic<bool> const& stop, Basis const& basis = {},
                         EngineChoice engine = EngineChoice::host);

}  // namespace osi_cuda::batch
