// SPDX-License-Identifier: EPL-2.0
// One-sided derivatives of the optimum by the problem of directions at the vertex x: min c'v where
// v may go into the feasible set only, that is, the same rows and columns with bounds of 0 where x
// rests on a bound and none elsewhere. Its dual feasible points are the optimal duals of the
// problem, so with one bound moved to 1 its optimum is the largest of their prices on that bound
// (of a minimisation), which is the derivative.
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/analysis/ranging.hpp"

namespace osi_cuda {
namespace {

/// Distance, relative, within which a value rests on a bound; as in the ratio tests.
constexpr double rests = 1e-9;

bool restsOn(double value, double bound) {
  return std::isfinite(bound) && std::fabs(value - bound) <= rests * (1.0 + std::fabs(bound));
}

/// 0 where `value` rests on the bound, else none.
void turnIntoDirections(std::vector<double>& lower, std::vector<double>& upper,
                        std::vector<double> const& value) {
  for (std::size_t k = 0; k < lower.size(); ++k) {
    lower[k] = restsOn(value[k], lower[k]) ? 0.0 : -infinity;
    upper[k] = restsOn(value[k], upper[k]) ? 0.0 : infinity;
  }
}

LinearProgram directionsAt(LinearProgram const& lp, Solution const& point) {
  LinearProgram directions = lp;
  directions.objectiveOffset = 0.0;
  directions.integer.clear();
  turnIntoDirections(directions.columnLower, directions.columnUpper, point.columnValues);
  turnIntoDirections(directions.rowLower, directions.rowUpper, point.rowActivity);
  return directions;
}

class Directions {
 public:
  Directions(LinearProgram const& lp, Ranging const& ranging, Options const& options,
             Callbacks const& callbacks)
      : columns_(lp.columns()),
        solver_(directionsAt(lp, ranging.point)),
        basis_(ranging.point.basis),
        options_(options) {
    callbacks_.interrupted = callbacks.interrupted;
    options_.algorithm = AlgorithmChoice::dual;  // the basis is dual feasible, whatever moves
    options_.exact = Toggle::off;
    options_.presolve = Toggle::off;  // the basis is optimal but for one bound
    sign_ = lp.sense == Sense::maximize ? -1.0 : 1.0;
  }

  /// False: interrupted.
  bool complete(Range& range, int variable, bool lower, bool both) {
    if (std::isnan(range.priceBelow) && !price(range.priceBelow, variable, lower, both, -1.0))
      return false;
    return !std::isnan(range.priceAbove) || price(range.priceAbove, variable, lower, both, 1.0);
  }

 private:
  bool price(double& price, int variable, bool lower, bool both, double step) {
    LinearProgram const& lp = solver_.problem();
    auto const k = static_cast<std::size_t>(variable < columns_ ? variable : variable - columns_);
    double const oldLower = (variable < columns_ ? lp.columnLower : lp.rowLower)[k];
    double const oldUpper = (variable < columns_ ? lp.columnUpper : lp.rowUpper)[k];
    set(variable, lower || both ? step : oldLower, !lower || both ? step : oldUpper);
    solver_.setBasis(basis_);
    Options limited = options_;
    limited.timeLimit =
        options_.timeLimit - std::chrono::duration<double>(Clock::now() - start_).count();
    if (limited.timeLimit < 0.0) return false;
    Solution const moved = solver_.solve(limited, callbacks_);
    set(variable, oldLower, oldUpper);
    switch (moved.status) {
      case Status::optimal:
        price = step * moved.objective;
        return true;
      case Status::infeasible:
        price = step * sign_ * infinity;
        return true;
      case Status::timeLimit:
      case Status::iterationLimit:
      case Status::interrupted:
        return false;
      default:
        return true;  // no proof: it stays unknown
    }
  }

  void set(int variable, double lower, double upper) {
    if (variable < columns_)
      solver_.setColumnBounds(variable, lower, upper);
    else
      solver_.setRowBounds(variable - columns_, lower, upper);
  }

  using Clock = std::chrono::steady_clock;
  Clock::time_point const start_ = Clock::now();
  int columns_;
  Solver solver_;
  Basis basis_;
  Options options_;
  Callbacks callbacks_;
  double sign_;
};

}  // namespace

bool addOneSidedPrices(Ranging& ranging, LinearProgram const& lp, Options const& options,
                       Callbacks const& callbacks) {
  if (std::ssize(ranging.columnLower) != lp.columns() || std::ssize(ranging.rowLower) != lp.rows())
    throw std::invalid_argument("The ranging belongs to another problem.");
  Directions directions(lp, ranging, options, callbacks);
  auto const side = [&](std::vector<Range>& lower, std::vector<Range>& upper, int first) {
    for (std::size_t k = 0; k < lower.size(); ++k) {
      int const variable = first + static_cast<int>(k);
      bool const both = lower[k].present == upper[k].present;
      if (!directions.complete(lower[k], variable, true, both)) return false;
      if (both) {
        upper[k] = lower[k];
      } else if (!directions.complete(upper[k], variable, false, false)) {
        return false;
      }
    }
    return true;
  };
  return side(ranging.columnLower, ranging.columnUpper, 0) &&
         side(ranging.rowLower, ranging.rowUpper, lp.columns());
}

}  // namespace osi_cuda
