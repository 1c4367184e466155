// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/views.hpp"

/// The parts of the device's Team (grid_team.cuh): each does one thing of a pivot and works on what
/// a thread knows of its block (block.cuh). They live for a call, in registers.
namespace osi_cuda::cuda {

/// What a team is compiled for.
template <Algorithm algorithm_, bool inShared_, bool wide_>
struct TeamKind {
  static constexpr Algorithm algorithm = algorithm_;
  static constexpr bool inShared = inShared_;  ///< state and sketch are, for sure
  /// Blocks may have more lines than groups, and more factors than there is shared memory for.
  static constexpr bool wide = wide_;
};

namespace grid {

/// Whether a line of the tableau is one of its columns or of its rows.
enum class Lines { columns, rows };

/// What a block owns of the rows or of the columns: successive positions from `first` on.
///
/// Eight threads of a warp form one entry of u or v together: a group. Group g has the positions
/// first + g, first + g + groups, ...; of these, each thread owns every eighth. So all that happens
/// to a line happens within one warp, and warps need not wait for each other between meetings.
struct Side {
  int first = 0, count = 0, tile = 1, total = 0;
};

inline constexpr int lanes = 8;  ///< threads of a group
inline constexpr int groups = teamGroups;
inline constexpr int warps = teamThreads / 32;

__device__ inline int thread() {
  return static_cast<int>(threadIdx.x);
}
__device__ inline int block() {
  return static_cast<int>(blockIdx.x);
}
__device__ inline int group() {
  return thread() / lanes;
}
__device__ inline int lane() {
  return thread() % lanes;
}
/// The first position (from the side's first on) that the thread owns.
__device__ inline int ownFirst() {
  return group() + groups * lane();
}
__device__ inline bool owns(Side const& side, int position) {
  int const i = position - side.first;
  return i >= 0 && i < side.count && i % teamThreads == ownFirst();
}

/// f(position) for the thread's own lines. Loops are not unrolled: most threads pass once, and the
/// loop of pivots has to stay in the instruction cache.
template <class Kind, class F>
__device__ void forOwn(Side const& side, F f) {
  if constexpr (Kind::wide) {
#pragma unroll 1
    for (int i = ownFirst(); i < side.count; i += teamThreads) f(side.first + i);
  } else {  // one line a group at most
    if (lane() == 0 && group() < side.count) f(side.first + group());
  }
}

}  // namespace grid
}  // namespace osi_cuda::cuda
