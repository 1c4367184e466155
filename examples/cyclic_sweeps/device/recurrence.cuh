// SPDX-License-Identifier: EPL-2.0
#pragma once

// Recurrences e <- value + factor e over places that lie in the registers of neighbouring threads.
// Direction 1 goes from the first place to the last one, -1 the other way.
namespace osi_cuda::cyclic_sweeps::device {

/// What a chunk of places makes of the value that comes in: value + times * that.
struct Chunk {
  double value, times;
};

__device__ inline double power(double base, int exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2) result *= base;
    base *= base;
  }
  return result;
}

/// The recurrence from 0 over a thread's first `places` values: its end.
template <int Direction, int L>
__device__ __forceinline__ double endOf(double const (&value)[L], int places, double factor) {
  double e = 0.0;
#pragma unroll
  for (int i = 0; i < L; ++i) {
    int const k = Direction > 0 ? i : L - 1 - i;
    if (k < places) e = value[k] + factor * e;
  }
  return e;
}
/// The recurrence upwards from e, in place, times `scale`.
template <int L>
__device__ __forceinline__ void recurUpwards(double (&value)[L], int places, double factor,
                                             double scale, double e) {
#pragma unroll
  for (int k = 0; k < L; ++k)
    if (k < places) {
      e = value[k] + factor * e;
      value[k] = scale * e;
    }
}

/// `value` of the lane that is so many steps before this one, around the warp.
template <int Direction>
__device__ inline double fromBefore(double value, int steps) {
  return __shfl_sync(0xffffffffu, value, (int(threadIdx.x) - Direction * steps) & 31);
}
/// All chunks of the warp from the first one to that of this lane, as one.
template <int Direction>
__device__ inline Chunk scan(Chunk one) {
  int const lane = int(threadIdx.x) % 32, place = Direction > 0 ? lane : 31 - lane;
  for (int d = 1; d < 32; d *= 2) {
    Chunk const before{fromBefore<Direction>(one.value, d), fromBefore<Direction>(one.times, d)};
    if (place >= d) one = {one.value + one.times * before.value, one.times * before.times};
  }
  return one;
}

}  // namespace osi_cuda::cyclic_sweeps::device
