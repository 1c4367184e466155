// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/dense_entries.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "osi_cuda/model/large_memory.hpp"

namespace osi_cuda {

namespace {

constexpr int tileRows = 64, tileColumns = 16;

void oneByOne(std::int64_t count, std::function<void(std::int64_t)> const& part) {
  for (std::int64_t k = 0; k < count; ++k) part(k);
}

}  // namespace

std::int64_t countNonzeros(SparseMatrix const& matrix) {
  if (!matrix.isDense()) return matrix.nonzeros();
  double const* const numbers = matrix.dense.numbers;
  return matrix.nonzeros() - std::count(numbers, numbers + matrix.nonzeros(), 0.0);
}

DenseEntries::DenseEntries(int rows, int columns, double const* numbers, std::int64_t rowStep,
                           std::int64_t columnStep, Loop loop)
    : rows_(rows),
      columns_(columns),
      numbers_(numbers),
      rowStep_(rowStep),
      columnStep_(columnStep),
      loop_(loop ? std::move(loop) : &oneByOne),
      starts_(at(columns) + 1, 0) {
  visit([this](int j, int i, int end, double const* entry) {
    std::int64_t count = 0;
    for (; i < end; ++i, entry += rowStep_) count += *entry != 0.0;
    starts_[at(j) + 1] += count;
  });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

// visit(j, i, end, first entry): rows i ... end - 1 of column j. The tiles of a column come from
// one thread, in order.
template <class Visit>
void DenseEntries::visit(Visit const& visit) const {
  loop_((std::int64_t{columns_} + tileColumns - 1) / tileColumns, [&](std::int64_t stripe) {
    int const begin = static_cast<int>(stripe) * tileColumns,
              end = begin + std::min(columns_ - begin, tileColumns);
    for (std::int64_t i = 0; i < rows_; i += tileRows)
      for (int j = begin; j < end; ++j)
        visit(j, static_cast<int>(i), static_cast<int>(std::min<std::int64_t>(rows_, i + tileRows)),
              numbers_ + (i * rowStep_ + j * columnStep_));
  });
}

SparseMatrix DenseEntries::nonzeros() const {
  SparseMatrix sparse;
  sparse.rows = rows_;
  sparse.columns = columns_;
  sparse.starts = starts_;
  auto const entries = at(starts_.back());
  reserveLarge(sparse.indices, entries);
  reserveLarge(sparse.values, entries);
  sparse.indices.resize(entries);
  sparse.values.resize(entries);
  std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
  visit([&](int j, int i, int end, double const* entry) {
    auto place = at(next[at(j)]);
    for (; i < end; ++i, entry += rowStep_) {
      if (*entry == 0.0) continue;
      sparse.indices[place] = i;
      sparse.values[place++] = *entry;
    }
    next[at(j)] = static_cast<std::int64_t>(place);
  });
  return sparse;
}

SparseMatrix DenseEntries::copy() const {
  auto const m = at(rows_), all = m * at(columns_);
  std::shared_ptr<double[]> const copied(new double[all]);
  preferLargePages(copied.get(), all * sizeof(double));
  visit([&](int j, int i, int end, double const* entry) {
    double* const column = copied.get() + at(j) * m;
    for (; i < end; ++i, entry += rowStep_) column[i] = *entry;
  });
  return denseMatrix(rows_, columns_, copied.get(), false, copied);
}

void preferLargePages(void* place, std::size_t bytes) {
  constexpr std::uintptr_t largePage = std::uintptr_t{1} << 21;
  auto const start = reinterpret_cast<std::uintptr_t>(place);
  std::uintptr_t const first = (start + largePage - 1) & ~(largePage - 1);
  std::uintptr_t const last = (start + bytes) & ~(largePage - 1);
  // Only whole pages within: the rest may belong to others. A system that has none says no.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace osi_cuda
