// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

class OsiSolverInterface;

namespace osi_cuda::osi {

/// How a branch and bound ended.
enum class SearchEnd { optimal, infeasible, unbounded, stopped, abandoned };

struct SearchOutcome {
  SearchEnd end = SearchEnd::abandoned;
  std::vector<double> values;  ///< of the columns in the best solution; empty: none was found
  int iterations = 0;          ///< of the simplex, over all nodes
};

/// What the shared library OsiCudaCbc.so offers by its one exported function osiCudaCbc. It is a
/// file of its own, opened by branchAndBound(), so that the interface does not depend on Cbc.
struct CbcModule {
  /// Version of the project and a hash of this header (cmake/OsiCudaInterface.cmake). Stays first.
  char const* interface;
  /// Searches from a clone of `root`, which stays as it is. Throws CoinError and std::bad_alloc.
  SearchOutcome (*search)(OsiSolverInterface& root);
};

}  // namespace osi_cuda::osi
