// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::response::device {

/// value = what comes after this chunk and all before it, times = what a start value is multiplied
/// by until there; over the 32 lanes. Returns what a start of 0 gives before this lane's chunk.
struct Scanned {
  double value, times;
};
__device__ inline Scanned scanUp(double value, double times) {
  for (int d = 1; d < 32; d *= 2) {
    double const v = __shfl_up_sync(0xffffffffu, value, d);
    double const t = __shfl_up_sync(0xffffffffu, times, d);
    if (int(threadIdx.x % 32) >= d) {
      value += times * v;
      times *= t;
    }
  }
  return {value, times};
}
__device__ inline Scanned scanDown(double value, double times) {
  for (int d = 1; d < 32; d *= 2) {
    double const v = __shfl_down_sync(0xffffffffu, value, d);
    double const t = __shfl_down_sync(0xffffffffu, times, d);
    if (int(threadIdx.x % 32) + d < 32) {
      value += times * v;
      times *= t;
    }
  }
  return {value, times};
}

}  // namespace osi_cuda::response::device
