// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/pivoting.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {

/// State of the row positions i = 0..m-1: one basic variable each. Arrays of length m.
struct RowState {
  int* variable = nullptr;  ///< basic variable; < n structural, n + i slack of row i
  double* value = nullptr;  ///< x_B
  double* lower = nullptr;  ///< its bounds
  double* upper = nullptr;
  double* weight = nullptr;   ///< dual pricing weight beta_i
  double* entry = nullptr;    ///< u = T[:,q], the entering column
  double* product = nullptr;  ///< tau: T (masked v), for exact dual weights
  double* change = nullptr;   ///< coefficients of combineRows, result of combineColumns
};

/// State of the column positions j = 0..n-1: one nonbasic variable each. Arrays of length n.
struct ColumnState {
  int* variable = nullptr;
  double* value = nullptr;  ///< x_N
  double* lower = nullptr;
  double* upper = nullptr;
  double* reducedCost = nullptr;  ///< d_N
  double* weight = nullptr;       ///< primal pricing weight gamma_j
  double* entry = nullptr;        ///< v = T[r,:], the leaving row
  double* product = nullptr;      ///< w = T'u, for exact primal weights
  double* change = nullptr;       ///< coefficients of combineColumns, result of combineRows
};

/// One exchange of the basic variable of row position r with the nonbasic one of column position q.
struct Exchange {
  int row = -1;
  int column = -1;
  double alpha = 0.0;          ///< T[r,q]
  double enteringValue = 0.0;  ///< value of the entering variable after the step
  double leavingValue = 0.0;   ///< value of the leaving variable after the step
};

/// A Team executes a pivot loop: it spreads work over rows and columns and meets. On the host it
/// is one thread calling a few others; on the device the whole grid runs the loop and every member
/// calls each function together. The pivot loops are written against this concept:
///
///   rows(), columns()            RowState, ColumnState; a member touches its own i and j only
///   used(), capacity()           k and K
///   forRows(f), forColumns(f)    f(i) for every own row; no meeting
///   reduceRows(zero, f, combine), reduceColumns(...)
///                                combine over all f(partial, i); a meeting; every member gets the
///                                result. combine must be associative and commutative up to
///                                rounding; sums are formed in an order that is always the same.
///   meet()                       writes before are visible to all after
///   column(q)                    rows().entry  = T[:,q]
///   row(r)                       columns().entry = T[r,:]
///   combineRows()                columns().change = sum_i rows().change[i] T[i,:]
///   combineColumns()             rows().change = sum_j columns().change[j] T[:,j]
///   steepestProducts()           columns().product = T' rows().entry          (exact primal)
///   dualSteepestProducts()       rows().product = T (columns().entry where slack) (exact dual)
///   updateColumnSketch(x)        Z after the exchange x, columns().weight from it
///   updateRowSketch(x)           W after the exchange x, rows().weight from it (sketched dual)
///   exchange(x)                  appends to U and V, swaps the two variables and their bounds
///   interrupted()                somebody asked to stop
///   slack(variable)              whether the variable is a slack
///   columnWeight(q), rowWeight(r)  that weight, known to every member
///   setColumnValue(q, x)         the nonbasic variable of column q moves to x
///   shiftCost(q, delta)          adds delta to the cost and reduced cost of column q's variable

namespace rules {

/// What a first pass of a ratio test learns.
struct HarrisBound {
  double relaxed = unlimited;  ///< smallest relaxed ratio
  double largest = 0.0;        ///< largest |entry|
};
OSI_CUDA_HD inline HarrisBound combineBounds(HarrisBound const& a, HarrisBound const& b) {
  return {a.relaxed < b.relaxed ? a.relaxed : b.relaxed,
          a.largest > b.largest ? a.largest : b.largest};
}

/// Both passes of Harris' ratio test in one: the bound, and the largest |entry| among the rows
/// whose ratio lies within it. Parts know their own bound only. A part whose best row turns out to
/// lie past the common bound may have others within: where that matters, `doubt` tells.
struct Choice {
  HarrisBound bound;
  Candidate best;              ///< largest |entry| with a ratio of at most bound.relaxed
  double nearest = unlimited;  ///< smallest exact ratio
  double doubt = unlimited;    ///< smallest exact ratio of rows that may have been overlooked

  /// Whether a second pass has to look for the best row.
  OSI_CUDA_HD bool doubtful() const { return doubt < unlimited && doubt <= bound.relaxed; }
};
OSI_CUDA_HD inline bool within(Choice const& part, double bound) {
  return part.best.found() && part.best.ratio <= bound;
}
OSI_CUDA_HD inline double doubtOf(Choice const& part, double bound) {
  bool const overlooked = !within(part, bound) && part.nearest <= bound;
  return overlooked && part.nearest < part.doubt ? part.nearest : part.doubt;
}
OSI_CUDA_HD inline Choice combineChoices(Choice const& a, Choice const& b) {
  Choice c;
  c.bound = combineBounds(a.bound, b.bound);
  double const bound = c.bound.relaxed;
  c.nearest = a.nearest < b.nearest ? a.nearest : b.nearest;
  double const doubtA = doubtOf(a, bound), doubtB = doubtOf(b, bound);
  c.doubt = doubtA < doubtB ? doubtA : doubtB;
  if (within(a, bound)) c.best = a.best;
  if (within(b, bound)) c.best = better(c.best, b.best);
  return c;
}

OSI_CUDA_HD inline double sum(double a, double b) {
  return a + b;
}
OSI_CUDA_HD inline int sumCounts(int a, int b) {
  return a + b;
}

}  // namespace rules
}  // namespace osi_cuda
