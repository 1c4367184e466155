// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/reports.hpp"

#include <algorithm>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {

Solution solutionOf(LinearProgram const& lp, StandardForm const& form, BarrierPoint const& point) {
  auto const n = at(form.columns()), m = at(form.rows());
  Solution s;
  s.columnValues.resize(n);
  s.rowDuals.resize(m);
  s.reducedCosts = lp.objective;
  s.rowActivity.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    s.rowDuals[i] = point.multiplier[i] * form.rowScale[i] / form.costScale;
  ColumnReader read(lp.matrix);
  for (std::size_t j = 0; j < n; ++j) {
    s.columnValues[j] = point.value[j] * form.columnScale[j];
    for (auto const [i, a] : read.column(static_cast<int>(j))) {
      s.rowActivity[at(i)] += a * s.columnValues[j];
      s.reducedCosts[j] -= a * s.rowDuals[at(i)];
    }
  }
  s.objective = objectiveOf(lp, s.columnValues);
  return s;
}

std::vector<TraceField> fieldsOf(BarrierState const& state) {
  return {{"iteration", static_cast<std::int64_t>(state.iteration)},
          {"mu", state.mu},
          {"primal_residual", state.primalResidual},
          {"dual_residual", state.dualResidual},
          {"gap", state.gap},
          {"primal_objective", state.primalObjective},
          {"dual_objective", state.dualObjective},
          {"primal_step", state.primalStep},
          {"dual_step", state.dualStep},
          {"sigma", state.sigma},
          {"solve_residual", state.solveResidual},
          {"undecided", static_cast<std::int64_t>(state.undecided)}};
}

Progress progressOf(BarrierState const& state, LinearProgram const& lp, StandardForm const& form) {
  Progress progress;
  progress.iterations = state.iteration;
  progress.objective = state.primalObjective / form.costScale + lp.objectiveOffset;
  progress.infeasibility = std::max(state.primalResidual, state.dualResidual);
  progress.stage = Stage::barrier;
  progress.mu = state.mu;
  progress.gap = state.gap;
  progress.primalResidual = state.primalResidual;
  progress.dualResidual = state.dualResidual;
  return progress;
}

bool hasInterior(StandardForm const& form) {
  if (form.rows() == 0 || form.columns() == 0) return false;
  for (std::size_t v = 0; v < form.lower.size(); ++v)
    if (form.lower[v] > form.upper[v] || form.lower[v] == infinity || form.upper[v] == -infinity)
      return false;
  return true;
}

}  // namespace osi_cuda
