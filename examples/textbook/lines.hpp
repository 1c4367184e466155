// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::textbook {

/// The inner loops of the processor's variants: over one line (row or column) of the tableau, whose
/// entries are neighbours in memory. In two makes with the same results bit for bit: for one number
/// at a time, and for the widest vectors that the machine has.
template <class Real>
struct Lines {
  /// to[k] = from[k] - factor pivotLine[k]; `to` may be `from`.
  void (*update)(int length, Real factor, Real const* pivotLine, Real const* from, Real* to);
  /// A row of column ratios: best[k] = min(best[k], value / row[k]) where row[k] > tolerance.
  void (*rowRatios)(int length, Real value, Real tolerance, Real const* row, Real* best);
  /// The ratio test of a column: the least value[k] / column[k] with column[k] > tolerance.
  Real (*columnRatio)(int length, Real tolerance, Real const* value, Real const* column);
};

template <class Real>
Lines<Real> plainLines();
template <class Real>
Lines<Real> vectorLines();

}  // namespace osi_cuda::textbook
