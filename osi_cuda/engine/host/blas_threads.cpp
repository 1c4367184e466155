// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/blas_threads.hpp"

#include <cblas.h>

namespace osi_cuda::host {

BlasThreads::BlasThreads(int threads, double flops) : before_(openblas_get_num_threads()) {
  int const wanted = flops < 2e7 ? 1 : threads;
  if (wanted != before_) openblas_set_num_threads(wanted);
}

BlasThreads::~BlasThreads() {
  if (openblas_get_num_threads() != before_) openblas_set_num_threads(before_);
}

}  // namespace osi_cuda::host
