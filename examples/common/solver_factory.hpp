// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <OsiSolverInterface.hpp>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::examples {

/// Names of the solvers that this build has, the default first: cuda, clp.
std::vector<std::string> solverNames();

/// An empty solver behind OSI, silent. `engine` is the osi-cuda option of that name (auto, cuda or
/// host), `timeLimit` none or seconds; both mean nothing to other solvers than ours. Throws
/// Failure(usage) for a name that is not in solverNames().
std::unique_ptr<OsiSolverInterface> makeSolver(std::string const& name,
                                               std::string const& engine = "auto",
                                               std::string const& timeLimit = "none");

/// The first of the rays that Osi hands out and the caller has to free; empty: there is none.
std::vector<double> firstRay(std::vector<double*> const& rays, std::size_t length);

/// Replaces the problem of `solver` by `lp`, which is minimised.
void load(OsiSolverInterface& solver, LinearProgram const& lp);

}  // namespace osi_cuda::examples
