// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/proof/bounded.hpp"
#include "osi_cuda/proof/tolerances.hpp"

/// Products of a point and of multipliers with the matrix, with a bound of their rounding.
namespace osi_cuda::proof {

/// A vector in two parts, of which the second may be missing: their exact sum.
class Parts {
 public:
  Parts(std::span<double const> high, std::span<double const> low) : high_(high), low_(low) {}
  /// Both parts have this length, or there is no second one, and all numbers are finite.
  bool fits(std::size_t length) const;
  bool isZero(std::size_t i) const { return high_[i] == 0.0 && (low_.empty() || low_[i] == 0.0); }
  DoubleDouble operator[](std::size_t i) const {
    return low_.empty() ? DoubleDouble(high_[i]) : double_double::twoSum(high_[i], low_[i]);
  }
  /// The share of its terms up to which counts as zero what has to be zero.
  double zero(double asked) const {
    return asked >= 0.0 ? asked : low_.empty() ? roundedZero : extendedZero;
  }
  std::span<double const> high() const { return high_; }
  std::span<double const> low() const { return low_; }

 private:
  std::span<double const> high_, low_;
};

/// Computed numbers and how far they are off at most.
struct BoundedVector {
  std::vector<DoubleDouble> value;
  std::vector<double> error;  ///< as long, or one number for all

  Bounded operator[](std::size_t i) const {
    return {value[i], error.size() == 1 ? error.front() : error[i]};
  }
};

/// A x and A'y, where these are asked for.
struct Products {
  BoundedVector activity, product;
};

/// x and y have to fit; null: not asked for. The same for every number of threads. Where the errors
/// of ordinary compensated sums are too large to say anything, lines are summed exactly.
Products productsOf(SparseMatrix const& matrix, Parts const* x, Parts const* y);

/// The absolute values of the terms of (A'y)_j, summed and rounded.
double termsOfColumn(SparseMatrix const& matrix, int j, Parts const& y);

/// offset + c'x, summed exactly where the error of an ordinary sum is too large to say anything.
Bounded productOf(double offset, std::span<double const> c, Parts const& x);

}  // namespace osi_cuda::proof
