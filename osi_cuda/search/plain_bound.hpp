// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/proof/implied_bounds.hpp"

namespace osi_cuda::search {

/// Where a column of a sparse matrix lies.
struct ColumnPiece {
  std::int64_t begin = 0;
  int length = 0;
  int run = -1;                  ///< the first row where the others follow one after the other
  double sum = 0.0, most = 0.0;  ///< |a_j|_1, |a_j|_max
};

/// The bound of proof::boundOf in plain doubles: with d = c - A'y,
///
///     sum over i of y_i L_i or U_i  +  sum over j of min(d_j l_j, d_j u_j)
///
/// where rounding is bounded beforehand and not followed: a sum of k products is off by at most
/// k 2^-53 / (1 - k 2^-53) times the sum of their absolute values (Higham, Accuracy and Stability
/// of Numerical Algorithms, 2002, section 3.1), in whatever order it is formed. That of column j is
/// at most min(|a_j|_1 |y|_max, |a_j|_max |y|_1).
class PlainBound {
 public:
  /// `problem` minimises, has a sparse matrix, and outlives the object.
  explicit PlainBound(LinearProgram const& problem);

  /// The bound lies from `least` to `least` + `off`; both are NaN where that is not known: by
  /// numbers that are not finite, or infinite bounds that a reduced cost may need.
  struct Range {
    double least, off;
  };
  /// `withCosts`: else c and the offset are 0.
  Range of(std::span<double const> y, proof::ImpliedBounds const& bounds, bool withCosts) const;

 private:
  LinearProgram const& problem_;
  std::vector<ColumnPiece> columns_;
};

}  // namespace osi_cuda::search
