// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "readers/line_source.hpp"

namespace osi_cuda::readers {

/// Solution files of other programs, from their first line on. All throw ReadError.
Solution readGlpsolSolution(LineSource& source, LinearProgram const& lp);
Solution readHighsSolution(LineSource& source, LinearProgram const& lp);
Solution readClpSolution(LineSource& source, LinearProgram const& lp);
/// Gurobi's and SCIP's: a line each for columns, those at zero may be left out; nothing of rows.
Solution readNamedValues(LineSource& source, LinearProgram const& lp);

/// The number that is the whole of `word`; infinities are allowed. Throws ReadError.
double solutionNumber(LineSource const& source, std::string_view word);

/// The non-negative integer that is the whole of `word`, at most `most`. Throws ReadError that says
/// `expected`.
int solutionIndex(LineSource const& source, std::string_view word, int most,
                  std::string const& expected);

}  // namespace osi_cuda::readers
