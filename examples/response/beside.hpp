// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::response {

/// Another solver, by its dual simplex method, without presolve, which finds nothing in dense LPs.
struct Rival {
  std::string name;  ///< with its version
  std::function<Solution(LinearProgram const&, double seconds)> solve;
};
std::vector<std::string> rivalNames();

/// Throws Failure(unavailable) with the reason for one that is not here. HiGHS is the library that
/// OSI_CUDA_HIGHS names, or that the system finds, where its bridge was not built.
std::vector<Rival> openRivals(std::vector<std::string> const& names);

}  // namespace osi_cuda::response
