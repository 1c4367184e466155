// SPDX-License-Identifier: EPL-2.0
// What a solution means: intervals of an optimum, subsystems of an infeasible problem.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "c/arguments.hpp"
#include "c/problem.hpp"
#include "osi_cuda/analysis/infeasible_subsystem.hpp"

namespace {

using namespace osi_cuda;
using namespace osi_cuda::c;

Callbacks interruptOf(osi_cuda_problem& p) {
  Callbacks callbacks;
  callbacks.interrupted = [&p] { return interruptedBy(p); };
  return callbacks;
}

/// That of the solution, made by the first call; the basis of the next solve stays what it is.
Ranging const& rangingOf(osi_cuda_problem& p) {
  Solution const& solution = solutionOf(p);
  if (solution.status != Status::optimal)
    throw Failure(OSI_CUDA_NOTHING, std::string("the solution, ") + toString(solution.status) +
                                        ", has no optimal basis to range");
  std::optional<Ranging>& found = p.solution->ranging;
  if (found) return *found;
  needThreads();
  p.stop = false;
  Basis const next = p.solver.basis();
  p.solver.setBasis(solution.basis);
  try {
    found = ranging(p.solver, p.options, interruptOf(p));
  } catch (std::invalid_argument const& refusal) {
    p.solver.setBasis(next);
    throw Failure(OSI_CUDA_NOTHING, refusal.what());
  } catch (...) {
    p.solver.setBasis(next);
    throw;
  }
  p.solver.setBasis(next);
  if (!found) throw Failure(OSI_CUDA_INTERRUPTED, "the ranging was interrupted");
  return *found;
}

std::vector<Range> const& rangesOf(Ranging const& all, int which) {
  switch (which) {
    case OSI_CUDA_RANGE_COSTS:
      return all.costs;
    case OSI_CUDA_RANGE_COLUMN_LOWER:
      return all.columnLower;
    case OSI_CUDA_RANGE_COLUMN_UPPER:
      return all.columnUpper;
    case OSI_CUDA_RANGE_ROW_LOWER:
      return all.rowLower;
    default:  // the caller has looked
      return all.rowUpper;
  }
}

}  // namespace

int osi_cuda_get_ranging(osi_cuda_problem* problem, int which, int32_t length, double* low,
                         double* high, double* objective_low, double* objective_high) {
  return call(problem, [&](osi_cuda_problem& p) {
    if (which < OSI_CUDA_RANGE_COSTS || which > OSI_CUDA_RANGE_ROW_UPPER)
      refuse("there are no ranges " + std::to_string(which));
    bool const rows = which >= OSI_CUDA_RANGE_ROW_LOWER;
    int const expected = rows ? p.solver.problem().rows() : p.solver.problem().columns();
    if (length != expected)
      refuse("length is " + std::to_string(length) + ", but there are " + std::to_string(expected) +
             (rows ? " rows" : " columns"));
    std::vector<Range> const& ranges = rangesOf(rangingOf(p), which);
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      if (low) low[k] = ranges[k].low.at;
      if (high) high[k] = ranges[k].high.at;
      if (objective_low) objective_low[k] = ranges[k].low.objective;
      if (objective_high) objective_high[k] = ranges[k].high.objective;
    }
  });
}

int osi_cuda_find_iis(osi_cuda_problem* problem, uint8_t* columns, uint8_t* rows,
                      int* irreducible) {
  return call(problem, [&](osi_cuda_problem& p) {
    Solution const& solution = solutionOf(p);
    LinearProgram const& lp = p.solver.problem();
    needArray(columns, lp.columns(), "columns");
    needArray(rows, lp.rows(), "rows");
    if (solution.status != Status::infeasible)
      throw Failure(OSI_CUDA_NOTHING, std::string("the solution, ") + toString(solution.status) +
                                          ", proves no infeasibility");
    needThreads();
    p.stop = false;
    InfeasibleSubsystem const found = infeasibleSubsystem(lp, solution, p.options, interruptOf(p));
    if (!found.proof.proved)
      throw Failure(OSI_CUDA_NOTHING,
                    "the subsystem that was found could not be proved to be infeasible");
    std::fill_n(columns, lp.columns(), std::uint8_t{0});
    std::fill_n(rows, lp.rows(), std::uint8_t{0});
    for (Side const& side : found.members)
      (side.isRow() ? rows : columns)[side.index] |=
          static_cast<std::uint8_t>(side.isLower() ? OSI_CUDA_SIDE_LOWER : OSI_CUDA_SIDE_UPPER);
    if (irreducible) *irreducible = found.irreducible ? 1 : 0;
  });
}
