// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/kernels.hpp"

#include "osi_cuda/base/wide_registers.hpp"

// The loops are plain; what matters is that the compiler may use wide registers.
namespace osi_cuda::host {

OSI_CUDA_CLONES void axpy(std::size_t length, double a, double const* __restrict x,
                          double* __restrict y) {
  for (std::size_t i = 0; i < length; ++i) y[i] += a * x[i];
}

OSI_CUDA_CLONES void axpy(std::size_t length, float a, float const* __restrict x,
                          float* __restrict y) {
  for (std::size_t i = 0; i < length; ++i) y[i] += a * x[i];
}

OSI_CUDA_CLONES double dot(std::size_t length, double const* __restrict x,
                           double const* __restrict y) {
  double part[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= length; i += 8)
    for (std::size_t l = 0; l < 8; ++l) part[l] += x[i + l] * y[i + l];
  double sum =
      ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
  for (; i < length; ++i) sum += x[i] * y[i];
  return sum;
}

OSI_CUDA_CLONES void addSquares(std::size_t length, float const* __restrict x,
                                double* __restrict y) {
  for (std::size_t i = 0; i < length; ++i) y[i] += static_cast<double>(x[i] * x[i]);
}

}  // namespace osi_cuda::host
