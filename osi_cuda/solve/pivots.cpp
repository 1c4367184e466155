// SPDX-License-Identifier: EPL-2.0
// The simplex method as a stage.
#include <utility>

#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {

void placeBasis(Session& s, Options const& options, Run& run) {
  s.placed = false;
  Simplex simplex(s.lp, *s.form, *s.engine, options, run);
  simplex.continueFrom(s.pivotsSinceRefactor);
  simplex.place(s.basis);
  s.pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  s.placed = true;
}

void place(Session& s, Options const& options, Placement placement, Run& run) {
  s.withEngine(options, placement, run, [&] {
    if (!s.placed) s.watched(run.budget(), [&] { placeBasis(s, options, run); });
  });
}

Solution pivot(Attempt const& now, InteriorStart const& inside) {
  Session& s = now.session;
  Options const& asked = now.options;
  Run& run = now.run;
  Method const& method = now.method;
  Run::Scope const scope(run, SolveStage::pivots);
  Options options = asked;
  bool const first = !s.solvedBefore && inside.value.empty();
  bool const open =
      asked.algorithm == AlgorithmChoice::automatic || asked.algorithm == AlgorithmChoice::race;
  if (method.dual && open && first && isSlackBasis(s.basis))
    options.algorithm = AlgorithmChoice::dual;
  s.placed = false;
  s.solvedBefore = true;
  // The engine holds the basis as after every optimum.
  auto const hold = [&] { s.watched(run.budget(), [&] { placeBasis(s, asked, run); }); };
  if (method.precise && first && method.confirm) {
    if (auto confirmed = confirmStart(now)) {
      confirmed->engine = s.engine->traits().name;
      confirmed->device = s.engine->traits().device;
      s.basis = confirmed->basis;
      hold();
      run.checkpoint(confirmed->basis, confirmed->algorithm, confirmed->status);
      return std::move(*confirmed);
    }
  }
  auto const digits = !isSlackBasis(s.basis) && !now.cold ? Effort::resumed : Effort::brief;
  auto const effort = method.precise ? digits : Effort::whole;
  Simplex simplex(s.lp, *s.form, *s.engine, options, run, effort);
  simplex.continueFrom(s.pivotsSinceRefactor);
  Solution solution = simplex.solve(s.basis, inside);
  s.pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  s.placed = solution.status == Status::optimal;
  if (simplex.engineLost()) s.forgetEngine();
  if (simplex.dualRay()) s.dualRay = std::move(simplex.dualRay());
  if (method.precise && (solution.status == Status::numerical || simplex.quality().loose)) {
    Basis const before = solution.basis;
    solution = finishPrecisely(now, std::move(solution));
    s.placed = s.placed && solution.basis == before;
  }
  s.basis = solution.basis;
  if (solution.status == Status::optimal && !s.placed) hold();
  if (simplex.startReached())
    run.checkpoint(solution.basis, solveAlgorithmOf(simplex.algorithmAtWork()), solution.status);
  return solution;
}

}  // namespace osi_cuda
