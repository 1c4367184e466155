// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>

#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/sparse_lu_mod.hpp"

namespace osi_cuda::rational {

using IntegerMatrix = RowMatrix<Integers>;

IntegerMatrix transposed(IntegerMatrix const& matrix);

/// The rows and columns of these numbers, in their order.
IntegerMatrix part(IntegerMatrix const& matrix, std::span<int const> rows,
                   std::span<int const> columns);

/// The remainders of the entries by the field's prime.
ModularMatrix modulo(IntegerMatrix const& matrix, PrimeField const& field);

/// The sum over the entries of row i times x.
Integer rowTimes(IntegerMatrix const& matrix, int i, Integers const& x);

}  // namespace osi_cuda::rational
