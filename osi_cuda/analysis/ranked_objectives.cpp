// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/ranked_objectives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/proof/products.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/rational/basis_check.hpp"

namespace osi_cuda {
namespace {

/// Reduced costs above this, relative to their costs, hold their variables at once.
constexpr double clearReducedCost = 1e-9;
/// A reduced cost up to this share of its terms may be rounding of the duals.
constexpr double roundedReducedCost = 1e-13;
/// A loss up to this share of the objective's terms is rounding of the points.
constexpr double roundedLoss = 1e-13;
/// A loss up to this share of the objective's size is not worth a row, which has a tolerance
/// itself.
constexpr double worthRow = 1e-9;
/// A slope along a ray up to this share of its terms is rounding.
constexpr double roundedSlope = 1e-15;
/// Doubles that lose more than this share of an objective are handed out with what rounding took.
constexpr double worthParts = 1e-9;
/// Variables that account for this share of the largest part of a loss are fixed together.
constexpr double largePart = 0.01;

/// Sum of a_j b_j and of the magnitudes of its terms.
struct Product {
  long double sum = 0.0L, scale = 0.0L;

  Product(std::vector<double> const& a, std::vector<double> const& b) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      long double const term = static_cast<long double>(a[j]) * b[j];
      sum += term;
      scale += std::fabs(term);
    }
  }
};

double signOf(Sense sense) {
  return sense == Sense::minimize ? 1.0 : -1.0;
}

/// A x for any x.
std::vector<double> activitiesOf(SparseMatrix const& matrix, std::vector<double> const& x) {
  std::vector<long double> sums(at(matrix.rows), 0.0L);
  for (int j = 0; j < matrix.columns; ++j) {
    double const value = x[at(j)];
    if (value == 0.0) continue;
    for (auto const [i, a] : matrix.column(j)) sums[at(i)] += static_cast<long double>(a) * value;
  }
  return {sums.begin(), sums.end()};
}

/// |c_j| + sum_i |a_ij y_i| by column.
std::vector<double> termsOf(LinearProgram const& lp, std::vector<double> const& y) {
  std::vector<double> terms(lp.objective.size());
  for (int j = 0; j < lp.columns(); ++j) {
    auto const k = at(j);
    terms[k] = std::fabs(lp.objective[k]);
    for (auto const [i, a] : lp.matrix.column(j)) terms[k] += std::fabs(a * y[at(i)]);
  }
  return terms;
}

/// An objective that has its optimum, and what it takes to hold it there.
struct Held {
  RankedObjective const& objective;
  Solution optimum;
  std::vector<double> terms;  ///< of the reduced costs, length n
  bool hasRow = false;

  /// How much worse a move, or a ray, makes the objective; 0 where that is rounding or better.
  double lossOf(std::vector<double> const& move, bool isRay) const {
    Product const change(objective.costs, move);
    double const worse = signOf(objective.sense) * static_cast<double>(change.sum);
    double rounding = (isRay ? roundedSlope : roundedLoss) * static_cast<double>(change.scale);
    if (!isRay)  // of the values that moved: a bound is no sum
      for (std::size_t j = 0; j < move.size(); ++j)
        if (move[j] != 0.0)
          rounding += roundedLoss * std::fabs(objective.costs[j] * optimum.columnValues[j]);
    return worse > rounding ? worse : 0.0;
  }

  bool isWorthRow(double loss, bool isRay) const {
    double largestCost = 0.0;
    for (double const cost : objective.costs) largestCost = std::max(largestCost, std::fabs(cost));
    double const size =
        std::min(1.0, largestCost) + std::fabs(optimum.objective - objective.offset);
    return !hasRow && (isRay || loss > worthRow * size);
  }
};

/// What the objective is at the end, for the point as it is handed out.
void evaluateAt(proof::Parts const& x, RankedObjective const& objective, bool isLast, Rank& rank) {
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  proof::Sum sum;
  for (std::size_t j = 0; j < objective.costs.size(); ++j) sum.add(x[j], objective.costs[j]);
  sum.add(objective.offset);
  DoubleDouble const value = sum.value().value;
  rank.value = value.hi;
  double const worse = (signOf(objective.sense) * (value - DoubleDouble(rank.optimum))).hi -
                       (isLast ? 0.0 : objective.loss.of(rank.optimum));
  // Of the optimum, and, of doubles alone, of each value.
  double const rounded = rounding * (x.low().empty() ? sum.terms() : std::fabs(rank.optimum));
  rank.excess = worse > rounded ? worse : 0.0;
}

class Ranks {
 public:
  Ranks(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
        Basis const& start)
      : lp_(lp),
        options_(options),
        callbacks_(callbacks),
        budget_(budgetOf(options, callbacks)),
        solver_(lp) {
    solver_.setBasis(start);
    fixed_.columns.assign(lp.columnLower.size(), VariableStatus::basic);
    fixed_.rows.assign(lp.rowLower.size(), VariableStatus::basic);
  }

  /// False: there is no optimum.
  bool solve(RankedObjective const& objective, RankedSolution& result) {
    solver_.setSense(objective.sense);
    solver_.setObjective(objective.costs);
    solver_.setObjectiveOffset(objective.offset);
    Options settings = options_;
    if (!result.ranks.empty()) {  // the basis has a feasible point
      settings.presolve = Toggle::off;
      settings.objectiveLimit = infinity;
      if (settings.algorithm != AlgorithmChoice::dual) settings.algorithm = AlgorithmChoice::primal;
    }
    Basis const start = solver_.basis();
    double const secondsBefore = budget_.seconds();
    std::int64_t const iterationsBefore = budget_.iterationsSpent();
    for (bool again = true; again;) {
      Options const limited = withinBudget(settings, budget_);
      last_ = solver_.solve(limited, callbacks_);
      settle(solver_.problem(), limited, callbacks_, last_);
      if (solver_.basis() != last_.basis) solver_.setBasis(last_.basis);
      budget_.spend(last_.iterations);
      phase1_ += last_.phase1Iterations;
      seconds_ += last_.seconds;
      again = holdMore();
      if (again) solver_.setBasis(start);  // what was fixed since rests where it is fixed
    }
    if (last_.status == Status::optimal)
      result.ranks.push_back({last_.objective, last_.objective, 0.0,
                              budget_.iterationsSpent() - iterationsBefore,
                              budget_.seconds() - secondsBefore});
    return last_.status == Status::optimal;
  }

  void hold(RankedObjective const& objective) {
    double const loss = objective.loss.of(last_.objective);
    if (loss > 0.0) return addRow(objective, last_.objective, loss);
    Held optimum{objective, last_, termsOf(solver_.problem(), last_.rowDuals)};
    fixOptima(optimum);
    // With the signs of all reduced costs nothing but optima is left.
    if (!last_.exact.proved) held_.push_back(std::move(optimum));
  }

  /// What the objectives are at the end. Where the doubles of an exact point lose of one of them,
  /// the point is handed out in two parts.
  void evaluate(std::span<RankedObjective const> objectives, std::vector<Rank>& ranks) {
    if (std::ssize(last_.columnValues) != lp_.columns()) return;
    bool worse = false;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      proof::Parts const x(last_.columnValues, last_.columnValuesLow);
      evaluateAt(x, objectives[r], r + 1 == objectives.size(), ranks[r]);
      worse = worse || ranks[r].excess > worthParts * (1.0 + std::fabs(ranks[r].optimum));
    }
    if (!worse || !last_.exact.proved || !last_.columnValuesLow.empty()) return;
    rational::BasisCheck check =
        rational::checkBasis(solver_.problem(), last_.basis,
                             {.stop = [this] { return budget_.reached() != Limit::none; }});
    if (check.outcome != rational::Outcome::proved) return;
    last_.columnValuesLow = std::move(check.columnValuesLow);
    last_.residuals = residualsOf(solver_.problem(), last_);
    evaluate(objectives, ranks);
  }

  /// The last solution in the terms of the problem.
  Solution finish() {
    auto const m = at(lp_.rows());
    for (auto* part :
         {&last_.rowActivity, &last_.rowDuals, &last_.rowDualsLow, &last_.farkas, &last_.farkasLow})
      if (part->size() > m) part->resize(m);
    if (last_.basis.rows.size() > m) last_.basis.rows.resize(m);
    // What was fixed at its upper bound counts as being at a lower one meanwhile.
    auto const restore = [](std::vector<VariableStatus>& statuses,
                            std::vector<VariableStatus> const& fixed) {
      for (std::size_t k = 0; k < statuses.size(); ++k)
        if (statuses[k] != VariableStatus::basic && fixed[k] != VariableStatus::basic)
          statuses[k] = fixed[k];
    };
    restore(last_.basis.columns, fixed_.columns);
    restore(last_.basis.rows, fixed_.rows);
    auto const basics = std::ranges::count(last_.basis.columns, VariableStatus::basic) +
                        std::ranges::count(last_.basis.rows, VariableStatus::basic);
    if (basics != lp_.rows()) last_.basis = {};
    last_.iterations = budget_.iterationsSpent();
    last_.phase1Iterations = phase1_;
    last_.seconds = seconds_;
    return std::move(last_);
  }

 private:
  /// c'x no worse than the optimum and the loss.
  void addRow(RankedObjective const& objective, double optimum, double loss) {
    SparseMatrix row;
    row.rows = lp_.columns();
    for (int j = 0; j < lp_.columns(); ++j)
      if (double const cost = objective.costs[at(j)]; cost != 0.0) row.add(j, cost);
    row.endColumn();
    double const value = optimum - objective.offset;
    bool const minimum = objective.sense == Sense::minimize;
    double const lower = minimum ? -infinity : value - loss;
    double const upper = minimum ? value + loss : infinity;
    solver_.addRows(row, std::span(&lower, 1), std::span(&upper, 1));
  }

  /// Calls visit(variable, reduced cost, terms of it) for what rests on a bound at the optimum and
  /// may still leave it: column j, or n + i for row i.
  void visitLoose(Held const& held, auto visit) const {
    LinearProgram const& lp = solver_.problem();
    auto const rests = [](VariableStatus status) {
      return status == VariableStatus::atLower || status == VariableStatus::atUpper;
    };
    Solution const& s = held.optimum;
    int const n = lp.columns();
    for (int j = 0; j < n; ++j) {
      auto const k = at(j);
      if (rests(s.basis.columns[k]) && lp.columnLower[k] != lp.columnUpper[k])
        visit(j, s.reducedCosts[k], held.terms[k]);
    }
    for (std::size_t i = 0; i < s.basis.rows.size(); ++i)
      if (rests(s.basis.rows[i]) && lp.rowLower[i] != lp.rowUpper[i])
        visit(n + static_cast<int>(i), s.rowDuals[i], std::fabs(s.rowDuals[i]));
  }

  /// Fixes a variable at the bound where it rests at the optimum.
  void fix(Held const& held, int variable) {
    LinearProgram const& lp = solver_.problem();
    bool const isColumn = variable < lp.columns();
    int const index = isColumn ? variable : variable - lp.columns();
    auto const k = at(index);
    VariableStatus const status =
        (isColumn ? held.optimum.basis.columns : held.optimum.basis.rows)[k];
    double const lower = lowerBound(lp, variable), upper = upperBound(lp, variable);
    bool const rests = status == VariableStatus::atUpper ? std::isfinite(upper) : std::isinf(lower);
    double const at = rests ? upper : lower;
    std::vector<VariableStatus>& fixed = isColumn ? fixed_.columns : fixed_.rows;
    isColumn ? solver_.setColumnBounds(index, at, at) : solver_.setRowBounds(index, at, at);
    if (k < fixed.size()) fixed[k] = status;  // not the row of a loss
  }

  void fixOptima(Held const& held) {
    std::vector<int> clear;
    bool const exact = held.optimum.exact.proved;
    visitLoose(held, [&](int v, double reduced, double terms) {
      double const cost = v < lp_.columns() ? held.objective.costs[at(v)] : 0.0;
      if (exact ? reduced != 0.0
                : std::fabs(reduced) > clearReducedCost * (1.0 + std::fabs(cost)) &&
                      std::fabs(reduced) > roundedReducedCost * terms)
        clear.push_back(v);
    });
    for (int const v : clear) fix(held, v);
  }

  /// Whether the last solution loses what is to be held, and something could be done about it.
  bool holdMore() {
    bool const unbounded = last_.status == Status::unbounded;
    if (!unbounded && last_.status != Status::optimal) return false;
    bool changed = false;
    for (Held& held : held_) {
      changed = holdAgainst(held, moveFrom(held), false) || changed;
      if (unbounded) changed = holdAgainst(held, last_.ray, true) || changed;
    }
    return changed;
  }

  bool holdAgainst(Held& held, std::vector<double> const& move, bool isRay) {
    double const loss = held.lossOf(move, isRay);
    if (!(loss > 0.0)) return false;
    if (fixMovers(held, move, loss)) return true;
    if (!held.isWorthRow(loss, isRay)) return false;
    addRow(held.objective, held.optimum.objective, 0.0);
    return held.hasRow = true;
  }

  /// From the optimum of that objective to the last point.
  std::vector<double> moveFrom(Held const& held) const {
    std::vector<double> move = last_.columnValues;
    Solution const& from = held.optimum;
    for (std::size_t j = 0; j < move.size(); ++j) {
      move[j] -= from.columnValues[j];
      if (!last_.columnValuesLow.empty()) move[j] += last_.columnValuesLow[j];
      if (!from.columnValuesLow.empty()) move[j] -= from.columnValuesLow[j];
    }
    return move;
  }

  /// c'(x - x*) is the sum over all variables of the reduced cost times the move: fixes those that
  /// make it up. False: there are none.
  bool fixMovers(Held const& held, std::vector<double> const& move, double loss) {
    std::vector<double> const activity = activitiesOf(solver_.problem().matrix, move);
    double const sign = signOf(held.objective.sense);
    std::vector<std::pair<double, int>> parts;
    double largest = 0.0;
    visitLoose(held, [&](int v, double reduced, double terms) {
      if (std::fabs(reduced) <= roundedReducedCost * terms) return;
      auto const k = at(v);
      double const part = sign * reduced * (k < move.size() ? move[k] : activity[k - move.size()]);
      if (!(part > 0.0)) return;
      parts.emplace_back(part, v);
      largest = std::max(largest, part);
    });
    double const share = 1.0 / (1.0 + static_cast<double>(parts.size()));
    if (!(largest >= share * 0.5 * loss)) return false;  // something else makes the loss
    for (auto const& [part, v] : parts)
      if (part >= largePart * largest) fix(held, v);
    return true;
  }

  LinearProgram const& lp_;
  Options const& options_;
  Callbacks const& callbacks_;
  Budget budget_;
  Solver solver_;
  Solution last_;
  std::vector<Held> held_;
  Basis fixed_;  ///< the bounds that variables are fixed at; basic: it is not fixed
  std::int64_t phase1_ = 0;
  double seconds_ = 0.0;
};

}  // namespace

double Loss::of(double optimum) const {
  return relative ? amount * std::fabs(optimum) : amount;
}

RankedSolution solveByRank(LinearProgram const& lp, std::span<RankedObjective const> objectives,
                           Options const& options, Callbacks const& callbacks, Basis const& start) {
  if (objectives.empty()) throw std::invalid_argument("There is no objective.");
  for (RankedObjective const& objective : objectives) {
    if (std::ssize(objective.costs) != lp.columns())
      throw std::invalid_argument("Objective " + objective.name + " has " +
                                  std::to_string(objective.costs.size()) + " costs instead of " +
                                  std::to_string(lp.columns()) + ".");
    if (!(objective.loss.amount >= 0.0))
      throw std::invalid_argument("Objective " + objective.name + " has a loss below 0.");
  }
  RankedSolution result;
  Ranks ranks(lp, options, callbacks, start);
  for (std::size_t r = 0; r < objectives.size(); ++r) {
    if (!ranks.solve(objectives[r], result)) break;
    if (r + 1 < objectives.size()) ranks.hold(objectives[r]);
  }
  ranks.evaluate(objectives, result.ranks);
  result.solution = ranks.finish();
  return result;
}

}  // namespace osi_cuda
