// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/ranging.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/analysis/ratio_tests.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/rational/basis_check.hpp"

namespace osi_cuda {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What a rate makes of a change that may be infinite.
double change(double rate, double step) {
  return rate == 0.0 || step == 0.0 ? 0.0 : rate * step;
}

/// present + step, rounded to a number that is not beyond it: both ends belong to an interval.
double endAt(double present, double step) {
  DoubleDouble const sum = double_double::twoSum(present, step);
  bool const beyond = std::isfinite(sum.hi) && (step > 0.0 ? sum.lo < 0.0 : sum.lo > 0.0);
  return beyond ? std::nextafter(sum.hi, present) : sum.hi;
}

class Ranges {
 public:
  Ranges(LinearProgram const& lp, Solution const& point, RatioTests const& tests)
      : lp_(lp), point_(point), tests_(tests), sign_(lp.sense == Sense::maximize ? -1.0 : 1.0) {}

  /// Of column v, or of the price on a row's activity.
  Range cost(int v) const {
    VertexVariable const& x = at(v);
    Range range;
    range.present = v < lp_.columns() ? lp_.objective[static_cast<std::size_t>(v)] : 0.0;
    range.price = range.priceBelow = range.priceAbove = x.value;
    bool const basic = x.status == VariableStatus::basic;
    bool const atLower = x.status == VariableStatus::atLower;
    bool const atUpper = x.status == VariableStatus::atUpper;
    double rise = infinity, fall = infinity;  // of a minimisation's cost
    if (basic) {
      rise = up(v).step;
      fall = down(v).step;
    } else if (!x.fixed()) {
      if (!atLower) rise = atUpper ? std::max(0.0, -x.price) : 0.0;
      if (!atUpper) fall = atLower ? std::max(0.0, x.price) : 0.0;
    }
    RangeEnd raised = costEnd(v, range.present, rise), lowered = costEnd(v, range.present, -fall);
    auto const pivot = [&](RangeEnd& end, Blocker const& blocker, int way) {
      if (!(blocker.step < infinity)) return;
      VertexVariable const& k = at(blocker.variable);
      int direction = k.status == VariableStatus::atLower ? 1 : -1;
      if (k.status == VariableStatus::free) direction = way * blocker.rate > 0.0 ? -1 : 1;
      enter(end, blocker.variable, direction, blocker.rate);
    };
    if (basic) {
      pivot(raised, up(v), 1);
      pivot(lowered, down(v), -1);
    } else {
      if (rise < infinity) enter(raised, v, -1, 1.0);
      if (fall < infinity) enter(lowered, v, 1, 1.0);
    }
    range.high = sign_ > 0.0 ? raised : lowered;
    range.low = sign_ > 0.0 ? lowered : raised;
    return range;
  }

  enum class Side { lower, upper };
  /// Of a bound of variable v.
  Range bound(int v, Side side) const {
    VertexVariable const& x = at(v);
    bool const lower = side == Side::lower;
    double const present = lower ? x.lower : x.upper;
    double const away = lower ? -infinity : infinity;
    Range range;
    range.present = present;
    RangeEnd inner, outer = endless(away, point_.objective, x.value);
    if (x.status == VariableStatus::basic) {
      if (x.fixed()) {
        range.low = leaving(v, present, true);
        range.high = leaving(v, present, false);
        range.priceBelow = range.priceAbove = unknown;
        return range;
      }
      bool const rests = (lower ? x.roomDown : x.roomUp) == 0.0;
      inner = leaving(v, rests ? present : x.value, !lower);
      (lower ? range.priceAbove : range.priceBelow) = rests ? unknown : 0.0;
    } else if (x.fixed() || (lower ? x.status == VariableStatus::atLower
                                   : x.status == VariableStatus::atUpper)) {
      double const gap = x.fixed() ? infinity : x.upper - x.lower;
      range.low = boundEnd(v, present, -1, lower ? infinity : gap);
      range.high = boundEnd(v, present, 1, lower ? gap : infinity);
      range.price = x.price == 0.0 ? 0.0 : sign_ * x.price;
      range.priceBelow = range.low.at < present ? range.price : unknown;
      range.priceAbove = range.high.at > present ? range.price : unknown;
      return range;
    } else {  // it rests on its other bound, or is free: the bounds meet at its value
      inner = endless(x.value, point_.objective, x.value);
      inner.beyond = x.status == VariableStatus::free ? Beyond::otherBasis : Beyond::infeasible;
    }
    range.low = lower ? outer : inner;
    range.high = lower ? inner : outer;
    return range;
  }

 private:
  VertexVariable const& at(int v) const { return tests_.variables[static_cast<std::size_t>(v)]; }
  Blocker const& up(int v) const { return tests_.up[static_cast<std::size_t>(v)]; }
  Blocker const& down(int v) const { return tests_.down[static_cast<std::size_t>(v)]; }

  /// The cost changed by `step`, in the terms of a minimisation.
  RangeEnd costEnd(int v, double cost, double step) const {
    VertexVariable const& x = at(v);
    double const changed = sign_ * step;
    return endless(endAt(cost, changed), point_.objective + change(x.value, changed), x.value);
  }
  /// Fills in the pivot at the end of a cost's interval. `rate`: by how much the column whose cost
  /// it is moves for a unit of the entering variable.
  void enter(RangeEnd& end, int entering, int direction, double rate) const {
    VertexVariable const& k = at(entering);
    Blocker const& blocker = direction > 0 ? up(entering) : down(entering);
    double const own = k.upper - k.lower;
    double const step = std::min(own, blocker.step);
    end.enters = entering;
    end.value += change(rate * direction, step);
    end.beyond = step < infinity ? Beyond::otherBasis : Beyond::unbounded;
    if (step < infinity) end.leaves = own <= blocker.step ? entering : blocker.variable;
  }
  /// Nonbasic variable v moves with the bound that it rests on, by `most` at most: there its bounds
  /// meet.
  RangeEnd boundEnd(int v, double present, int direction, double most) const {
    Blocker const& blocker = direction > 0 ? up(v) : down(v);
    double const step = direction * std::min(most, blocker.step);
    double const price = sign_ * at(v).price;
    double const last = endAt(present, step);
    RangeEnd end = endless(last, point_.objective + change(price, step), last);
    if (most <= blocker.step) {
      if (most < infinity) end.beyond = Beyond::infeasible;
      return end;
    }
    end.leaves = blocker.variable;
    end.enters = (blocker.toUpper ? up(end.leaves) : down(end.leaves)).variable;
    end.beyond = end.enters < 0 ? Beyond::infeasible : Beyond::otherBasis;
    return end;
  }
  /// Basic variable v rests on `bound`, beyond which it leaves.
  RangeEnd leaving(int v, double bound, bool toUpper) const {
    RangeEnd end = endless(bound, point_.objective, bound);
    end.leaves = v;
    end.enters = (toUpper ? up(v) : down(v)).variable;
    end.beyond = end.enters < 0 ? Beyond::infeasible : Beyond::otherBasis;
    return end;
  }
  RangeEnd endless(double at, double objective, double value) const {
    RangeEnd end;
    end.at = at;
    end.objective = objective;
    end.value = value;
    return end;
  }

  LinearProgram const& lp_;
  Solution const& point_;
  RatioTests const& tests_;
  double sign_;  ///< costs of a minimisation are sign_ times those of the problem
};

void findDegeneracy(Ranging& ranging, RatioTests const& tests) {
  for (std::size_t v = 0; v < tests.variables.size(); ++v) {
    VertexVariable const& x = tests.variables[v];
    if (x.status == VariableStatus::basic) {
      if (x.roomUp == 0.0 || x.roomDown == 0.0) ranging.degenerate.push_back(static_cast<int>(v));
    } else if (x.price == 0.0 && !x.fixed()) {
      ranging.indifferent.push_back(static_cast<int>(v));
    }
  }
}

/// By how much the objective could be better at most: what reduced costs of the wrong sign gain
/// where their variables move to their other bounds. Without such a bound they count as rounding.
double possibleGain(std::vector<VertexVariable> const& variables) {
  double gain = 0.0;
  for (VertexVariable const& v : variables) {
    double const width = v.upper - v.lower;
    bool const wrong = (v.status == VariableStatus::atLower && v.price < 0.0) ||
                       (v.status == VariableStatus::atUpper && v.price > 0.0);
    if (wrong && std::isfinite(width)) gain += std::fabs(v.price) * width;
  }
  return gain;
}

/// A gain above this share of 1 + |objective| is one that the basis is not optimal for.
constexpr double worthwhile = 1e-6;

/// The vertex of a basis that is optimal exactly and that doubles do not hold; nothing where it is
/// not.
std::optional<Solution> exactVertex(LinearProgram const& lp, Basis const& basis,
                                    std::function<bool()> stop) {
  rational::BasisCheck check = rational::checkBasis(lp, basis, {.stop = std::move(stop)});
  if (check.outcome != rational::Outcome::proved) return std::nullopt;
  Solution vertex;
  vertex.status = Status::optimal;
  vertex.proof = ProofGrade::exact;
  vertex.exact.proved = vertex.exact.tried = true;
  vertex.basis = basis;
  vertex.objectiveEnclosure = check.objectiveEnclosure;
  check.moveTo(vertex);
  vertex.residuals = residualsOf(lp, vertex);
  return vertex;
}

/// In doubles, with sums in double-double arithmetic.
std::optional<RatioTests> roundedTests(Solver const& solver, Solution const& point,
                                       std::function<bool()> const& stop) {
  std::vector<VertexVariable> variables = variablesAt(solver.problem(), point);
  double const gain = possibleGain(variables);
  if (gain > worthwhile * (1.0 + std::fabs(point.objective)))
    throw std::invalid_argument(
        "The basis is optimal within the tolerances only: reduced costs of the wrong sign, times "
        "the widths of their boxes, leave " +
        std::to_string(gain) + " to gain. There is nothing to range.");
  return ratioTests(solver, std::move(variables), stop);
}

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

char const* toString(Beyond beyond) {
  constexpr char const* words[] = {"nothing", "other basis", "infeasible", "unbounded"};
  static_assert(std::size(words) == static_cast<std::size_t>(Beyond::unbounded) + 1);
  return words[static_cast<std::size_t>(beyond)];
}

std::optional<Ranging> ranging(Solver& solver, Options const& options, Callbacks const& callbacks) {
  Budget const budget = budgetOf(options, callbacks);
  LinearProgram const& lp = solver.problem();
  if (std::ssize(solver.basis().columns) != lp.columns() ||
      std::ssize(solver.basis().rows) != lp.rows())
    throw std::invalid_argument("There is no basis to range: solve the problem first.");
  std::function<bool()> const stop = [&] { return budget.reached() != Limit::none; };
  bool exact = worthExact(lp, solver.basis(), options, 2.0 + lp.rows());
  Ranging found;
  found.point = solver.evaluate(options, callbacks);
  if (found.point.status != Status::optimal) {
    // To evaluate a basis takes no iterations.
    if (budget.interrupted()) return std::nullopt;
    std::optional<Solution> vertex;
    if (exact) vertex = exactVertex(lp, solver.basis(), stop);
    if (!vertex)
      throw std::invalid_argument(
          "The basis is not optimal in double precision: there is nothing to range.");
    found.point = std::move(*vertex);
  } else if (exact) {
    Solution const rounded = found.point;
    exact = settle(lp, withinBudget(options, budget), callbacks, found.point) &&
            found.point.status == Status::optimal;
    // A basis that is proved may have a point that doubles miss: theirs is that of another basis.
    if (!exact && found.point.basis != rounded.basis) {
      std::optional<Solution> vertex = exactVertex(lp, found.point.basis, stop);
      exact = vertex.has_value();
      found.point = vertex ? std::move(*vertex) : rounded;
    }
    if (exact) solver.setBasis(found.point.basis);
  }
  std::optional<RatioTests> const tests = exact ? exactRatioTests(lp, found.point.basis, stop)
                                                : roundedTests(solver, found.point, stop);
  if (!tests) return std::nullopt;
  Ranges const ranges(lp, found.point, *tests);
  int const n = lp.columns(), m = lp.rows();
  for (int j = 0; j < n; ++j) {
    found.costs.push_back(ranges.cost(j));
    found.columnLower.push_back(ranges.bound(j, Ranges::Side::lower));
    found.columnUpper.push_back(ranges.bound(j, Ranges::Side::upper));
  }
  for (int i = 0; i < m; ++i) {
    found.rowCosts.push_back(ranges.cost(n + i));
    found.rowLower.push_back(ranges.bound(n + i, Ranges::Side::lower));
    found.rowUpper.push_back(ranges.bound(n + i, Ranges::Side::upper));
  }
  findDegeneracy(found, *tests);
  return found;
}

// One-sided derivatives of the optimum by the problem of directions at the vertex x: min c'v where
// v may go into the feasible set only, that is, the same rows and columns with bounds of 0 where x
// rests on a bound and none elsewhere. Its dual feasible points are the optimal duals of the
// problem, so with one bound moved to 1 its optimum is the largest of their prices on that bound
// (of a minimisation), which is the derivative.

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
