// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/plain_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/wide_registers.hpp"

namespace osi_cuda::search {
namespace {

/// Twice a rounding: what bounds of rounding are rounded by is less than the other half.
constexpr double twoRoundings = 0x1p-52;
constexpr double underflows = 0x1p-1000;  ///< more than 2^70 of them

/// A sum of products in partial sums, as many as wide registers have places.
template <class Other>
[[gnu::always_inline]] inline double dot(double const* a, int length, Other other) {
  constexpr int places = 16;
  double partial[places] = {}, sum = 0.0;
  int k = 0;
  for (; k + places <= length; k += places)
    for (int p = 0; p < places; ++p) partial[p] += a[k + p] * other(k + p);
  for (; k < length; ++k) sum += a[k] * other(k);
  for (int width = places / 2; width > 0; width /= 2)
    for (int p = 0; p < width; ++p) partial[p] += partial[p + width];
  return sum + partial[0];
}

/// A'y
OSI_CUDA_CLONES void multiply(std::vector<ColumnPiece> const& columns, SparseMatrix const& matrix,
                              double const* y, double* product) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    ColumnPiece const& column = columns[j];
    double const* const values = matrix.values.data() + column.begin;
    int const* const rows = matrix.indices.data() + column.begin;
    double const* const first = y + std::max(column.run, 0);
    product[j] = column.run >= 0
                     ? dot(values, column.length, [first](int k) { return first[k]; })
                     : dot(values, column.length, [y, rows](int k) { return y[rows[k]]; });
  }
}

}  // namespace

PlainBound::PlainBound(LinearProgram const& problem) : problem_(problem) {
  SparseMatrix const& matrix = problem.matrix;
  for (int j = 0; j < problem.columns(); ++j) {
    std::int64_t const begin = matrix.starts[at(j)], end = matrix.starts[at(j) + 1];
    ColumnPiece own{begin, static_cast<int>(end - begin)};
    bool isRun = begin < end;
    for (std::int64_t e = begin; e < end; ++e) {
      double const size = std::fabs(matrix.values[at(e)]);
      own.sum += size;
      own.most = std::max(own.most, size);
      isRun = isRun && matrix.indices[at(e)] - matrix.indices[at(begin)] == e - begin;
    }
    if (isRun) own.run = matrix.indices[at(begin)];
    columns_.push_back(own);
  }
}

PlainBound::Range PlainBound::of(std::span<double const> y, proof::ImpliedBounds const& bounds,
                                 bool withCosts) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr Range unknown{nan, nan};
  if (y.size() != at(problem_.rows())) return unknown;
  std::vector<double> product(columns_.size());
  multiply(columns_, problem_.matrix, y.data(), product.data());
  double sum = withCosts ? problem_.objectiveOffset : 0.0, terms = std::fabs(sum), off = 0.0;
  double ySum = 0.0, yMost = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0.0) continue;
    double const term = y[i] * (y[i] > 0.0 ? bounds.rowLower[i] : bounds.rowUpper[i]);
    sum += term;
    terms += std::fabs(term);
    ySum += std::fabs(y[i]);
    yMost = std::max(yMost, std::fabs(y[i]));
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    ColumnPiece const& column = columns_[j];
    double const cost = withCosts ? problem_.objective[j] : 0.0, d = cost - product[j];
    double const size =
        std::fabs(cost) + std::min(column.sum * yMost, column.most * ySum);  // of the terms of d
    double const error = (column.length + 4) * twoRoundings * size + underflows;
    double const lower = bounds.columnLower[j], upper = bounds.columnUpper[j];
    double const side = d > 0.0 ? lower : upper;
    // min(d l, d u) changes by as much as d does times the larger bound, or, where the sign of d
    // is sure, the one that it needs.
    double const most =
        std::fabs(d) > error ? std::fabs(side) : std::max(std::fabs(lower), std::fabs(upper));
    double const term = d * side;
    sum += term;
    terms += std::fabs(term);
    off += error * most;
  }
  auto const count = static_cast<double>(columns_.size() + y.size());
  off = 2.0 * (off + (count + 8.0) * twoRoundings * terms + underflows);
  double const least = sum - off;
  return std::isfinite(least) ? Range{least, 3.0 * off} : unknown;
}

}  // namespace osi_cuda::search
