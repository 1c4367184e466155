// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/settle.hpp"

#include <algorithm>
#include <utility>

#include "osi_cuda/solve/extras.hpp"

namespace osi_cuda {

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
