// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::bench {

/// How dense_peers.cpp wants a problem to be solved.
struct PeerSettings {
  std::string solver;
  double tolerance = 1e-8;  ///< of a first-order method, relative
  double limit = 60.0;      ///< seconds
  int threads = 1;
};

/// By another solver: in bench_peers by a bridge ("clp/dual"), in bench_cupdlpx by cuPDLPx. Those
/// are two programs because the presolve of cuPDLPx and lp_solve both export a function
/// `postsolve`, and one would get the other's. Throws std::invalid_argument for a solver that it
/// has not got.
Solution solveByPeer(LinearProgram const& lp, PeerSettings const& settings);

}  // namespace osi_cuda::bench
