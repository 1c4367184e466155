// SPDX-License-Identifier: EPL-2.0
#include "bridges/highs_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

using HighsInt = int;  // as in the usual build

// Constants of the C interface (interfaces/highs_c_api.h and lp_data/HConst.h of HiGHS 1.7
// to 1.15).
constexpr HighsInt statusError = -1;
constexpr HighsInt columnwise = 1;
constexpr HighsInt senseMinimize = 1, senseMaximize = -1;
constexpr HighsInt modelEmpty = 6, modelOptimal = 7, modelInfeasible = 8;
constexpr HighsInt modelUnboundedOrInfeasible = 9, modelUnbounded = 10, modelTimeLimit = 13;

/// Conversion of a pointer to data into one to a function, as POSIX allows.
template <class Function>
void find(void* library, char const* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

class Loaded final : public HighsLibrary {
 public:
  explicit Loaded(void* library) {
    find(library, "Highs_version", version_);
    find(library, "Highs_create", create_);
    find(library, "Highs_destroy", destroy_);
    find(library, "Highs_setBoolOptionValue", setBool_);
    find(library, "Highs_setIntOptionValue", setInt_);
    find(library, "Highs_setDoubleOptionValue", setDouble_);
    find(library, "Highs_setStringOptionValue", setString_);
    find(library, "Highs_passLp", passLp_);
    find(library, "Highs_run", run_);
    find(library, "Highs_getModelStatus", modelStatus_);
    find(library, "Highs_getObjectiveValue", objective_);
    find(library, "Highs_getSolution", getSolution_);
    find(library, "Highs_getDualRay", dualRay_);
    find(library, "Highs_getPrimalRay", primalRay_);
    find(library, "Highs_getIntInfoValue", intInfo_);
  }
  bool complete() const {
    return version_ && create_ && destroy_ && setBool_ && setInt_ && setDouble_ && setString_ &&
           passLp_ && run_ && modelStatus_ && objective_ && getSolution_ && dualRay_ &&
           primalRay_ && intInfo_;
  }
  std::string version() const override { return version_(); }

  Solution solve(LinearProgram const& lp, double timeLimit, bool presolve) const override {
    return solve(lp, timeLimit, presolve ? "choose" : "off", "simplex", 1);
  }
  Solution solveByInteriorPoint(LinearProgram const& lp, double timeLimit,
                                int threads) const override {
    Solution solution = solve(lp, timeLimit, "choose", "ipm", threads);
    solution.residuals = residualsOf(lp, solution);
    return solution;
  }

 private:
  Solution solve(LinearProgram const& lp, double timeLimit, char const* presolve,
                 char const* solver, int threads) const {
    std::unique_ptr<void, void (*)(void*)> const highs(create_(), destroy_);
    void* const h = highs.get();
    setBool_(h, "output_flag", 0);
    setString_(h, "presolve", presolve);
    setString_(h, "solver", solver);
    setInt_(h, "threads", threads);
    setDouble_(h, "time_limit", timeLimit);
    Solution solution;
    if (!pass(h, lp)) {
      solution.message = "HiGHS refuses this problem";
      return solution;
    }
    run_(h);
    HighsInt status = modelStatus_(h);
    if (status == modelUnboundedOrInfeasible) {
      setString_(h, "presolve", "off");
      setString_(h, "solver", "simplex");
      setInt_(h, "simplex_strategy", 4);  // the primal simplex method tells which
      run_(h);
      status = modelStatus_(h);
    }
    read(h, lp, status, solution);
    return solution;
  }

  bool pass(void* h, LinearProgram const& lp) const {
    if (lp.matrix.nonzeros() > std::numeric_limits<HighsInt>::max()) return false;
    std::vector<HighsInt> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
    auto const sense = lp.sense == Sense::maximize ? senseMaximize : senseMinimize;
    return passLp_(h, lp.columns(), lp.rows(), static_cast<HighsInt>(lp.matrix.nonzeros()),
                   columnwise, sense, lp.objectiveOffset, lp.objective.data(),
                   lp.columnLower.data(), lp.columnUpper.data(), lp.rowLower.data(),
                   lp.rowUpper.data(), starts.data(), lp.matrix.indices.data(),
                   lp.matrix.values.data()) != statusError;
  }

  void read(void* h, LinearProgram const& lp, HighsInt status, Solution& solution) const {
    HighsInt exists = 0;
    for (char const* const part :
         {"simplex_iteration_count", "ipm_iteration_count", "crossover_iteration_count"}) {
      HighsInt iterations = 0;
      intInfo_(h, part, &iterations);
      solution.iterations += std::max(iterations, 0);  // -1: there was no such part
    }
    solution.objective = objective_(h);
    solution.columnValues.resize(lp.columns());
    solution.reducedCosts.resize(lp.columns());
    solution.rowActivity.resize(lp.rows());
    solution.rowDuals.resize(lp.rows());
    getSolution_(h, solution.columnValues.data(), solution.reducedCosts.data(),
                 solution.rowActivity.data(), solution.rowDuals.data());
    if (status == modelOptimal || status == modelEmpty) {
      solution.status = Status::optimal;
    } else if (status == modelInfeasible) {
      solution.status = Status::infeasible;
      std::vector<double> ray(lp.rows());
      dualRay_(h, &exists, ray.data());
      if (exists) solution.farkas = ray;
    } else if (status == modelUnbounded) {
      solution.status = Status::unbounded;
      std::vector<double> ray(lp.columns());
      primalRay_(h, &exists, ray.data());
      if (exists) solution.ray = ray;
    } else if (status == modelTimeLimit) {
      solution.status = Status::timeLimit;
    } else {
      solution.status = Status::numerical;
      solution.message = "HiGHS ended with model status " + std::to_string(status);
    }
  }

  char const* (*version_)() = nullptr;
  void* (*create_)() = nullptr;
  void (*destroy_)(void*) = nullptr;
  HighsInt (*setBool_)(void*, char const*, HighsInt) = nullptr;
  HighsInt (*setInt_)(void*, char const*, HighsInt) = nullptr;
  HighsInt (*setDouble_)(void*, char const*, double) = nullptr;
  HighsInt (*setString_)(void*, char const*, char const*) = nullptr;
  HighsInt (*passLp_)(void*, HighsInt, HighsInt, HighsInt, HighsInt, HighsInt, double,
                      double const*, double const*, double const*, double const*, double const*,
                      HighsInt const*, HighsInt const*, double const*) = nullptr;
  HighsInt (*run_)(void*) = nullptr;
  HighsInt (*modelStatus_)(void const*) = nullptr;
  double (*objective_)(void const*) = nullptr;
  HighsInt (*getSolution_)(void const*, double*, double*, double*, double*) = nullptr;
  HighsInt (*dualRay_)(void const*, HighsInt*, double*) = nullptr;
  HighsInt (*primalRay_)(void const*, HighsInt*, double*) = nullptr;
  HighsInt (*intInfo_)(void const*, char const*, HighsInt*) = nullptr;
};

}  // namespace

std::shared_ptr<HighsLibrary const> HighsLibrary::load(std::string const& path) {
  // Stays loaded as long as the program runs.
  void* const library =
      dlopen(path.empty() ? "libhighs.so.1" : path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto loaded = std::make_shared<Loaded>(library);
  return loaded->complete() ? loaded : nullptr;
}

}  // namespace osi_cuda
