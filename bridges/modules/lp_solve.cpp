// SPDX-License-Identifier: EPL-2.0
//
// lp_solve 5.5. Conventions: everything counts from 1, row 0 is the objective and its right-hand
// side the constant; 1e30 and beyond is infinite; a row is <=, >= or = with an optional range;
// lp_solve does not say reliably which bound a nonbasic row rests on, so the activity decides;
// time limits are whole seconds, so the abort function keeps the time.
//
// Limits: free rows are left out, they only disturb it. Without the sensitivity analysis there are
// no duals, and that analysis is a presolve mode; everything else of presolve is off. No
// certificates, no barrier, no problems without columns. A start basis is accepted but not honoured
// (phase 1 starts from other costs), so none is given. Phase 1 primal is left out: it writes
// outside its arrays (5.5.2.5, get_artificialRow). Finite numbers beyond 1e30 become infinite. A
// problem without bound may be called optimal with values of 1e30: that is translated, see
// finitePart.

#include <lpsolve/lp_lib.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <memory>

#include "bridges/bridge_module.hpp"
#include "bridges/translation.hpp"

namespace osi_cuda {
namespace {

struct DeleteProblem {
  void operator()(lprec* problem) const { delete_lp(problem); }
};
using Problem = std::unique_ptr<lprec, DeleteProblem>;

constexpr MYBOOL yes = 1;

struct Watch {
  std::function<bool()> const& interrupted;
  std::chrono::steady_clock::time_point deadline;
  bool timedOut = false;
  bool wasInterrupted = false;
};

/// lp_solve asks this between iterations; nonzero makes it stop.
int __WINAPI stopAsked(lprec*, void* handle) {
  auto& watch = *static_cast<Watch*>(handle);
  if (watch.interrupted && watch.interrupted()) watch.wasInterrupted = true;
  if (std::chrono::steady_clock::now() > watch.deadline) watch.timedOut = true;
  return watch.wasInterrupted || watch.timedOut;
}

/// The rows that lp_solve gets to see: those with a bound.
struct RowMap {
  std::vector<int> toSolver;    ///< length m: 1, 2, ... or 0 for a row left out
  std::vector<int> fromSolver;  ///< rows of the problem, in lp_solve's order

  explicit RowMap(LinearProgram const& lp) : toSolver(lp.rows(), 0) {
    for (int i = 0; i < lp.rows(); ++i) {
      if (std::isinf(lp.rowLower[i]) && std::isinf(lp.rowUpper[i])) continue;
      fromSolver.push_back(i);
      toSolver[i] = static_cast<int>(fromSolver.size());
    }
  }
};

void setRow(lprec* problem, int row, double lower, double upper) {
  if (lower == upper) {
    set_constr_type(problem, row, EQ);
    set_rh(problem, row, lower);
  } else if (std::isinf(upper)) {
    set_constr_type(problem, row, GE);
    set_rh(problem, row, lower);
  } else {
    set_constr_type(problem, row, LE);
    set_rh(problem, row, upper);
    if (std::isfinite(lower)) set_rh_range(problem, row, upper - lower);
  }
}

Problem load(LinearProgram const& lp, RowMap const& map) {
  Problem problem(make_lp(static_cast<int>(map.fromSolver.size()), lp.columns()));
  if (!problem) throw std::bad_alloc();
  set_verbose(problem.get(), 0);
  double const infinite = get_infinite(problem.get());
  std::vector<int> rows;
  std::vector<REAL> values;
  for (int j = 0; j < lp.columns(); ++j) {
    rows.assign(1, 0);
    values.assign(1, lp.objective[j]);
    for (auto const [row, a] : lp.matrix.column(j)) {
      if (map.toSolver[row] == 0) continue;
      rows.push_back(map.toSolver[row]);
      values.push_back(a);
    }
    set_columnex(problem.get(), j + 1, static_cast<int>(rows.size()), values.data(), rows.data());
    set_bounds(problem.get(), j + 1, std::max(lp.columnLower[j], -infinite),
               std::min(lp.columnUpper[j], infinite));
  }
  for (int const i : map.fromSolver)
    setRow(problem.get(), map.toSolver[i], lp.rowLower[i], lp.rowUpper[i]);
  if (lp.sense == Sense::maximize) set_maxim(problem.get());
  set_rh(problem.get(), 0, lp.objectiveOffset);
  return problem;
}

Basis basisOf(lprec* problem, LinearProgram const& lp, RowMap const& map,
              std::vector<double> const& x) {
  int const m = static_cast<int>(map.fromSolver.size());
  std::vector<int> order(std::size_t(1) + m + lp.columns());
  Basis basis;
  if (!get_basis(problem, order.data(), yes)) return basis;
  for (int j = 0; j < lp.columns(); ++j)
    basis.columns.push_back(nonbasicStatusAt(x[j], lp.columnLower[j], lp.columnUpper[j]));
  auto const activity = activityOf(lp, x);
  for (int i = 0; i < lp.rows(); ++i)
    basis.rows.push_back(map.toSolver[i] == 0
                             ? VariableStatus::basic
                             : nonbasicStatusAt(activity[i], lp.rowLower[i], lp.rowUpper[i]));
  for (int k = 1; k <= m; ++k) {
    int const index = std::abs(order[k]);
    (index <= m ? basis.rows[map.fromSolver[index - 1]] : basis.columns[index - m - 1]) =
        VariableStatus::basic;
  }
  return basis;
}

/// lp_solve lets a nonbasic column rest on an infinite bound and calls the result optimal. What it
/// found then is a ray: the columns at 1e30, with the others following as the rows want. Sets
/// status unbounded where the ray can be read off, else numerical.
void finitePart(LinearProgram const& lp, double infinite, Solution& solution) {
  std::vector<double> ray(lp.columns(), 0.0);
  auto x = solution.columnValues;
  for (int j = 0; j < lp.columns(); ++j) {
    if (std::fabs(x[j]) < infinite) continue;
    ray[j] = x[j] > 0.0 ? 1.0 : -1.0;
    x[j] = std::isfinite(lp.columnLower[j])   ? lp.columnLower[j]
           : std::isfinite(lp.columnUpper[j]) ? lp.columnUpper[j]
                                              : 0.0;
  }
  solution = {};
  solution.ray = rayOfEitherSign(lp, x, ray);
  solution.status = solution.ray.empty() ? Status::numerical : Status::unbounded;
  if (solution.ray.empty()) {
    solution.message = "lp_solve called a point with infinite values optimal";
  } else {
    solution.columnValues = std::move(x);
  }
}

void readPoint(lprec* problem, LinearProgram const& lp, RowMap const& map, Solution& solution) {
  double const infinite = get_infinite(problem);
  solution.objective = get_objective(problem);
  REAL* values = nullptr;
  if (get_ptr_variables(problem, &values))
    solution.columnValues.assign(values, values + lp.columns());
  auto const& x = solution.columnValues;
  if (std::ranges::any_of(x, [&](double a) { return std::fabs(a) >= infinite; })) {
    finitePart(lp, infinite, solution);
    return;
  }
  REAL* duals = nullptr;  // of the rows; reduced costs follow
  if (get_ptr_sensitivity_rhs(problem, &duals, nullptr, nullptr)) {
    solution.rowDuals.assign(lp.rows(), 0.0);
    for (int const i : map.fromSolver) solution.rowDuals[i] = duals[map.toSolver[i] - 1];
    solution.reducedCosts = reducedCostsOf(lp, solution.rowDuals);
  }
  solution.basis = basisOf(problem, lp, map, x);
}

Status statusOf(int result, Watch const& watch, std::string& message) {
  if (watch.wasInterrupted) return Status::interrupted;
  if (watch.timedOut || result == TIMEOUT || result == SUBOPTIMAL) return Status::timeLimit;
  if (result == OPTIMAL || result == PRESOLVED) return Status::optimal;
  if (result == INFEASIBLE || result == NOFEASFOUND) return Status::infeasible;
  if (result == UNBOUNDED) return Status::unbounded;
  if (result == NOMEMORY) throw std::bad_alloc();
  message = concat("lp_solve ended with result ", result);
  return Status::numerical;
}

std::string version() {
  int major = 0, minor = 0, release = 0, build = 0;
  lp_solve_version(&major, &minor, &release, &build);
  return concat(major, '.', minor, '.', release, '.', build);
}

Solution run(LinearProgram const& lp, BridgeOptions const& options) {
  if (lp.columns() == 0) throw BridgeLimit("lp_solve takes no problem without columns");
  if (lp.matrix.nonzeros() + lp.columns() > INT_MAX)
    throw BridgeLimit("lp_solve counts nonzeros in 32 bits: the problem has too many");
  RowMap const map(lp);
  Problem const problem = load(lp, map);
  set_simplextype(problem.get(),
                  options.algorithm == "dual" ? SIMPLEX_DUAL_DUAL : SIMPLEX_DUAL_PRIMAL);
  set_presolve(problem.get(), PRESOLVE_SENSDUALS, get_presolveloops(problem.get()));
  double const seconds = std::min(options.timeLimit, 1e6);
  Watch watch{options.interrupted,
              std::chrono::steady_clock::now() +
                  std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3))};
  put_abortfunc(problem.get(), stopAsked, &watch);

  Solution solution;
  int const result = ::solve(problem.get());
  solution.status = statusOf(result, watch, solution.message);
  if (solution.status == Status::optimal) readPoint(problem.get(), lp, map, solution);
  solution.iterations = get_total_iter(problem.get());
  return solution;
}

}  // namespace
}  // namespace osi_cuda

// Phase 1 is always dual; phase 2 primal (lp_solve's default) or dual.
OSI_CUDA_BRIDGE_MODULE(
        .version = osi_cuda::version, .algorithms = "primal dual",
        .startsFromBasis = [](std::string const&) { return false; }, .run = osi_cuda::run)
