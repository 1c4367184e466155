// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/certificate.hpp"

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

}  // namespace osi_cuda
