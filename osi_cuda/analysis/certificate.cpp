// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/certificate.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "osi_cuda/rational/exact_problem.hpp"
#include "osi_cuda/solve/extras.hpp"

namespace osi_cuda {

ExactCertificate certificateOf(LinearProgram const& lp, Solution const& solution,
                               std::function<bool()> stop, ExactNumbers numbers,
                               rational::Meanings const* given) {
  rational::ExactProblem const exact(lp, numbers, given);
  Basis const from = exact.extended(solution.basis);
  ExactCertificate made;
  made.numbers = exact.numbers();
  if (given && made.numbers != ExactNumbers::doubles)
    for (auto const& [number, rational] : given->entries())
      made.fractions[number] = rational.text();
  // It may be another status than the one within the tolerances.
  made.status = solution.exact.known() ? solution.exact.status : solution.status;
  rational::Limits const limits{.stop = std::move(stop)};
  constexpr bool fractions = true;
  // What a solve proved has a proof, but the solution may have rounded multipliers, or the basis of
  // an optimum within the tolerances: pivots lead to it. Otherwise the last few are made anew.
  std::int64_t const most = solution.exact.known() ? std::numeric_limits<std::int64_t>::max() : 20;
  auto const take = [&made](auto& check) {
    made.proved = check.outcome == rational::Outcome::proved;
    made.message = std::move(check.message);
  };
  if (made.status == Status::optimal) {
    made.basis = solution.basis;
    auto check = exact.check(from, limits, {.fractions = fractions});
    if (check.outcome != rational::Outcome::proved && solution.exact.known()) {
      auto const last = rational::exactPivots(exact.lp(), from, limits, most);
      made.basis = exact.restricted(last.basis);
      check = exact.check(last.basis, limits, {.fractions = fractions});
    }
    take(check);
    made.objective = std::move(check.objective);
    made.point = std::move(check.columnFractions);
    made.rowMultipliers = std::move(check.rowDualFractions);
    made.columnMultipliers = std::move(check.reducedCostFractions);
  } else if (made.status == Status::infeasible) {
    auto check = exact.infeasible(from, solution.farkas, limits, fractions);
    if (check.outcome == rational::Outcome::refuted) {
      auto const last = rational::exactPivots(exact.lp(), from, limits, most);
      if (last.end == rational::PivotsEnd::infeasible)
        check = exact.infeasible(last, limits, fractions);
    }
    take(check);
    made.rowMultipliers = std::move(check.certificateFractions);
    made.columnMultipliers = std::move(check.combinationFractions);
    made.crossed = check.crossed;
  } else if (made.status == Status::unbounded) {
    made.basis = solution.basis;
    auto check = exact.unbounded(from, solution.ray, limits, fractions);
    if (check.outcome == rational::Outcome::refuted) {
      auto const last = rational::exactPivots(exact.lp(), from, limits, most);
      if (last.end == rational::PivotsEnd::unbounded) {
        made.basis = exact.restricted(last.basis);
        check = exact.unbounded(last, limits, fractions);
      }
    }
    take(check);
    made.point = std::move(check.pointFractions);
    made.ray = std::move(check.certificateFractions);
  } else {
    made.message =
        std::string("The status ") + toString(solution.status) + " is none that can be proved.";
  }
  return made;
}

Solution solveExactly(Solver& solver, Options const& options, Callbacks const& callbacks,
                      rational::Meanings const& fractions) {
  bool const meant = options.exact == Toggle::on && options.exactNumbers != ExactNumbers::doubles;
  if (!meant || fractions.empty()) return solver.solve(options, callbacks);
  Options inDoubles = options;
  inDoubles.exact = Toggle::off;
  Solution solution = solver.solve(inDoubles, callbacks);
  proveExactly(solver.problem(), options, callbacks, solution, &fractions);
  if (solution.basis != solver.basis()) solver.setBasis(solution.basis);
  return solution;
}

bool worthExact(LinearProgram const& lp, Basis const& basis, Options const& options,
                double proofs) {
  constexpr double mostSeconds = 1.0, mostShare = 0.25;
  if (options.exact != Toggle::automatic) return options.exact == Toggle::on;
  return proofs * exactShapeOf(lp, basis).seconds <=
         std::min(mostSeconds, mostShare * options.timeLimit);
}

bool settle(LinearProgram const& lp, Options options, Callbacks const& callbacks,
            Solution& solution, double proofs) {
  constexpr double mostSeconds = 3.0;  // nobody asked for it
  if (solution.exact.proved) return true;
  if (!worthExact(lp, solution.basis, options, proofs)) return false;
  if (options.exact == Toggle::automatic)
    options.timeLimit = std::min(options.timeLimit, solution.seconds + mostSeconds);
  options.exact = Toggle::on;
  proveExactly(lp, options, callbacks, solution);
  return solution.exact.proved;
}

Resolves::Resolves(Options const& asked, Callbacks const& outer, Budget& whole)
    : options(asked), budget(whole) {
  options.presolve = Toggle::off;  // each solve starts from the last basis
  options.crossover = true;
  options.objectiveLimit = infinity;
  callbacks.interrupted = outer.interrupted;
}

Solution Resolves::solveSettled(double proofs, bool (*wanted)(Status),
                                std::optional<double> tolerance) {
  Options limited = withinBudget(options, budget);
  Toggle const exact = std::exchange(limited.exact, Toggle::off);
  Solution solution = solver.solve(limited, callbacks);
  limited.exact = exact;
  limited.primalTolerance = tolerance.value_or(limited.primalTolerance);
  if (wanted(solution.status)) settle(solver.problem(), limited, callbacks, solution, proofs);
  budget.spend(solution.iterations);
  return solution;
}

void Resolves::setBounds(int variable, double lower, double upper) {
  int const n = solver.problem().columns();
  if (variable < n)
    solver.setColumnBounds(variable, lower, upper);
  else
    solver.setRowBounds(variable - n, lower, upper);
}

}  // namespace osi_cuda
