// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <string_view>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/start_point.hpp"
#include "readers/line_source.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

enum class SolutionFormat {
  text,   ///< .sol: a line each for status, objective, columns and rows; docs/reference/formats.md
  json,   ///< .json: the same as one object
  glpsol  ///< .glpsol: what glpsol writes with -w, and starts from with --ini
};

/// By the ending; .sol and all others are text.
SolutionFormat solutionFormatForName(std::string const& path);

/// Writes status, objective, values, duals, basis and certificates as far as `solution` has them.
/// `path`, whose ending says the format, may be `-`. Throws WriteError.
void writeSolution(std::string const& path, LinearProgram const& lp, Solution const& solution);
std::string writeSolutionText(LinearProgram const& lp, Solution const& solution,
                              SolutionFormat format);

/// Reads a solution of `lp`: text or JSON as above (everything that was written comes back), or
/// what glpsol (-w), HiGHS (style raw), Clp (-solution), Gurobi (.sol) or SCIP (write solution)
/// write, told apart by content. Statuses of theirs that are none of ours become numerical, with
/// their words as message. Parts that a file does not have are empty. Throws OpenError, ReadError.
Solution readSolution(std::string const& path, LinearProgram const& lp);
Solution readSolutionText(std::string_view text, std::string const& name, LinearProgram const& lp);

/// A point to start from: columnValues and rowDuals of a solution file, or the arrays x and y of a
/// NumPy archive, one of which may be missing. Throws OpenError, ReadError.
StartPoint readStart(std::string const& path, LinearProgram const& lp);

/// Is the source at the beginning of a file of glpsol or HiGHS?
bool isSolutionOfOthers(LineSource& source);
Solution readSolutionFrom(LineSource& source, LinearProgram const& lp);

}  // namespace osi_cuda::readers
