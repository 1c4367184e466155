// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <omp.h>

#include <cstdint>

namespace osi_cuda {

/// Lets OpenBLAS use at most `threads` threads while it lives (0: as many as there are cores), one
/// where `flops` is small: waking others would cost more than they bring.
///
/// OpenBLAS has one setting for the whole process. The first of these objects that live at a time
/// notes it and the last one restores it, in whatever order they go and on whatever threads they
/// are; a wish for fewer threads counts for all of them meanwhile. A setting that the application
/// makes meanwhile is its own, and stays.
class BlasThreads {
 public:
  BlasThreads(int threads, double flops);
  ~BlasThreads();
  BlasThreads(BlasThreads const&) = delete;
  BlasThreads& operator=(BlasThreads const&) = delete;
};

/// Lets the OpenMP loops of this thread use at most `threads` threads while it lives (0: as
/// before). A team that has no more work spins for milliseconds, so that who asks for one thread
/// gets none.
class LoopThreads {
 public:
  explicit LoopThreads(int threads) {
    if (threads > 0 && threads < before_) omp_set_num_threads(threads);
  }
  ~LoopThreads() { omp_set_num_threads(before_); }
  LoopThreads(LoopThreads const&) = delete;
  LoopThreads& operator=(LoopThreads const&) = delete;

 private:
  int const before_ = omp_get_max_threads();
};

/// How many threads of OpenMP a loop over so many entries (8 bytes, some operations) is worth: all
/// where each has some 50 us of work, which is what waking them takes; milliseconds, where one has
/// no core. None between: gcc's OpenMP ends threads when a team shrinks, except to one.
inline int loopThreads(std::int64_t entries, int all = omp_get_max_threads()) {
  return entries >= (std::int64_t{1} << 16) * all ? all : 1;
}

}  // namespace osi_cuda
