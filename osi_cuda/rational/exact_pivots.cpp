// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/exact_pivots.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/integers.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// After so many pivots of length 0 in a row Bland's rule chooses, which cannot cycle.
constexpr int degenerateBeforeBland = 5;

class Pivots {
 public:
  Pivots(LinearProgram const& lp, Watch& watch, ExactPivots& result)
      : lp_(lp), cone_(lp), watch_(watch), result_(result) {
    cone_.objectiveOffset = 0.0;
  }

  void run(std::int64_t mostPivots) {
    while (result_.pivots < mostPivots && !step()) ++result_.pivots;
  }

 private:
  int variables() const { return lp_.columns() + lp_.rows(); }

  VariableStatus& statusOf(int v) {
    Basis& basis = result_.basis;
    return v < lp_.columns() ? basis.columns[at(v)] : basis.rows[at(v - lp_.columns())];
  }

  /// A pivot, a flip or a repair; true: there was nothing to do, and result_.end says why.
  bool step() {
    Placement const placement = placementOf(lp_, result_.basis);
    LinearSystem const system(lp_.matrix, placement.rows, placement.columns, watch_);
    if (!system.regular()) {
      std::vector<int> dependent = system.dependentColumns();
      for (int const i : system.dependentRows()) dependent.push_back(lp_.columns() + i);
      result_.basis = repaired(std::move(result_.basis), dependent);
      return false;
    }
    ExactPoint const x(lp_, system, placement.rest, watch_);
    bool const feasible = weigh(x);
    Entering const entering = choose(system, placement, feasible);
    if (entering.variable < 0) {
      result_.end = feasible ? PivotsEnd::optimal : PivotsEnd::infeasible;
      return true;
    }
    return !move(system, x, entering, feasible);
  }

  /// Sets result_.weights to the gradient of the sum of infeasibilities; whether there are none.
  bool weigh(ExactPoint const& x) {
    result_.weights.assign(at(variables()), 0);
    bool feasible = true;
    for (int v = 0; v < variables(); ++v) {
      if (statusOf(v) != VariableStatus::basic) continue;
      Integer const value = x.value(v);
      double const lower = lowerBound(lp_, v), upper = upperBound(lp_, v);
      if (std::isfinite(lower) && fmpz_sgn(x.less(value, lower).get()) < 0)
        result_.weights[at(v)] = -1;
      else if (std::isfinite(upper) && fmpz_sgn(x.less(value, upper).get()) > 0)
        result_.weights[at(v)] = 1;
      feasible = feasible && result_.weights[at(v)] == 0;
    }
    return feasible;
  }

  struct Entering {
    int variable = -1;
    int direction = 0;
  };

  /// Of phase 1 the costs are the weights of basic variables, of phase 2 those of the problem. A
  /// row's activity r = a'x with the cost g has the reduced cost g + y, 0 where it is basic.
  Entering choose(LinearSystem const& system, Placement const& placement, bool feasible) {
    int const n = lp_.columns();
    std::vector<double> wanted, given(at(lp_.rows()), 0.0);
    if (!feasible) {
      wanted.assign(result_.weights.begin(), result_.weights.begin() + n);
      for (int i = 0; i < lp_.rows(); ++i) given[at(i)] = -result_.weights[at(n + i)];
    }
    ExactDuals const y(lp_, system, feasible ? lp_.objective : wanted, given, watch_);
    bool const negated = feasible && lp_.sense == Sense::maximize;
    Entering best;
    Integer largest;
    for (int v = 0; v < variables(); ++v) {
      double const rest = placement.rest[at(v)];
      bool const mayFall = rest != lowerBound(lp_, v), mayRise = rest != upperBound(lp_, v);
      if (statusOf(v) == VariableStatus::basic || (!mayFall && !mayRise)) continue;
      Integer cost;
      if (v >= n)
        cost = y.multiplier(v - n);
      else if (feasible)
        cost = y.reducedCost(v);
      else
        fmpz_neg(cost.get(), y.combination(v).get());
      if (negated) fmpz_neg(cost.get(), cost.get());
      int const sign = fmpz_sgn(cost.get());
      if (!(sign > 0 ? mayFall : sign < 0 && mayRise)) continue;
      if (best.variable >= 0 && fmpz_cmpabs(cost.get(), largest.get()) <= 0) continue;
      best = {v, -sign};
      if (degenerate_ >= degenerateBeforeBland) break;
      fmpz_swap(largest.get(), cost.get());
    }
    return best;
  }

  /// What ends the step of the entering variable.
  struct Blocking {
    int variable = -1;
    bool upper = false;   ///< which of its bounds it reaches
    Integer room, speed;  ///< room / speed is the length of the step; both >= 0, times a factor
  };

  /// Makes the step; false: nothing ends it.
  bool move(LinearSystem const& system, ExactPoint const& x, Entering const& entering,
            bool feasible) {
    std::vector<double> moves(at(variables()), 0.0);
    moves[at(entering.variable)] = entering.direction;
    ExactPoint const ray(cone_, system, moves, watch_);
    Blocking blocking;
    for (int v = 0; v < variables(); ++v) {
      if (v != entering.variable && statusOf(v) != VariableStatus::basic) continue;
      Integer speed = ray.value(v);
      int const direction = fmpz_sgn(speed.get());
      std::optional<bool> const upper = boundAhead(v, direction);
      if (!upper) continue;
      double const bound = *upper ? upperBound(lp_, v) : lowerBound(lp_, v);
      Integer room = x.less(x.value(v), bound);
      fmpz_abs(room.get(), room.get());
      fmpz_abs(speed.get(), speed.get());
      if (blocking.variable >= 0 && !shorter(room, speed, blocking)) continue;
      blocking = {v, *upper, std::move(room), std::move(speed)};
    }
    if (blocking.variable < 0) {
      result_.end = PivotsEnd::unbounded;
      result_.variable = entering.variable;
      result_.direction = entering.direction;
      return feasible ? false : throw std::logic_error("a sum of infeasibilities without a bound");
    }
    degenerate_ = fmpz_is_zero(blocking.room.get()) ? degenerate_ + 1 : 0;
    statusOf(entering.variable) = VariableStatus::basic;
    statusOf(blocking.variable) =
        blocking.upper ? VariableStatus::atUpper : VariableStatus::atLower;
    return true;
  }

  /// The finite bound that a variable moving that way meets first: of one beyond a bound that one,
  /// and none where it moves away from it.
  std::optional<bool> boundAhead(int v, int direction) const {
    if (direction == 0) return std::nullopt;
    int const weight = result_.weights[at(v)];
    if (weight == direction) return std::nullopt;
    bool const upper = weight == 0 ? direction > 0 : weight > 0;
    if (!std::isfinite(upper ? upperBound(lp_, v) : lowerBound(lp_, v))) return std::nullopt;
    return upper;
  }

  /// Ties go to the first variable, as Bland's rule wants it.
  static bool shorter(Integer const& room, Integer const& speed, Blocking const& than) {
    Integer left, right;
    fmpz_mul(left.get(), room.get(), than.speed.get());
    fmpz_mul(right.get(), than.room.get(), speed.get());
    return fmpz_cmp(left.get(), right.get()) < 0;
  }

  LinearProgram const& lp_;
  LinearProgram cone_;  ///< the same without an offset, for directions
  Watch& watch_;
  ExactPivots& result_;
  int degenerate_ = 0;  ///< pivots of length 0 in a row
};

}  // namespace

Basis repaired(Basis basis, std::vector<int> const& dependent) {
  size_t const n = basis.columns.size();
  for (int const v : dependent) {
    if (at(v) < n)
      basis.columns[at(v)] = VariableStatus::atLower;
    else
      basis.rows[at(v) - n] = VariableStatus::basic;
  }
  return basis;
}

ExactPivots exactPivots(LinearProgram const& lp, Basis start, Limits limits,
                        std::int64_t mostPivots) {
  ExactPivots result;
  result.basis = std::move(start);
  if (!faultOf(lp, result.basis).empty()) {
    result.basis.columns.assign(at(lp.columns()), VariableStatus::atLower);
    result.basis.rows.assign(at(lp.rows()), VariableStatus::basic);
  }
  if (crossedVariable(lp) >= 0) {
    result.end = PivotsEnd::infeasible;
    result.weights.assign(at(lp.columns() + lp.rows()), 0);
    return result;
  }
  releaseCachesAtThreadEnd();
  try {
    Watch watch(std::move(limits));
    Pivots(lp, watch, result).run(mostPivots);
  } catch (Stopped const&) {
    result.end = PivotsEnd::stopped;
  } catch (TooLarge const&) {
    result.end = PivotsEnd::tooLarge;
  }
  return result;
}

}  // namespace osi_cuda::rational
