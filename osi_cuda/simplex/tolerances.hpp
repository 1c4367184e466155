// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>

#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/tolerances.hpp"
#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// What an engine in double precision can tell from rounding; one with less has more digits.
inline constexpr double pivotOfDoubles = 1e-7;

// Of a start, what doubles can tell is enough: to look for more would be to make pivots. Where an
// engine with more digits is at work or goes on afterwards, what others stop at is not.
inline double goalOf(Effort effort, bool oneOfMany, bool precise) {
  if (effort == Effort::confirm) return 1e-15;
  if (effort == Effort::resumed && oneOfMany) return infinity;  // the tolerances are it
  return precise || effort == Effort::brief ? 1e-12 : proof::target;
}

/// What counts as feasible, as optimal and as zero while a solve goes on; tightened where a claim
/// turned out to rest on it. Scaled numbers.
class Tolerances {
 public:
  explicit Tolerances(Task const& task)
      : primal_(task.options.primalTolerance),
        dual_(task.options.dualTolerance),
        pivot_(task.engine.traits().smallestPivot),
        precise_(pivot_ < pivotOfDoubles) {
    // There, entries are right to a rounding; but what is less than this beside others is made by
    // the rounding of coefficients, which differ from what their author meant by 1e-16.
    relativePivot_ = precise_ ? 1e-18 : pivot_;
    goal_ = std::min({goalOf(task.effort, task.options.oneOfMany, precise_), primal_, dual_});
  }

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
  bool tighten(Residuals const& residuals) {
    double const smallest = precise_ ? 1e-20 : 1e-12;
    auto const tightenOne = [&](double& tolerance, double residual) {
      if (tolerance <= 1.01 * smallest || (residual <= goal_ && tolerance <= proof::target))
        return false;
      tolerance = tolerance > proof::target ? proof::target : std::max(smallest, 1e-3 * tolerance);
      return true;
    };
    bool const primal = tightenOne(primal_, residuals.primal);
    // A wrong reduced cost of a wide box shows in the gap between the objectives.
    bool const dual = tightenOne(dual_, std::max(residuals.dual, residuals.complementarity));
    return primal || dual;
  }
  /// Entries that counted as zero and void a certificate have to count.
  void countSmallerPivots() {
    pivot_ = precise_ ? std::max(1e-25, 1e-2 * pivot_) : std::max(1e-11, 1e-1 * pivot_);
  }
  /// The multipliers of an infeasible phase 1 were no certificate: what keeps them from being one
  /// are entries that counted as zero, or wrong signs within tolerances.
  void distrustMultipliers() {
    dual_ = std::max(precise_ ? double_double::solveRounding : 1e-13, 1e-2 * dual_);
    countSmallerPivots();
  }

 private:
  double primal_, dual_;
  double pivot_, relativePivot_;
  double goal_;
  bool precise_;
};

}  // namespace osi_cuda
