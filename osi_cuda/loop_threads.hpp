// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <omp.h>

#include <cstdint>

namespace osi_cuda {

/// How many OpenMP threads a loop over so many entries (8 bytes read, or some operations) is worth:
/// `all` where each has 50 microseconds of work at least, else one.
///
/// Waking a team takes as long, and milliseconds where one of its threads has no core at the time.
/// There are no sizes between: gcc's OpenMP ends threads when a team shrinks and starts them anew
/// when it grows, while loops of one thread leave the team alone.
inline int loopThreads(std::int64_t entries, int all = omp_get_max_threads()) {
  constexpr std::int64_t share = 1 << 16;  // entries of a thread
  return entries >= share * all ? all : 1;
}

}  // namespace osi_cuda
