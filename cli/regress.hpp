// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "bridges/comparison.hpp"
#include "cli/instance_list.hpp"
#include "cli/run_database.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

/// From where on a difference between two runs counts.
struct RegressionLimits {
  double objectiveTolerance = 1e-6;  ///< relative to 1 + |objective|
  double iterationFactor = 1.5;      ///< times as many iterations ...
  std::int64_t iterationsMore = 20;  ///< ... and at least that many more
  double timeFactor = 2.0;           ///< times as long, on the same host and device ...
  double secondsMore = 0.1;          ///< ... and at least that much longer
};

/// One difference, as a message.
struct Change {
  bool regression = false;  ///< else an improvement, or neither good nor bad
  std::string text;
};

/// What differs between a run and the one before it. Regressions: a status that is lost or
/// contradicts the old one, another objective, a lost proof, more iterations or seconds than the
/// limits allow.
std::vector<Change> changesSince(RunRecord const& before, RunRecord const& now,
                                 RegressionLimits const& limits);

/// What is wrong about a run by itself: a verdict of wrong or disputed, or a claim that contradicts
/// what the list states. All of them are regressions.
std::vector<Change> faultsOf(RunRecord const& now, Instance const& expected,
                             RegressionLimits const& limits);

using namespace shell;

/// What `osi-cuda regress` was asked for.
struct RegressRequest {
  std::string list;
  std::string part;      ///< I/N: every N-th instance from the I-th on; empty: all
  bool carryOn = false;  ///< with what the last batch of the same command has not finished
  std::string database;
  std::string with = "osi_cuda/primal,osi_cuda/dual";  ///< contestants
  double minCells = 0.0, maxCells = infinity;          ///< rows x columns of what is solved
  int jobs = 1;                                        ///< instances solved at the same time
  ComparisonOptions options;
  std::string optionText;  ///< stored with every run
  RegressionLimits limits;
};

/// Runs every instance of the list through the contestants among `solvers`, stores every finished
/// run and prints on `out` what changed against the run before it; `log` gets a line a run. An
/// interrupt ends it after the running solves, whose unfinished runs are not stored. Returns
/// disagreement for a regression, badInput for a file that could not be read, stopped when
/// interrupted, else optimal.
ExitStatus regress(RegressRequest const& request, std::vector<BridgePointer> const& solvers,
                   std::ostream& out, std::ostream& log);

}  // namespace osi_cuda::cli
