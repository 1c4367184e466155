// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/tolerances.hpp"

#include <algorithm>

#include "osi_cuda/proof/verifier.hpp"

namespace osi_cuda {
namespace {

/// What an engine in double precision can tell from rounding; one with less has more digits.
constexpr double pivotOfDoubles = 1e-7;

// Of a start, what doubles can tell is enough: to look for more would be to make pivots. Where an
// engine with more digits is at work or goes on afterwards, what others stop at is not.
double goalOf(Effort effort, bool oneOfMany, bool precise) {
  if (effort == Effort::confirm) return 1e-15;
  if (effort == Effort::resumed && oneOfMany) return infinity;  // the tolerances are it
  return precise || effort == Effort::brief ? 1e-12 : Verifier::target;
}

}  // namespace

Tolerances::Tolerances(Task const& task)
    : primal_(task.options.primalTolerance),
      dual_(task.options.dualTolerance),
      pivot_(task.engine.traits().smallestPivot),
      precise_(pivot_ < pivotOfDoubles) {
  // There, entries are right to a rounding; but what is less than this beside others is made by the
  // rounding of coefficients, which differ from what their author meant by 1e-16.
  relativePivot_ = precise_ ? 1e-18 : pivot_;
  goal_ = std::min({goalOf(task.effort, task.options.oneOfMany, precise_), primal_, dual_});
}

bool Tolerances::tighten(Residuals const& residuals) {
  double const smallest = precise_ ? 1e-20 : 1e-12;
  auto const tightenOne = [&](double& tolerance, double residual) {
    if (tolerance <= 1.01 * smallest || (residual <= goal_ && tolerance <= Verifier::target))
      return false;
    tolerance =
        tolerance > Verifier::target ? Verifier::target : std::max(smallest, 1e-3 * tolerance);
    return true;
  };
  bool const primal = tightenOne(primal_, residuals.primal);
  // A wrong reduced cost of a wide box shows in the gap between the objectives.
  bool const dual = tightenOne(dual_, std::max(residuals.dual, residuals.complementarity));
  return primal || dual;
}

void Tolerances::countSmallerPivots() {
  pivot_ = precise_ ? std::max(1e-25, 1e-2 * pivot_) : std::max(1e-11, 1e-1 * pivot_);
}

void Tolerances::distrustMultipliers() {
  dual_ = std::max(precise_ ? double_double::solveRounding : 1e-13, 1e-2 * dual_);
  countSmallerPivots();
}

void Tolerances::widenedBy(double share) {
  primal_ = dual_ = Verifier::target;
  goal_ = 2.0 * share;
}

}  // namespace osi_cuda
