// SPDX-License-Identifier: EPL-2.0
#pragma once

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

}  // namespace osi_cuda
