// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/integers/integer_search.hpp"

class OsiSolverInterface;

namespace osi_cuda {

/// What a search is given. All of it outlives the search.
struct SearchRequest {
  LinearProgram const& problem;  ///< with integer columns
  Basis const& basis;            ///< optimal for the relaxation
  Options options;               ///< what is left of its limits
  std::vector<double> start;     ///< a feasible point, length n; empty: none
  double startObjective;
  double bound;                       ///< of the relaxation
  std::function<bool()> interrupted;  ///< called, as the others are, by the thread that calls
  IntegerCallbacks const& callbacks;
};

struct SearchOutcome {
  /// optimal, infeasible, unbounded, numerical, or iterationLimit for whatever stopped it.
  Status status = Status::numerical;
  std::vector<double> values;   ///< of the columns in the best solution; empty: none was found
  std::int64_t iterations = 0;  ///< of the simplex, over all nodes
  SearchProgress last;
  std::int64_t cuts = 0, solves = 0;
};

/// What the shared library OsiCudaCbc.so offers by its one exported function osiCudaCbc: Cbc, and
/// within it this project's OsiSolverInterface. It is a file of its own, opened when it is needed,
/// so that nothing else depends on Cbc.
struct CbcModule {
  /// Version of the project and a hash of the headers that both sides are made from
  /// (cmake/OsiCudaInterface.cmake). Stays first.
  char const* interface;
  SearchOutcome (*search)(SearchRequest const& request);
  /// For OsiCudaSolverInterface::branchAndBound: from a clone of `root`, which stays as it is.
  /// `search` throws std::runtime_error, this CoinError, both std::bad_alloc.
  SearchOutcome (*searchFrom)(OsiSolverInterface& root);
};

/// Opens the module. Throws EngineUnavailable.
CbcModule const& cbcModule();

}  // namespace osi_cuda
