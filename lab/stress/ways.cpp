// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/ways.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "lab/stress/dice.hpp"
#include "lab/stress/exact.hpp"
#include "osi_cuda/analysis/infeasible_subsystem.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/analysis/relaxation.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::stress {
namespace {

/// Entries of the dense matrix up to which a problem is small enough for these ways.
constexpr double mostCells = 20000.0;

Status statusOf(BatchStatus status) {
  switch (status) {
    case BatchStatus::optimal:
      return Status::optimal;
    case BatchStatus::infeasible:
      return Status::infeasible;
    case BatchStatus::unbounded:
      return Status::unbounded;
    case BatchStatus::timeLimit:
    case BatchStatus::iterationLimit:
      return Status::timeLimit;
    default:
      return Status::numerical;
  }
}

/// Each side of rows, or of rows and columns, moved outwards by `relative` (1 + |bound|).
LinearProgram widened(LinearProgram lp, double relative) {
  auto const widen = [relative](std::vector<double>& bounds, double sign) {
    for (double& bound : bounds)
      if (std::isfinite(bound)) bound += sign * relative * (1.0 + std::fabs(bound));
  };
  widen(lp.rowLower, -1.0);
  widen(lp.rowUpper, 1.0);
  widen(lp.columnLower, -1.0);
  widen(lp.columnUpper, 1.0);
  return lp;
}

class Way {
 public:
  Way(LinearProgram const& lp, Truth const& truth, double seconds, std::uint64_t seed)
      : lp_(lp), truth_(truth), seconds_(seconds), dice_(seed) {
    options_.engine = EngineChoice::host;
    options_.threads = 1;
    options_.timeLimit = seconds;
    batchOptions_.engine = BatchEngine::host;
    batchOptions_.threads = 1;
    batchOptions_.timeLimit = batchOptions_.problemTimeLimit = seconds;
  }

  bool go(std::string const& way) {
    if (way == "batch") return batch();
    if (way == "variants") return variants();
    if (way == "ranging") return ranging();
    if (way == "iis") return subsystem();
    if (way == "relaxation") return relaxation();
    return ranks();
  }

  WayResult take() {
    Claim& claim = result_.claim;
    if (claim.answered() && claim.settled == 0) {
      claim.settled = 1;
      if (!allSettled_) claim.message = "nothing false is seen, not all could be verified";
    }
    return std::move(result_);
  }

 private:
  void fail(std::string const& what, LinearProgram const& suspect) {
    Claim& claim = result_.claim;
    if (claim.settled < 0) return;
    claim.settled = -1;
    claim.message = what;
    result_.suspect = suspect;
  }

  /// Of another problem; all of them together get a few times the limit of a solve.
  Truth truthFor(LinearProgram const& lp) const {
    double const spent = std::chrono::duration<double>(Clock::now() - start_).count();
    return truthOf(lp, std::min(seconds_, 4.0 * seconds_ - spent));
  }

  // Batches and variants.

  VariantChange change() {
    using enum VariantChange::What;
    int const j = dice_.below(lp_.columns());
    int const i = lp_.rows() > 0 ? dice_.below(lp_.rows()) : 0;
    double const number = dice_.sign() * dice_.whole(0, 9) *
                          (dice_.chance(0.3) ? std::ldexp(1.0, dice_.whole(-50, 50)) : 1.0);
    switch (lp_.rows() > 0 ? dice_.below(4) : 0) {
      case 0:
        return {cost, j, dice_.chance(0.5) ? number : lp_.objective[j] * (1.0 + 1e-10)};
      case 1: {
        bool const lower = std::isfinite(lp_.rowLower[i]);
        double const side = lower ? lp_.rowLower[i] : lp_.rowUpper[i];
        if (!std::isfinite(side)) return {rowUpper, i, number};
        return {lower ? rowLower : rowUpper, i, side - 1e-3 * number};
      }
      case 2: {
        double const lower = std::isfinite(lp_.columnLower[j]) ? lp_.columnLower[j] : -10.0;
        return {columnUpper, j, lower + std::fabs(number)};
      }
      default:
        return {coefficient, j, number, i};
    }
  }

  void look(BatchResults const& results, std::size_t k, LinearProgram const& lp,
            std::string const& what) {
    Solution s;
    s.status = statusOf(results.status[k]);
    s.objective = results.objective[k];
    s.residuals.primal = results.residual[k];
    auto const part = [](std::vector<double> const& all, std::size_t from, int size) {
      auto const start = all.begin() + static_cast<std::ptrdiff_t>(from);
      return std::vector<double>(start, start + size);
    };
    s.columnValues = part(results.x, results.columnStart[k], lp.columns());
    s.rowDuals = part(results.y, results.rowStart[k], lp.rows());
    for (BatchCertificate const& certificate : results.certificates) {
      if (certificate.problem != k) continue;
      s.farkas = certificate.farkas;
      s.farkasLow = certificate.farkasLow;
      s.ray = certificate.ray;
      s.rayLow = certificate.rayLow;
    }
    Claim claim;
    describe(lp, s, claim);
    bool const decided = claim.standsUp() || !claim.answered();
    if (!decided) settle(k == 0 ? truth_ : truthFor(lp), lp, s, claim);
    if (claim.answer == Answer::optimal && !claim.standsUp()) claim.settled = -1;
    allSettled_ = allSettled_ && (claim.standsUp() || !claim.answered());
    bool const understated = result_.claim.understated || claim.understated;
    if (k == 0) {
      claim.solver = result_.claim.solver;
      result_.claim = claim;
    }
    result_.claim.understated = understated;
    if (claim.settled < 0) {
      result_.claim.settled = 0;
      fail(what + " " + std::to_string(k) + ": " + toString(claim.answer) + ", residuals " +
               digitsOf(claim.judged.primal) + " " + digitsOf(claim.judged.dual) + " " +
               digitsOf(claim.judged.gap),
           lp);
    }
  }

  static constexpr std::size_t alternatives = 5;

  bool batch() {
    std::vector<LinearProgram> problems{lp_};
    while (problems.size() < alternatives) {
      std::vector<VariantChange> changes(static_cast<std::size_t>(dice_.whole(1, 3)));
      for (VariantChange& one : changes) one = change();
      problems.push_back(applied(lp_, changes));
    }
    BatchResults const results = solveBatch(problems, batchOptions_);
    for (std::size_t k = 0; k < problems.size(); ++k) look(results, k, problems[k], "problem");
    return true;
  }

  bool variants() {
    Solver solver(lp_);
    solver.solve(options_);
    PackedVariants packed;
    packed.add({});
    for (std::size_t k = 1; k < alternatives; ++k) {
      std::vector<VariantChange> changes(static_cast<std::size_t>(dice_.whole(1, 3)));
      for (VariantChange& one : changes) one = change();
      packed.add(changes);
    }
    VariantOptions options;
    static_cast<BatchOptions&>(options) = batchOptions_;
    BatchResults const results = solveVariants(lp_, solver.basis(), packed.view(), options);
    for (std::size_t k = 0; k < packed.view().count(); ++k)
      look(results, k,
           applied(lp_, std::span(packed.changes)
                            .subspan(packed.starts[k], packed.starts[k + 1] - packed.starts[k])),
           "variant");
    return true;
  }

  // Analyses.

  /// The answer of an analysis that has none of its own.
  void answer(Status status) { result_.claim.answer = answerOf(status); }

  /// Inside an interval the optimum changes as the basis says.
  void probe(Range const& range, RangeEnd const& end, char const* what, int index,
             auto const& changed) {
    double const unit = std::max(1.0, std::fabs(range.present));
    double const far = std::isfinite(end.at) ? 0.5 * (range.present + end.at)
                                             : std::copysign(unit * 0x1p50, end.at);
    if (!std::isfinite(range.present) || !std::isfinite(far) || far == range.present ||
        !std::isfinite(range.price))
      return;
    LinearProgram lp = lp_;
    changed(lp, far);
    Truth const there = truthFor(lp);
    if (!there.known) {
      allSettled_ = false;
      return;
    }
    std::string const place = std::string(what) + " " + std::to_string(index) + " at " +
                              digitsOf(far) + " of an interval to " + digitsOf(end.at) + ": ";
    if (there.status != Status::optimal) return fail(place + toString(there.status), lp);
    mpq_class const change = mpq_class(range.price) * (mpq_class(far) - mpq_class(range.present));
    mpq_class const expected = truth_.optimum + change;
    mpq_class const miss = abs(expected - there.optimum) / (1 + abs(truth_.optimum) + abs(change));
    if (miss > mpq_class(falseResidual))
      fail(place + "the optimum is " + digitsOf(there.optimum.get_d()) + ", not " +
               digitsOf(expected.get_d()),
           lp);
  }

  bool ranging() {
    Solver solver(lp_);
    Solution const solution = solver.solve(options_);
    answer(solution.status);
    if (solution.status != Status::optimal) return true;
    std::optional<Ranging> ranged;
    try {
      ranged = osi_cuda::ranging(solver, options_);
    } catch (std::invalid_argument const& refusal) {
      result_.claim.answer = Answer::numerical;
      result_.claim.message = refusal.what();
      return true;
    }
    // Where the basis is optimal within tolerances only, its intervals are those of other costs.
    if (!ranged || !truth_.known || truth_.status != Status::optimal ||
        relativeMiss(solution.objective, truth_.optimum) > mpq_class(1e-9)) {
      allSettled_ = false;
      return true;
    }
    for (int turn = 0; turn < 4; ++turn) {
      int const j = dice_.below(lp_.columns());
      Range const& cost = ranged->costs[j];
      for (RangeEnd const* end : {&cost.low, &cost.high})
        probe(cost, *end, "cost", j,
              [j](LinearProgram& lp, double value) { lp.objective[j] = value; });
      if (lp_.rows() == 0) continue;
      int const i = dice_.below(lp_.rows());
      bool const lower = std::isfinite(lp_.rowLower[i]);
      Range const& side = lower ? ranged->rowLower[i] : ranged->rowUpper[i];
      bool const both = lp_.rowLower[i] == lp_.rowUpper[i];
      for (RangeEnd const* end : {&side.low, &side.high})
        probe(side, *end, "side of row", i, [i, lower, both](LinearProgram& lp, double value) {
          if (lower || both) lp.rowLower[i] = value;
          if (!lower || both) lp.rowUpper[i] = value;
        });
    }
    return true;
  }

  bool subsystem() {
    if (truth_.known && truth_.status != Status::infeasible) return false;
    Solver solver(lp_);
    Solution const solution = solver.solve(options_);
    answer(solution.status);
    if (solution.status != Status::infeasible) return false;
    InfeasibleSubsystem found;
    try {
      found = infeasibleSubsystem(lp_, solution, options_);
    } catch (std::invalid_argument const& refusal) {
      result_.claim.answer = Answer::numerical;
      result_.claim.message = refusal.what();
      return true;
    }
    LinearProgram alone = lp_;
    keepOnly(alone, found.members);
    Truth const whole = truthFor(alone);
    if (whole.known && whole.status != Status::infeasible)
      fail("the members of the subsystem don't contradict each other", alone);
    allSettled_ = allSettled_ && whole.known;
    if (!found.irreducible) return true;
    for (Side const& member : found.members) {
      if (std::find(found.undecided.begin(), found.undecided.end(), member) !=
          found.undecided.end())
        continue;
      std::vector<Side> others;
      for (Side const& side : found.members)
        if (!(side == member)) others.push_back(side);
      LinearProgram rest = lp_;
      keepOnly(rest, others);
      Truth const without = truthFor(widened(rest, falseResidual));
      allSettled_ = allSettled_ && without.known;
      if (without.known && without.status == Status::infeasible)
        fail("irreducible, and infeasible without " + nameOf(lp_, member), rest);
    }
    return true;
  }

  static void keepOnly(LinearProgram& lp, std::vector<Side> const& sides) {
    LinearProgram const whole = lp;
    std::fill(lp.objective.begin(), lp.objective.end(), 0.0);
    std::fill(lp.rowLower.begin(), lp.rowLower.end(), -infinity);
    std::fill(lp.columnLower.begin(), lp.columnLower.end(), -infinity);
    std::fill(lp.rowUpper.begin(), lp.rowUpper.end(), infinity);
    std::fill(lp.columnUpper.begin(), lp.columnUpper.end(), infinity);
    for (Side const& side : sides) boundOf(lp, side) = boundOf(whole, side);
  }

  bool relaxation() {
    Relaxation const found = relax(lp_, RelaxationGoal::sum, Relaxed::rows, options_);
    answer(found.status);
    if (found.status != Status::optimal) {
      allSettled_ = false;
      return true;
    }
    // The violations are those of the point.
    LinearProgram moved = lp_;
    mpq_class total = 0;
    for (Violation const& violation : found.violations) {
      boundOf(moved, violation.side) += (violation.side.isLower() ? -1.0 : 1.0) * violation.amount;
      total += mpq_class(violation.amount);
    }
    JudgedResiduals const judged = judgedResiduals(moved, found.columnValues, {});
    result_.claim.judged = judged;
    if (!(judged.primal <= falseResidual))
      fail("the point misses the relaxed problem by " + digitsOf(judged.primal), moved);
    if (!found.leastTotal) return true;
    LinearProgram const elastic = leastViolation(lp_);
    Truth const least = truthFor(elastic);
    allSettled_ = allSettled_ && least.known;
    if (least.known &&
        (least.status != Status::optimal ||
         abs(total - least.optimum) > mpq_class(falseResidual) * (1 + least.optimum)))
      fail("a least total of " + digitsOf(total.get_d()) + ", it is " +
               digitsOf(least.optimum.get_d()),
           lp_);
    return true;
  }

  bool ranks() {
    std::vector<RankedObjective> objectives(2);
    objectives[0] = {"own", lp_.sense, lp_.objective, lp_.objectiveOffset, {}};
    objectives[1].costs.resize(lp_.objective.size());
    for (double& cost : objectives[1].costs) cost = dice_.whole(-9, 9);
    RankedSolution const found = solveByRank(lp_, objectives, options_);
    answer(found.ranks.empty() ? found.solution.status : Status::optimal);
    if (found.ranks.empty() || !truth_.known) {
      allSettled_ = false;
      return true;
    }
    if (truth_.status != Status::optimal) {
      // Within the tolerance there may be an optimum all the same.
      Truth const wide = truthFor(widened(lp_, falseResidual));
      allSettled_ = false;
      if (wide.known && wide.status == Status::infeasible)
        fail("an optimum of an infeasible problem", lp_);
      return true;
    }
    Rank const& first = found.ranks.front();
    result_.claim.objective = first.optimum;
    result_.claim.miss = relativeMiss(first.optimum, truth_.optimum).get_d();
    Rationals const x = exactSum(found.solution.columnValues, found.solution.columnValuesLow);
    if (found.ranks.size() < 2 || x.empty()) return true;
    result_.claim.judged =
        judgedResiduals(lp_, found.solution.columnValues, {}, found.solution.columnValuesLow, {});
    if (!(result_.claim.judged.primal <= falseResidual))
      fail("the point is outside by " + digitsOf(result_.claim.judged.primal), lp_);
    mpq_class const value = exactObjective(lp_, x);
    mpq_class const loss =
        (lp_.sense == Sense::minimize ? 1 : -1) * (value - mpq_class(first.optimum));
    if (loss > mpq_class(falseResidual) * (1 + abs(mpq_class(first.optimum))))
      fail("the first objective, " + digitsOf(first.optimum) + ", ends at " +
               digitsOf(value.get_d()),
           lp_);
    return true;
  }

  using Clock = std::chrono::steady_clock;

  LinearProgram const& lp_;
  Truth const& truth_;
  double const seconds_;
  Clock::time_point const start_ = Clock::now();
  Dice dice_;
  Options options_;
  BatchOptions batchOptions_;
  WayResult result_;
  bool allSettled_ = true;
};

}  // namespace

std::vector<std::string> const& wayNames() {
  static std::vector<std::string> const names{"batch", "variants",   "ranging",
                                              "iis",   "relaxation", "ranks"};
  return names;
}

bool isWay(std::string const& name) {
  return std::find(wayNames().begin(), wayNames().end(), name) != wayNames().end();
}

std::optional<WayResult> goneWay(std::string const& way, LinearProgram const& lp,
                                 Truth const& truth, double seconds, std::uint64_t seed) {
  if (static_cast<double>(lp.rows()) * lp.columns() > mostCells || lp.columns() == 0)
    return std::nullopt;
  Way one(lp, truth, seconds, seed);
  if (!one.go(way)) return std::nullopt;
  return one.take();
}

}  // namespace osi_cuda::stress
