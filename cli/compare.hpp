// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "bridges/bridge.hpp"
#include "bridges/comparison.hpp"
#include "osi_cuda/model/options.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;

/// What `osi-cuda compare` was asked for.
struct CompareRequest {
  std::vector<std::string> files;
  std::string with;  ///< contestants besides this solver; empty: every bridge, default algorithm
  bool json = false;
  ComparisonOptions options;
};

/// Solves each file with the contestants among `solvers` and prints a table, or one JSON array, on
/// `out`; what solvers are at goes to `log`. Returns the worst status of the files: disagreement,
/// else a bad file (the others are still solved), else as solve.
ExitStatus compareFiles(CompareRequest const& request, std::vector<BridgePointer> const& solvers,
                        std::ostream& out, std::ostream& log);

/// All that compare and regress know by name: the bridges, and this project's solver as osi_cuda
/// (engine as `base` says), osi_cuda@host and osi_cuda@cuda, with the algorithms auto, primal, dual
/// and barrier. The options of `base` hold for every solve; algorithm, time limit and threads come
/// from BridgeOptions. An engine stays open for later solves.
std::vector<BridgePointer> allSolvers(Options const& base = {});

/// A line to `log` for each other solver that a command would ask and that is not here.
void tellMissing(std::ostream& log);

/// Runs what asks the solvers of --with: one that is unknown or not here becomes a Failure.
ExitStatus askingOthers(std::function<ExitStatus()> const& run);

}  // namespace osi_cuda::cli
