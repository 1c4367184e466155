// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/integers/integer_search.hpp"

namespace osi_cuda {

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
