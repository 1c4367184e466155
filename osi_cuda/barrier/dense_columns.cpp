// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/dense_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/threads.hpp"

namespace osi_cuda {

DenseColumns::DenseColumns(int rows, double least, int threads)
    : rows_(rows),
      threads_(threads),
      least_(least),
      factor_(std::make_unique_for_overwrite<double[]>(at(rows) * at(rows))),
      rowAt_(at(rows)),
      positionOf_(at(rows)),
      column_(at(rows)) {
  std::iota(rowAt_.begin(), rowAt_.end(), 0);
  std::iota(positionOf_.begin(), positionOf_.end(), 0);
}

std::vector<char> DenseColumns::take(std::span<double> block, std::span<double const> sizes) {
  auto const count = static_cast<int>(sizes.size());
  std::vector<char> accepted(sizes.size(), 0);
  for (int j = 0; j < count; ++j) {
    double* const x = block.data() + at(j) * at(rows_);
    for (int i = 0; i < rows_; ++i) column_[at(i)] = x[rowAt_[at(i)]];
    std::ranges::copy(column_, x);
  }
  int const before = subtractTaken(block.data(), count) ? taken_ : 0;
  for (int j = 0; j < count && taken_ < rows_; ++j)
    accepted[at(j)] = takeOne(block.data(), j, count, before, sizes[at(j)]);
  return accepted;
}

// X <- L^-1 X for the columns of L that earlier blocks left. False where that is less work than to
// open BLAS: one column after the other will do.
bool DenseColumns::subtractTaken(double* block, int count) {
  constexpr double few = 1e6;
  double const work = at(taken_) * (2.0 * rows_ - taken_) * count;
  if (work < few) return false;
  BlasThreads const threads(threads_, work);
  blas::dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, taken_, count, 1.0,
              factor_.get(), rows_, block, rows_);
  if (taken_ < rows_)
    blas::dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows_ - taken_, count, taken_, -1.0,
                factor_.get() + taken_, rows_, block, rows_, 1.0, block + taken_, rows_);
  operations_ += work;
  return true;
}

// `before`: how many columns of L have been subtracted.
bool DenseColumns::takeOne(double* block, int column, int count, int before, double size) {
  double* const x = block + at(column) * at(rows_);
  for (int k = before; k < taken_; ++k) {
    double const factor = x[k];
    if (factor == 0.0) continue;
    double const* const l = factor_.get() + at(k) * at(rows_);
    for (int i = k + 1; i < rows_; ++i) x[i] -= factor * l[i];
    operations_ += 2.0 * (rows_ - k);
  }
  int pivot = taken_;
  for (int i = taken_; i < rows_; ++i)
    if (std::fabs(x[i]) > std::fabs(x[pivot])) pivot = i;
  if (!(std::fabs(x[pivot]) > least_ * size)) return false;
  swapRows(block, count, taken_, pivot);
  double* const l = factor_.get() + at(taken_) * at(rows_);
  double const inverse = 1.0 / x[taken_];
  for (int i = taken_ + 1; i < rows_; ++i) l[i] = x[i] * inverse;
  ++taken_;
  return true;
}

void DenseColumns::swapRows(double* block, int count, int a, int b) {
  if (a == b) return;
  for (int k = 0; k < taken_; ++k)
    std::swap(factor_[at(k) * at(rows_) + at(a)], factor_[at(k) * at(rows_) + at(b)]);
  for (int j = 0; j < count; ++j)
    std::swap(block[at(j) * at(rows_) + at(a)], block[at(j) * at(rows_) + at(b)]);
  std::swap(rowAt_[at(a)], rowAt_[at(b)]);
  positionOf_[at(rowAt_[at(a)])] = a;
  positionOf_[at(rowAt_[at(b)])] = b;
}

}  // namespace osi_cuda
