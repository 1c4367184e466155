// SPDX-License-Identifier: EPL-2.0
#include <cstdlib>

#include "bench/dense_peers.hpp"
#include "bridges/comparison.hpp"
#include "bridges/highs_library.hpp"

namespace osi_cuda::bench {

Solution solveByPeer(LinearProgram const& lp, PeerSettings const& settings) {
#ifdef OSI_CUDA_HAVE_HIGHS
  if (settings.solver == "highs/ipm") return solveByHighsIpm(lp, settings.limit, settings.threads);
#endif
  if (settings.solver == "highs/dual" && !findBridge(bridges(), "highs")) {
    char const* const path = std::getenv("OSI_CUDA_HIGHS");
    if (auto const highs = HighsLibrary::load(path ? path : ""))
      return highs->solve(lp, settings.limit, false);
  }
  Contestant const peer = parseContestants(settings.solver, bridges()).front();
  BridgeOptions options;
  options.algorithm = peer.algorithm;
  options.timeLimit = settings.limit;
  options.threads = settings.threads;
  return peer.bridge->solve(lp, options);
}

}  // namespace osi_cuda::bench
