// SPDX-License-Identifier: EPL-2.0
// A solve on a page, in the order in which it goes:
//
//   placement   where: device or processor, factors or tableau, by a smaller problem or not
//   reduced     the smaller problem or the dual, and the way back to a basis (reduced.cpp)
//   attempts    of the problem itself, until a status is proved: rows of a table. Each has its
//   engine
//               (engine_slot.hpp), then asks for the method: from a caller's point, as a race, the
//               interior point method, pivots, more digits. What they claim the verifier proves.
//   tolerances  what has no optimum by less than the tolerances has one (within_tolerances.cpp)
//   extras      an open end of the enclosure, the proof in rational arithmetic
//
// The Run (model/run.hpp) keeps the account of all of them.
#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/extras.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {
namespace {

/// What an attempt after one that proved no status does otherwise. No status proved is the worst
/// answer: branch and bound drops the node.
struct Retry {
  char const* sentence;
  bool fresh = false;           ///< the engine is made anew
  bool otherAlgorithm = false;  ///< than the one that the last attempt began with
  bool perturbed = false;
  bool otherScaling = false;
  bool lastResort = false;  ///< primal, steepest edge, the other representation, on the processor
};

/// Behind the attempt as asked, each from the slack basis.
constexpr Retry retries[] = {
    {.sentence = "no status could be proved; solving again from the slack basis", .fresh = true},
    {.sentence =
         "no status could be proved; solving again with other scaling and with perturbation",
     .perturbed = true,
     .otherScaling = true},
    {.sentence =
         "no status could be proved; solving again by the primal simplex with steepest edge",
     .perturbed = true,
     .lastResort = true}};

/// In place of the first row where a fresh engine would make the same pivots again.
constexpr Retry byOtherAlgorithm{
    .sentence = "no status could be proved; solving again by the other algorithm",
    .fresh = true,
    .otherAlgorithm = true};

/// `before`: the engine of the attempt before, `began`: the algorithm.
Options settingsOf(Retry const& retry, Options const& asked, bool lastOnHost, EngineKind before,
                   SolveAlgorithm began) {
  Options settings = asked;
  if (forStarts(settings.algorithm))
    settings.algorithm = AlgorithmChoice::automatic;  // it has had its turn
  if (retry.otherAlgorithm)
    settings.algorithm =
        began == SolveAlgorithm::primal ? AlgorithmChoice::dual : AlgorithmChoice::primal;
  if (retry.perturbed) settings.perturbation = Toggle::on;
  if (retry.otherScaling) settings.scaling = !asked.scaling;
  if (!retry.lastResort) return settings;
  settings.algorithm = AlgorithmChoice::primal;
  settings.pricing = Pricing::steepest;
  if (asked.representation == Representation::automatic)
    settings.representation =
        before == EngineKind::factors ? Representation::tableau : Representation::factors;
  if (lastOnHost) settings.engine = EngineChoice::host;
  return settings;
}

/// Of a point in two parts the control wants more than the tolerances, so that another attempt can
/// find one of doubles. Where none did, the tolerances are what was asked for.
void claimWithinTolerances(LinearProgram const& lp, Options const& options, Solution& solution) {
  Verifier const verifier(lp, options);
  if (solution.status == Status::numerical && verifier.claimOptimal(solution))
    solution.message = verifier.rounded(solution).message;
}

/// Whether a limit ended the solve, so that its point is one of several without a proof.
bool stoppedByLimit(Status status) {
  return status == Status::timeLimit || status == Status::iterationLimit ||
         status == Status::interrupted;
}

/// From so many entries on that an engine has to be given, nothing is begun after the end of the
/// budget; each takes some 20 ns, of a tableau one.
constexpr double largeLoad = 1e6, largeTableau = 2e7;

bool takesAMoment(LinearProgram const& lp, Placement const& placement) {
  double const cells = static_cast<double>(lp.rows()) * lp.columns();
  return static_cast<double>(lp.matrix.nonzeros()) >= largeLoad ||
         (!placement.factors && cells >= largeTableau);
}

/// The point of the bounds that are nearest to zero, with `basis` or that of the slacks.
Solution pointOfBounds(LinearProgram const& lp, Basis const& basis) {
  Solution solution;
  solution.basis.rows.assign(lp.rowLower.size(), VariableStatus::basic);
  for (std::size_t j = 0; j < lp.columnLower.size(); ++j) {
    double const lower = lp.columnLower[j], upper = lp.columnUpper[j];
    double const x = std::max(lower, std::min(0.0, upper));
    solution.columnValues.push_back(std::isfinite(x) ? x : 0.0);
    solution.basis.columns.push_back(std::isinf(lower) && std::isinf(upper) ? VariableStatus::free
                                     : x == lower        ? VariableStatus::atLower
                                     : x == upper        ? VariableStatus::atUpper
                                     : std::isinf(lower) ? VariableStatus::atUpper
                                                         : VariableStatus::atLower);
  }
  if (!basis.empty()) solution.basis = basis;
  solution.rowDuals.assign(lp.rowLower.size(), 0.0);
  solution.objective = objectiveOf(lp, solution.columnValues);
  return solution;
}

/// The attempts of one solve in the problem itself.
class Attempts {
 public:
  Attempts(Session& session, Options const& options, Run& run, bool cold, Placement placement)
      : s_(session),
        options_(options),
        run_(run),
        cold_(cold),
        asked_(std::move(placement)),
        start_(session.basis),
        wouldRepeat_(!session.fits(options, asked_) && isSlackBasis(session.basis)),
        iterationsBefore_(run.iterations()) {}

  Solution solve() {
    // To scale a large problem and to load it takes a moment.
    if (!s_.loaded && takesAMoment(s_.lp, asked_)) {
      if (Limit const ended = run_.budget().interruption(); ended != Limit::none) {
        Solution solution = pointOfBounds(s_.lp, s_.basis);
        Verifier(s_.lp, options_).stopAt(statusOf(ended), solution);
        return solution;
      }
    }
    s_.dualRay.reset();
    Solution solution = untilProved();
    clock_.reset();
    Verifier const verifier(s_.lp, options_);
    bool const exactly = options_.exact == Toggle::on;
    auto const keepToTolerances = [&] {
      solution = withinTolerances(s_, options_, run_, solution);
    };
    if (!exactly && !verifier.isCertain(solution)) keepToTolerances();
    addExtras(solution);
    // Rational arithmetic may have found another status, or none; what stayed weak before it does.
    bool const proved = solution.exact.proved;
    if (proved ? !exactly && !verifier.isCertain(solution)
               : solution.status == Status::numerical || (exactly && !verifier.isCertain(solution)))
      keepToTolerances();
    holdBasis(solution);
    return solution;
  }

  /// Without what the tolerances make of it, and without extras.
  Solution untilProved() try {
    attempt(options_, asked_);
    if (take()) return std::move(*last_);
    for (Retry const& row : retries) {
      if (limit_) break;
      if (Limit const reached = run_.budget().reached(); reached != Limit::none) {
        limit_ = statusOf(reached);
        break;
      }
      Retry const& retry = &row == retries && wouldRepeat_ ? byOtherAlgorithm : row;
      run_.notice(retry.sentence);
      Options const settings =
          settingsOf(retry, options_, asked_.lastOnHost, s_.kind, best_->algorithm);
      s_.basis = {};
      if (retry.fresh) s_.forgetEngine();
      attempt(settings, s_.placement(settings, run_));
      if (take()) return std::move(*last_);
    }
    if (limit_) {
      Verifier(s_.lp, options_).stopAssessed(*limit_, *best_);
      best_->message.clear();
    } else {
      claimWithinTolerances(s_.lp, options_, *best_);
    }
    return std::move(*best_);
  } catch (...) {
    s_.basis = start_;
    s_.placed = false;
    throw;
  }

 private:
  void attempt(Options const& settings, Placement placement) {
    if (placement.races && s_.start.empty()) {
      if (!clock_) clock_.emplace(run_, SolveStage::pivots);
      s_.shareForm(settings);
      last_ = race({s_, settings, run_, placement, {}, cold_});
      lastPlacement_ = placement;
      return;
    }
    last_ = s_.withEngine(settings, placement, run_, [&] {
      if (!clock_) clock_.emplace(run_, SolveStage::pivots);
      Method const method = s_.method(settings, run_);
      return osi_cuda::attempt({s_, settings, run_, placement, method, cold_});
    });
    lastPlacement_ = placement;
  }

  /// Whether the last attempt proved a status. Of the others the best is kept, and the limit that
  /// ended one.
  bool take() {
    if (stoppedByLimit(last_->status))
      limit_ = last_->status;
    else if (last_->status != Status::numerical)
      return true;
    if (!best_ || last_->residuals.largest() < best_->residuals.largest()) best_ = std::move(last_);
    return false;
  }

  void addExtras(Solution& solution) {
    s_.basis = solution.basis;
    solution.seconds = run_.seconds();
    std::int64_t const pivots = run_.iterations() - iterationsBefore_;
    if ((options_.enclose == Toggle::on && !options_.oneOfMany) ||
        (options_.enclose != Toggle::off && cold_ && enclosingIsQuick(s_.lp, pivots)))
      close(s_, run_, workBeside(run_.budget().work(), 0.005), solution);
    double const unrounded =
        options_.oneOfMany ? 0.0 : solution.unrounded;  // the tolerances are enough
    proveExactly(s_.lp, options_, run_, {cold_, unrounded, run_.budget().work(), s_.dualRay},
                 solution);
  }

  // What came after the attempts may have found another basis, which the engine has to hold as
  // after every optimum. It stays the engine that it is, whatever attempt made it.
  void holdBasis(Solution const& solution) {
    if (solution.basis != s_.basis) {
      s_.basis = solution.basis;
      s_.placed = false;
    }
    if (solution.status == Status::optimal && !s_.placed)
      place(s_, Options(s_.engineOptions), s_.asIs(lastPlacement_), run_);
  }

  Session& s_;
  Options const& options_;
  Run& run_;
  bool const cold_;
  Placement const asked_;
  Basis const start_;
  bool const
      wouldRepeat_;  ///< a fresh engine that began at slacks would make the same pivots again
  std::int64_t const iterationsBefore_;
  std::optional<Run::Scope> clock_;  ///< runs from when the first engine had the problem
  Placement lastPlacement_;
  std::optional<Solution> last_;
  std::optional<Solution> best_;  ///< of those without a proof
  std::optional<Status> limit_;
};

}  // namespace

Solution solve(Session& s, Options const& options, Run& run) {
  if (std::string const fault = findFault(options); !fault.empty())
    throw std::invalid_argument(fault);
  bool const cold = isSlackBasis(s.basis);
  judgeStart(s, run);
  AtWork const atWork;
  Placement const placement = s.placement(options, run);
  if (placement.known.cold())
    for (PlanChoice& choice : choicesOf(placement, shapeOf(s.lp), options))
      run.plan(std::move(choice));
  // A point is one of the given problem: what presolve combines has no place in the smaller one.
  bool const isGiven = !s.start.empty();
  bool const dual = !isGiven && dualIsBetter(s.lp, placement);
  return dual || (placement.presolve && !isGiven)
             ? solveByReduced(s, options, run, cold, placement, dual)
             : solveHere(s, options, run, cold, placement);
}

Solution solveHere(Session& s, Options const& options, Run& run, bool cold,
                   std::optional<Placement> placement) {
  return Attempts(s, options, run, cold, placement ? *placement : s.placement(options, run))
      .solve();
}

Solution attempts(Session& s, Options const& options, Run& run) {
  constexpr bool cold = true;
  return Attempts(s, options, run, cold, s.placement(options, run)).untilProved();
}

Solution attempt(Attempt const& now) {
  if (auto solution = solveFromPoint(now)) return std::move(*solution);
  if (now.method.race) return race(now);
  if (auto solution = solveByBarrier(now)) return std::move(*solution);
  return pivot(now, {});
}

void close(Session& s, Run& run, double work, Solution& solution) {
  if (solution.status != Status::optimal && solution.status != Status::interior) return;
  Run::Scope const scope(run, SolveStage::enclosure);
  // A device that is lost here would be lost after its answer.
  bool const solves = s.placed && s.engine && !s.onDevice() && s.basis == solution.basis;
  if (s.enclose == Toggle::on) work = infinity;
  closeEnclosure(s.lp, *s.form, solves ? s.engine.get() : nullptr, run.budget(), work, solution);
}

}  // namespace osi_cuda
