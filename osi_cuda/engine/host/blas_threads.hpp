// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::host {

/// Lets OpenBLAS use at most `threads` threads while it lives, one where `flops` is small: waking
/// others would cost more than they bring. OpenBLAS has one setting for the whole process; it is
/// left alone where it fits already.
class BlasThreads {
 public:
  BlasThreads(int threads, double flops);
  ~BlasThreads();
  BlasThreads(BlasThreads const&) = delete;
  BlasThreads& operator=(BlasThreads const&) = delete;

 private:
  int before_;
};

}  // namespace osi_cuda::host
