// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "bridges/bridge.hpp"
#include "osi_cuda/options.hpp"

namespace osi_cuda::cli {

/// This project's solver as one contestant among the bridges: "osi_cuda" (engine as `base` says),
/// with the algorithms auto, primal, dual and barrier. The options of `base` hold for every solve;
/// algorithm, time limit and threads come from BridgeOptions. An engine stays open for later
/// solves.
BridgePointer makeOwnBridge(std::string const& name, Options const& base);

/// All that compare and regress know by name: osi_cuda, osi_cuda@host, osi_cuda@cuda and the
/// bridges.
std::vector<BridgePointer> allSolvers(Options const& base = {});

/// A line to `log` for each other solver that a command would ask and that is not here.
void tellMissing(std::ostream& log);

}  // namespace osi_cuda::cli
