// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
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

/// A bound of a column that a node has otherwise than the problem.
struct BoundChange {
  int column = 0;
  bool upper = false;
  double value = 0.0;

  bool operator==(BoundChange const&) const = default;
};

/// What row multipliers prove of a node, the problem with some bounds of columns changed. Any
/// multipliers prove something; that numbers are safe does not depend on how they were found. All
/// rounding is outward (proof/assessment.hpp); infinite bounds of columns are replaced by those
/// that rows imply at the root. One object for each thread: copies share the problem.
class NodeProver {
 public:
  /// `problem` minimises and has a sparse matrix.
  explicit NodeProver(LinearProgram const& problem);

  /// The bounds of all columns, those that rows imply in place of infinite ones; while a node is
  /// entered, that node's.
  proof::ImpliedBounds const& bounds() const { return bounds_; }
  /// False: bounds cross. leave() has to follow in either case.
  bool enter(std::span<BoundChange const> node);
  void leave();
  /// A bound of the whole problem, from now on.
  void tighten(BoundChange const& change);

  /// Zeros for multipliers that need an infinite side of a row, and for what is no number.
  void clean(std::vector<double>& y) const;

  /// No point of the node is better: minus infinity where `y`, cleaned, proves nothing, infinity
  /// where bounds cross. Sums are followed rounding by rounding where plain ones leave it open
  /// whether the bound is at least `wanted`.
  double boundOf(std::span<double const> y, std::span<BoundChange const> node,
                 double wanted = std::numeric_limits<double>::quiet_NaN());
  /// The node has no point: `y`, cleaned, are Farkas multipliers, or bounds cross.
  bool isEmpty(std::span<double const> y, std::span<BoundChange const> node);

  /// Bounds that every point of the problem has whose objective is below `cutoff`, as the
  /// multipliers prove: at x_j = lower + t the bound is larger by t d_j. Of integer columns only.
  std::vector<BoundChange> boundsBelow(double cutoff, std::span<double const> y) const;

 private:
  double boundHere(bool withCosts, std::span<double const> y, double wanted) const;

  LinearProgram const* problem_;
  /// The problem without costs: a bound above 0 says that it is empty.
  std::shared_ptr<LinearProgram const> costless_;
  std::shared_ptr<PlainBound const> plain_;
  proof::ImpliedBounds bounds_;
  std::vector<BoundChange> before_;
};

}  // namespace osi_cuda::search
