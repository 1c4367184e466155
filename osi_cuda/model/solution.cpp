// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/solution.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/budget.hpp"

namespace osi_cuda {

char const* toString(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::infeasible:
      return "infeasible";
    case Status::unbounded:
      return "unbounded";
    case Status::objectiveLimit:
      return "objective_limit";
    case Status::iterationLimit:
      return "iteration_limit";
    case Status::timeLimit:
      return "time_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::numerical:
      return "numerical";
    case Status::interior:
      return "interior";
  }
  return "numerical";
}

char const* toString(ProofGrade grade) {
  switch (grade) {
    case ProofGrade::none:
      return "none";
    case ProofGrade::tolerance:
      return "tolerance";
    case ProofGrade::extended:
      return "extended";
    case ProofGrade::exact:
      return "exact";
  }
  return "none";
}

double ObjectiveEnclosure::errorOf(double objective) const {
  // Rounded up: the differences themselves round.
  double const error = std::max(upper - objective, objective - lower);
  if (!(error >= 0.0)) return std::isnan(error) ? error : 0.0;
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
