// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_exact.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/solver.hpp"

namespace osi_cuda {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void takeNearest(LinearProgram const& lp, rational::BasisCheck& check, Solution& solution) {
  solution.objective = check.objectiveValue;
  solution.columnValues = std::move(check.columnValues);
  solution.rowActivity = std::move(check.rowActivity);
  solution.rowDuals = std::move(check.rowDuals);
  solution.reducedCosts = std::move(check.reducedCosts);
  solution.columnValuesLow.clear();
  solution.rowDualsLow.clear();
  solution.residuals = residualsOf(lp, solution);
}

/// The value of an exact optimum: the nearest double and its neighbours, or an integer that is one.
ObjectiveEnclosure enclosureOf(double value, std::string const& fraction) {
  bool const isDouble =
      fraction.find('/') == std::string::npos && std::fabs(value) <= 0x1p53;  // an integer
  if (isDouble) return {value, value};
  return {std::nextafter(value, -infinity), std::nextafter(value, infinity)};
}

/// A basis with rows in place of the columns that depend on the others.
Basis repaired(Basis basis, std::vector<int> const& dependent) {
  std::size_t const n = basis.columns.size();
  for (int const v : dependent) {
    auto const variable = static_cast<std::size_t>(v);
    if (variable < n)
      basis.columns[variable] = VariableStatus::atLower;
    else
      basis.rows[variable - n] = VariableStatus::basic;
  }
  return basis;
}

/// The proof of an optimum, and the pivots that lead to a basis which has one.
class OptimumProof {
 public:
  OptimumProof(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
               rational::Limits limits, double timeLeft, Solution& solution)
      : lp_(lp),
        options_(options),
        callbacks_(callbacks),
        limits_(std::move(limits)),
        timeLeft_(timeLeft),
        solution_(solution) {}

  void run() {
    std::vector<Basis> seen{solution_.basis};
    rational::BasisCheck last = checkOf(seen.back());
    tell(last);
    while (last.outcome != rational::Outcome::proved && seen.size() <= mostBases) {
      std::optional<Basis> next = nextBasis(seen.back(), last);
      if (!next || std::find(seen.begin(), seen.end(), *next) != seen.end()) break;
      last = checkOf(*next);
      seen.push_back(std::move(*next));
    }
    if (last.outcome != rational::Outcome::proved) return;  // told of the basis that was given
    tell(last);
    solution_.exact.proved = true;
    solution_.basis = std::move(seen.back());
    takeNearest(lp_, last, solution_);
    solution_.objectiveEnclosure = enclosureOf(solution_.objective, solution_.exact.objective);
  }

 private:
  /// Each takes away at least a factor of 1e9 of what the one before misses.
  static constexpr std::size_t mostBases = 20;

  void tell(rational::BasisCheck const& check) {
    solution_.exact.message = check.message;
    solution_.exact.objective = check.objective;
    solution_.exact.digits = check.digits;
  }

  rational::BasisCheck checkOf(Basis const& basis) const {
    rational::Extras extras;
    extras.remainder = true;
    return rational::checkBasis(lp_, basis, limits_, extras);
  }

  /// The basis of an optimum of what is left to do; nothing where there is none, or no time.
  std::optional<Basis> nextBasis(Basis const& basis, rational::BasisCheck const& check) {
    if (check.outcome == rational::Outcome::singular) {
      Solver solver(lp_);
      solver.setBasis(repaired(basis, check.dependent));
      Solution const found = solve(solver);
      if (found.status != Status::optimal) return std::nullopt;
      return found.basis;
    }
    if (!check.remainder) return std::nullopt;
    if (callbacks_.notice)
      callbacks_.notice(check.message + " Pivots go on with what is left, scaled up.");
    Solver solver(check.remainder->lp);
    solver.setBasis(check.remainder->start);
    Solution const found = solve(solver);
    Basis next = check.remainder->basisOf(found.basis);
    if (found.status == Status::infeasible) judgeInfeasible(next, found.farkas);
    if (found.status != Status::optimal) return std::nullopt;
    return next;
  }

  Solution solve(Solver& solver) {
    Options settings = options_;
    settings.exact = Toggle::off;
    settings.presolve = Toggle::off;
    settings.algorithm = AlgorithmChoice::automatic;
    settings.objectiveLimit = infinity;
    settings.timeLimit = std::max(0.0, timeLeft_ - secondsSince(start_));
    settings.iterationLimit =
        std::max<std::int64_t>(0, options_.iterationLimit - solution_.iterations);
    Callbacks quiet;
    quiet.interrupted = callbacks_.interrupted;
    Solution found = solver.solve(settings, quiet);
    solution_.iterations += found.iterations;
    return found;
  }

  /// Bounds that moved and a scale are nothing to multipliers: those of what is left are those of
  /// the problem.
  void judgeInfeasible(Basis const& basis, std::vector<double> const& farkas) {
    auto const check = rational::proveInfeasible(lp_, basis, farkas, limits_);
    if (check.outcome == rational::Outcome::proved)
      solution_.exact.message =
          "In exact arithmetic the problem is infeasible, by less than the tolerances.";
  }

  LinearProgram const& lp_;
  Options const& options_;
  Callbacks const& callbacks_;
  rational::Limits const limits_;
  double const timeLeft_;
  Solution& solution_;
  Clock::time_point const start_ = Clock::now();
};

}  // namespace

void proveExactly(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
                  Solution& solution) {
  Clock::time_point const start = Clock::now();
  double const timeLeft = options.timeLimit - solution.seconds;
  rational::Limits limits;
  limits.stop = [&] {
    return (callbacks.interrupted && callbacks.interrupted()) || secondsSince(start) > timeLeft;
  };
  ExactProof& exact = solution.exact;
  auto const take = [&](rational::CertificateCheck check) {
    exact.proved = check.outcome == rational::Outcome::proved;
    exact.message = std::move(check.message);
  };
  switch (solution.status) {
    case Status::optimal:
      OptimumProof(lp, options, callbacks, limits, timeLeft, solution).run();
      break;
    case Status::infeasible:
      take(rational::proveInfeasible(lp, solution.basis, solution.farkas, limits));
      break;
    case Status::unbounded:
      take(rational::proveUnbounded(lp, solution.basis, solution.ray, limits));
      break;
    default:
      return;
  }
  exact.tried = true;
  exact.seconds = secondsSince(start);
  solution.seconds += exact.seconds;
  if (exact.proved) solution.proof = ProofGrade::exact;
  if (!exact.proved && solution.message.empty()) solution.message = exact.message;
}

}  // namespace osi_cuda
