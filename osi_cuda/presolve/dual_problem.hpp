// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/presolve/presolve.hpp"

/// The dual of a problem, for problems with many more rows than columns, as regressions are.
///
/// Columns of one entry are no columns here: together with the row's bounds they make the row i a
/// convex, piecewise linear penalty of its activity, whose conjugate is concave and piecewise
/// linear in the row's multiplier u_i. To minimise c'x + sum_i f_i(a_i'x) over the p remaining
/// columns within their bounds becomes
///
///     max sum_i h_i(u_i)   subject to   a_j'u = c_j for a free column j, <= or >= for one with a
///                                       bound; u_i between the breakpoints of h_i
///
/// with p rows. Each linear piece of h_i is a column: one for each row of a quantile or an L1
/// regression, between -(1 - tau) and tau. Rockafellar: Convex Analysis (1970), section 31.
namespace osi_cuda {

/// Rows, columns and nonzeros of the dual, at most: what a plan compares.
struct DualSize {
  int rows = 0, columns = 0;
  std::int64_t nonzeros = 0;
};
DualSize dualSize(LinearProgram const& lp);

/// The dual as a smaller problem, to be maximised; its multipliers are the point, its point the
/// multipliers. PresolveEnd::unchanged where the multipliers that the costs of single entries allow
/// contradict each other: then the given problem has no optimum. Throws std::bad_alloc.
PresolveOutcome dualise(LinearProgram const& lp);

}  // namespace osi_cuda
