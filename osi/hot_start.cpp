// SPDX-License-Identifier: EPL-2.0
// Hot starts: many short solves from one point, between which only bounds change.
#include "osi/hot_start.hpp"

void OsiCudaSolverInterface::markHotStart() {
  auto& s = *state_;
  s.hotStart = std::make_unique<State::HotStart>(
      State::HotStart{s.basis, s.columnValue, s.rowDual, s.reducedCost, s.rowActivity});
  if (s.solver && s.solver->basis() == s.basis) s.solver->keepBasis();
  s.basics.clear();  // what is kept may be factored anew, with its rows in another order
}

void OsiCudaSolverInterface::solveFromHotStart() {
  auto& s = *state_;
  if (!s.hotStart)
    throw CoinError(
        "there is no hot start: markHotStart was not called since the last change of "
        "rows or columns",
        "solveFromHotStart", "OsiCudaSolverInterface");
  if (s.solver) s.solver->goBack();
  s.basis = s.hotStart->basis;
  s.tableauReady = false;
  int limit = 0;
  getIntParam(OsiMaxNumIterationHotStart, limit);
  solve(false, limit);
}

void OsiCudaSolverInterface::unmarkHotStart() {
  state_->hotStart.reset();
  if (state_->solver) state_->solver->forgetKeptBasis();
}
