// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/model/options.hpp"
#include "osi_cuda/search/points.hpp"

namespace osi_cuda::search {

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
