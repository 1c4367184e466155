// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "readers/nl_header.hpp"

namespace osi_cuda::readers {

/// What AMPL calls solve_result_num: 0 solved, 200 infeasible, 300 unbounded, 400 to 403 stopped by
/// a limit or the user, 500 failure.
int amplResult(Status status);

/// The text of the .sol file that answers a .nl file with this header: `message`, then row duals
/// and values as far as `solution` has them, and as suffixes the basis (sstatus), the proof of
/// infeasibility (dunbdd) and the ray (unbdd). `objective` is the number of the one that was
/// optimised, counted from 1.
std::string amplSolutionText(NlHeader const& header, LinearProgram const& lp,
                             Solution const& solution, std::string const& message, int objective);

}  // namespace osi_cuda::readers
