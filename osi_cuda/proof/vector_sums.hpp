// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/proof/bounded.hpp"

/// The sums of bounded.hpp for columns of a matrix, in pairs of doubles hi + lo. `lost` gathers
/// what rounding took away, for Sum::errorOf; several entries at a time where the processor has
/// fused multiply-add, the same numbers by a library call where it has not.
namespace osi_cuda::proof {

/// A column: entry k is values[k], in row rows[k], or in row k where `rows` is null.
struct ColumnView {
  std::size_t length = 0;
  double const* values = nullptr;
  int const* rows = nullptr;
};

/// (hi, lo)[row k] += values[k] x
void addTimes(ColumnView const& column, double x, double* hi, double* lo, double& lost);

/// (hi, lo) += sum of values[k] y[row k]
void addProduct(ColumnView const& column, double const* y, DoubleDouble& sum, double& lost);

/// What addProduct gathered by at most two calls, of `length` terms in all.
inline Bounded boundedProduct(DoubleDouble const& sum, double lost, std::size_t length) {
  constexpr double partialSums = 32.0;  // more additions than terms
  return {double_double::twoSum(sum.hi, sum.lo),
          Sum::errorOf(lost, static_cast<double>(length) + partialSums)};
}

/// (hi, lo)[k] += (otherHi, otherLo)[k], k < length
void addVectors(std::size_t length, double const* otherHi, double const* otherLo, double* hi,
                double* lo, double& lost);

/// The columns first .. last - 1 of a matrix by columns: A x into (hi, lo), where x is not null,
/// and (A'(y + yLow))_j into product[j] and its error into error[j], where y is not null; yLow may
/// be.
struct ColumnsView {
  std::int64_t const* starts = nullptr;
  int const* rows = nullptr;
  double const* values = nullptr;
};
void addColumns(ColumnsView const& columns, int first, int last, double const* x, double* hi,
                double* lo, double& lost, double const* y, double const* yLow,
                DoubleDouble* product, double* error);

}  // namespace osi_cuda::proof
