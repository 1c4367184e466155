// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/proof/implied_bounds.hpp"

namespace osi_cuda::proof {

/// All x with  rowLower <= M x <= rowUpper  and  lower <= x <= upper, M of m x n numbers.
struct Region {
  SparseMatrix const& byRows;  ///< the transpose of M
  std::span<double const> rowLower, rowUpper, lower, upper;
};

/// high + low, each of length n, and how far a point of the region is from it at most.
struct LocatedPoint {
  std::vector<double> high, low, radius;
};

/// What searches for points may do, all of them together.
struct SearchLimits {
  double work = infinity;  ///< entries to look at; goes down
  std::function<bool()> stop;
  /// A vertex of a small linear program, taking its work off the second argument; empty: none.
  std::function<std::vector<double>(LinearProgram const&, double&)> solve =
      [](LinearProgram const&, double&) { return std::vector<double>(); };
};

/// Proves that there is a point of the region near x, of length n, a vertex but for rounding:
///
/// 1. Entries near a bound go to it, and rows near a bound become equations for the other entries.
/// 2. Elimination makes a square system of them. Equations without a pivot are combinations of
///    others, which is checked exactly; or entries and rows move off their bounds, so that they are
///    solved for as well: a small linear program says which.
/// 3. The solution of the system is refined in pairs of doubles. By Brouwer's theorem there is an
///    exact one where x -> (L U)^-1 (r + (L U - M) x) maps a box into itself (Neumaier 1990).
///
/// Nothing where that is not found within the limits.
std::optional<LocatedPoint> locate(Region const& region, std::vector<double> x,
                                   SearchLimits& limits);

/// The end of the enclosure that a feasible point near x proves; infinite where there is none.
double endByPoint(LinearProgram const& lp, SparseMatrix const& transposed,
                  std::span<double const> x, SearchLimits& limits);

/// The other end, by multipliers and finite bounds that rows imply, the objective among them:
/// points that are no worse than about some value have more of these, and others do not matter.
class BoundedOptima {
 public:
  /// `lp` must outlive the object.
  BoundedOptima(LinearProgram const& lp, double objective, SearchLimits& limits);

  /// Of these multipliers; infinite where a reduced cost needs a bound that is not there.
  double endBy(std::span<double const> y) const;
  /// Of some that provably exist near these: a point where no such reduced cost has the wrong sign.
  double endNear(std::span<double const> y, SearchLimits& limits) const;

 private:
  double endOf(double least) const;

  LinearProgram const& lp_;
  double worst_;  ///< c'x of the minimisation, at most
  ImpliedBounds bounds_;
};

}  // namespace osi_cuda::proof
