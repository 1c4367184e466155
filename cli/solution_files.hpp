// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "cli/result.hpp"
#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::cli {

/// The basis in the MPS basis file `path`, for `lp`. Throws what the readers throw.
Basis readStartBasis(std::string const& path, LinearProgram const& lp);

/// Writes the solution's basis as an MPS basis file. Throws the Failure `cannotWrite`.
void writeBasisFile(std::string const& path, LinearProgram const& lp, Solution const& solution);

/// Writes columns and rows with value, dual or reduced cost, and status: as JSON if `path` ends in
/// .json, else as text. Throws the Failure `cannotWrite`.
void writeSolutionFile(std::string const& path, Result const& result);

/// The object of a .json solution file: the one of `--json` and "solution", with "columns" and
/// "rows" in the order of the problem. The result has a problem.
nlohmann::ordered_json solutionJson(Result const& result);

}  // namespace osi_cuda::cli
