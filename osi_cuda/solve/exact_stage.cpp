// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/extras.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/exact_pivots.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/exact_problem.hpp"
#include "osi_cuda/rational/proof_attempt.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {
namespace {

/// What exact proofs may take that nobody asked for.
constexpr double mostSecondsUnasked = 3.0, mostSecondsUnaskedWarm = 0.1;
/// Pivots in rationals are for the last steps: beyond this, and a multiple of what the proof took
/// before them, they are given up.
constexpr double mostSecondsOfPivots = 60.0, mostTimesBefore = 10.0;

/// Where so many pivots in rationals are expected to take no longer than this, they come before
/// pivots in doubles with what is left: a basis that is nearly optimal needs a few of them.
constexpr std::int64_t firstPivots = 20;
constexpr double mostSecondsOfFirst = 0.2;

/// One answer in rational arithmetic.
class ExactAnswer {
 public:
  ExactAnswer(LinearProgram const& lp, Options const& options, Run& run, bool cold,
              Solution& solution, rational::Meanings const* fractions)
      : lp_(lp),
        exact_(lp, options.exactNumbers, fractions),
        options_(options),
        run_(run),
        solution_(solution),
        from_(exact_.extended(solution.basis)) {
    if (options.exact == Toggle::automatic)
      mostSeconds_ = cold ? mostSecondsUnasked : mostSecondsUnaskedWarm;
    limits_.stop = [this] { return stops(); };
    if (exact_.decimals() > 0)
      run_.notice(std::to_string(exact_.decimals()) +
                  " numbers are no doubles: what is proved holds for their " +
                  (options.exactNumbers == ExactNumbers::decimals ? "decimals" : "fractions"));
    if (!exact_.fault().empty())
      run_.notice("what is proved holds for the doubles, not for decimals or fractions: " +
                  exact_.fault());
  }
  ExactAnswer(ExactAnswer const&) = delete;  // the limits refer to it
  ExactAnswer& operator=(ExactAnswer const&) = delete;

  void run(std::optional<InverseRow> const& dualRay) {
    if (solution_.status == Status::infeasible)
      asClaimed(exact_.infeasible(from_, solution_.farkas, limits_));
    else if (solution_.status == Status::unbounded)
      asClaimed(exact_.unbounded(from_, solution_.ray, limits_));
    else
      byDualRayOrBases(dualRay);
    if (!settled_ && !stops()) finishExactly();
    if (!exact_.fault().empty())
      solution_.exact.message +=
          " It holds for the numbers of the doubles: " + exact_.fault() + ".";
    solution_.exact.tried = true;
    solution_.exact.seconds = watch_.seconds();
    if (!solution_.exact.proved && solution_.message.empty())
      solution_.message = solution_.exact.message;
  }

 private:
  /// Each takes away at least a factor of 1e9 of what the one before misses.
  static constexpr std::size_t mostBases = 20;
  static constexpr int mostWorse = 3;  ///< bases in a row that miss by more than the best one

  bool stops() const {
    if (run_.reports()) run_.progress({.objective = solution_.objective, .stage = Stage::exact});
    return run_.budget().interrupted() || watch_.seconds() > mostSeconds_;
  }

  void asClaimed(rational::CertificateCheck check) {
    solution_.exact.message = check.message;
    if (check.outcome != rational::Outcome::proved) return;
    settled_ = true;
    Verifier(lp_, options_).confirmExact(solution_);
    if (solution_.status == Status::infeasible)
      handOutFarkas(check);
    else
      handOutRay(check);
  }

  /// Multipliers that were proved, unless rounded they prove nothing. Whole numbers that doubles
  /// hold prove by less than doubles otherwise may: as sums of two parts, of which the second is
  /// zero.
  void handOutFarkas(rational::CertificateCheck& check) {
    std::vector<double>&y = check.certificate, &low = check.certificateLow;
    FarkasProof proof = verifyFarkas(lp_, y, low);
    if (!proof.proved && low.empty()) {
      low.assign(y.size(), 0.0);
      proof = verifyFarkas(lp_, y, low);
    }
    if (!proof.proved || proof.crossedRow >= 0 || proof.crossedColumn >= 0) return;
    solution_.farkas = std::move(y);
    solution_.farkasLow = std::move(low);
    solution_.margin = proof.margin;
  }

  /// The same of a ray, from the point that is there.
  void handOutRay(rational::CertificateCheck& check) {
    RayProof const proof =
        verifyRay(lp_, solution_.columnValues, check.certificate, options_.primalTolerance,
                  check.certificateLow, -1.0, solution_.columnValuesLow);
    if (!proof.proved) return;
    solution_.ray = std::move(check.certificate);
    solution_.rayLow = std::move(check.certificateLow);
    solution_.margin = proof.margin;
  }

  /// A ray that only rounding kept from being a proof takes one solve, each basis three and more.
  void byDualRayOrBases(std::optional<InverseRow> const& dualRay) {
    if (dualRay) {
      rational::ExactPivots last;
      last.basis = exact_.extended(dualRay->basis);
      int const v = dualRay->variable, n = lp_.columns(), own = exact_.lp().columns();
      last.weights.assign(at(own + exact_.lp().rows()), 0);
      last.weights[at(v < n ? v : own + v - n)] = 1;
      adoptInfeasible(exact_.infeasible(last, limits_), last.basis);
    }
    if (!settled_) optimalByBases();
  }

  /// Checks the basis, and those that pivots in doubles lead to with what is left, scaled up.
  void optimalByBases() {
    std::vector<Basis> seen{from_};
    rational::BasisCheck last = checkOf(seen.back());
    solution_.exact.message = last.message;
    solution_.exact.objective = last.objective;
    solution_.exact.digits = last.digits;
    bool const refused = last.outcome == rational::Outcome::refuted;
    if (refused &&
        firstPivots * exactShapeOf(exact_.lp(), seen.back()).seconds <= mostSecondsOfFirst)
      pivotExactly(seen.back(), firstPivots);
    double least = missedBy(last);
    int worse = 0;
    while (!settled_ && last.outcome != rational::Outcome::proved && seen.size() <= mostBases &&
           worse < mostWorse) {
      std::optional<Basis> next = nextBasis(seen.back(), last);
      if (settled_ || !next || std::ranges::find(seen, *next) != seen.end()) break;
      last = checkOf(*next);
      seen.push_back(std::move(*next));
      worse = missedBy(last) < least ? 0 : worse + 1;
      if (worse > 0) continue;
      least = missedBy(last);
      from_ = seen.back();
    }
    if (!settled_ && last.outcome == rational::Outcome::proved) adopt(last, std::move(seen.back()));
  }

  /// By how much a basis is not optimal; infinite of one that was not compared.
  static double missedBy(rational::BasisCheck const& check) {
    double largest = check.outcome == rational::Outcome::refuted ? 0.0 : infinity;
    for (auto const* violations : {&check.primal, &check.dual})
      for (rational::Violation const& one : *violations) largest = std::max(largest, one.amount);
    return largest;
  }

  rational::BasisCheck checkOf(Basis const& basis) const {
    return exact_.check(basis, limits_, {.remainder = true});
  }

  /// The basis of an optimum of what is left to do; nothing where there is none, or no time.
  std::optional<Basis> nextBasis(Basis const& basis, rational::BasisCheck const& check) {
    if (check.outcome == rational::Outcome::singular) {
      Solver solver(exact_.lp());
      solver.setBasis(rational::repaired(basis, check.dependent));
      Solution const found = solve(solver);
      if (found.status != Status::optimal) return std::nullopt;
      return found.basis;
    }
    if (!check.remainder) return std::nullopt;
    run_.notice(check.message + " Pivoting continues with the scaled remainder.");
    Solver solver(check.remainder->lp);
    solver.setBasis(check.remainder->start);
    Solution const found = solve(solver);
    Basis next = check.remainder->basisOf(found.basis);
    // Bounds that moved and a scale are nothing to multipliers: those of what is left are those of
    // the problem.
    if (found.status == Status::infeasible)
      adoptInfeasible(exact_.infeasibleByOwn(next, found.farkas, limits_), next);
    if (found.status != Status::optimal) return std::nullopt;
    return next;
  }

  Solution solve(Solver& solver) {
    Options settings = withinBudget(options_, run_.budget());
    settings.timeLimit =
        std::min(settings.timeLimit, std::max(0.0, mostSeconds_ - watch_.seconds()));
    settings.exact = Toggle::off;
    settings.presolve = Toggle::off;
    settings.algorithm = AlgorithmChoice::automatic;
    settings.perturbation = Toggle::automatic;
    settings.objectiveLimit = infinity;
    Callbacks quiet;
    quiet.interrupted = run_.callbacks().interrupted;
    Solution found = solver.solve(settings, quiet);
    run_.spend(found.iterations);
    return found;
  }

  /// From the last basis to whatever the problem has: with rationals there is always an end.
  void finishExactly() {
    double const before = watch_.seconds();
    mostSeconds_ =
        std::min(mostSeconds_, before + std::max(mostSecondsOfPivots, mostTimesBefore * before));
    run_.notice(solution_.exact.message + " Pivoting continues in exact arithmetic.");
    auto const last = pivotExactly(from_);
    if (settled_) return;
    solution_.exact.message += last.end == rational::PivotsEnd::tooLarge
                                   ? " Exact pivots need more memory than is allowed."
                                   : " The limit of exact pivots was reached after " +
                                         std::to_string(last.pivots) + " of them.";
  }

  /// Adopts what exact pivots end with.
  rational::ExactPivots pivotExactly(Basis const& from,
                                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    auto last = rational::exactPivots(exact_.lp(), from, limits_,
                                      std::min(most, run_.budget().iterationsLeft()));
    run_.spend(last.pivots);
    switch (last.end) {
      case rational::PivotsEnd::optimal:
        if (rational::BasisCheck check = checkOf(last.basis);
            check.outcome == rational::Outcome::proved)
          adopt(check, last.basis);
        break;
      case rational::PivotsEnd::infeasible:
        adoptInfeasible(exact_.infeasible(last, limits_), last.basis);
        break;
      case rational::PivotsEnd::unbounded:
        adoptUnbounded(exact_.unbounded(last, limits_), last.basis);
        break;
      case rational::PivotsEnd::tooLarge:
      case rational::PivotsEnd::stopped:
        break;
    }
    return last;
  }

  /// Hands out what a proved basis determines. A point that neither doubles hold, nor sums of two,
  /// is not called optimal.
  void adopt(rational::BasisCheck& check, Basis basis) {
    Verifier const verifier(lp_, options_);
    std::optional<Solution> const before =
        solution_.status == Status::optimal ? std::optional(solution_) : std::nullopt;
    take(Status::optimal, std::move(basis));
    solution_.exact.message = check.message;
    solution_.exact.objective = check.objective;
    solution_.exact.digits = check.digits;
    check.moveTo(solution_);
    Solution rounded = verifier.rounded(solution_);
    if (verifier.accepts(rounded.residuals)) {
      solution_ = std::move(rounded);
    } else {
      solution_.message = std::move(rounded.message);
      solution_.residuals = residualsOf(lp_, solution_);
    }
    solution_.objectiveEnclosure = check.objectiveEnclosure;
    if (verifier.accepts(solution_.residuals)) return;
    verifier.missPoint(solution_);
    if (!before) return;
    // A point within the tolerances is better than none. The basis stays that of the proof.
    solution_.exact.proved = false;
    solution_.exact.message = solution_.message + ". The optimum within the tolerances stays.";
    Solution proved = std::exchange(solution_, *before);
    solution_.message = proved.exact.message;
    solution_.exact = std::move(proved.exact);
    solution_.basis = std::move(proved.basis);
  }

  void adoptInfeasible(rational::CertificateCheck check, Basis const& basis) {
    double const margin = verifyFarkas(lp_, check.certificate, check.certificateLow).margin;
    if (!mayReplace(check, Status::infeasible, margin)) return;
    take(Status::infeasible, basis);
    // Where bounds cross, 0. Others that prove nothing of the doubles still lead to what is proved.
    solution_.farkas = check.certificate;
    solution_.farkas.resize(at(lp_.rows()), 0.0);
    solution_.margin = verifyFarkas(lp_, solution_.farkas).margin;
    handOutFarkas(check);
  }

  void adoptUnbounded(rational::CertificateCheck check, Basis const& basis) {
    double const margin =
        verifyRay(lp_, check.point, check.certificate, infinity, check.certificateLow).margin;
    if (!mayReplace(check, Status::unbounded, margin)) return;
    take(Status::unbounded, basis);
    solution_.columnValues = std::move(check.point);
    solution_.ray = check.certificate;
    solution_.rayLow = check.certificateLow;
    solution_.rowActivity.clear();
    solution_.rowDuals.assign(static_cast<std::size_t>(lp_.rows()), 0.0);
    solution_.reducedCosts.clear();
    solution_.objective = objectiveOf(lp_, solution_.columnValues);
    Verifier(lp_, options_).assess(solution_);
    handOutRay(check);
  }

  /// Whether a proof that there is no optimum replaces what is there. Rounded numbers contradict
  /// each other easily: an optimum within the tolerances stays one, unless the exact status was
  /// asked for, and its message says what is proved.
  bool mayReplace(rational::CertificateCheck const& check, Status status, double margin) {
    if (check.outcome != rational::Outcome::proved) return false;
    settled_ = true;
    solution_.exact.message = check.message;
    solution_.exact.status = status;
    solution_.exact.objective.clear();
    solution_.exact.digits.clear();
    if (solution_.status != Status::optimal) return true;
    std::string const optimum = Verifier::aboutTolerances(status, margin, solution_);
    if (options_.exact == Toggle::on) {
      solution_.message = check.message + " " + optimum;
      return true;
    }
    solution_.message = solution_.exact.message =
        check.message + " The status optimal holds within the tolerances. " + optimum;
    return false;
  }

  /// Makes the solution one with an exact proof; what belongs to another status goes.
  void take(Status status, Basis basis) {
    settled_ = true;
    Verifier(lp_, options_).adoptExact(status, solution_);
    solution_.basis = exact_.restricted(std::move(basis));
  }

  LinearProgram const& lp_;
  rational::ExactProblem const exact_;  ///< bases are those of its lp(), but for the solution's
  Options const& options_;
  Run& run_;
  Solution& solution_;
  rational::Limits limits_;
  Basis from_;                     ///< of those that were checked the one that misses by least
  double mostSeconds_ = infinity;  ///< within the budget
  bool settled_ = false;
  Stopwatch const watch_;
};

}  // namespace

void proveExactly(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
                  Solution& solution, rational::Meanings const* fractions) {
  Budget budget(std::max(0.0, options.timeLimit - solution.seconds),
                std::max<std::int64_t>(0, options.iterationLimit - solution.iterations),
                callbacks.interrupted);
  Run run(callbacks, budget);
  proveExactly(lp, options, run, {}, solution, fractions);
  solution.iterations += run.iterations();
  solution.seconds += run.seconds();
}

void proveExactly(LinearProgram const& lp, Options const& options, Run& run, Origin const& origin,
                  Solution& solution, rational::Meanings const* fractions) {
  if (options.exact == Toggle::off) return;
  if (options.exact == Toggle::automatic && !isDoubtful(solution, origin)) return;
  double const most = mostExactSeconds(solution, options, origin);
  if (wantsExact(exactShapeOf(lp, solution.basis, most), solution, options, origin)) {
    Run::Scope const scope(run, SolveStage::exact);
    Run::Within const whole(run,
                            run.whole());  // the pivots of the stage before were few on purpose
    ExactAnswer(lp, options, run, origin.cold, solution, fractions).run(origin.dualRay);
  }
}

}  // namespace osi_cuda
