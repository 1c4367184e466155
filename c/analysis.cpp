// SPDX-License-Identifier: EPL-2.0
// What a solution means: intervals of an optimum, subsystems and relaxations of an infeasible
// problem; several objectives.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "c/arguments.hpp"
#include "c/problem.hpp"
#include "osi_cuda/analysis/infeasible_subsystem.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/analysis/relaxation.hpp"

namespace {

using namespace osi_cuda;
using namespace osi_cuda::c;

static_assert(static_cast<int>(RelaxationGoal::sum) == OSI_CUDA_RELAX_SUM &&
              static_cast<int>(RelaxationGoal::count) == OSI_CUDA_RELAX_COUNT &&
              static_cast<int>(Relaxed::rows) == OSI_CUDA_RELAX_ROWS &&
              static_cast<int>(Relaxed::bounds) == OSI_CUDA_RELAX_BOUNDS &&
              static_cast<int>(Relaxed::both) == OSI_CUDA_RELAX_BOTH);

Callbacks interruptOf(osi_cuda_problem& p) {
  Callbacks callbacks;
  callbacks.interrupted = [&p] { return interruptedBy(p); };
  return callbacks;
}

/// That of the solution, made by the first call; the basis of the next solve stays what it is.
Ranging const& rangingOf(osi_cuda_problem& p) {
  Solution const& solution = solutionOf(p);
  if (solution.status != Status::optimal)
    throw Failure(OSI_CUDA_NOTHING, "the solution, ", toString(solution.status),
                  ", has no optimal basis to range");
  if (p.solution->ranked)
    throw Failure(OSI_CUDA_NOTHING,
                  "a solution of lexicographic objectives or integer columns has no ranging");
  std::optional<Ranging>& found = p.solution->ranging;
  if (found) return *found;
  beginWork(p);
  struct Restore {  // whatever is thrown
    Solver& solver;
    Basis next = solver.basis();
    ~Restore() { solver.setBasis(std::move(next)); }
  } restore{p.solver};
  p.solver.setBasis(solution.basis);
  try {
    found = ranging(p.solver, p.options, interruptOf(p));
  } catch (std::invalid_argument const& refusal) {
    throw Failure(OSI_CUDA_NOTHING, refusal.what());
  }
  if (!found) throw Failure(OSI_CUDA_INTERRUPTED, "the ranging was interrupted");
  return *found;
}

constexpr std::vector<Range> Ranging::*ranges[] = {&Ranging::costs, &Ranging::columnLower,
                                                   &Ranging::columnUpper, &Ranging::rowLower,
                                                   &Ranging::rowUpper};

}  // namespace

int osi_cuda_get_ranging(osi_cuda_problem* problem, int which, int32_t length, double* low,
                         double* high, double* objective_low, double* objective_high) {
  return call(problem, [&](osi_cuda_problem& p) {
    if (which < OSI_CUDA_RANGE_COSTS || which > OSI_CUDA_RANGE_ROW_UPPER)
      refuse("there are no ranges ", which);
    bool const rows = which >= OSI_CUDA_RANGE_ROW_LOWER;
    int const expected = rows ? p.solver.problem().rows() : p.solver.problem().columns();
    if (length != expected)
      refuse("length is ", length, ", but there are ", expected, rows ? " rows" : " columns");
    std::size_t k = 0;
    for (Range const& range : rangingOf(p).*ranges[which]) {
      if (low) low[k] = range.low.at;
      if (high) high[k] = range.high.at;
      if (objective_low) objective_low[k] = range.low.objective;
      if (objective_high) objective_high[k] = range.high.objective;
      ++k;
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
      throw Failure(OSI_CUDA_NOTHING, "the solution, ", toString(solution.status),
                    ", proves no infeasibility");
    beginWork(p);
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

int osi_cuda_relax(osi_cuda_problem* problem, int goal, int what, double* column_lower,
                   double* column_upper, double* row_lower, double* row_upper, double* values,
                   double* numbers, int* status) {
  return call(problem, [&](osi_cuda_problem& p) {
    if (goal != OSI_CUDA_RELAX_SUM && goal != OSI_CUDA_RELAX_COUNT)
      refuse("there is no goal ", goal);
    if (what < OSI_CUDA_RELAX_ROWS || what > OSI_CUDA_RELAX_BOTH)
      refuse("there is no choice ", what, " of bounds to relax");
    needPointer(status, "status");
    beginWork(p);
    LinearProgram const& lp = p.solver.problem();
    Relaxation const found = relax(lp, static_cast<RelaxationGoal>(goal),
                                   static_cast<Relaxed>(what), p.options, interruptOf(p));
    for (double* const side : {column_lower, column_upper})
      if (side) std::fill_n(side, lp.columns(), 0.0);
    for (double* const side : {row_lower, row_upper})
      if (side) std::fill_n(side, lp.rows(), 0.0);
    if (values) std::fill_n(values, lp.columns(), 0.0);
    for (Violation const& violation : found.violations) {
      Side const& side = violation.side;
      double* const into = side.isRow() ? (side.isLower() ? row_lower : row_upper)
                                        : (side.isLower() ? column_lower : column_upper);
      if (into) into[side.index] = violation.amount;
    }
    if (values) std::ranges::copy(found.columnValues, values);
    if (numbers) {
      numbers[OSI_CUDA_RELAX_TOTAL] = found.total;
      numbers[OSI_CUDA_RELAX_OBJECTIVE] = found.objective;
      numbers[OSI_CUDA_RELAX_OPTIMAL] = found.objectiveIsOptimal ? 1.0 : 0.0;
      numbers[OSI_CUDA_RELAX_LEAST] = found.leastTotal ? 1.0 : 0.0;
      numbers[OSI_CUDA_RELAX_SOLVES] = found.solves;
      numbers[OSI_CUDA_RELAX_ITERATIONS] = static_cast<double>(found.iterations);
    }
    *status = static_cast<int>(found.status);
  });
}

int osi_cuda_solve_ranked(osi_cuda_problem* problem, int32_t count, double const* costs,
                          int const* senses, double const* offsets, double const* losses,
                          uint8_t const* relative, int32_t* ranked, double* optima,
                          double* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    if (count < 1) refuse("count is ", count, ", but has to be at least 1");
    needPointer(ranked, "ranked");
    LinearProgram const& lp = p.solver.problem();
    needArray(costs, std::int64_t{count} * lp.columns(), "costs");
    std::vector<RankedObjective> objectives(at(count));
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      RankedObjective& objective = objectives[k];
      if (senses) objective.sense = senseOf(senses[k], concat("senses[", k, "]"));
      double const* const own = costs + static_cast<std::ptrdiff_t>(k) * lp.columns();
      objective.costs.assign(own, own + lp.columns());
      objective.offset = offsets ? offsets[k] : 0.0;
      objective.loss.amount = losses ? losses[k] : 0.0;
      objective.loss.relative = relative && relative[k] != 0;
      for (int j = 0; j < lp.columns(); ++j) needSound(costFault(lp, j, own[j]));
      needSound(offsetFault(objective.offset));
      if (!(objective.loss.amount >= 0.0))  // a NaN is none either
        refuse("losses[", k, "] is ", objective.loss.amount, ", but has to be at least 0");
    }
    beginWork(p);
    p.solution.reset();
    RankedSolution found = solveByRank(lp, objectives, p.options, interruptOf(p), p.solver.basis());
    *ranked = static_cast<std::int32_t>(found.ranks.size());
    for (std::size_t k = 0; k < found.ranks.size(); ++k) {
      if (optima) optima[k] = found.ranks[k].optimum;
      if (values) values[k] = found.ranks[k].value;
    }
    if (!found.solution.basis.empty()) p.solver.setBasis(found.solution.basis);
    p.solution.emplace(Solved{std::move(found.solution), std::nullopt, true});
  });
}
