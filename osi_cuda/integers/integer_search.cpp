// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/integers/integer_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/module_file.hpp"
#include "osi_cuda/integers/cbc_module.hpp"
#include "osi_cuda/integers/integer_points.hpp"
#include "osi_cuda/integers/preparation.hpp"
#include "osi_cuda/search/points.hpp"
#include "osi_cuda/search/tree_file.hpp"
#include "osi_cuda/search/tree_search.hpp"

namespace osi_cuda {
namespace {

/// The seconds that the incumbent gets to be completed after the time limit or an interrupt.
constexpr double grace = 0.5;

/// The module where the options ask for Cbc, or leave the choice and have it; null: the own search.
CbcModule const* moduleFor(LinearProgram const& lp, Options const& options,
                           IntegerCallbacks const& callbacks) {
  if (!lp.choices.empty() && options.search == SearchChoice::cbc)
    throw std::invalid_argument(
        "Cbc is not given special ordered sets and semicontinuous columns: use search own or auto");
  if (!lp.choices.empty() && callbacks.tree)
    throw std::invalid_argument(
        "certificates of trees have integer columns alone, no special ordered sets and no "
        "semicontinuous columns");
  if (!lp.choices.empty() && options.search == SearchChoice::automatic && callbacks.notice)
    callbacks.notice("Special ordered sets and semicontinuous columns: the own search takes them.");
  if (options.search == SearchChoice::own || !lp.choices.empty()) return nullptr;
  try {
    return &cbcModule();
  } catch (EngineUnavailable const&) {
    if (options.search == SearchChoice::cbc) throw;
    return nullptr;
  }
}

/// Whether cuts do little: on dense rows. Then the own search begins, unless something is asked of
/// Cbc.
bool suitsOwn(LinearProgram const& lp, Options const& options) {
  constexpr double dense = 0.1;
  return options.cuts == Cuts::automatic && options.searchThreads == 1 &&
         static_cast<double>(lp.matrix.values.size()) >=
             dense * static_cast<double>(lp.rows()) * lp.columns();
}

/// The same in the other sense.
SearchProgress turned(SearchProgress at) {
  at.objective = -at.objective;
  at.bound = -at.bound;
  return at;
}

/// One call of solveIntegers(). Numbers without another word are those of minimisation.
class IntegerSolve {
 public:
  IntegerSolve(LinearProgram const& lp, Options const& given, IntegerCallbacks const& callbacks,
               search::SavedSearch const* resume)
      : lp_(lp),
        callbacks_(callbacks),
        integers_(std::ranges::find(lp.integer, char{1}) != lp.integer.end() ||
                  !lp.choices.empty()),
        module_(integers_ ? moduleFor(lp, given, callbacks) : nullptr),
        isFree_(module_ && given.search == SearchChoice::automatic && !resume && !callbacks.tree &&
                !callbacks.saved),
        begins_(isFree_ ? suitsOwn(lp, given) ? nullptr : module_
                : given.search == SearchChoice::cbc && !resume ? module_
                                                               : nullptr),
        resume_(resume),
        budget_(budgetOf(given, callbacks)),
        options_(given) {
    options_.crossover = true;  // a search starts from a vertex
  }

  IntegerSolution run(std::span<double const> start, Basis const& basis) {
    relax(basis);
    if (!settled()) conclude(search(start));
    return std::move(result_);
  }

 private:
  Options left() const { return withinBudget(options_, budget_); }

  void relax(Basis const& basis) {
    Solver solver(lp_);
    solver.setBasis(basis);
    relaxed_ = solver.solve(left(), callbacks_);
    relaxed_.relaxed = {};  // what it settles holds for integers as well
    solver.enclose(relaxed_, [&] { return budget_.interrupted(); });
    budget_.spend(relaxed_.iterations + relaxed_.barrierIterations);
    options_.objectiveLimit = infinity;  // the relaxation has kept to it
    proved_ = maximize_ ? -relaxed_.objectiveEnclosure.upper : relaxed_.objectiveEnclosure.lower;
    bound_ = relaxed_.status != Status::optimal ? -infinity
             : std::isfinite(proved_)           ? proved_
                                                : sense_ * relaxed_.objective;
    result_.search.bound = sense_ * bound_;
  }

  /// Whether the relaxation or the preparation is the answer.
  bool settled() {
    Solution& solution = result_.solution;
    if (integers_ && relaxed_.status != Status::infeasible) prepared_ = prepareIntegers(lp_);
    bool const conflict = !prepared_.conflict.empty();
    if (callbacks_.tree && (relaxed_.status == Status::infeasible || conflict)) {
      std::vector<int> rows(lp_.rowLower.size());
      std::iota(rows.begin(), rows.end(), 0);
      search::TreeFile tree(callbacks_.tree, rows);
      tree.begin(lp_.columns(), lp_.rows());
      bool const crossed = relaxed_.farkas.empty() || conflict;
      tree.empty(0, crossed ? -1 : tree.multipliers(relaxed_.farkas));
      tree.end({}, infinity);
    }
    if (conflict) {
      solution = withoutPoint(Status::infeasible, prepared_.conflict);
      solution.proof = ProofGrade::exact;
      result_.search.bound = sense_ * infinity;
      return true;
    }
    if (integers_ && relaxed_.status == Status::optimal) return false;
    bool const told = relaxed_.status == Status::infeasible || relaxed_.status == Status::unbounded;
    if (relaxed_.status == Status::optimal) result_.search.objective = relaxed_.objective;
    solution =
        !integers_ || told ? std::move(relaxed_) : withoutPoint(relaxed_.status, relaxed_.message);
    if (!lp_.choices.empty() && solution.status == Status::unbounded) {
      solution = withoutPoint(Status::numerical,
                              "the relaxation is unbounded, which says nothing of special ordered "
                              "sets and semicontinuous columns: give their columns finite bounds");
    } else if (integers_ && solution.status == Status::unbounded) {
      solution.proof = ProofGrade::none;
      solution.message =
          "the relaxation is unbounded: so is the problem if it has an integer point";
    }
    return true;
  }

  /// Where the choice is left to this library, the other search takes over what the own one could
  /// not finish, and the own one checks what Cbc claims.
  SearchOutcome search(std::span<double const> start) {
    if (!start.empty()) begin(start);
    double const before = budget_.seconds();
    SearchOutcome outcome = searched(begins_, {}, tell());
    result_.own = !begins_;
    bool const ended = outcome.status == Status::optimal || outcome.status == Status::infeasible ||
                       outcome.status == Status::numerical;
    if (!isFree_ || !ended || budget_.interrupted()) return outcome;
    if (begins_) {
      confirm(outcome, budget_.seconds() - before);
    } else if (outcome.status == Status::numerical || outcome.doubts > 0) {
      if (Solution const found = completed(outcome); found.status == Status::optimal) keep(found);
      replace(outcome, searched(module_, {}, tell()));
      result_.own = false;
    }
    return outcome;
  }

  /// Lets the own search prove what Cbc claims: from its point, for about the seconds that Cbc
  /// took, and less where the bound would not arrive at its present pace. A better point refutes
  /// the claim, and the own search is the answer.
  void confirm(SearchOutcome& outcome, double seconds) {
    point_ = completed(outcome);
    start_.clear();
    if (point_->status == Status::optimal) keep(*point_);
    bool const isPoint = !start_.empty();
    if (isPoint && isClosed(startObjective_, proved_)) return;
    constexpr double share = 2.0, least = 1.0, most = 10.0, early = 0.4, half = 0.5;
    double const limit =
        std::min(std::clamp(share * seconds, least, most), half * budget_.secondsLeft());
    bool isHopeless = false;
    Stopwatch const watch;
    SearchOutcome own = searched(
        nullptr, [&] { return isHopeless || watch.seconds() > limit; },
        [&](SearchProgress const& at) {
          double const far = (at.bound - bound_) / (startObjective_ - bound_);
          isHopeless = isPoint && at.seconds > early * limit && far < at.seconds / limit;
        });
    bool const isBetter =
        !own.values.empty() &&
        (!isPoint ||
         own.last.objective <
             startObjective_ - search::sameNumber * std::max(1.0, std::fabs(startObjective_)));
    if (isBetter) {
      start_ = own.values;
      startObjective_ = own.last.objective;
      replace(outcome, searched(nullptr, {}, tell()));
      result_.own = true;
    } else if (own.proved && own.doubts == 0 &&
               (own.status == Status::optimal || own.status == Status::infeasible)) {
      result_.confirmedBy = own.last.nodes;
      own.last.nodes = outcome.last.nodes;
      if (isPoint) own.values = outcome.values;
      std::optional<Solution> point = isPoint ? std::move(point_) : std::nullopt;
      replace(outcome, std::move(own));
      point_ = std::move(point);
    } else {
      outcome.solves += own.solves;
    }
  }

  /// The later search is the answer, with the cuts and linear programs of both.
  void replace(SearchOutcome& outcome, SearchOutcome later) {
    later.cuts += outcome.cuts;
    later.solves += outcome.solves;
    outcome = std::move(later);
    point_.reset();
  }

  /// A feasible point of the caller's.
  void begin(std::span<double const> start) {
    Solution const begun = solvedAt(lp_, start, left(), callbacks_, relaxed_.basis);
    budget_.spend(begun.iterations);
    if (begun.status == Status::optimal)
      keep(begun);
    else if (callbacks_.notice)
      callbacks_.notice("The start is left out: no point has its integers.");
  }

  /// The point that the next search begins with.
  void keep(Solution const& point) {
    start_ = point.columnValues;
    startObjective_ = sense_ * point.objective;
  }

  std::function<void(SearchProgress const&)> tell() {
    if (!callbacks_.search) return {};
    return [&](SearchProgress const& at) { callbacks_.search(maximize_ ? turned(at) : at); };
  }

  /// One search, by this module or, without one, by this library.
  SearchOutcome searched(CbcModule const* module, std::function<bool()> const& enough,
                         std::function<void(SearchProgress const&)> told) {
    IntegerCallbacks callbacks;
    callbacks.search = std::move(told);
    if (callbacks_.incumbent)
      callbacks.incumbent = [&](SearchProgress const& at, std::span<double const> values) {
        callbacks_.incumbent(maximize_ ? turned(at) : at, values);
      };
    callbacks.tree = callbacks_.tree;
    callbacks.saveDue = callbacks_.saveDue;
    callbacks.saved = callbacks_.saved;
    Basis basis{relaxed_.basis.columns, {}};
    for (int const i : prepared_.rows) basis.rows.push_back(relaxed_.basis.rows[at(i)]);
    SearchRequest const request{prepared_.problem,
                                basis,
                                left(),
                                start_,
                                startObjective_,
                                bound_,
                                [&] { return budget_.interrupted() || (enough && enough()); },
                                callbacks,
                                isDevice(options_.engine) || relaxed_.engine == SolveEngine::cuda,
                                prepared_.rows,
                                lp_.rows(),
                                resume_};
    SearchOutcome outcome = module ? module->search(request) : search::searchTree(request);
    budget_.spend(outcome.iterations);
    if (outcome.proved && std::isfinite(outcome.last.bound))
      proved_ = std::max(proved_, outcome.last.bound);
    return outcome;
  }

  /// The point of a search with its integers whole, solved and verified.
  Solution completed(SearchOutcome const& outcome) {
    if (outcome.values.empty()) return {};
    Limit const limit = budget_.interruption();
    Options last = left();
    last.timeLimit = std::max(grace, limit == Limit::none ? last.timeLimit : 0.0);
    last.iterationLimit = Budget::unlimitedIterations;
    Callbacks const quiet;
    Solution point = solvedAt(
        lp_, outcome.values, last,
        limit == Limit::none ? static_cast<Callbacks const&>(callbacks_) : quiet, relaxed_.basis);
    budget_.spend(point.iterations);
    if (point.status != Status::optimal) point = verifiedAt(lp_, outcome.values, options_);
    return point;
  }

  bool isClosed(double above, double below) const {
    double const size = std::max(std::fabs(below), std::fabs(above));
    return above - below <= std::max(options_.absoluteGap, options_.relativeGap * size);
  }

  /// The answer: what the point rests on, and what is proved of all others.
  void conclude(SearchOutcome const& outcome) {
    result_.searched = true;
    result_.search = outcome.last;
    result_.cuts = outcome.cuts;
    result_.solves = outcome.solves;
    if (!point_) point_ = completed(outcome);
    Solution& solution = result_.solution;
    solution = ended(outcome, budget_.interruption(), std::move(*point_));
    result_.search.objective = solution.objective;
    // No worse than what is proved, and no better than the point; a search that dropped something
    // without a proof has no bound.
    double claimed = std::max(bound_, proved_);
    if (outcome.proved || outcome.doubts == 0) claimed = std::max(claimed, outcome.last.bound);
    if (solution.status == Status::infeasible) claimed = infinity;
    if (sense_ * solution.objective < claimed) claimed = sense_ * solution.objective;
    result_.search.bound = sense_ * claimed;

    result_.pointProof = std::exchange(solution.proof, ProofGrade::none);
    result_.pointExact = std::exchange(solution.exact, {});
    ObjectiveEnclosure& enclosure = solution.objectiveEnclosure;
    (maximize_ ? enclosure.upper : enclosure.lower) = sense_ * proved_;
    result_.boundIsProved = outcome.proved || isClosed(enclosure.upper, enclosure.lower);
    if (solution.status == Status::optimal && result_.boundIsProved)
      solution.proof = result_.pointProof;
    if (solution.status == Status::infeasible && outcome.proved)
      solution.proof = ProofGrade::extended;
    solution.iterations = budget_.iterationsSpent();
    result_.search.seconds = solution.seconds = budget_.seconds();
    solution.engine = relaxed_.engine;
    solution.device = relaxed_.device;
    solution.algorithm = relaxed_.algorithm;
    solution.pricing = relaxed_.pricing;
    solution.deviceLost = solution.deviceLost || relaxed_.deviceLost;
  }

  LinearProgram const& lp_;
  IntegerCallbacks const& callbacks_;
  bool const maximize_ = lp_.sense == Sense::maximize;
  double const sense_ = maximize_ ? -1.0 : 1.0;
  bool const integers_;
  CbcModule const* const module_;  ///< where it may be used
  bool const isFree_;              ///< to take either search: no other has what is asked for
  CbcModule const* const begins_;  ///< the first search; null: the own one
  search::SavedSearch const* const resume_;
  Budget budget_;
  Options options_;
  Solution relaxed_;
  double proved_ = -infinity;  ///< of all points: no sum of ours is better
  double bound_ = -infinity;   ///< of the relaxation
  PreparedIntegers prepared_;
  std::vector<double> start_;  ///< the point that the next search begins with, and its objective
  double startObjective_ = 0.0;
  std::optional<Solution> point_;  ///< what the outcome's point became
  IntegerSolution result_;
};

}  // namespace

double SearchProgress::gap() const {
  if (!std::isfinite(objective) || !std::isfinite(bound)) return infinity;
  double const size = std::max(std::fabs(objective), std::fabs(bound));
  return size > 0.0 ? std::fabs(objective - bound) / size : 0.0;
}

CbcModule const& cbcModule() {
  ModuleSearch const search =
      openModule({"OsiCudaCbc.so", "osiCudaCbc", OSI_CUDA_CBC_INTERFACE, "OSI_CUDA_CBC_PATH"});
  if (search.fault == ModuleFault::none) return *static_cast<CbcModule const*>(search.table);
  throw EngineUnavailable(
      "integer columns need the module with Cbc: " + search.reason +
      "; packages and wheels of osi-cuda have it, and a build where it finds Cbc (Debian: "
      "coinor-libcbc-dev)");
}

IntegerSolution solveIntegers(LinearProgram const& lp, Options const& given,
                              IntegerCallbacks const& callbacks, std::span<double const> start,
                              Basis const& basis, search::SavedSearch const* resume) {
  if (!start.empty() && start.size() != static_cast<std::size_t>(lp.columns()))
    throw std::invalid_argument("the start has length " + std::to_string(start.size()) +
                                " instead of " + std::to_string(lp.columns()));
  return IntegerSolve(lp, given, callbacks, resume).run(start, basis);
}

}  // namespace osi_cuda
