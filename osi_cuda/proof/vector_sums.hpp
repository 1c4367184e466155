// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/proof/bounded.hpp"

/// The sums of bounded.hpp for whole lines of a matrix, in pairs of doubles hi + lo. `lost` gathers
/// what rounding took away, for Sum::errorOf. Several entries and lines at a time where the
/// processor has fused multiply-add, the same numbers by library calls where it has not.
namespace osi_cuda::proof {

/// Lines of one length, one behind the other.
struct LinesView {
  double const* values = nullptr;
  std::size_t count = 0, length = 0;
};

/// (hi, lo)[k] += sum of factor[i] line_i[k], where `factor` is not null, and, where `other` is not
/// null, (product, off)[i] += sum of line_i[k] other[k]. One pass over the lines.
void addLines(LinesView const& lines, double const* factor, double* hi, double* lo, double& lost,
              double const* other, DoubleDouble* product, double* off);

/// What addLines gathered for a line by at most two calls, of `length` terms in all.
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
