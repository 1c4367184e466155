// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/incumbent.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/choice_points.hpp"
#include "osi_cuda/search/whole_steps.hpp"

namespace osi_cuda::search {
namespace {

double stepOf(LinearProgram const& problem) {
  CommonDivisor divisor;
  for (int j = 0; j < problem.columns(); ++j) {
    if (problem.objective[at(j)] == 0.0) continue;
    if (!problem.integer[at(j)]) return 0.0;
    divisor.take(problem.objective[at(j)]);
  }
  return divisor.value();
}

}  // namespace

Incumbent::Incumbent(LinearProgram const& problem, Options const& options)
    : problem_(problem),
      points_(problem, std::min(options.primalTolerance, wholePointTolerance)),
      offset_(problem.objectiveOffset),
      step_(stepOf(problem)),
      absoluteGap_(options.absoluteGap),
      relativeGap_(options.relativeGap) {}

void Incumbent::offer(std::vector<double> x) {
  decide(problem_, x);
  if (std::optional<double> const value = points_.valueOf(x)) take(std::move(x), *value);
}

void Incumbent::take(std::vector<double> x, double objective) {
  if (!(objective < objective_)) return;
  objective_ = objective;
  values_ = std::move(x);
  double const size = std::fabs(objective_);
  double const relative = relativeGap_ > 0.0 ? relativeGap_ * size : 0;
  double const gap = std::max(absoluteGap_, std::isnan(relative) ? infinity : relative);
  double const least = sameNumber * std::max(1.0, size);
  // Whole steps: a bound that is above the one before the incumbent is the incumbent's.
  cutoff_ = objective_ - std::max(gap, std::max(least, step_ * (1.0 - 1e-6)));
  if (whenTaken) whenTaken();
}

double Incumbent::raised(double bound) const {
  if (!(step_ > 0.0) || !std::isfinite(bound)) return bound;
  double const part = offset_ == 0.0 ? bound : std::nextafter(bound - offset_, -infinity);
  double const multiple = toMultiple(part, step_, true), sum = multiple + offset_;
  bool const exact = sum - offset_ == multiple && sum - multiple == offset_;
  return std::max(bound, exact ? sum : std::nextafter(sum, -infinity));
}

}  // namespace osi_cuda::search
