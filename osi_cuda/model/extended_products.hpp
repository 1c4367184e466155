// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/residuals.hpp"

/// Sums and products with more digits than the numbers that go into them, for the judges of an
/// answer.
namespace osi_cuda {

// 64 bits of mantissa where the hardware has them: products of doubles are then rounded at 5e-20.
using Extended = long double;

/// A x, and A'y where y is given.
struct Products {
  std::vector<Extended> activity, product;
};

/// The same for every number of threads. `y` may be empty.
Products productsOf(SparseMatrix const& matrix, std::span<double const> x,
                    std::span<double const> y);

/// A sum together with the sum of the absolute values of its terms, which bounds its rounding.
struct Sum {
  DoubleDouble value;
  double scale = 0.0;

  void add(DoubleDouble const& term) {
    value += term;
    scale += std::fabs(term.hi);
  }
};

/// A vector in two parts, of which the second may be missing.
class Parts {
 public:
  Parts(std::span<double const> high, std::span<double const> low) : high_(high), low_(low) {}
  /// Both parts have this length, or there is no second one, and all numbers are finite.
  bool fits(std::size_t length) const;
  bool isZero(std::size_t i) const { return high_[i] == 0.0; }
  DoubleDouble operator[](std::size_t i) const {
    return low_.empty() ? DoubleDouble(high_[i]) : double_double::twoSum(high_[i], low_[i]);
  }
  double zero(double asked) const {
    return asked >= 0.0 ? asked : low_.empty() ? roundedZero : extendedZero;
  }

 private:
  std::span<double const> high_, low_;
};

/// (A'y)_j
Sum columnTimes(SparseMatrix const& matrix, int j, Parts const& y);

/// A x and, if asked for, A'y of vectors in two parts: numbers that cancel to their last bits.
Products productsOfParts(SparseMatrix const& matrix, Parts const& x, Parts const& y,
                         bool transposed);

/// The largest violation of a bound of a column or row, relative to 1 + |bound|. `low`: what x
/// lacks, or nothing; `activity`: A (x + low).
double primalResidual(LinearProgram const& lp, std::span<double const> x,
                      std::span<double const> low, std::vector<Extended> const& activity);

}  // namespace osi_cuda
