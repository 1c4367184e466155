// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/sparse_lu_mod.hpp"

#include <cstddef>

namespace osi_cuda::rational {

using std::size_t;

SparseLuMod::SparseLuMod(ModularMatrix const& matrix, PrimeField const& field, Watch& watch)
    : field_(field) {
  Elimination const elimination = eliminate(matrix, field, watch);
  std::vector<int> stepOfRow(at(matrix.rows), -1);
  std::vector<int> stepOfColumn(at(matrix.columns), -1);
  for (Pivot const& pivot : elimination.pivots) {
    stepOfRow[at(pivot.row)] = rank();
    stepOfColumn[at(pivot.column)] = rank();
    rows_.push_back(pivot.row);
    columns_.push_back(pivot.column);
    inverses_.push_back(field_.inverse(pivot.value));
  }
  // Rows and columns without a pivot are left out.
  auto const renumbered = [&](std::vector<std::int64_t> const& starts,
                              std::vector<int> const& indices, std::vector<ulong> const& values,
                              std::vector<int> const& stepOf) {
    Triangle triangle{rank(), rank()};
    for (size_t k = 0; k + 1 < starts.size(); ++k) {
      for (auto e = at(starts[k]); e < at(starts[k + 1]); ++e) {
        int const step = stepOf[at(indices[e])];
        if (step < 0) continue;
        triangle.indices.push_back(step);
        triangle.values.push_back(values[e]);
      }
      triangle.starts.push_back(static_cast<std::int64_t>(triangle.indices.size()));
    }
    return triangle;
  };
  upperByRows_ = renumbered(elimination.upperStarts, elimination.upperColumns,
                            elimination.upperValues, stepOfColumn);
  lowerByColumns_ = renumbered(elimination.lowerStarts, elimination.lowerRows,
                               elimination.lowerValues, stepOfRow);
  auto const copy = [](ulong& to, ulong from) { to = from; };
  upperByColumns_ = transposed(upperByRows_, copy);
  lowerByRows_ = transposed(lowerByColumns_, copy);
}

std::int64_t SparseLuMod::entries() const {
  return lowerByRows_.starts.back() + upperByRows_.starts.back() + 2 * rank();
}

ulong SparseLuMod::without(Triangle const& triangle, size_t k, std::vector<ulong> const& x) const {
  Sum sum(field_);
  for (auto e = at(triangle.starts[k]); e < at(triangle.starts[k + 1]); ++e)
    sum.addProduct(triangle.values[e], x[at(triangle.indices[e])]);
  return field_.subtract(x[k], field_.reduce(sum.value()));
}

void SparseLuMod::solve(std::span<ulong const> b, std::span<ulong> x) const {
  size_t const n = rows_.size();
  std::vector<ulong> work(n);
  for (size_t k = 0; k < n; ++k) work[k] = b[at(rows_[k])];
  for (size_t k = 0; k < n; ++k) work[k] = without(lowerByRows_, k, work);
  for (size_t k = n; k-- > 0;)
    work[k] = field_.multiply(without(upperByRows_, k, work), inverses_[k]);
  for (size_t k = 0; k < n; ++k) x[at(columns_[k])] = work[k];
}

void SparseLuMod::solveTransposed(std::span<ulong const> b, std::span<ulong> x) const {
  size_t const n = rows_.size();
  std::vector<ulong> work(n);
  for (size_t k = 0; k < n; ++k) work[k] = b[at(columns_[k])];
  for (size_t k = 0; k < n; ++k)
    work[k] = field_.multiply(without(upperByColumns_, k, work), inverses_[k]);
  for (size_t k = n; k-- > 0;) work[k] = without(lowerByColumns_, k, work);
  for (size_t k = 0; k < n; ++k) x[at(rows_[k])] = work[k];
}

}  // namespace osi_cuda::rational
