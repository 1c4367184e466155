// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::testing {

/// A way to solve a problem, of which the status is asked.
struct Way {
  std::string name;
  std::function<Status(LinearProgram const&, double tolerance)> solve;
};

/// Every algorithm, representation and race of the solver, presolve on and off, from a basis,
/// batches, variants, OSI.
std::vector<Way> waysToSolve();

}  // namespace osi_cuda::testing
