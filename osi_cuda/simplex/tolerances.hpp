// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// What counts as feasible, as optimal and as zero while a solve goes on; tightened where a claim
/// turned out to rest on it. Scaled numbers.
class Tolerances {
 public:
  explicit Tolerances(Task const& task);

  double primal() const { return primal_; }  ///< a bound violated by less counts as satisfied
  double dual() const { return dual_; }      ///< a reduced cost wrong by less counts as zero
  double pivot() const { return pivot_; }    ///< smaller entries count as zero in ratio tests
  /// Beside the largest entry of their line smaller pivots are suspect.
  double relativePivot() const { return relativePivot_; }
  /// Residuals of a point, before it is rounded to doubles, at which its basis is optimal.
  double goal() const { return goal_; }
  /// Whether the engine tells entries from rounding that doubles don't hold.
  bool precise() const { return precise_; }

  /// For a basis that is optimal within the working tolerances, but whose point has larger
  /// residuals than the goal. False: they are as tight already as arithmetic allows.
  bool tighten(Residuals const& residuals);
  /// Entries that counted as zero and void a certificate have to count.
  void countSmallerPivots();
  /// The multipliers of an infeasible phase 1 were no certificate: what keeps them from being one
  /// are entries that counted as zero, or wrong signs within tolerances.
  void distrustMultipliers();
  /// Bounds gave way by that share: points are sought for these bounds, and are good enough.
  void widenedBy(double share);

 private:
  double primal_, dual_;
  double pivot_, relativePivot_;
  double goal_;
  bool precise_;
};

}  // namespace osi_cuda
