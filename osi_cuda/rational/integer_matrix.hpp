// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/sparse_lu_mod.hpp"

namespace osi_cuda::rational {

/// A sparse matrix of integers, stored by rows.
struct IntegerMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<std::int64_t> starts{0};  ///< rows + 1 offsets
  std::vector<int> indices;             ///< column of each entry, distinct within a row
  Integers values;

  std::int64_t entries() const { return starts.back(); }
};

IntegerMatrix transposed(IntegerMatrix const& matrix);

/// The rows and columns of these numbers, in their order.
IntegerMatrix part(IntegerMatrix const& matrix, std::span<int const> rows,
                   std::span<int const> columns);

/// The remainders of the entries by the field's prime.
ModularMatrix modulo(IntegerMatrix const& matrix, PrimeField const& field);

/// The sum over the entries of row i times x.
Integer rowTimes(IntegerMatrix const& matrix, int i, Integers const& x);

}  // namespace osi_cuda::rational
