// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/integer_matrix.hpp"
#include "osi_cuda/base/index.hpp"

#include <cstddef>

namespace osi_cuda::rational {

using std::size_t;

IntegerMatrix transposed(IntegerMatrix const& matrix) {
  return transposed(matrix, [](fmpz* to, fmpz const* from) { fmpz_set(to, from); });
}

IntegerMatrix part(IntegerMatrix const& matrix, std::span<int const> rows,
                   std::span<int const> columns) {
  std::vector<int> place(at(matrix.columns), -1);
  for (size_t j = 0; j < columns.size(); ++j) place[at(columns[j])] = static_cast<int>(j);
  IntegerMatrix result{static_cast<int>(rows.size()), static_cast<int>(columns.size())};
  std::vector<size_t> taken;
  for (int const row : rows) {
    auto const begin = at(matrix.starts[at(row)]);
    auto const end = at(matrix.starts[at(row) + 1]);
    for (size_t e = begin; e < end; ++e) {
      int const column = place[at(matrix.indices[e])];
      if (column < 0) continue;
      result.indices.push_back(column);
      taken.push_back(e);
    }
    result.starts.push_back(static_cast<std::int64_t>(taken.size()));
  }
  result.values = Integers(taken.size());
  for (size_t e = 0; e < taken.size(); ++e) fmpz_set(result.values[e], matrix.values[taken[e]]);
  return result;
}

ModularMatrix modulo(IntegerMatrix const& matrix, PrimeField const& field) {
  ModularMatrix result{matrix.rows, matrix.columns, matrix.starts, matrix.indices, {}};
  result.values.reserve(matrix.indices.size());
  for (size_t e = 0; e < matrix.indices.size(); ++e)
    result.values.push_back(fmpz_fdiv_ui(matrix.values[e], field.prime()));
  return result;
}

Integer rowTimes(IntegerMatrix const& matrix, int i, Integers const& x) {
  Integer sum;
  auto const begin = at(matrix.starts[at(i)]);
  auto const end = at(matrix.starts[at(i) + 1]);
  for (size_t e = begin; e < end; ++e)
    fmpz_addmul(sum.get(), matrix.values[e], x[at(matrix.indices[e])]);
  return sum;
}

}  // namespace osi_cuda::rational
