// SPDX-License-Identifier: EPL-2.0
// A program of somebody else's that asks what an answer means: max 2x + y; x + y <= 4, x <= 3.
#include <cstdio>

#include "osi_cuda/analysis/infeasible_subsystem.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/analysis/relaxation.hpp"

int main() {
  using namespace osi_cuda;
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.matrix = {1, 2, {0, 1, 2}, {0, 0}, {1.0, 1.0}};
  lp.objective = {2.0, 1.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {3.0, infinity};
  lp.rowLower = {-infinity};
  lp.rowUpper = {4.0};
  Options options;
  options.engine = EngineChoice::host;
  Solver solver(lp);
  bool good = solver.solve(options).objective == 7.0;
  Ranging found = ranging(solver, options).value();
  good = good && addOneSidedPrices(found, lp, options) && found.costs[0].low.at == 1.0;
  std::printf("cost of x down to %g\n", found.costs[0].low.at);

  lp.rowLower = {9.0};
  lp.rowUpper = {infinity};
  lp.columnUpper[1] = 4.0;
  Solution const none = Solver(lp).solve(options);
  good = good && infeasibleSubsystem(lp, none, options).members.size() == 3;
  good = good && relax(lp, RelaxationGoal::sum, Relaxed::rows, options).total == 2.0;
  return good ? 0 : 1;
}
