// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "bridges/comparison.hpp"
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

}  // namespace osi_cuda::cli
