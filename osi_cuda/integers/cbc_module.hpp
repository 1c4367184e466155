// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/integers/integer_search.hpp"

namespace osi_cuda {

/// What a search is given. All of it outlives the search.
struct SearchRequest {
  LinearProgram const& problem;  ///< as prepareIntegers() makes it
  Basis const& basis;            ///< of its relaxation
  Options options;               ///< what is left of its limits
  std::vector<double> start;     ///< a feasible point, length n; empty: none
  double startObjective;
  double bound;                       ///< of the relaxation
  std::function<bool()> interrupted;  ///< called, as the others are, by the thread that calls
  IntegerCallbacks const& callbacks;
};

struct SearchOutcome {
  /// optimal, infeasible, unbounded; iterationLimit (of nodes or iterations); interrupted, by
  /// `interrupted`; numerical where something else ended it.
  Status status = Status::numerical;
  std::vector<double> values;   ///< of the columns in the best solution; empty: none was found
  std::int64_t iterations = 0;  ///< of the simplex, over all nodes
  SearchProgress last;
  std::int64_t cuts = 0, solves = 0;
  /// Linear programs without a proved status. Their nodes were dropped, so that `status` and the
  /// bound say nothing of them.
  std::int64_t doubts = 0;
};

/// What the shared library OsiCudaCbc.so offers by its one exported function osiCudaCbc: Cbc, and
/// within it this project's OsiSolverInterface. It is a file of its own, opened when it is needed,
/// so that nothing else depends on Cbc.
struct CbcModule {
  /// Version of the project and a hash of the headers that both sides are made from
  /// (cmake/OsiCudaInterface.cmake). Stays first.
  char const* interface;
  /// Throws std::runtime_error and std::bad_alloc.
  SearchOutcome (*search)(SearchRequest const& request);
};

/// Opens the module. Throws EngineUnavailable.
CbcModule const& cbcModule();

}  // namespace osi_cuda
