// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
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

}  // namespace osi_cuda::readers
