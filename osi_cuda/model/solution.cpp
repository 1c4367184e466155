// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/solution.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "osi_cuda/base/budget.hpp"

namespace osi_cuda {

char const* toString(Status status) {
  constexpr char const* words[] = {"optimal",         "infeasible",      "unbounded",
                                   "objective_limit", "iteration_limit", "time_limit",
                                   "interrupted",     "numerical",       "interior"};
  static_assert(std::size(words) == static_cast<std::size_t>(Status::interior) + 1);
  return words[static_cast<std::size_t>(status)];
}

char const* toString(ProofGrade grade) {
  constexpr char const* words[] = {"none", "tolerance", "extended", "exact"};
  static_assert(std::size(words) == static_cast<std::size_t>(ProofGrade::exact) + 1);
  return words[static_cast<std::size_t>(grade)];
}

double ObjectiveEnclosure::errorOf(double objective) const {
  // Rounded up: the differences themselves round, but for those that are zero.
  double const error = std::max(upper - objective, objective - lower);
  if (!(error > 0.0)) return std::isnan(error) ? error : 0.0;
  return std::nextafter(error, std::numeric_limits<double>::infinity());
}

double Residuals::largest() const {
  // std::max would drop a NaN, and a NaN must never look like a small residual.
  for (double residual : {primal, dual, complementarity}) {
    if (std::isnan(residual)) return residual;
  }
  return std::max({primal, dual, complementarity});
}

Status statusOf(Limit limit) {
  switch (limit) {
    case Limit::stop:
      return Status::interrupted;
    case Limit::time:
      return Status::timeLimit;
    case Limit::iterations:
      return Status::iterationLimit;
    case Limit::none:
      break;
  }
  throw std::invalid_argument("no limit was reached");
}

}  // namespace osi_cuda
