// SPDX-License-Identifier: EPL-2.0
#include <interfaces/highs_c_api.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/dense_peers.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::bench {
namespace {

std::int64_t countOf(void* highs, char const* info) {
  HighsInt count = 0;
  Highs_getIntInfoValue(highs, info, &count);
  return std::max<HighsInt>(count, 0);
}

Status statusOf(HighsInt status) {
  if (status == kHighsModelStatusOptimal) return Status::optimal;
  if (status == kHighsModelStatusInfeasible) return Status::infeasible;
  if (status == kHighsModelStatusUnbounded) return Status::unbounded;
  if (status == kHighsModelStatusTimeLimit) return Status::timeLimit;
  return Status::numerical;
}

}  // namespace

Solution solveByHighsIpm(LinearProgram const& lp, double timeLimit, int threads) {
  if (lp.matrix.nonzeros() > std::numeric_limits<HighsInt>::max())
    throw std::invalid_argument("this build of HiGHS can't count that many nonzeros");
  std::unique_ptr<void, void (*)(void*)> const highs(Highs_create(), Highs_destroy);
  Highs_setBoolOptionValue(highs.get(), "output_flag", 0);
  Highs_setStringOptionValue(highs.get(), "solver", "ipm");
  Highs_setIntOptionValue(highs.get(), "threads", threads);
  Highs_setDoubleOptionValue(highs.get(), "time_limit", timeLimit);
  std::vector<HighsInt> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  std::vector<HighsInt> const indices(lp.matrix.indices.begin(), lp.matrix.indices.end());
  auto const sense = lp.sense == Sense::maximize ? kHighsObjSenseMaximize : kHighsObjSenseMinimize;
  Highs_passLp(highs.get(), lp.columns(), lp.rows(), static_cast<HighsInt>(lp.matrix.nonzeros()),
               kHighsMatrixFormatColwise, sense, lp.objectiveOffset, lp.objective.data(),
               lp.columnLower.data(), lp.columnUpper.data(), lp.rowLower.data(), lp.rowUpper.data(),
               starts.data(), indices.data(), lp.matrix.values.data());
  Highs_run(highs.get());

  Solution solution;
  solution.status = statusOf(Highs_getModelStatus(highs.get()));
  solution.objective = Highs_getObjectiveValue(highs.get());
  for (char const* info :
       {"ipm_iteration_count", "crossover_iteration_count", "simplex_iteration_count"})
    solution.iterations += countOf(highs.get(), info);
  solution.columnValues.resize(lp.columns());
  solution.reducedCosts.resize(lp.columns());
  solution.rowActivity.resize(lp.rows());
  solution.rowDuals.resize(lp.rows());
  Highs_getSolution(highs.get(), solution.columnValues.data(), solution.reducedCosts.data(),
                    solution.rowActivity.data(), solution.rowDuals.data());
  solution.residuals = residualsOf(lp, solution);
  return solution;
}

}  // namespace osi_cuda::bench
