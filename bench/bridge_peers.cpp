// SPDX-License-Identifier: EPL-2.0
#include <cstdlib>

#include "bench/dense_peers.hpp"
#include "bridges/comparison.hpp"
#include "bridges/highs_library.hpp"

namespace osi_cuda::bench {

Solution solveByPeer(LinearProgram const& lp, PeerSettings const& settings) {
  bool const interior = settings.solver == "highs/ipm";
  if (interior || (settings.solver == "highs/dual" && !findBridge(bridges(), "highs"))) {
    char const* const path = std::getenv("OSI_CUDA_HIGHS");
    if (auto const highs = HighsLibrary::load(path ? path : ""))
      return interior ? highs->solveByInteriorPoint(lp, settings.limit, settings.threads)
                      : highs->solve(lp, settings.limit, false);
  }
  Contestant const peer = parseContestants(settings.solver, bridges()).front();
  BridgeOptions options;
  options.algorithm = peer.algorithm;
  options.timeLimit = settings.limit;
  options.threads = settings.threads;
  return peer.bridge->solve(lp, options);
}

}  // namespace osi_cuda::bench
