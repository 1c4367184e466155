// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::rational {

/// What is left to do at a basis whose solution x*, y* is not optimal exactly: the linear program
/// in p (x - x*), with costs d (c - A'y*) for columns and d y* for the activities of rows. The
/// factors p and d, powers of two, make the largest violations near 1. So a solver in doubles,
/// whose tolerances are far above them in the problem itself, sees them well. It is the problem of
/// the iterative refinement of linear programs (Gleixner, Steffy and Wolter 2016), with residuals
/// that are exact but for their rounding to doubles.
///
/// A row whose activity has a cost gets a column for it, behind the others, and becomes an
/// equation.
struct Remainder {
  LinearProgram lp;             ///< m x (n + length of `costedRows`)
  Basis start;                  ///< the basis in question
  std::vector<int> costedRows;  ///< of the problem; the k-th has its activity in column n + k

  /// A basis of the remainder as one of the problem.
  Basis basisOf(Basis const& ofRemainder) const;
};

}  // namespace osi_cuda::rational
