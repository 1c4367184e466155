// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda {

struct LinearProgram;

/// Columns that a solve took as continuous ones, although the problem says more of them: its answer
/// is that of the relaxation. A search (integers/integer_search.hpp) keeps them all, and
/// counts none.
struct RelaxedColumns {
  int integers = 0;
  int semicontinuous = 0;
  int sets = 0;  ///< special ordered sets, whose columns may all be nonzero

  /// "2 integer columns, 1 semicontinuous column (`keeping` keeps them)"; empty where there are
  /// none.
  std::string text(std::string const& keeping) const;

  bool operator==(RelaxedColumns const&) const = default;
};

/// A count, and what files call it. (The pointer's type has a name because CUDA's front end writes
/// one without a name in a way that GCC warns of.)
using RelaxedCounter = int RelaxedColumns::*;
struct RelaxedCount {
  char const* key;
  RelaxedCounter count;
};
inline constexpr RelaxedCount relaxedCounts[] = {
    {"relaxed_integers", &RelaxedColumns::integers},
    {"relaxed_semicontinuous", &RelaxedColumns::semicontinuous},
    {"relaxed_sets", &RelaxedColumns::sets}};

/// What a solve of `lp` as a linear program relaxes.
RelaxedColumns relaxedIn(LinearProgram const& lp);

}  // namespace osi_cuda
