// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "readers/nl_header.hpp"

namespace osi_cuda::readers {

/// A problem as AMPL and its kin hand it to a solver. Rows and columns have no names.
struct NlFile {
  NlHeader header;
  LinearProgram lp;
  Basis start;                ///< of the suffix sstatus; empty where the file has none
  std::vector<double> guess;  ///< first values of all variables; empty unless the file has them
  std::vector<std::string> notices;
};

struct NlOptions {
  int objective = 1;  ///< which one, counted from 1; 0: none, any feasible point will do
  std::uint64_t expansionLimit = 0;  ///< bytes that expressions may come to; 0: see input.hpp
  double infiniteFrom = 1e20;        ///< as in ReadOptions
  std::function<bool()> interrupted = nullptr;  ///< asked at every segment
};

/// Reads a .nl file, text or binary, of a linear problem: what is not linear is refused. `name` is
/// what messages call the file. Format: David M. Gay, "Writing .nl Files", Sandia report
/// SAND2005-7907P. Throws ReadError, ReadInterrupted.
NlFile readNl(std::string_view bytes, std::string const& name, NlOptions const& options = {});

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
