// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/solver.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {

void placeBasis(Session& s, Call const& call) {
  s.placed = false;
  Simplex simplex(s.lp, *s.form, *s.engine, call.options, call.callbacks, call.budget);
  simplex.continueFrom(s.pivotsSinceRefactor);
  simplex.place(s.basis);
  s.pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  s.placed = true;
}

void place(Session& s, Call const& call) {
  s.withEngine(call, [&] {
    if (!s.placed) s.watched(call.budget, [&] { placeBasis(s, call); });
  });
}

Solution attempt(Session& s, Call const& call) {
  if (auto solution = attemptFromPoint(s, call)) return std::move(*solution);
  if (s.plan(call.options).race) return race(s, call);
  if (auto solution = attemptWithBarrier(s, call)) return std::move(*solution);
  return pivot(s, call, {});
}

Solution pivot(Session& s, Call const& call, InteriorStart const& inside) {
  Plan const next = s.plan(call.options);
  Options options = call.options;
  if (next.dual && inside.value.empty()) options.algorithm = AlgorithmChoice::dual;
  bool const precise = s.makers.precise && next.precise;
  bool const first = !s.solvedBefore && inside.value.empty();
  s.placed = false;
  s.solvedBefore = true;
  // The engine holds the basis as after every optimum.
  auto const hold = [&] { s.watched(call.budget, [&] { placeBasis(s, call); }); };
  auto const save = [&](Solution const& solution, char const* algorithm) {
    if (call.callbacks.checkpoint)
      call.callbacks.checkpoint({solution.basis, solution.iterations, solution.seconds, algorithm,
                                 toString(solution.status)});
  };
  if (precise && first && next.confirm) {
    if (auto confirmed = confirmStart(s, call)) {
      confirmed->engine = s.engine->traits().name;
      confirmed->device = s.engine->traits().device;
      s.basis = confirmed->basis;
      hold();
      save(*confirmed, confirmed->algorithm.c_str());
      return std::move(*confirmed);
    }
  }
  auto const digits = !isSlackBasis(s.basis) && !s.cold ? Effort::resumed : Effort::brief;
  auto const effort = precise ? digits : Effort::whole;
  Simplex simplex(s.lp, *s.form, *s.engine, options, call.callbacks, call.budget, effort);
  simplex.continueFrom(s.pivotsSinceRefactor);
  Solution solution = simplex.solve(s.basis, inside);
  s.pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  s.placed = solution.status == Status::optimal;
  if (simplex.engineLost()) s.forgetEngine();
  s.unrounded = simplex.quality().residual;
  if (precise && (solution.status == Status::numerical || simplex.quality().loose)) {
    Basis const before = solution.basis;
    solution = finishPrecisely(s, std::move(solution), call);
    s.placed = s.placed && solution.basis == before;
  }
  s.basis = solution.basis;
  if (solution.status == Status::optimal && !s.placed) hold();
  if (simplex.startReached()) save(solution, toString(simplex.algorithmAtWork()));
  return solution;
}

Solver::Solver() : session_(std::make_unique<Session>()) {}
Solver::Solver(LinearProgram lp) : Solver() {
  load(std::move(lp));
}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::load(LinearProgram lp) {
  std::string const fault = findFault(lp);
  if (!fault.empty()) throw std::invalid_argument(fault);
  session_->load(std::move(lp));
}

LinearProgram const& Solver::problem() const {
  return session_->lp;
}

Solution Solver::solve(Options const& options, Callbacks const& callbacks) {
  Budget budget = budgetOf(options, callbacks);
  auto const& engine = session_->engine;
  Engine const* const before = isSlackBasis(session_->basis) ? nullptr : engine.get();
  Stopwatch const watch;
  Solution solution = osi_cuda::solve(*session_, {options, callbacks, budget});
  solution.phases = budget.phases();
  solution.relaxed = relaxedIn(session_->lp);
  if (before && engine.get() == before) {  // none was made, nor a device opened
    Resumed& known = session_->resumed[session_->onDevice()];
    ++known.solves;
    known.pivots += static_cast<double>(solution.iterations);
    known.seconds += watch.seconds();
  }
  return solution;
}

void Solver::enclose(Solution& solution, std::function<bool()> const& interrupted) {
  close(*session_, Budget(infinity, Budget::unlimitedIterations, interrupted), solution);
}

Solver solverWith(EngineMakers makers) {
  Solver solver;
  solver.session_->makers = std::move(makers);
  return solver;
}

}  // namespace osi_cuda
