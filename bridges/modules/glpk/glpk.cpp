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
#include <csetjmp>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>

#include "bridges/bridge_module.hpp"
#include "osi_cuda/model/status_codes.hpp"

namespace osi_cuda {
namespace {

enum class Method { primal, dual, interior, exact };

/// What the hooks share with the solve they belong to. No constructors run between setjmp and
/// longjmp, so nothing here may need one there.
struct GlpkWatch {
  std::jmp_buf out;
  std::function<bool()> const* interrupted = nullptr;
  std::chrono::steady_clock::time_point deadline;
  bool timedOut = false;
  bool wasInterrupted = false;
  char lastLine[240] = {};
};

/// Called by GLPK's error handling; GLPK expects that it does not return.
void jumpOut(void* info) {
  std::longjmp(static_cast<GlpkWatch*>(info)->out, 1);
}

/// Called for every text GLPK prints, several times a second while it solves: the one place where
/// a solve can be asked to stop, interior point included. Never prints.
int listen(void* info, char const* text) {
  auto* watch = static_cast<GlpkWatch*>(info);
  if (text[0] != '\n' && text[0] != '\0')
    std::strncpy(watch->lastLine, text, sizeof watch->lastLine - 1);
  if (watch->timedOut || watch->wasInterrupted) return 1;  // on its way out
  if (watch->interrupted && *watch->interrupted && (*watch->interrupted)())
    watch->wasInterrupted = true;
  if (std::chrono::steady_clock::now() > watch->deadline) watch->timedOut = true;
  if (watch->timedOut || watch->wasInterrupted) glp_error("stopped\n");
  return 1;
}

/// Calls step() so that GLPK's fatal errors come back as false. Between setjmp and longjmp lie only
/// C frames and frames without destructors.
template <class Step>
bool guarded(GlpkWatch& watch, Step const& step) {
  static_assert(std::is_trivially_destructible_v<Step>);
  if (setjmp(watch.out) != 0) return false;
  step();
  return true;
}

int boundType(double lower, double upper) {
  if (std::isinf(lower)) return std::isinf(upper) ? GLP_FR : GLP_UP;
  if (std::isinf(upper)) return GLP_LO;
  return lower == upper ? GLP_FX : GLP_DB;
}

constexpr StatusCodes<int> codes{GLP_NL, GLP_NU, GLP_NF, GLP_BS};

VariableStatus ownStatus(int status) {
  return codes.statusOf(status, VariableStatus::atLower);  // GLP_NS
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

/// glp_eval_tab_row or glp_eval_tab_col: row and column of GLPK's tableau give the certificates.
/// Both take indices 1..m for rows, m+1..m+n for columns.
using TableauLine = int (*)(glp_prob* problem, int variable, int* indices, double* values);

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
    indices_.resize(std::size_t(1) + std::max(lp_.rows(), lp_.columns()));
    coefficients_.resize(indices_.size());
    return guarded(watch_, [this] { load(); }) && guarded(watch_, [this] { runMethod(); });
  }

  // No frame of the following functions, up to formLine, has anything to destroy: see guarded.

  void load() {
    glp_prob* const p = problem_;
    glp_set_obj_dir(p, lp_.sense == Sense::maximize ? GLP_MAX : GLP_MIN);
    if (lp_.rows() > 0) glp_add_rows(p, lp_.rows());
    if (lp_.columns() > 0) glp_add_cols(p, lp_.columns());
    for (int i = 0; i < lp_.rows(); ++i)
      glp_set_row_bnds(p, i + 1, boundType(lp_.rowLower[i], lp_.rowUpper[i]), lp_.rowLower[i],
                       lp_.rowUpper[i]);
    glp_set_obj_coef(p, 0, lp_.objectiveOffset);
    for (int j = 0; j < lp_.columns(); ++j) {
      glp_set_col_bnds(p, j + 1, boundType(lp_.columnLower[j], lp_.columnUpper[j]),
                       lp_.columnLower[j], lp_.columnUpper[j]);
      glp_set_obj_coef(p, j + 1, lp_.objective[j]);
      int length = 0;
      for (auto const [i, a] : lp_.matrix.column(j)) {
        indices_[++length] = i + 1;
        coefficients_[length] = a;
      }
      glp_set_mat_col(p, j + 1, length, indices_.data(), coefficients_.data());
    }
  }

  void setBasis() {
    Basis const& start = options_.startBasis;
    for (std::size_t i = 0; i < start.rows.size(); ++i)
      glp_set_row_stat(problem_, static_cast<int>(i) + 1, codes.of(start.rows[i]));
    for (std::size_t j = 0; j < start.columns.size(); ++j)
      glp_set_col_stat(problem_, static_cast<int>(j) + 1, codes.of(start.columns[j]));
  }

  void runSimplex() {
    // GLP_DUALP: the two-phase dual simplex, the primal if it fails.
    auto const parameters =
        simplexParameters(method_ == Method::dual ? GLP_DUALP : GLP_PRIMAL, milliseconds_);
    bool const starts = !options_.startBasis.empty();
    glp_scale_prob(problem_, GLP_SF_AUTO);
    starts ? setBasis() : glp_adv_basis(problem_, 0);
    code_ = glp_simplex(problem_, &parameters);
    if (starts && (code_ == GLP_EBADB || code_ == GLP_ESING || code_ == GLP_ECOND)) {
      refusedBasis_ = true;
      glp_adv_basis(problem_, 0);
      code_ = glp_simplex(problem_, &parameters);
    }
    // A dual simplex that finds no dual feasible point has not said whether a primal one exists.
    if (code_ == 0 && method_ == Method::dual && glp_get_dual_stat(problem_) == GLP_NOFEAS &&
        glp_get_prim_stat(problem_) != GLP_FEAS) {
      auto const primal = simplexParameters(GLP_PRIMAL, milliseconds_);
      code_ = glp_simplex(problem_, &primal);
    }
  }

  void runMethod() {
    if (method_ == Method::interior) {
      glp_iptcp parameters;
      glp_init_iptcp(&parameters);
      parameters.msg_lev = GLP_MSG_ALL;
      code_ = glp_interior(problem_, &parameters);
      return;
    }
    runSimplex();
    if (method_ != Method::exact) return;
    // Rational arithmetic from the basis that the simplex method ended with, whatever it said of
    // it.
    auto const parameters = simplexParameters(GLP_PRIMAL, milliseconds_);
    code_ = glp_exact(problem_, &parameters);
  }

  void formLine(TableauLine line, int variable) {
    if (!glp_bf_exists(problem_) && glp_factorize(problem_) != 0) return;
    lineLength_ = line(problem_, variable, indices_.data(), coefficients_.data());
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
    if (refusedBasis_) solution.message = "GLPK refused the start basis and took its own";
    return solution;
  }

  Solution interiorSolution() const {
    Solution solution;
    int const status = glp_ipt_status(problem_);
    if (code_ != 0 || status != GLP_OPT) {
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
    if (code_ == GLP_ETMLIM) return Status::timeLimit;
    if (code_ == GLP_EITLIM) return Status::iterationLimit;
    if (code_ != 0) {
      message = "GLPK's simplex method failed with code " + std::to_string(code_);
      return Status::numerical;
    }
    if (glp_get_prim_stat(problem_) == GLP_NOFEAS) return Status::infeasible;
    int const status = glp_get_status(problem_);
    if (status == GLP_OPT) return Status::optimal;
    if (status == GLP_UNBND) return Status::unbounded;
    message = "GLPK's simplex method ended without a status";
    return Status::numerical;
  }

  /// The line of the variable that GLPK names: 1 of its own, and `sign` times each coefficient, by
  /// variable, 1..m+n. Empty where there is none.
  std::vector<double> tableauLine(TableauLine line, double sign) {
    int const variable = glp_get_unbnd_ray(problem_);
    lineLength_ = 0;
    if (variable == 0 || isBasic(problem_, variable) != (line == glp_eval_tab_row)) return {};
    if (!guarded(watch_, [=, this] { formLine(line, variable); })) return {};
    std::vector<double> all(std::size_t(1) + lp_.rows() + lp_.columns(), 0.0);
    all[variable] = 1.0;
    for (int k = 1; k <= lineLength_; ++k) all[indices_[k]] = sign * coefficients_[k];
    return all;
  }

  /// The unboundedness ray of the dual simplex: the tableau row x_B = sum of xi_k x_N(k), which no
  /// values of the nonbasic variables within their bounds can satisfy, read as multipliers of rows.
  std::vector<double> farkas() {
    std::vector<double> const line = tableauLine(glp_eval_tab_row, -1.0);
    if (line.empty()) return {};
    return {line.begin() + 1, line.begin() + 1 + lp_.rows()};
  }

  /// The primal ray: the tableau column of the variable that can move without limit.
  std::vector<double> ray() {
    std::vector<double> const line = tableauLine(glp_eval_tab_col, 1.0);
    if (line.empty()) return {};
    return {line.begin() + 1 + lp_.rows(), line.end()};
  }

  LinearProgram const& lp_;
  BridgeOptions const& options_;
  Method method_;
  int milliseconds_ = INT_MAX;
  GlpkWatch watch_;
  glp_prob* problem_ = nullptr;
  int code_ = 0;               // what the last routine returned
  bool refusedBasis_ = false;  // the start basis was refused and replaced
  int lineLength_ = 0;
  std::vector<int> indices_;  // length max(m, n) + 1, as the next
  std::vector<double> coefficients_;
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
