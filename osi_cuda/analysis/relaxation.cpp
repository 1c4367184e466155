// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/proof/products.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

/// Violations up to this share of 1 + |bound| are rounding, unless their sum says more.
constexpr double toleratedShare = 1e-9;
/// Two totals that differ by no more than this share of 1 + |total| are the same.
constexpr double sameTotal = 1e-7;
/// Rounds of new weights; what they bring comes in the first few.
constexpr int mostRounds = 8;
/// A violation of this share of 1 + |bound| halves its own weight.
constexpr double halfWeight = 1e-2;
/// Violated sides that are tried one by one.
constexpr std::size_t mostTrials = 500;

/// The problem with a variable e >= 0 for each side that may be relaxed: a row r with r + e above
/// its lower side, r - e below its upper one; of a column j a copy of it and one of its negative,
/// so that x_j is the sum of three.
class Elastic {
 public:
  Elastic(LinearProgram const& lp, Relaxed relaxed) : lp_(lp), elastic_(lp) {
    columns_.rows = lp.rows();
    elastic_.rowNames.clear();
    elastic_.columnNames.clear();
    elastic_.integer.clear();
    // Bounds that cross: every value between them violates both by as much together as any other
    // value does at least.
    auto const uncross = [this](std::vector<double>& lower, std::vector<double>& upper) {
      for (std::size_t k = 0; k < lower.size(); ++k) {
        if (!(lower[k] > upper[k])) continue;
        std::swap(lower[k], upper[k]);
        crossing_ += upper[k] - lower[k];
      }
    };
    if (relaxed != Relaxed::bounds) {
      for (int i = 0; i < lp.rows(); ++i) {
        add({Side::Of::row, i, Side::End::lower}, 1.0);
        add({Side::Of::row, i, Side::End::upper}, -1.0);
      }
      uncross(elastic_.rowLower, elastic_.rowUpper);
    }
    if (relaxed != Relaxed::rows) {
      for (int j = 0; j < lp.columns(); ++j) {
        add({Side::Of::column, j, Side::End::upper}, 1.0);
        add({Side::Of::column, j, Side::End::lower}, -1.0);
      }
      uncross(elastic_.columnLower, elastic_.columnUpper);
    }
    auto const count = at(columns_.columns);
    appendColumns(elastic_.matrix, columns_);
    elastic_.columnLower.resize(elastic_.columnLower.size() + count, 0.0);
    elastic_.columnUpper.resize(elastic_.columnUpper.size() + count, infinity);
    elastic_.objective.assign(elastic_.columnLower.size(), 0.0);
    elastic_.objectiveOffset = 0.0;
    elastic_.sense = Sense::minimize;
  }

  std::vector<Side> const& sides() const { return sides_; }
  /// What bounds that cross add to the total, wherever the point is.
  double crossing() const { return crossing_; }
  /// With no costs yet.
  LinearProgram take() { return std::move(elastic_); }
  /// x of the problem from that of the elastic one, rounded to doubles.
  std::vector<double> point(Solution const& solution) const {
    proof::Parts const values(solution.columnValues, solution.columnValuesLow);
    auto const n = lp_.columnLower.size();
    std::vector<DoubleDouble> x(n);
    for (std::size_t j = 0; j < n; ++j) x[j] = values[j];
    for (std::size_t k = 0; k < sides_.size(); ++k)
      if (!sides_[k].isRow())
        x[at(sides_[k].index)] += sides_[k].isLower() ? -values[n + k] : values[n + k];
    std::vector<double> rounded;
    for (DoubleDouble const& value : x) rounded.push_back(value.hi);
    return rounded;
  }

 private:
  void add(Side const& side, double sign) {
    if (!std::isfinite(boundOf(lp_, side))) return;
    if (side.isRow()) {
      columns_.add(side.index, sign);
    } else {
      for (auto const [i, a] : lp_.matrix.column(side.index)) columns_.add(i, sign * a);
    }
    columns_.endColumn();
    sides_.push_back(side);
  }

  LinearProgram const& lp_;
  LinearProgram elastic_;
  SparseMatrix columns_;
  std::vector<Side> sides_;  ///< of the variables behind the problem's own
  double crossing_ = 0.0;
};

/// A point and all that it violates.
struct Measured {
  std::vector<double> x, activity;
  std::vector<Violation> violations;  ///< none is below what it is
  double total = 0.0;
};

/// What may be left out: small ones whose sum is nothing beside the total.
std::vector<Violation> noteworthy(LinearProgram const& lp, Measured const& point) {
  std::vector<double> small;
  auto const isSmall = [&lp](Violation const& v) {
    return v.amount <= toleratedShare * (1.0 + std::fabs(boundOf(lp, v.side)));
  };
  for (Violation const& violation : point.violations)
    if (isSmall(violation)) small.push_back(violation.amount);
  std::ranges::sort(small);
  double leftOut = 0.0, most = 0.0;
  for (double const amount : small) {
    leftOut += amount;
    if (leftOut > sameTotal * (1.0 + point.total)) break;
    most = amount;
  }
  std::vector<Violation> violations;
  for (Violation const& violation : point.violations)
    if (violation.amount > most || !isSmall(violation)) violations.push_back(violation);
  return violations;
}

class Search {
 public:
  Search(LinearProgram const& lp, Relaxed relaxed, Options const& options,
         Callbacks const& callbacks)
      : lp_(lp),
        budget_(budgetOf(options, callbacks)),
        elastic_(lp, relaxed),
        solves_(options, callbacks, budget_),
        weights_(elastic_.sides().size(), 1.0) {
    solver_.load(elastic_.take());
  }

  void run(RelaxationGoal goal) {
    if (!solve()) return;
    best_ = last_;
    choose(last_);
    if (goal == RelaxationGoal::sum) {
      solver_.enclose(last_, solves_.callbacks.interrupted);
      settle(solver_.problem(), withinBudget(solves_.options, budget_), solves_.callbacks, last_);
      solver_.setBasis(last_.basis);
      double const lower = last_.objectiveEnclosure.lower + elastic_.crossing();
      result_.totalLower = std::max(0.0, lower);
      if (last_.status == Status::optimal) choose(last_);
    } else {
      if (reweigh()) dropOne();
      chosen_ = measured(elastic_.point(best_));
    }
    if (result_.status == Status::optimal) optimise(goal);
    describe();
    result_.leastTotal = goal == RelaxationGoal::sum && isSame(chosen_.total, result_.totalLower);
  }

  Relaxation finish() {
    result_.iterations = budget_.iterationsSpent();
    result_.seconds = budget_.seconds();
    return std::move(result_);
  }

 private:
  std::size_t variable(std::size_t k) const { return at(lp_.columns()) + k; }

  double amount(Solution const& solution, std::size_t k) const {
    return solution.columnValues[variable(k)];
  }

  bool counts(Solution const& solution, std::size_t k) const {
    return amount(solution, k) >
           toleratedShare * (1.0 + std::fabs(boundOf(lp_, elastic_.sides()[k])));
  }

  std::size_t countOf(Solution const& solution) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) count += counts(solution, k);
    return count;
  }

  /// Solves with the present weights and bounds; false: no optimum, and the status says why.
  bool solve() {
    for (std::size_t k = 0; k < weights_.size(); ++k)
      solver_.setObjective(static_cast<int>(variable(k)), weights_[k]);
    last_ = solves_.solve();
    ++result_.solves;
    result_.status = last_.status;
    return last_.status == Status::optimal;
  }

  /// False: the end came.
  bool reweigh() {
    for (int round = 0; round < mostRounds; ++round) {
      for (std::size_t k = 0; k < weights_.size(); ++k) {
        double const unit = halfWeight * (1.0 + std::fabs(boundOf(lp_, elastic_.sides()[k])));
        weights_[k] = 1.0 / (1.0 + amount(last_, k) / unit);
      }
      if (!solve()) return false;
      if (countOf(last_) >= countOf(best_) && round > 0) break;
      if (countOf(last_) < countOf(best_)) best_ = last_;
    }
    return true;
  }

  void permit(std::size_t k, bool gives) {
    solver_.setColumnBounds(static_cast<int>(variable(k)), 0.0, gives ? infinity : 0.0);
  }

  /// Only what is violated may go on giving way, and each of it is tried without.
  void dropOne() {
    std::vector<std::size_t> violated;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      permit(k, counts(best_, k));
      weights_[k] = 1.0;
      if (counts(best_, k)) violated.push_back(k);
    }
    solver_.setBasis(best_.basis);
    // The small ones first: they are the likelier ones to be spared.
    std::ranges::sort(violated, [this](std::size_t a, std::size_t b) {
      return amount(best_, a) < amount(best_, b);
    });
    if (violated.size() > mostTrials) violated.resize(mostTrials);
    for (std::size_t const k : violated) {
      permit(k, false);
      if (solve()) continue;
      permit(k, true);
      if (result_.status != Status::infeasible && result_.status != Status::numerical) return;
    }
    if (solve()) best_ = last_;  // the least total of those that are left
  }

  /// The problem's own objective, with no more violation in total.
  void optimise(RelaxationGoal goal) {
    bool const hasObjective =
        std::ranges::any_of(lp_.objective, [](double cost) { return cost != 0.0; });
    if (!hasObjective) return;
    LinearProgram const& elastic = solver_.problem();
    RankedObjective total{"total", Sense::minimize, elastic.objective, 0.0, {}};
    if (goal == RelaxationGoal::count)
      for (std::size_t k = 0; k < weights_.size(); ++k) total.costs[variable(k)] = 1.0;
    RankedObjective own{"own", lp_.sense, lp_.objective, lp_.objectiveOffset, {}};
    own.costs.resize(elastic.objective.size(), 0.0);
    for (std::size_t k = 0; k < weights_.size(); ++k) {  // copies of columns
      Side const& side = elastic_.sides()[k];
      if (!side.isRow())
        own.costs[variable(k)] = (side.isLower() ? -1.0 : 1.0) * lp_.objective[at(side.index)];
    }
    RankedSolution const ranked =
        solveByRank(elastic, std::vector{total, own}, withinBudget(solves_.options, budget_),
                    solves_.callbacks, solver_.basis());
    budget_.spend(ranked.solution.iterations);
    result_.solves += 2;
    Status const status = ranked.solution.status;
    if (ranked.ranks.size() == 2) {
      result_.objectiveIsOptimal = choose(ranked.solution);
    } else if (status != Status::optimal && status != Status::unbounded &&
               status != Status::numerical) {
      result_.status = status;  // the end came
    }
  }

  static bool isSame(double total, double least) {
    return total <= least + sameTotal * (1.0 + least);
  }

  /// Takes the point where it violates no more in total than the one before, and the first one.
  bool choose(Solution const& solution) {
    Measured found = measured(elastic_.point(solution));
    if (!chosen_.x.empty() && !isSame(found.total, chosen_.total)) return false;
    chosen_ = std::move(found);
    return true;
  }

  Measured measured(std::vector<double> x) const {
    Measured found;
    proof::Parts const point(x, {});
    proof::BoundedVector const activity = proof::productsOf(lp_.matrix, &point, nullptr).activity;
    DoubleDouble total;
    auto const look = [&](Side::Of of, std::size_t count, auto const& valueOf) {
      for (std::size_t k = 0; k < count; ++k) {
        for (Side::End const end : {Side::End::lower, Side::End::upper}) {
          Side const side{of, static_cast<int>(k), end};
          proof::Bounded const beyond = valueOf(k) - proof::Bounded(boundOf(lp_, side));
          if (!(side.isLower() ? beyond.value.hi < 0.0 : beyond.value.hi > 0.0)) continue;
          found.violations.push_back({side, beyond.most()});
          total += DoubleDouble(found.violations.back().amount);
        }
      }
    };
    look(Side::Of::row, lp_.rowLower.size(), [&](std::size_t i) { return activity[i]; });
    look(Side::Of::column, x.size(), [&](std::size_t j) { return proof::Bounded(x[j]); });
    found.total = total.hi;
    for (DoubleDouble const& value : activity.value) found.activity.push_back(value.hi);
    found.x = std::move(x);
    return found;
  }

  void describe() {
    result_.violations = noteworthy(lp_, chosen_);
    for (Violation const& violation : result_.violations) result_.total += violation.amount;
    result_.columnValues = chosen_.x;
    result_.rowActivity = chosen_.activity;
    result_.objective = objectiveOf(lp_, chosen_.x);
  }

  LinearProgram const& lp_;
  Budget budget_;
  Elastic elastic_;
  Resolves solves_;
  Solver& solver_ = solves_.solver;
  std::vector<double> weights_;  ///< of the elastic variables
  Solution last_, best_;
  Measured chosen_;  ///< the point that is handed out
  Relaxation result_;
};

}  // namespace

Relaxation relax(LinearProgram const& lp, RelaxationGoal goal, Relaxed relaxed,
                 Options const& options, Callbacks const& callbacks) {
  Search search(lp, relaxed, options, callbacks);
  search.run(goal);
  return search.finish();
}

}  // namespace osi_cuda
