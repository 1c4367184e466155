// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/solver.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/solve/extras.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {

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
  LoopThreads const loops(options.threads);
  Budget budget = budgetOf(options, callbacks);
  auto const& engine = session_->engine;
  Engine const* const before = isSlackBasis(session_->basis) ? nullptr : engine.get();
  Stopwatch const watch;
  Run run(callbacks, budget);
  session_->enclose = options.enclose;
  Solution solution = osi_cuda::solve(*session_, options, run);
  run.conclude(solution);
  session_->work = budget.work();
  solution.deviceLost = session_->deviceLost;
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
  constexpr double least = 1e5;  // entries; some tenths of a millisecond
  LoopThreads const loops(session_->engineOptions.threads);
  Callbacks const quiet;
  Budget budget(infinity, Budget::unlimitedIterations, interrupted);
  Run run(quiet, budget);
  if (session_->enclose != Toggle::off)
    close(*session_, run, least + workBeside(session_->work, 0.04), solution);
}

Solver solverWith(EngineMakers makers) {
  Solver solver;
  solver.session_->makers = std::move(makers);
  return solver;
}

}  // namespace osi_cuda
