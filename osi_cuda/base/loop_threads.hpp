// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <omp.h>

#include <cstdint>

namespace osi_cuda {

/// How many threads of OpenMP a loop over so many entries (8 bytes, some operations) is worth: all
/// where each has some 50 us of work, which is what waking them takes; milliseconds, where one has
/// no core. None between: gcc's OpenMP ends threads when a team shrinks, except to one.
inline int loopThreads(std::int64_t entries, int all = omp_get_max_threads()) {
  return entries >= (std::int64_t{1} << 16) * all ? all : 1;
}

}  // namespace osi_cuda
