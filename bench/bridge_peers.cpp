// SPDX-License-Identifier: EPL-2.0
#include "bench/dense_peers.hpp"
#include "bridges/comparison.hpp"

namespace osi_cuda::bench {

Solution solveByPeer(LinearProgram const& lp, PeerSettings const& settings) {
  Contestant const peer = parseContestants(settings.solver, bridges()).front();
  BridgeOptions options;
  options.algorithm = peer.algorithm;
  options.timeLimit = settings.limit;
  options.threads = settings.threads;
  return peer.bridge->solve(lp, options);
}

}  // namespace osi_cuda::bench
