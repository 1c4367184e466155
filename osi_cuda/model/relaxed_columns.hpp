// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda {

struct LinearProgram;

/// Columns that a solve took as continuous ones, although the problem says more of them: its answer
/// is that of the relaxation. A search (integers/integer_search.hpp) keeps integers, and counts
/// none.
struct RelaxedColumns {
  int integers = 0;
  int semicontinuous = 0;

  /// "2 integer columns (`keeping` keeps them), 1 semicontinuous column"; empty where there are
  /// none.
  std::string text(std::string const& keeping) const;

  bool operator==(RelaxedColumns const&) const = default;
};

/// What a solve of `lp` as a linear program relaxes.
RelaxedColumns relaxedIn(LinearProgram const& lp);

}  // namespace osi_cuda
