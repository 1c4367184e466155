// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "readers/line_source.hpp"
#include "readers/output.hpp"

namespace osi_cuda::readers {

inline constexpr char const* solutionHeading = "osi-cuda solution 1";

/// The project's own text format; docs/reference/formats.md describes it.
void writeSolutionLines(Output& out, LinearProgram const& lp, Solution const& solution);
Solution readSolutionLines(LineSource& source, LinearProgram const& lp);

/// The same as a JSON object.
void writeSolutionJson(Output& out, LinearProgram const& lp, Solution const& solution);
Solution readSolutionJson(LineSource& source, LinearProgram const& lp);

/// "lower", "upper", "free", "basic".
char const* toString(VariableStatus status);
/// What the words of a file mean; nothing if they mean nothing.
template <class Kind>  // Status or VariableStatus
bool parseStatus(std::string_view word, Kind& status);

}  // namespace osi_cuda::readers
