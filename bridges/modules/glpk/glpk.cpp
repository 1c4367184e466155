// SPDX-License-Identifier: EPL-2.0 OR GPL-3.0-or-later
//
// GLPK. Conventions: everything counts from 1; absent bounds are a bound type, not a number; the
// constant of the objective is its coefficient 0; duals are d(objective)/d(activity) in the
// problem's own sense; statuses of rows speak of their activity.
//
// Limits: a fault inside GLPK ends in its error hook, which must not return. The hook jumps out
// with longjmp, after which only glp_free_env may be called. That call would also destroy whatever
// problems the calling program itself keeps in GLPK, so each solve gets a thread, and with it an
// environment, of its own. Where GLPK was built without thread-local storage the environment is
// shared by all threads, and solves are serialised by a mutex. The interior-point and exact methods
// take no problem without rows or columns.
//
// Licence: linked with GLPK, this module is given out under the GNU GPL, version 3 or later
// (LICENSE beside this file, docs/reference/licences.md). So it uses types and inline functions of
// the project's headers and links none of its other sources.

#include <glpk.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "bridges/bridge_module.hpp"
#include "bridges/modules/glpk/glpk_hooks.hpp"
#include "osi_cuda/model/status_codes.hpp"

namespace osi_cuda {
namespace {

enum class Method { primal, dual, interior, exact };

struct LoadJob {
  LinearProgram const* lp;
  glp_prob* problem;
  int* rowIndices;  ///< scratch, m + 1
  double* values;   ///< scratch, m + 1
};

int boundType(double lower, double upper) {
  if (std::isinf(lower)) return std::isinf(upper) ? GLP_FR : GLP_UP;
  if (std::isinf(upper)) return GLP_LO;
  return lower == upper ? GLP_FX : GLP_DB;
}

void load(LoadJob& job) {
  LinearProgram const& lp = *job.lp;
  glp_prob* const p = job.problem;
  glp_set_obj_dir(p, lp.sense == Sense::maximize ? GLP_MAX : GLP_MIN);
  if (lp.rows() > 0) glp_add_rows(p, lp.rows());
  if (lp.columns() > 0) glp_add_cols(p, lp.columns());
  for (int i = 0; i < lp.rows(); ++i)
    glp_set_row_bnds(p, i + 1, boundType(lp.rowLower[i], lp.rowUpper[i]), lp.rowLower[i],
                     lp.rowUpper[i]);
  glp_set_obj_coef(p, 0, lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j) {
    glp_set_col_bnds(p, j + 1, boundType(lp.columnLower[j], lp.columnUpper[j]), lp.columnLower[j],
                     lp.columnUpper[j]);
    glp_set_obj_coef(p, j + 1, lp.objective[j]);
    int length = 0;
    for (auto const [i, a] : lp.matrix.column(j)) {
      job.rowIndices[++length] = i + 1;
      job.values[length] = a;
    }
    glp_set_mat_col(p, j + 1, length, job.rowIndices, job.values);
  }
}

constexpr StatusCodes<int> codes{GLP_NL, GLP_NU, GLP_NF, GLP_BS};

VariableStatus ownStatus(int status) {
  return codes.statusOf(status, VariableStatus::atLower);  // GLP_NS
}

struct SolveJob {
  glp_prob* problem;
  Method method;
  Basis const* start;  ///< null: GLPK's advanced basis
  int milliseconds;
  int code;           ///< what the last routine returned
  bool refusedBasis;  ///< the start basis was refused and replaced
};

void setBasis(SolveJob& job) {
  for (std::size_t i = 0; i < job.start->rows.size(); ++i)
    glp_set_row_stat(job.problem, static_cast<int>(i) + 1, codes.of(job.start->rows[i]));
  for (std::size_t j = 0; j < job.start->columns.size(); ++j)
    glp_set_col_stat(job.problem, static_cast<int>(j) + 1, codes.of(job.start->columns[j]));
}

glp_smcp simplexParameters(int method, int milliseconds) {
  glp_smcp parameters;
  glp_init_smcp(&parameters);
  parameters.meth = method;
  parameters.msg_lev = GLP_MSG_ALL;  // so that listen() is called
  parameters.out_frq = 200;          // milliseconds
  parameters.tol_bnd = parameters.tol_dj = 1e-7;
  parameters.tm_lim = milliseconds;
  return parameters;
}

void runSimplex(SolveJob& job) {
  // GLP_DUALP: the two-phase dual simplex, the primal if it fails.
  auto const parameters =
      simplexParameters(job.method == Method::dual ? GLP_DUALP : GLP_PRIMAL, job.milliseconds);
  glp_scale_prob(job.problem, GLP_SF_AUTO);
  if (job.start) {
    setBasis(job);
  } else {
    glp_adv_basis(job.problem, 0);
  }
  job.code = glp_simplex(job.problem, &parameters);
  if (job.start && (job.code == GLP_EBADB || job.code == GLP_ESING || job.code == GLP_ECOND)) {
    job.refusedBasis = true;
    glp_adv_basis(job.problem, 0);
    job.code = glp_simplex(job.problem, &parameters);
  }
  // A dual simplex that finds no dual feasible point has not said whether a primal one exists.
  if (job.code == 0 && job.method == Method::dual && glp_get_dual_stat(job.problem) == GLP_NOFEAS &&
      glp_get_prim_stat(job.problem) != GLP_FEAS) {
    auto const primal = simplexParameters(GLP_PRIMAL, job.milliseconds);
    job.code = glp_simplex(job.problem, &primal);
  }
}

void runJob(SolveJob& job) {
  if (job.method == Method::interior) {
    glp_iptcp parameters;
    glp_init_iptcp(&parameters);
    parameters.msg_lev = GLP_MSG_ALL;
    job.code = glp_interior(job.problem, &parameters);
    return;
  }
  runSimplex(job);
  if (job.method != Method::exact) return;
  // Rational arithmetic from the basis that the simplex method ended with, whatever it said of it.
  auto const parameters = simplexParameters(GLP_PRIMAL, job.milliseconds);
  job.code = glp_exact(job.problem, &parameters);
}

/// glp_eval_tab_row or glp_eval_tab_col: row and column of GLPK's tableau give the certificates.
/// Both take indices 1..m for rows, m+1..m+n for columns.
using TableauLine = int (*)(glp_prob* problem, int variable, int* indices, double* values);
struct TableauJob {
  glp_prob* problem;
  int variable;  ///< glp_get_unbnd_ray
  int length;
  int* indices;
  double* values;
  TableauLine line;
};

void formLine(TableauJob& job) {
  if (!glp_bf_exists(job.problem) && glp_factorize(job.problem) != 0) return;
  job.length = job.line(job.problem, job.variable, job.indices, job.values);
}

bool isBasic(glp_prob* problem, int variable) {
  int const m = glp_get_num_rows(problem);
  return (variable <= m ? glp_get_row_stat(problem, variable)
                        : glp_get_col_stat(problem, variable - m)) == GLP_BS;
}

/// One solve, from load to translation, inside its own thread.
class GlpkSolve {
 public:
  GlpkSolve(LinearProgram const& lp, BridgeOptions const& options, Method method)
      : lp_(lp), options_(options), method_(method) {}

  Solution solve() {
    begin();
    bool const finished = loadAndRun();
    Solution solution = finished ? translate() : explainJump();
    glp_free_env();  // frees the problem as well
    return solution;
  }

 private:
  void begin() {
    double const seconds = std::min(options_.timeLimit, 1e6);
    milliseconds_ = static_cast<int>(std::clamp(seconds * 1e3, 1.0, double(INT_MAX)));
    watch_.deadline = std::chrono::steady_clock::now() +
                      std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
    watch_.interrupted = &options_.interrupted;
    glp_term_out(GLP_ON);
    glp_term_hook(listen, &watch_);
    glp_error_hook(jumpOut, &watch_);
  }

  bool loadAndRun() {
    problem_ = glp_create_prob();
    rowIndices_.resize(std::size_t(lp_.rows()) + 1);
    values_.resize(rowIndices_.size());
    LoadJob loadJob{&lp_, problem_, rowIndices_.data(), values_.data()};
    if (!guarded(watch_, load, loadJob)) return false;
    job_ = {problem_,      method_, options_.startBasis.empty() ? nullptr : &options_.startBasis,
            milliseconds_, 0,       false};
    return guarded(watch_, runJob, job_);
  }

  Solution explainJump() const {
    Solution solution;
    solution.status = watch_.wasInterrupted ? Status::interrupted
                      : watch_.timedOut     ? Status::timeLimit
                                            : Status::numerical;
    if (solution.status == Status::numerical)
      solution.message = std::string("GLPK stopped with an error: ") + watch_.lastLine;
    return solution;
  }

  Solution translate() {
    Solution solution = method_ == Method::interior ? interiorSolution() : basicSolution();
    if (job_.refusedBasis) solution.message = "GLPK refused the start basis and took its own";
    return solution;
  }

  Solution interiorSolution() const {
    Solution solution;
    int const status = glp_ipt_status(problem_);
    if (job_.code != 0 || status != GLP_OPT) {
      solution.message = status == GLP_NOFEAS
                             ? "GLPK's interior-point method finds no primal or no dual feasible "
                               "point, and does not know which"
                             : "GLPK's interior-point method did not converge";
      return solution;
    }
    solution.status = Status::optimal;
    solution.objective = glp_ipt_obj_val(problem_);
    for (int j = 1; j <= lp_.columns(); ++j) {
      solution.columnValues.push_back(glp_ipt_col_prim(problem_, j));
      solution.reducedCosts.push_back(glp_ipt_col_dual(problem_, j));
    }
    for (int i = 1; i <= lp_.rows(); ++i)
      solution.rowDuals.push_back(glp_ipt_row_dual(problem_, i));
    return solution;
  }

  Solution basicSolution() {
    Solution solution;
    solution.iterations = glp_get_it_cnt(problem_);
    solution.objective = glp_get_obj_val(problem_);
    for (int j = 1; j <= lp_.columns(); ++j) {
      solution.columnValues.push_back(glp_get_col_prim(problem_, j));
      solution.reducedCosts.push_back(glp_get_col_dual(problem_, j));
      solution.basis.columns.push_back(ownStatus(glp_get_col_stat(problem_, j)));
    }
    for (int i = 1; i <= lp_.rows(); ++i) {
      solution.rowDuals.push_back(glp_get_row_dual(problem_, i));
      solution.basis.rows.push_back(ownStatus(glp_get_row_stat(problem_, i)));
    }
    solution.status = simplexStatus(solution.message);
    if (solution.status == Status::infeasible) solution.farkas = farkas();
    if (solution.status == Status::unbounded) solution.ray = ray();
    return solution;
  }

  Status simplexStatus(std::string& message) const {
    if (job_.code == GLP_ETMLIM) return Status::timeLimit;
    if (job_.code == GLP_EITLIM) return Status::iterationLimit;
    if (job_.code != 0) {
      message = "GLPK's simplex method failed with code " + std::to_string(job_.code);
      return Status::numerical;
    }
    if (glp_get_prim_stat(problem_) == GLP_NOFEAS) return Status::infeasible;
    int const status = glp_get_status(problem_);
    if (status == GLP_OPT) return Status::optimal;
    if (status == GLP_UNBND) return Status::unbounded;
    message = "GLPK's simplex method ended without a status";
    return Status::numerical;
  }

  bool evaluate(TableauJob& job, TableauLine line) {
    std::size_t const length = 1 + std::size_t(std::max(lp_.rows(), lp_.columns()));
    indices_.resize(length);
    coefficients_.resize(length);
    job = {problem_, glp_get_unbnd_ray(problem_), 0, indices_.data(), coefficients_.data(), line};
    if (job.variable == 0) return false;
    if (isBasic(problem_, job.variable) != (line == glp_eval_tab_row)) return false;
    return guarded(watch_, formLine, job);
  }

  /// The unboundedness ray of the dual simplex: the tableau row x_B = sum of xi_k x_N(k), which no
  /// values of the nonbasic variables within their bounds can satisfy, read as multipliers of rows.
  std::vector<double> farkas() {
    TableauJob job{};
    if (!evaluate(job, glp_eval_tab_row)) return {};
    int const m = lp_.rows();
    std::vector<double> y(m, 0.0);
    if (job.variable <= m) y[job.variable - 1] = 1.0;
    for (int k = 1; k <= job.length; ++k)
      if (indices_[k] <= m) y[indices_[k] - 1] = -coefficients_[k];
    return y;
  }

  /// The primal ray: the tableau column of the variable that can move without limit.
  std::vector<double> ray() {
    TableauJob job{};
    if (!evaluate(job, glp_eval_tab_col)) return {};
    int const m = lp_.rows();
    std::vector<double> direction(lp_.columns(), 0.0);
    if (job.variable > m) direction[job.variable - m - 1] = 1.0;
    for (int k = 1; k <= job.length; ++k)
      if (indices_[k] > m) direction[indices_[k] - m - 1] = coefficients_[k];
    return direction;
  }

  LinearProgram const& lp_;
  BridgeOptions const& options_;
  Method method_;
  int milliseconds_ = INT_MAX;
  GlpkWatch watch_;
  glp_prob* problem_ = nullptr;
  SolveJob job_{};
  std::vector<int> rowIndices_, indices_;
  std::vector<double> values_, coefficients_;
};

Solution inOwnThread(LinearProgram const& lp, BridgeOptions const& options, Method method) {
  static std::mutex sharedEnvironment;
  std::unique_lock<std::mutex> lock(sharedEnvironment, std::defer_lock);
  if (glp_config("TLS") == nullptr) lock.lock();
  Solution solution;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      solution = GlpkSolve(lp, options, method).solve();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  worker.join();
  if (failure) std::rethrow_exception(failure);
  return solution;
}

Solution run(LinearProgram const& lp, BridgeOptions const& options) {
  if (lp.matrix.nonzeros() > INT_MAX)
    throw BridgeLimit("GLPK counts nonzeros in 32 bits: the problem has too many");
  Method const method = options.algorithm == "dual"       ? Method::dual
                        : options.algorithm == "interior" ? Method::interior
                        : options.algorithm == "exact"    ? Method::exact
                                                          : Method::primal;
  if ((method == Method::interior || method == Method::exact) &&
      (lp.rows() == 0 || lp.columns() == 0))
    throw BridgeLimit("GLPK's " + options.algorithm +
                      " method takes no problem without rows or without columns");
  return inOwnThread(lp, options, method);
}

}  // namespace
}  // namespace osi_cuda

OSI_CUDA_BRIDGE_MODULE(
        .version = [] { return std::string(glp_version()); },
        .algorithms = "primal dual interior exact",
        .startsFromBasis = [](std::string const& algorithm) { return algorithm != "interior"; },
        .run = osi_cuda::run)
