// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/budget.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

/// A violation up to this share of 1 + |bound| is rounding.
constexpr double toleratedShare = 1e-9;
/// Two totals that differ by no more than this share of 1 + |total| are the same.
constexpr double sameTotal = 1e-7;
/// Rounds of new weights; what they bring comes in the first few.
constexpr int mostRounds = 8;
/// A violation of this share of 1 + |bound| halves its own weight.
constexpr double halfWeight = 1e-2;
/// Violated sides that are tried one by one.
constexpr std::size_t mostTrials = 500;

/// The problem with a variable e >= 0 for each side that may give way: a row r with r + e above its
/// lower side, r - e below its upper one; of a column j a copy of it and one of its negative, so
/// that x_j is the sum of three.
class Elastic {
 public:
  Elastic(LinearProgram const& lp, Relaxed relaxed);

  std::vector<Side> const& sides() const { return sides_; }
  /// What bounds that cross add to the total, wherever the point is.
  double crossing() const { return crossing_; }
  /// With no costs yet.
  LinearProgram take() { return std::move(elastic_); }
  /// x of the problem from that of the elastic one.
  std::vector<double> point(std::vector<double> const& values) const;

 private:
  void add(Side const& side, double sign);

  LinearProgram const& lp_;
  LinearProgram elastic_;
  SparseMatrix columns_;
  std::vector<Side> sides_;  ///< of the variables behind the problem's own
  double crossing_ = 0.0;
};

Elastic::Elastic(LinearProgram const& lp, Relaxed relaxed) : lp_(lp), elastic_(lp) {
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
  auto const count = static_cast<std::size_t>(columns_.columns);
  appendColumns(elastic_.matrix, columns_);
  elastic_.columnLower.resize(elastic_.columnLower.size() + count, 0.0);
  elastic_.columnUpper.resize(elastic_.columnUpper.size() + count, infinity);
  elastic_.objective.assign(elastic_.columnLower.size(), 0.0);
  elastic_.objectiveOffset = 0.0;
  elastic_.sense = Sense::minimize;
}

void Elastic::add(Side const& side, double sign) {
  if (!std::isfinite(boundOf(lp_, side))) return;
  if (side.isRow()) {
    columns_.indices.push_back(side.index);
    columns_.values.push_back(sign);
  } else {
    auto const indices = lp_.matrix.columnIndices(side.index);
    auto const values = lp_.matrix.columnValues(side.index);
    columns_.indices.insert(columns_.indices.end(), indices.begin(), indices.end());
    for (double const value : values) columns_.values.push_back(sign * value);
  }
  columns_.starts.push_back(std::ssize(columns_.indices));
  ++columns_.columns;
  sides_.push_back(side);
}

std::vector<double> Elastic::point(std::vector<double> const& values) const {
  auto const n = static_cast<std::ptrdiff_t>(lp_.columns());
  std::vector<double> x(values.begin(), values.begin() + n);
  for (std::size_t k = 0; k < sides_.size(); ++k)
    if (!sides_[k].isRow())
      x[static_cast<std::size_t>(sides_[k].index)] +=
          (sides_[k].isLower() ? -1.0 : 1.0) * values[static_cast<std::size_t>(n) + k];
  return x;
}

/// No point of `elastic`, a minimisation, has a smaller objective, whatever the multipliers y are:
/// the least of y'r over row activities r and of (c - A'y)'x over the boxes. A reduced cost that is
/// rounding needs no bound.
double leastOf(LinearProgram const& elastic, std::vector<double> y) {
  constexpr double roundedCost = 1e-13;  // share of its terms, or of the largest multiplier
  double largest = 0.0;
  for (double const multiplier : y) largest = std::max(largest, std::fabs(multiplier));
  for (double& multiplier : y)  // any multipliers will do
    if (std::fabs(multiplier) <= roundedCost * largest) multiplier = 0.0;
  long double least = 0.0L;
  auto const add = [&least](long double price, double lower, double upper, long double terms) {
    double const at = price > 0.0L ? lower : upper;
    if (std::isfinite(at))
      least += price * at;
    else if (std::fabs(price) > roundedCost * terms)
      least = -std::numeric_limits<long double>::infinity();
  };
  for (int j = 0; j < elastic.columns(); ++j) {
    auto const k = static_cast<std::size_t>(j);
    auto const indices = elastic.matrix.columnIndices(j);
    auto const values = elastic.matrix.columnValues(j);
    long double price = elastic.objective[k], terms = std::fabs(price);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      long double const term =
          static_cast<long double>(values[e]) * y[static_cast<std::size_t>(indices[e])];
      price -= term;
      terms += std::fabs(term);
    }
    add(price, elastic.columnLower[k], elastic.columnUpper[k], terms);
  }
  for (std::size_t i = 0; i < y.size(); ++i)
    add(y[i], elastic.rowLower[i], elastic.rowUpper[i], 0.0L);
  return static_cast<double>(least);
}

class Search {
 public:
  Search(LinearProgram const& lp, Relaxed relaxed, Options const& options,
         Callbacks const& callbacks)
      : lp_(lp),
        budget_(budgetOf(options, callbacks)),
        elastic_(lp, relaxed),
        solver_(elastic_.take()),
        options_(options) {
    options_.exact = Toggle::off;
    options_.presolve = Toggle::off;  // each solve starts from the last basis
    options_.crossover = true;
    options_.objectiveLimit = infinity;
    callbacks_.interrupted = callbacks.interrupted;
    weights_.assign(elastic_.sides().size(), 1.0);
  }

  void run(RelaxationGoal goal) {
    if (!solve()) return;
    best_ = last_;
    std::vector<double> const duals = last_.rowDuals;
    if (goal == RelaxationGoal::count && reweigh()) dropOne();
    if (result_.status == Status::optimal) optimise(goal);
    describe();
    double const less = result_.total - sameTotal * (1.0 + result_.total);
    result_.leastTotal = goal == RelaxationGoal::sum &&
                         leastOf(solver_.problem(), duals) + elastic_.crossing() >= less;
  }

  Relaxation finish() {
    result_.iterations = budget_.iterationsSpent();
    result_.seconds = budget_.seconds();
    return std::move(result_);
  }

 private:
  std::size_t variable(std::size_t k) const { return static_cast<std::size_t>(lp_.columns()) + k; }

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
    last_ = solver_.solve(withinBudget(options_, budget_), callbacks_);
    ++result_.solves;
    budget_.spend(last_.iterations);
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
    std::sort(violated.begin(), violated.end(),
              [this](std::size_t a, std::size_t b) { return amount(best_, a) < amount(best_, b); });
    if (violated.size() > mostTrials) violated.resize(mostTrials);
    for (std::size_t const k : violated) {
      permit(k, false);
      if (solve()) continue;
      permit(k, true);
      if (result_.status != Status::infeasible && result_.status != Status::numerical) return;
    }
    if (solve()) best_ = last_;  // the least total of those that are left
  }

  /// The problem's own objective, where what gives way does so by no more in total.
  void optimise(RelaxationGoal goal) {
    bool const hasObjective = std::any_of(lp_.objective.begin(), lp_.objective.end(),
                                          [](double cost) { return cost != 0.0; });
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
        own.costs[variable(k)] =
            (side.isLower() ? -1.0 : 1.0) * lp_.objective[static_cast<std::size_t>(side.index)];
    }
    RankedSolution const ranked =
        solveByRank(elastic, std::vector{total, own}, withinBudget(options_, budget_), callbacks_,
                    solver_.basis());
    budget_.spend(ranked.solution.iterations);
    result_.solves += 2;
    Status const status = ranked.solution.status;
    bool const held = !ranked.ranks.empty() &&
                      ranked.ranks[0].excess <= sameTotal * (1.0 + ranked.ranks[0].optimum);
    if (ranked.ranks.size() == 2 && held) {
      best_ = ranked.solution;
      result_.objectiveIsOptimal = true;
    } else if (status != Status::optimal && status != Status::unbounded &&
               status != Status::numerical) {
      result_.status = status;  // the end came
    }
  }

  void describe() {
    result_.columnValues = elastic_.point(best_.columnValues);
    result_.objective = objectiveOf(lp_, result_.columnValues);
    std::vector<long double> activity(lp_.rowLower.size(), 0.0L);
    for (int j = 0; j < lp_.columns(); ++j) {
      auto const indices = lp_.matrix.columnIndices(j);
      auto const values = lp_.matrix.columnValues(j);
      for (std::size_t e = 0; e < indices.size(); ++e)
        activity[static_cast<std::size_t>(indices[e])] +=
            static_cast<long double>(values[e]) * result_.columnValues[static_cast<std::size_t>(j)];
    }
    result_.rowActivity.assign(activity.begin(), activity.end());
    auto const look = [&](Side::Of of, std::vector<double> const& values) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        for (Side::End const end : {Side::End::lower, Side::End::upper}) {
          Side const side{of, static_cast<int>(k), end};
          double const bound = boundOf(lp_, side);
          double const violation = side.isLower() ? bound - values[k] : values[k] - bound;
          if (!(violation > toleratedShare * (1.0 + std::fabs(bound)))) continue;
          result_.violations.push_back({side, violation});
          result_.total += violation;
        }
      }
    };
    look(Side::Of::row, result_.rowActivity);
    look(Side::Of::column, result_.columnValues);
  }

  LinearProgram const& lp_;
  Budget budget_;
  Elastic elastic_;
  Solver solver_;
  Options options_;
  Callbacks callbacks_;
  std::vector<double> weights_;  ///< of the elastic variables
  Solution last_, best_;
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
