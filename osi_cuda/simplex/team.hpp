// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>

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
  double inverse = 0.0;        ///< 1 / alpha
  double enteringValue = 0.0;  ///< value of the entering variable after the step
  double leavingValue = 0.0;   ///< value of the leaving variable after the step

  OSI_CUDA_HD static Exchange on(int row, int column, double alpha) {
    return {row, column, alpha, rules::reciprocal(alpha)};
  }
};

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

/// The outcome of Harris' ratio test.
struct Blocking {
  Candidate best;              ///< largest |entry| among those within the bound
  double relaxed = unlimited;  ///< the bound: smallest relaxed ratio
  double largest = 0.0;        ///< largest |entry| of all, rounded up to coarse numbers
};

/// Five leading bits of a number that is not negative, rounded up: enough to tell small pivots, and
/// short. In order; 15 bits.
OSI_CUDA_HD inline std::uint32_t coarseBits(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof x);
  return static_cast<std::uint32_t>((bits + 0xffffffffffffull) >> 48);
}
OSI_CUDA_HD inline double fromCoarseBits(std::uint32_t coarse) {
  std::uint64_t const bits = static_cast<std::uint64_t>(coarse) << 48;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// A step length at which the slope of a convex piecewise linear function rises.
struct Kink {
  double ratio = unlimited;  ///< none, if unlimited
  double rise = 0.0;         ///< may be infinite
};
/// What a row or column adds to such a function.
struct Kinks {
  Kink first, second;
  double entry = 0.0;  ///< |entry| of the tableau
};
/// Where its slope turns from negative to not negative.
struct Turn {
  double ratio = unlimited;
  double largest = 0.0;  ///< largest |entry| of all, rounded up to coarse numbers
  bool passed = false;   ///< some kink has a smaller ratio

  OSI_CUDA_HD bool found() const { return ratio < unlimited; }
};

/// Rises are summed as whole numbers, the slope that there is to overcome being turnUnits of them:
/// such sums are the same in any order. A millionth less is enough, as sums that should cancel
/// leave rounding behind.
inline constexpr std::uint32_t turnUnits = 1u << 30;
inline constexpr std::uint64_t turnNeeds = turnUnits - turnUnits / 1000000;
OSI_CUDA_HD inline std::uint32_t riseUnits(double rise, double unitsPerRise) {
  double const units = rise * unitsPerRise + 0.5;
  if (!(units < turnUnits)) return turnUnits;
  auto const whole = static_cast<std::uint32_t>(units);
  return whole > 0 ? whole : 1;
}

OSI_CUDA_HD inline double sum(double a, double b) {
  return a + b;
}
OSI_CUDA_HD inline int sumCounts(int a, int b) {
  return a + b;
}

}  // namespace rules
/// A Team executes a pivot loop: it spreads work over rows and columns and meets. On the host it
/// is one thread calling a few others; on the device the whole grid runs the loop and every member
/// calls each function together. The pivot loops take anything of this concept; any callable may
/// stand where a pointer to a function does here.
template <class T>
concept Team = requires(T& team, int i, double x, bool flag, Exchange const& swap,
                        void (*visit)(int), void (*add)(double&, int),
                        double (*combine)(double, double), rules::Breakpoint (*breakpoint)(int),
                        rules::Candidate (*candidateOf)(int, rules::Breakpoint const&),
                        rules::Kinks (*kinksOf)(int), int (*directionOf)(int),
                        double (*boundOf)(double, double, double, double)) {
  /// A member touches its own rows and columns only.
  { team.rows() } -> std::same_as<RowState>;
  { team.columns() } -> std::same_as<ColumnState>;
  { team.used() } -> std::same_as<int>;      // k
  { team.capacity() } -> std::same_as<int>;  // K
  { team.slack(i) } -> std::same_as<bool>;   // whether the variable is a slack

  /// visit(i) for every own row or column; no grid barrier.
  team.forRows(visit);
  team.forColumns(visit);
  /// Combines over all add(partial, i); a grid barrier; every member gets the result. `combine`
  /// must be associative and commutative up to rounding; sums are formed in an order that is always
  /// the same.
  { team.reduceRows(x, add, combine) } -> std::same_as<double>;
  { team.reduceColumns(x, add, combine) } -> std::same_as<double>;
  /// The same for the rows where rows().entry, the columns where columns().entry differs from zero,
  /// and for the one called first (-1: none); others may be visited as well.
  team.forColumnEntries(i, visit);
  team.forRowEntries(i, visit);
  { team.reduceColumnEntries(x, add, combine) } -> std::same_as<double>;
  { team.reduceRowEntries(x, add, combine) } -> std::same_as<double>;
  /// The same over the rows that violate a bound by whatever little, over the columns that may move
  /// and improve the objective, and over those that have a kink at the turn that turnColumns found
  /// last, or before it.
  { team.reduceViolated(x, add, combine) } -> std::same_as<double>;
  { team.reduceAttracted(x, add, combine) } -> std::same_as<double>;
  { team.reduceTurnColumns(x, add, combine) } -> std::same_as<double>;
  /// visit(i) for the rows where combineColumns() made rows().change differ from zero.
  team.forChangedRows(visit);

  /// Harris' ratio test in both passes: the smallest relaxed ratio of breakpoint(i), and the best
  /// of the candidateOf(i, breakpoint) whose ratio lies within it.
  { team.harrisRows(breakpoint, candidateOf) } -> std::same_as<rules::Blocking>;
  { team.harrisColumns(breakpoint, candidateOf) } -> std::same_as<rules::Blocking>;
  /// Where the slope x, negative, turns by the rises of all kinksOf(i).
  { team.turnRows(kinksOf, x) } -> std::same_as<rules::Turn>;
  { team.turnColumns(kinksOf, x) } -> std::same_as<rules::Turn>;

  team.column(i);  // rows().entry = T[:,i]
  team.row(i);     // columns().entry = T[i,:]
  /// columns().change = sum_i rows().change[i] T[i,:]
  team.combineRows();
  /// rows().change = sum_j columns().change[j] T[:,j], over the columns where the present row has
  /// entries; on the host rows().change is left alone where nothing changes.
  team.combineColumns();
  team.steepestProducts();      // columns().product = T' rows().entry            (exact primal)
  team.dualSteepestProducts();  // rows().product = T (columns().entry where slack) (exact dual)
  /// columns().product[j] = the least boundOf(x, lower, upper, directionOf(j) T_ij) over the basic
  /// variables x of all rows, unlimited where directionOf(j) is 0. Before the first pivot of a run
  /// only, with k = 0: D is the tableau then. boundOf is at most unlimited. (greatest improvement)
  team.shortestSteps(directionOf, boundOf);
  /// The square of the norm of the present row of B^-1: of the present row's entries at slack
  /// columns, and 1 more where the row's own variable is a slack (the flag). In the dual, rows may
  /// leave out columns whose variables can't move.
  { team.inverseRowSquare(flag) } -> std::same_as<double>;
  team.updateColumnSketch(swap);  // Z after the exchange, columns().weight from it
  team.updateRowSketch(swap);     // W after the exchange, rows().weight from it (sketched dual)
  team.exchange(swap);            // appends to U and V, swaps the two variables and their bounds

  /// That weight, known to every member.
  { team.columnWeight(i) } -> std::same_as<double>;
  { team.rowWeight(i) } -> std::same_as<double>;
  team.setColumnValue(i, x);  // the nonbasic variable of column i moves to x
  team.shiftCost(i, x);       // adds x to the cost and reduced cost of column i's variable
};

}  // namespace osi_cuda
