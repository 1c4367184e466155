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
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/presolve/presolve.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/stages.hpp"

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
class ReducedSolve {
 public:
  ReducedSolve(Session& given, Options const& options, Run& run, bool cold,
               Placement const& placement, bool dual)
      : given_(given),
        options_(options),
        run_(run),
        cold_(cold),
        placement_(placement),
        dual_(dual) {}

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
  /// The result of `work`, whose time counts as presolve; nothing where it fails.
  template <class Work>
  auto attempt(char const* what, Work const& work) -> std::optional<decltype(work())> {
    run_.budget().enter(SolveAlgorithm::presolve);
    Run::Scope const scope(run_, SolveStage::presolve);
    std::optional<decltype(work())> result;
    try {
      result = work();
    } catch (std::bad_alloc const&) {
      run_.notice(std::string(what) + ": not enough memory; continuing without it");
    } catch (std::runtime_error const& e) {
      run_.notice(std::string(what) + ": " + e.what() + "; continuing without it");
    }
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
      run_.notice("the smaller problem has no proved status; solving the given one");
      return solveGiven();
    }
    if (std::optional<Solution> proof = lifted(*presolved, reduced)) return std::move(*proof);
    std::optional<Solution> point =
        attempt("postsolve", [&] { return presolved->postsolve(lp, reduced); });
    std::string const fault = point ? faultOf(lp, *point) : std::string();
    if (!fault.empty()) {
      run_.notice("postsolve: " + fault + "; continuing without it");
      point.reset();
    }
    if (point) tellSurplus(point->basis);
    run_.trace("postsolve", {{"seconds", seconds()}, {"usable", point.has_value()}});
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
    request.primalTolerance = std::min(request.primalTolerance, options_.primalTolerance);
    request.dualTolerance = std::min(request.dualTolerance, options_.dualTolerance);
    request.stop = [this] { return run_.budget().interrupted(); };
    auto outcome = attempt("presolve", [&] {
      return dual_ ? dualise(given_.lp) : given_.makers.presolve(given_.lp, request);
    });
    PresolveEnd const end = outcome ? outcome->end : PresolveEnd::unchanged;
    switch (end) {
      case PresolveEnd::reduced:
        tellSizes(outcome->presolved->problem);
        return std::move(outcome->presolved);
      case PresolveEnd::unchanged:
        if (outcome) run_.notice("presolve: nothing to take away");
        break;
      case PresolveEnd::infeasible:
        run_.notice(
            "presolve: the problem looks infeasible; the proof is looked for in what was given");
        break;
      case PresolveEnd::unbounded:
        run_.notice(
            "presolve: the problem looks unbounded; the proof is looked for in what was given");
        break;
      case PresolveEnd::stopped:
        break;
    }
    run_.trace("presolve", {{"seconds", seconds()}, {"reduced", false}});
    return nullptr;
  }

  void tellSizes(LinearProgram const& reduced) {
    report_.rows = reduced.rows();
    report_.columns = reduced.columns();
    report_.nonzeros = reduced.matrix.nonzeros();
    run_.notice((dual_ ? "dual: " : "presolve: ") +
                sizeText(report_.rowsBefore, report_.columnsBefore, report_.nonzerosBefore) +
                " become " + sizeText(report_.rows, report_.columns, report_.nonzeros) + " in " +
                brief(seconds()) + " s");
    run_.trace("presolve", {{"seconds", seconds()},
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
      run_.notice("postsolve: its basis has " + std::to_string(basics) + " basic variables for " +
                  std::to_string(given_.lp.rows()) + " rows and is repaired");
  }

  double seconds() const { return run_.seconds(SolveStage::presolve); }

  /// Solves the smaller problem. A device that the given one's engine holds serves it, and is kept
  /// for the solves to come.
  Solution solveReduced(Presolved const& presolved) {
    Solution solution;
    if (presolved.problem.rows() == 0 && presolved.problem.columns() == 0) {
      Verifier(presolved.problem, options_).claimOptimal(solution);
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
    Options options = options_;
    options.exact = Toggle::off;  // the given problem's status is what is proved
    std::int64_t const before = run_.iterations();
    Run::Elsewhere const elsewhere(
        run_, [&](Basis const& basis) { return presolved.enlarged(given_.lp, basis); });
    try {
      constexpr bool cold = false;  // of the given problem's extras this one needs none
      solution = solveHere(smaller, options, run_, cold);
    } catch (...) {
      smaller.lendDevice(given_);
      throw;
    }
    smaller.lendDevice(given_);
    given_.deviceServed = smaller.deviceServed;
    given_.deviceLost = smaller.deviceLost;
    given_.devicesLeft = smaller.devicesLeft;
    report_.iterations = run_.iterations() - before;
    reduced_ = solution;
    return solution;
  }

  /// The proof that the given problem is infeasible, from what the smaller one is. Nothing where it
  /// is none, or where a proof in rational arithmetic is asked for, which begins at a solve.
  std::optional<Solution> lifted(Presolved const& presolved, Solution const& reduced) {
    LinearProgram const& lp = given_.lp;
    bool const unbounded = reduced.status == Status::unbounded && presolved.isDual();
    bool const tries = unbounded || (reduced.status == Status::infeasible && placement_.liftProofs);
    if (!tries || options_.exact == Toggle::on) return std::nullopt;
    auto const proof = attempt("postsolve", [&] {
      return unbounded ? liftedRay(presolved, reduced)
                       : liftInfeasibility(given_.makers.factored, lp, presolved, reduced, options_,
                                           run_.budget());
    });
    bool const stands = proof && *proof && faultOf(lp, **proof).empty();
    run_.trace("lift", {{"seconds", seconds()}, {"proved", stands}});
    if (!stands) return std::nullopt;
    return ended(**proof, reduced);
  }

  std::optional<Solution> liftedRay(Presolved const& presolved, Solution const& reduced) const {
    Verifier const verifier(given_.lp, options_);
    Solution solution = presolved.postsolve(given_.lp, reduced);
    if (!presolved.liftRay(reduced, solution) || !verifier.claimInfeasible(solution) ||
        !verifier.isCertain(solution))
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
    Options options = options_;
    if (basisFollows_ && forStarts(options.algorithm))
      options.algorithm = AlgorithmChoice::automatic;  // it has had its turn
    if (provedInVain_ && options.exact == Toggle::automatic)
      options.exact = Toggle::off;  // nobody asked, and once is enough
    return solveHere(given_, options, run_, cold_);
  }

  /// Where a device made the pivots, or would: the answer in the given problem from sparse factors
  /// on the host, as a tableau of it would take longer to form than a few pivots take there, and
  /// may not fit. Nothing where it is not sparse, or the basis needs more than that.
  std::optional<Solution> proveOnHost() {
    Options options = options_;
    bool const served = reduced_ || !isDevice(options.engine);  // by what was asked for
    if (!served || !placement_.proveOnHost) return std::nullopt;
    Budget& whole = run_.budget();
    Budget few(whole, mostPivotsOnHost);
    options.engine = EngineChoice::host;
    options.representation = Representation::factors;
    if (forStarts(options.algorithm)) options.algorithm = AlgorithmChoice::automatic;
    Run::Within const within(run_, few);
    Basis const start = given_.basis;
    Solution solution = solveHere(given_, options, run_, cold_);
    bool const unfinished =
        solution.status == Status::numerical ||
        (solution.status == Status::iterationLimit && whole.iterationsLeft() > 0);
    if (!unfinished) return solution;
    provedInVain_ = solution.exact.tried;
    if (solution.status == Status::numerical) given_.basis = start;
    return std::nullopt;
  }

  /// A limit has stopped the smaller solve: its point in the given problem, without a claim.
  Solution stopped(Solution point, Solution const& reduced) {
    Verifier(given_.lp, options_).stopAt(reduced.status, point);
    return ended(std::move(point), reduced);
  }

  /// The solve ends with what the smaller problem came to, without an engine of the given one.
  Solution ended(Solution point, Solution const& reduced) {
    point.deviceLost = given_.deviceLost;
    given_.basis = point.basis;
    given_.unload();
    given_.solvedBefore = true;
    SolveAlgorithm const at =
        reduced.algorithm == SolveAlgorithm::primal ? SolveAlgorithm::primal : SolveAlgorithm::dual;
    run_.checkpoint(point.basis, at, point.status);
    return point;
  }

  /// What the whole solve was.
  void finish(Solution& solution) {
    report_.seconds = seconds();
    report_.iterationsAfter = run_.iterations() - report_.iterations;
    solution.presolve = report_;
    if (!reduced_) return;
    solution.engine = reduced_->engine;
    solution.device = reduced_->device;
    solution.algorithm = reduced_->algorithm;
    solution.pricing = reduced_->pricing;
    solution.deviceLost = given_.deviceLost;
  }

  Session& given_;
  Options const& options_;
  Run& run_;
  bool const cold_;
  Placement const& placement_;
  PresolveReport report_;
  std::optional<Solution> reduced_;  ///< the smaller problem's, where there was one to solve
  bool provedInVain_ = false;        ///< rational arithmetic settled nothing on the host
  bool dual_ = false;                ///< the smaller problem is the dual
  bool basisFollows_ = false;        ///< the given problem begins at what the smaller one says
};

}  // namespace

bool dualIsBetter(LinearProgram const& lp, Placement const& placement) {
  if (!placement.mayDualise) return false;
  DualSize const dual = dualSize(lp);
  return dualPays(shapeOf(lp), {dual.rows, dual.columns, dual.nonzeros});
}

Solution solveByReduced(Session& session, Options const& options, Run& run, bool cold,
                        Placement const& placement, bool dual) {
  return ReducedSolve(session, options, run, cold, placement, dual).run();
}

}  // namespace osi_cuda
