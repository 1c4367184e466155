// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/batch/small_problem.hpp"

/// What the host and a kernel of the batch agree in.
namespace osi_cuda::cuda {

/// One problem of a part of a batch; where its pieces of the part's arrays begin.
struct BatchTask {
  std::int64_t matrix, column, row;
  int rows, columns;
  double sign, offset;
};

/// Where the answers of a part go, in the device's memory.
struct PartAnswers {
  batch::SmallReport* report;  ///< by number of the problem in the part
  double *x, *y, *yLow, *ray, *rayLow;
  std::uint8_t *columnStatus, *rowStatus;

  OSI_CUDA_HD batch::SmallAnswer at(std::int64_t column, std::int64_t row) const {
    return {x + column,     y + row,         yLow + row,
            ray + column,   rayLow + column, columnStatus + column,
            rowStatus + row};
  }
};

/// A part of a batch in the device's memory. Bounds that are null are the usual ones.
struct BatchPart {
  BatchTask const* tasks;
  double const *matrix, *objective, *columnLower, *columnUpper, *rowLower, *rowUpper;
  PartAnswers answers;
  double infiniteFrom = infinity;  ///< as in BatchProblems
};

/// Problems of about one size.
struct BatchQueue {
  int const* order;  ///< their numbers among the part's tasks
  int count;
  unsigned* next;           ///< place in `order` of the next one that nobody has taken
  double* tableaus;         ///< where they don't lie in shared memory: a place for each block
  std::size_t tableauSize;  ///< doubles of such a place
};

/// What threads of a block hand each other; in shared memory. A slot of each parity, so that a
/// result may still be read when the next is being written.
inline constexpr int slotBytes = 64;
static_assert(sizeof(rules::Candidate) <= slotBytes);

/// Bytes of shared memory for a problem besides its tableau: vectors, slots of the warps, and a
/// partial sum for each thread.
inline std::size_t teamBytes(int m, int n, int threads) {
  auto const size = [](int count) { return static_cast<std::size_t>(count); };
  return size(batch::vectorDoubles(m, n) + threads) * sizeof(double) +
         size(2 * slotBytes) * size(threads / 32);
}
/// Rows of the tableau are of odd length, so that columns meet no bank of shared memory twice.
OSI_CUDA_HD inline int strideOf(int n) {
  return n | 1;
}
inline std::size_t tableauBytes(int m, int n) {
  return static_cast<std::size_t>(m) * static_cast<std::size_t>(strideOf(n)) * sizeof(double);
}

}  // namespace osi_cuda::cuda
