// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"

namespace osi_cuda::search {

/// Integer points: those that roundings make, and what they are worth. Const calls may come from
/// several threads.
class PointMaker {
 public:
  /// `problem` minimises and has a sparse matrix; points may miss bounds by `tolerance` as
  /// Residuals::primal.
  PointMaker(LinearProgram const& problem, double tolerance);

  bool allIntegers() const { return allIntegers_; }

  /// How many rows are in the way of a column, by direction (an integer column).
  struct Locks {
    int down = 0, up = 0;
  };
  Locks const& locksOf(int j) const { return locks_[at(j)]; }
  /// `value` rounded to the side on which fewer rows are in the way, or by cost.
  double roundedByLocks(int j, double value) const;

  /// The objective of the point, rounded up, where it keeps to all choices and the verifier
  /// takes it.
  std::optional<double> valueOf(std::span<double const> x) const;

  /// `x` with its sets and semicontinuous columns decided and its integers rounded: to the side on
  /// which fewer rows are in the way, or to the nearest (`nearest`); then moved one after the other
  /// to better objectives as far as rows allow. False: rows are missed, where continuous columns
  /// stay as they are.
  bool round(std::vector<double>& x, bool nearest) const;

 private:
  void improve(std::vector<double>& x, std::vector<double>& activity) const;
  /// The largest step of whole units of column j by `direction` within rows and bounds.
  double stepOf(int j, double direction, double x, std::vector<double> const& activity) const;

  LinearProgram const& problem_;
  double const tolerance_;
  bool allIntegers_ = true;
  std::vector<int> byCost_;  ///< integer columns with costs, the largest first
  std::vector<Locks> locks_;
};

/// Of a point with whole integers: what misses rows by more may be better than any point that
/// misses none, and than the bound of its own node.
inline constexpr double wholePointTolerance = 1e-9;
/// Bounds and objectives that are relatively that close are one number.
inline constexpr double sameNumber = 1e-10;

/// The best integer point of a search, and the bounds that need no look because of it.
class Incumbent {
 public:
  /// `problem` outlives the object.
  Incumbent(LinearProgram const& problem, Options const& options);

  PointMaker const& points() const { return points_; }
  bool empty() const { return values_.empty(); }
  std::vector<double> const& values() const { return values_; }
  double objective() const { return objective_; }  ///< infinite without a point
  /// Nodes with bounds of at least that need no look.
  double cutoff() const { return cutoff_; }

  /// Takes the point, its choices decided, where it is one and better.
  void offer(std::vector<double> x);
  /// The same for a point of PointMaker.
  void take(std::vector<double> x, double objective);

  /// The least objective of an integer point that is not below that, or a number between.
  double raised(double bound) const;

  std::function<void()> whenTaken;

 private:
  LinearProgram const& problem_;
  PointMaker const points_;
  double const offset_;
  /// The number of which all objectives of integer points are multiples, but for the offset; or 0.
  double const step_;
  double const absoluteGap_, relativeGap_;
  std::vector<double> values_;
  double objective_ = infinity, cutoff_ = infinity;
};

}  // namespace osi_cuda::search
