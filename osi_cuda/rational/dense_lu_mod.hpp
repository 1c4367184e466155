// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/rational/sparse_lu_mod.hpp"

namespace osi_cuda::rational {

/// A dense matrix modulo a prime, rows one after the other.
struct DenseModularMatrix {
  std::vector<int> rowNames, columnNames;  ///< numbers in the matrix it is a part of
  std::vector<ulong> values;               ///< rowNames.size() x columnNames.size()
};

/// Eliminates all of `matrix`, whatever its rank, in panels of a few columns, and appends the
/// pivots to `elimination`.
void eliminateDense(DenseModularMatrix matrix, PrimeField const& field, Watch& watch,
                    Elimination& elimination);

}  // namespace osi_cuda::rational
