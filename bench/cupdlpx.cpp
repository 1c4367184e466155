// SPDX-License-Identifier: EPL-2.0
#include <cupdlpx.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/dense_peers.hpp"

namespace osi_cuda::bench {
namespace {

Status statusOf(termination_reason_t reason) {
  switch (reason) {
    case TERMINATION_REASON_OPTIMAL:
      return Status::optimal;
    case TERMINATION_REASON_PRIMAL_INFEASIBLE:
      return Status::infeasible;
    case TERMINATION_REASON_DUAL_INFEASIBLE:
      return Status::unbounded;
    case TERMINATION_REASON_TIME_LIMIT:
      return Status::timeLimit;
    case TERMINATION_REASON_ITERATION_LIMIT:
      return Status::iterationLimit;
    default:
      return Status::numerical;
  }
}

}  // namespace

/// In residuals stands what cuPDLPx measures itself: relative 2-norms of primal and dual, and the
/// gap.
Solution solveByPeer(LinearProgram const& lp, PeerSettings const& settings) {
  if (settings.solver != "cupdlpx")
    throw std::invalid_argument("only cupdlpx here, not " + settings.solver);
  if (lp.matrix.nonzeros() > std::numeric_limits<int>::max())
    throw std::invalid_argument("cuPDLPx can't count that many nonzeros");
  std::vector<int> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  matrix_desc_t matrix{};
  matrix.m = lp.rows();
  matrix.n = lp.columns();
  matrix.fmt = matrix_csc;
  matrix.data.csc.nnz = static_cast<int>(lp.matrix.nonzeros());
  matrix.data.csc.col_ptr = starts.data();
  matrix.data.csc.row_ind = lp.matrix.indices.data();
  matrix.data.csc.vals = lp.matrix.values.data();
  objective_sense_t const sense =
      lp.sense == Sense::maximize ? OBJECTIVE_SENSE_MAXIMIZE : OBJECTIVE_SENSE_MINIMIZE;
  std::unique_ptr<lp_problem_t, void (*)(lp_problem_t*)> const problem(
      create_lp_problem(lp.objective.data(), &matrix, lp.rowLower.data(), lp.rowUpper.data(),
                        lp.columnLower.data(), lp.columnUpper.data(), &lp.objectiveOffset, &sense),
      lp_problem_free);
  if (!problem) throw std::runtime_error("cuPDLPx refuses this problem");
  pdhg_parameters_t parameters;
  set_default_parameters(&parameters);
  parameters.verbose = false;
  parameters.termination_criteria.eps_optimal_relative = settings.tolerance;
  parameters.termination_criteria.eps_feasible_relative = settings.tolerance;
  parameters.termination_criteria.time_sec_limit = settings.limit;
  std::unique_ptr<cupdlpx_result_t, void (*)(cupdlpx_result_t*)> const result(
      solve_lp_problem(problem.get(), &parameters), cupdlpx_result_free);
  if (!result) throw std::runtime_error("cuPDLPx gave no result");

  Solution solution;
  solution.status = statusOf(result->termination_reason);
  solution.objective = result->primal_objective_value;
  solution.iterations = result->total_count;
  solution.residuals = {result->relative_primal_residual, result->relative_dual_residual,
                        result->relative_objective_gap};
  return solution;
}

}  // namespace osi_cuda::bench
