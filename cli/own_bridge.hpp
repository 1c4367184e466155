// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "bridges/bridge.hpp"
#include "osi_cuda/model/options.hpp"

namespace osi_cuda::cli {

/// All that compare and regress know by name: the bridges, and this project's solver as osi_cuda
/// (engine as `base` says), osi_cuda@host and osi_cuda@cuda, with the algorithms auto, primal, dual
/// and barrier. The options of `base` hold for every solve; algorithm, time limit and threads come
/// from BridgeOptions. An engine stays open for later solves.
std::vector<BridgePointer> allSolvers(Options const& base = {});

/// A line to `log` for each other solver that a command would ask and that is not here.
void tellMissing(std::ostream& log);

}  // namespace osi_cuda::cli
