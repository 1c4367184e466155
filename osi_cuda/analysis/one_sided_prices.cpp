// SPDX-License-Identifier: EPL-2.0
// One-sided derivatives of the optimum by the problem of directions at the vertex x: min c'v where
// v may go into the feasible set only, that is, the same rows and columns with bounds of 0 where x
// rests on a bound and none elsewhere. Its dual feasible points are the optimal duals of the
// problem, so with one bound moved to 1 its optimum is the largest of their prices on that bound
// (of a minimisation), which is the derivative.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/base/budget.hpp"

namespace osi_cuda {
namespace {

/// The problem of directions at a vertex: bounds of 0 where a variable rests, else none.
LinearProgram directionsAt(LinearProgram const& lp, Ranging const& ranging) {
  LinearProgram directions = lp;
  directions.objectiveOffset = 0.0;
  directions.integer.clear();
  auto const bound = [&](std::vector<double>& lower, std::vector<double>& upper,
                         std::vector<double> const& value,
                         std::vector<VariableStatus> const& statuses, std::size_t first) {
    for (std::size_t k = 0; k < lower.size(); ++k) {
      bool const rests = statuses[k] != VariableStatus::basic ||
                         std::binary_search(ranging.degenerate.begin(), ranging.degenerate.end(),
                                            static_cast<int>(first + k));
      bool const fixed = lower[k] == upper[k];
      bool const nearLower = std::fabs(value[k] - lower[k]) <= std::fabs(upper[k] - value[k]);
      lower[k] = rests && std::isfinite(lower[k]) && (fixed || nearLower) ? 0.0 : -infinity;
      upper[k] = rests && std::isfinite(upper[k]) && (fixed || !nearLower) ? 0.0 : infinity;
    }
  };
  Solution const& point = ranging.point;
  bound(directions.columnLower, directions.columnUpper, point.columnValues, point.basis.columns, 0);
  bound(directions.rowLower, directions.rowUpper, point.rowActivity, point.basis.rows,
        lp.columnLower.size());
  return directions;
}

class Directions {
 public:
  Directions(LinearProgram const& lp, Ranging const& ranging, Options const& options,
             Callbacks const& callbacks)
      : basis_(ranging.point.basis),
        budget_(budgetOf(options, callbacks)),
        solves_(options, callbacks, budget_),
        sign_(lp.sense == Sense::maximize ? -1.0 : 1.0) {
    solves_.solver.load(directionsAt(lp, ranging));
    solves_.options.algorithm =
        AlgorithmChoice::dual;  // the basis is dual feasible, whatever moves
  }

  /// False: interrupted.
  bool complete(Range& range, int variable, bool lower, bool both) {
    if (std::isnan(range.priceBelow) && !price(range.priceBelow, variable, lower, both, -1.0))
      return false;
    return !std::isnan(range.priceAbove) || price(range.priceAbove, variable, lower, both, 1.0);
  }

 private:
  bool price(double& price, int variable, bool lower, bool both, double step) {
    LinearProgram const& lp = solves_.solver.problem();
    double const oldLower = lowerBound(lp, variable), oldUpper = upperBound(lp, variable);
    solves_.setBounds(variable, lower || both ? step : oldLower, !lower || both ? step : oldUpper);
    solves_.solver.setBasis(basis_);
    if (budget_.reached() != Limit::none) return false;
    constexpr double tolerance = 1e-12;  // directions are exact or none: there is no scale
    Solution const moved = solves_.solveSettled(
        2.0 * (lp.rows() + lp.columns()), [](Status) { return true; }, tolerance);
    solves_.setBounds(variable, oldLower, oldUpper);
    if (moved.exact.tried && !moved.exact.proved) return true;  // it stays unknown
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

  Basis const basis_;
  Budget budget_;
  Resolves solves_;
  double const sign_;
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
