// SPDX-License-Identifier: EPL-2.0
// A solve that begins with a smaller problem. What that says is a basis of the given problem, no
// more: the given one is solved from there, mostly without a pivot, and every claim is made there.
#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/presolve/dual_problem.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/lift.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {
namespace {

std::string sizeText(std::int64_t rows, std::int64_t columns, std::int64_t nonzeros) {
  return std::to_string(rows) + " rows, " + std::to_string(columns) + " columns and " +
         std::to_string(nonzeros) + " nonzeros";
}

bool isFinite(std::vector<double> const& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

/// Why that is no point to start from, or nothing.
std::string faultOf(LinearProgram const& lp, Solution const& point) {
  auto const n = at(lp.columns()), m = at(lp.rows());
  if (point.basis.columns.size() != n || point.basis.rows.size() != m ||
      point.columnValues.size() != n || point.rowDuals.size() != m)
    return "its point has other lengths";
  if (!isFinite(point.columnValues) || !isFinite(point.rowDuals))
    return "its point has numbers that are none";
  return {};
}

/// One solve of a given problem by way of a smaller one.
class PresolvedSolve {
 public:
  PresolvedSolve(Session& given, Call const& call, bool dual)
      : given_(given), call_(call), dual_(dual) {}

  Solution run() {
    Basis const start = given_.basis;
    try {
      Solution solution = solve();
      finish(solution);
      return solution;
    } catch (...) {
      given_.basis = start;
      throw;
    }
  }

 private:
  void trace(char const* kind, std::vector<TraceField> fields) const {
    if (!call_.callbacks.trace) return;
    TraceEvent event;
    event.kind = kind;
    event.seconds = spent_.seconds;
    event.iterations = spent_.iterations;
    event.fields = std::move(fields);
    call_.callbacks.trace(event);
  }

  /// The result of `work`, whose time counts as presolve; nothing where it fails.
  template <class Work>
  auto attempt(char const* what, Work const& work) -> std::optional<decltype(work())> {
    call_.budget.enter("presolve");
    Stopwatch const watch;
    std::optional<decltype(work())> result;
    try {
      result = work();
    } catch (std::bad_alloc const&) {
      call_.notice(std::string(what) + ": not enough memory; continuing without it");
    } catch (std::runtime_error const& e) {
      call_.notice(std::string(what) + ": " + e.what() + "; continuing without it");
    }
    double const seconds = watch.seconds();
    report_.seconds += seconds;
    spent_.seconds += seconds;
    return result;
  }

  Solution solve() {
    LinearProgram const& lp = given_.lp;
    report_.used = true;
    report_.rows = report_.rowsBefore = lp.rows();
    report_.columns = report_.columnsBefore = lp.columns();
    report_.nonzeros = report_.nonzerosBefore = lp.matrix.nonzeros();
    std::unique_ptr<Presolved> const presolved = reduce();
    if (!presolved) return solveGiven();
    Solution const reduced = solveReduced(*presolved);
    if (reduced.status == Status::numerical) {
      call_.notice("the smaller problem has no proved status; solving the given one");
      return solveGiven();
    }
    if (std::optional<Solution> proof = lifted(*presolved, reduced)) return std::move(*proof);
    std::optional<Solution> point =
        attempt("postsolve", [&] { return presolved->postsolve(lp, reduced); });
    std::string const fault = point ? faultOf(lp, *point) : std::string();
    if (!fault.empty()) {
      call_.notice("postsolve: " + fault + "; continuing without it");
      point.reset();
    }
    if (point) tellSurplus(point->basis);
    trace("postsolve", {{"seconds", report_.seconds}, {"usable", point.has_value()}});
    bool const limited = reduced.status == Status::timeLimit ||
                         reduced.status == Status::iterationLimit ||
                         reduced.status == Status::interrupted;
    if (limited && point) return stopped(*point, reduced);
    if (point) given_.basis = point->basis;
    basisFollows_ = point.has_value();
    return solveGiven();
  }

  std::unique_ptr<Presolved> reduce() {
    PresolveRequest request;
    request.primalTolerance = std::min(request.primalTolerance, call_.options.primalTolerance);
    request.dualTolerance = std::min(request.dualTolerance, call_.options.dualTolerance);
    request.stop = [this] { return call_.budget.interrupted(); };
    auto outcome = attempt("presolve", [&] {
      return dual_ ? dualise(given_.lp) : given_.makers.presolve(given_.lp, request);
    });
    PresolveEnd const end = outcome ? outcome->end : PresolveEnd::unchanged;
    switch (end) {
      case PresolveEnd::reduced:
        tellSizes(outcome->presolved->problem);
        return std::move(outcome->presolved);
      case PresolveEnd::unchanged:
        if (outcome) call_.notice("presolve: nothing to take away");
        break;
      case PresolveEnd::infeasible:
        call_.notice(
            "presolve: the problem looks infeasible; the proof is looked for in what was given");
        break;
      case PresolveEnd::unbounded:
        call_.notice(
            "presolve: the problem looks unbounded; the proof is looked for in what was given");
        break;
      case PresolveEnd::stopped:
        break;
    }
    trace("presolve", {{"seconds", report_.seconds}, {"reduced", false}});
    return nullptr;
  }

  void tellSizes(LinearProgram const& reduced) {
    report_.rows = reduced.rows();
    report_.columns = reduced.columns();
    report_.nonzeros = reduced.matrix.nonzeros();
    call_.notice((dual_ ? "dual: " : "presolve: ") +
                 sizeText(report_.rowsBefore, report_.columnsBefore, report_.nonzerosBefore) +
                 " become " + sizeText(report_.rows, report_.columns, report_.nonzeros) + " in " +
                 brief(report_.seconds) + " s");
    trace("presolve", {{"seconds", report_.seconds},
                       {"reduced", true},
                       {"rows", report_.rows},
                       {"columns", report_.columns},
                       {"nonzeros", report_.nonzeros}});
  }

  // Such a basis is repaired by whoever starts from it, and that is mostly less work than to do
  // without.
  void tellSurplus(Basis const& basis) const {
    auto const basics = std::ranges::count(basis.columns, VariableStatus::basic) +
                        std::ranges::count(basis.rows, VariableStatus::basic);
    if (basics != given_.lp.rows())
      call_.notice("postsolve: its basis has " + std::to_string(basics) + " basic variables for " +
                   std::to_string(given_.lp.rows()) + " rows and is repaired");
  }

  /// Solves the smaller problem. A device that the given one's engine holds serves it, and is kept
  /// for the solves to come.
  Solution solveReduced(Presolved const& presolved) {
    Solution solution;
    if (presolved.problem.rows() == 0 && presolved.problem.columns() == 0) {
      solution.status = Status::optimal;
      return solution;
    }
    Session smaller;
    smaller.makers = given_.makers;
    smaller.lp = presolved.problem;
    smaller.basis = presolved.restricted(given_.basis);
    smaller.deviceServed = given_.deviceServed;
    smaller.deviceLost = given_.deviceLost;
    smaller.devicesLeft = given_.devicesLeft;
    given_.lendDevice(smaller);
    Options options = call_.options;
    options.exact = Toggle::off;  // the given problem's status is what is proved
    Callbacks callbacks = callbacksAfter(spent_, call_.callbacks);
    if (callbacks.checkpoint)
      callbacks.checkpoint = [&, tell = callbacks.checkpoint](Checkpoint checkpoint) {
        checkpoint.basis = presolved.enlarged(given_.lp, checkpoint.basis);
        checkpoint.status = "running";
        tell(checkpoint);
      };
    try {
      solution = solveDirectly(smaller, {options, callbacks, call_.budget});
    } catch (...) {
      smaller.lendDevice(given_);
      throw;
    }
    smaller.lendDevice(given_);
    given_.deviceServed = smaller.deviceServed;
    given_.deviceLost = smaller.deviceLost;
    given_.devicesLeft = smaller.devicesLeft;
    report_.iterations = solution.iterations;
    spent_.add(solution);
    reduced_ = solution;
    return solution;
  }

  /// The proof that the given problem is infeasible, from what the smaller one is. Nothing where it
  /// is none, or where a proof in rational arithmetic is asked for, which begins at a solve.
  std::optional<Solution> lifted(Presolved const& presolved, Solution const& reduced) {
    LinearProgram const& lp = given_.lp;
    bool const unbounded = reduced.status == Status::unbounded && presolved.isDual();
    bool const tries = unbounded || (reduced.status == Status::infeasible &&
                                     given_.plan(call_.options).liftProofs);
    if (!tries || call_.options.exact == Toggle::on) return std::nullopt;
    auto const proof = attempt("postsolve", [&] {
      return unbounded ? liftedRay(presolved, reduced)
                       : liftInfeasibility(given_.makers, lp, presolved, reduced, call_.options,
                                           call_.budget);
    });
    bool const stands = proof && *proof && faultOf(lp, **proof).empty();
    trace("lift", {{"seconds", report_.seconds}, {"proved", stands}});
    if (!stands) return std::nullopt;
    return ended(**proof, reduced);
  }

  std::optional<Solution> liftedRay(Presolved const& presolved, Solution const& reduced) const {
    Verifier const verifier(given_.lp, call_.options);
    Solution solution = presolved.postsolve(given_.lp, reduced);
    if (!presolved.liftRay(reduced, solution) || !verifier.claimInfeasible(solution) ||
        solution.margin <= Verifier::target)
      return std::nullopt;
    verifier.assess(solution);
    return solution;
  }

  /// The given problem from the present basis, which is the start or what the smaller problem says.
  Solution solveGiven() {
    if (basisFollows_) {
      given_.solvedBefore = true;  // a start that is taken for what it says
      if (std::optional<Solution> proved = proveOnHost()) return std::move(*proved);
    }
    Options options = call_.options;
    if (basisFollows_ && forStarts(options.algorithm))
      options.algorithm = AlgorithmChoice::automatic;  // it has had its turn
    if (provedInVain_ && options.exact == Toggle::automatic)
      options.exact = Toggle::off;  // nobody asked, and once is enough
    return total(
        solveDirectly(given_, {options, callbacksAfter(spent_, call_.callbacks), call_.budget}));
  }

  /// Where a device made the pivots, or would: the answer in the given problem from sparse factors
  /// on the host, as a tableau of it would take longer to form than a few pivots take there, and
  /// may not fit. Nothing where it is not sparse, or the basis needs more than that.
  std::optional<Solution> proveOnHost() {
    Options options = call_.options;
    bool const served = reduced_ || !isDevice(options.engine);  // by what was asked for
    if (!served || !given_.plan(options).proveOnHost) return std::nullopt;
    Budget few(call_.budget, mostPivotsOnHost);
    options.engine = EngineChoice::host;
    options.representation = Representation::factors;
    if (forStarts(options.algorithm)) options.algorithm = AlgorithmChoice::automatic;
    Callbacks callbacks = callbacksAfter(spent_, call_.callbacks);
    if (callbacks.checkpoint)
      callbacks.checkpoint = [this, tell = callbacks.checkpoint](Checkpoint c) {
        bool const goesOn = call_.budget.iterationsLeft() > 0 &&
                            std::string_view(c.status) == toString(Status::iterationLimit);
        if (goesOn) c.status = "running";
        tell(c);
      };
    Basis const start = given_.basis;
    Solution solution = solveDirectly(given_, {options, callbacks, few});
    bool const unfinished =
        solution.status == Status::numerical ||
        (solution.status == Status::iterationLimit && call_.budget.iterationsLeft() > 0);
    if (!unfinished) return total(std::move(solution));
    provedInVain_ = solution.exact.tried;
    if (solution.status == Status::numerical) given_.basis = start;
    report_.iterationsAfter += solution.iterations;
    spent_.add(solution);
    return std::nullopt;
  }

  /// The last part of the solve, with what came before it.
  Solution total(Solution solution) {
    report_.iterationsAfter += solution.iterations;
    spent_.addTo(solution);
    return solution;
  }

  /// A limit has stopped the smaller solve: its point in the given problem, without a claim.
  Solution stopped(Solution point, Solution const& reduced) {
    Verifier(given_.lp, call_.options).stopAt(reduced.status, point);
    return ended(std::move(point), reduced);
  }

  /// The solve ends with what the smaller problem came to, without an engine of the given one.
  Solution ended(Solution point, Solution const& reduced) {
    point.iterations = spent_.iterations;
    point.phase1Iterations = spent_.phase1;
    point.seconds = spent_.seconds;
    point.deviceLost = given_.deviceLost;
    given_.basis = point.basis;
    given_.unload();
    given_.solvedBefore = true;
    if (call_.callbacks.checkpoint)
      call_.callbacks.checkpoint({point.basis, point.iterations, point.seconds,
                                  reduced.algorithm == "primal" ? "primal" : "dual",
                                  toString(point.status)});
    return point;
  }

  /// What the whole solve was.
  void finish(Solution& solution) {
    solution.presolve = report_;
    if (!reduced_) return;
    solution.engine = reduced_->engine;
    solution.device = reduced_->device;
    solution.algorithm = reduced_->algorithm;
    solution.pricing = reduced_->pricing;
    solution.barrierIterations = reduced_->barrierIterations;
    solution.barrierSeconds = reduced_->barrierSeconds;
    solution.deviceLost = given_.deviceLost;
  }

  Session& given_;
  Call const& call_;
  PresolveReport report_;
  Spent spent_;
  std::optional<Solution> reduced_;  ///< the smaller problem's, where there was one to solve
  bool provedInVain_ = false;        ///< rational arithmetic settled nothing on the host
  bool dual_ = false;                ///< the smaller problem is the dual
  bool basisFollows_ = false;        ///< the given problem begins at what the smaller one says
};

bool dualFor(Session const& s, Options const& options, History const& history) {
  if (!mayDualise(shapeOf(s.lp), options, history)) return false;
  DualSize const dual = dualSize(s.lp);
  return dualPays(shapeOf(s.lp), {dual.rows, dual.columns, dual.nonzeros});
}

}  // namespace

Solution solve(Session& s, Call const& call) {
  std::string const fault = findFault(call.options);
  if (!fault.empty()) throw std::invalid_argument(fault);
  // A solve that goes on from a basis is one of many, and ends in a few pivots.
  s.cold = isSlackBasis(s.basis);
  s.unrounded = infinity;
  judgeStart(s, call);
  Plan const next = s.plan(call.options);
  History const history = s.history();
  if (call.callbacks.notice && history.cold())
    for (std::string const& reason : reasonsOf(next, shapeOf(s.lp), call.options, history))
      call.notice(reason);
  // A point is one of the given problem: what presolve combines has no place in the smaller one.
  bool const isGiven = !s.start.empty();
  bool const dual = !isGiven && dualFor(s, call.options, history);
  return dual || (next.presolve && !isGiven) ? PresolvedSolve(s, call, dual).run()
                                             : solveDirectly(s, call);
}

}  // namespace osi_cuda
