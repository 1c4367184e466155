// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "bridges/comparison.hpp"
#include "cli/regression.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

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
