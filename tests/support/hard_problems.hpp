// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda::testing {

/// Puts `count` small problems behind the others, the same on every machine, of which many are hard
/// to prove anything of: coefficients 2^50 apart in one row, boxes of width 1e12 with costs of
/// 1e-10, rows that nearly repeat others, bounds that cross by rounding or by little more, points
/// that lie just outside; and here and there a NaN or an infinite number. Up to 6 rows and columns.
void addHardProblems(PackedBatch& batch, int count, std::uint64_t seed);

/// Where problem k lies in the arrays.
struct PackedPlace {
  std::size_t k = 0, cell = 0, column = 0, row = 0;

  void skip(PackedBatch const& batch);  ///< to the next problem
};

/// Problem k by itself; of one after the other, that of each place.
LinearProgram problemOf(PackedBatch const& batch, std::size_t k);
LinearProgram problemAt(PackedBatch const& batch, PackedPlace const& place);

}  // namespace osi_cuda::testing
