// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "osi_cuda/engine/cuda/launch.cuh"

namespace osi_cuda::cuda {

template <class F>
__global__ void forEntriesKernel(int rows, int columns, F f) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= rows) return;
  for (int j = static_cast<int>(blockIdx.y); j < columns; j += static_cast<int>(gridDim.y)) f(i, j);
}

/// f(i, j) for i < rows and j < columns, one thread each: neighbouring threads have neighbouring
/// rows. A warp for each column instead would leave most of the device idle.
template <class F>
void forEntries(cudaStream_t stream, int rows, int columns, F f) {
  if (rows <= 0 || columns <= 0) return;
  constexpr int mostInGrid = 65535;
  dim3 const grid(static_cast<unsigned>((rows + blockThreads - 1) / blockThreads),
                  static_cast<unsigned>(std::min(columns, mostInGrid)));
  launch({stream, grid, blockThreads}, &forEntriesKernel<F>, rows, columns, f);
}

/// diagonal of a = (that + add) times; null adds nothing
inline void changeDiagonal(cudaStream_t stream, int order, int stride, double* a, double const* add,
                           double times) {
  std::int64_t const step = static_cast<std::int64_t>(stride) + 1;
  forEach(stream, order,
          [=] __device__(int k) { a[k * step] = (a[k * step] + (add ? add[k] : 0.0)) * times; });
}

}  // namespace osi_cuda::cuda
