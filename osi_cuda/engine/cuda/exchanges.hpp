// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "osi_cuda/engine/cuda/views.hpp"

/// Exchanges that no pivot rule asks for, many at once.
namespace osi_cuda::cuda {

inline constexpr int mostTogether = 64;

/// Columns E that enter the basis together. All arrays are in device memory.
///
/// With the rows L that leave and W = T[L,E], rows L and columns E of D and of the older factors
/// become zero, and the new factors are
///     U' = T[:,E], with -1 where a row of L meets its own column,
///     V  = W^-1 T[L,:], with W^-1 in the columns E.
struct BlockExchange {
  int count = 0;                ///< |E|, at most mostTogether
  int used = 0;                 ///< factors before
  int candidates = 0;           ///< rows that may leave
  int const* column = nullptr;  ///< E, by position
  int* row = nullptr;           ///< candidates by position; -1: has left
  int* pivot = nullptr;         ///< the candidate that each column takes
  int* failed = nullptr;        ///< 1: some column found no row; no exchange is made from then on
  double* largest = nullptr;    ///< |entry| by column, 0 before
  double* work = nullptr;       ///< candidates x count by columns: L U
  double smallestEntry = 0.0;   ///< of a pivot, beside the largest entry of its column
};

/// Each column takes the candidate with its largest entry after elimination of the columns before.
/// The variables keep their values, reduced costs of E become 0, and bounds by position do not
/// follow. If it fails, the new factors are zero. The bits are the same every time.
void exchangeTogether(cudaStream_t stream, TableauView const& t, BlockExchange const& x);

}  // namespace osi_cuda::cuda
