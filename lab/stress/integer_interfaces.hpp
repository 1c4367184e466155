// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/stress/integer_claim.hpp"

namespace osi_cuda::stress {

/// Ways to have a problem with integer columns solved:
///
///     library    solveIntegers()
///     c          osi_cuda_solve_integers()
///     program    osi-cuda solve FILE --integers --json
///     python     Problem.solve_integers(), where OSI_CUDA_PYTHON or python3 has NumPy
///     osi        OsiCudaSolverInterface::branchAndBound()
///     cbc        a CbcModel on OsiCudaSolverInterface, after prepareIntegers()
///     clp        a CbcModel on OsiClpSolverInterface, to compare
///
/// `cbc` and `clp` may be followed by generators of cuts: "cbc:gomory+clique".
std::vector<std::string> const& integerInterfaces();

/// Is that a name of one, its generators known?
bool isIntegerInterface(std::string const& name);

/// What that interface says; nothing where it is not there. `folder` is for files.
std::optional<IntegerClaim> claimThrough(std::string const& interface,
                                         IntegerProblem const& problem, std::string const& folder);

}  // namespace osi_cuda::stress
