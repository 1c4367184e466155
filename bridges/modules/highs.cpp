// SPDX-License-Identifier: EPL-2.0
//
// HiGHS, through the C interface of its shared library (1.7 and later), which is opened here: so
// that the library of a Python package is enough. Conventions: IEEE infinities; the objective
// constant and the sense are taken as they are; statuses of rows speak of their activity.
//
// Limits: HighsInt is 32 bits in the usual build; costs from 1e20 and bounds from 1e20 on count as
// infinite. Rows of a problem without columns are not looked at. "Unbounded or infeasible" is
// settled by the primal simplex method. The interior point method always presolves, since without
// presolve it ends in an error on many small problems (1.15.1), and looks at its time limit now and
// then only; its iterations are those of the crossover, too.

#include <dlfcn.h>
#include <glob.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bridges/bridge_module.hpp"
#include "bridges/translation.hpp"
#include "osi_cuda/model/status_codes.hpp"

namespace osi_cuda {
namespace {

using HighsInt = int;

// Constants of the C interface (interfaces/highs_c_api.h, lp_data/HConst.h), the same from 1.7 to
// 1.15.
constexpr HighsInt statusOk = 0, statusError = -1;
constexpr HighsInt columnwise = 1, minimize = 1, maximize = -1;
constexpr HighsInt basisLower = 0, basisBasic = 1, basisUpper = 2, basisZero = 3;
constexpr HighsInt modelEmpty = 6, modelOptimal = 7, modelInfeasible = 8,
                   modelUnboundedOrInfeasible = 9, modelUnbounded = 10, modelTimeLimit = 13,
                   modelIterationLimit = 14, modelInterrupt = 17;
constexpr HighsInt dualSimplex = 1, primalSimplex = 4;  // the option simplex_strategy
constexpr int simplexInterrupt = 1, ipmInterrupt = 2;   // kinds of callbacks

/// The first member of HighsCallbackDataIn, which other versions have more of.
struct CallbackAnswer {
  int userInterrupt;
};
using Callback = void (*)(int, char const*, void const*, CallbackAnswer*, void*);

/// A function of the library.
template <class Signature>
class Function {
 public:
  Function(void* library, char const* name)
      : function_(reinterpret_cast<Signature*>(dlsym(library, name))) {
    if (!function_)
      throw std::runtime_error(std::string("the library of HiGHS has no function ") + name);
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    return function_(arguments...);
  }

 private:
  Signature* function_;
};

/// The library that the user names, else the system's, else those of Python's packages.
std::vector<std::string> candidates() {
  auto const folder = [](char const* variable) {
    char const* const value = secure_getenv(variable);
    return std::string(value ? value : "");
  };
  if (std::string const named = folder("OSI_CUDA_HIGHS"); !named.empty()) {
    if (named[0] == '/') return {named};
    throw std::runtime_error("OSI_CUDA_HIGHS is '" + named + "', but has to be an absolute path");
  }
  std::vector<std::string> paths{"libhighs.so.1", "libhighs.so"};
  for (std::string const& root :
       {folder("VIRTUAL_ENV"), folder("CONDA_PREFIX"), folder("HOME") + "/.local",
        std::string("/usr/local"), std::string("/usr")}) {
    if (!root.starts_with('/')) continue;
    std::string const pattern = root +
                                "/lib/{,python3*/{site,dist}-packages/"
                                "{highspy,highsbox/highs_dist/lib*}/}"
                                "{libhighs.so.1,libhighs.so,_core.*.so}";
    glob_t found{};
    if (glob(pattern.c_str(), GLOB_BRACE, nullptr, &found) == 0)
      paths.insert(paths.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
  }
  return paths;
}

struct Library {
  /// The first of the candidates that has the C interface, for good. Throws std::runtime_error,
  /// which says what was tried.
  static void* open() {
    std::string tried;
    for (std::string const& path : candidates()) {
      void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library && dlsym(library, "Highs_version")) return library;
      tried += (tried.empty() ? "" : "; ") + (library ? path + " has no C interface" : dlerror());
      if (library) dlclose(library);
    }
    throw std::runtime_error(tried);
  }

  void* library = open();
  Function<char const*()> version{library, "Highs_version"};
  Function<void*()> create{library, "Highs_create"};
  Function<void(void*)> destroy{library, "Highs_destroy"};
  Function<HighsInt(void const*)> sizeofHighsInt{library, "Highs_getSizeofHighsInt"};
  Function<HighsInt(void*, char const*, HighsInt)> setBool{library, "Highs_setBoolOptionValue"};
  Function<HighsInt(void*, char const*, HighsInt)> setInt{library, "Highs_setIntOptionValue"};
  Function<HighsInt(void*, char const*, double)> setDouble{library, "Highs_setDoubleOptionValue"};
  Function<HighsInt(void*, char const*, char const*)> setString{library,
                                                                "Highs_setStringOptionValue"};
  Function<HighsInt(void*, HighsInt, HighsInt, HighsInt, HighsInt, HighsInt, double, double const*,
                    double const*, double const*, double const*, double const*, HighsInt const*,
                    HighsInt const*, double const*)>
      passLp{library, "Highs_passLp"};
  Function<HighsInt(void*, HighsInt const*, HighsInt const*)> setBasis{library, "Highs_setBasis"};
  Function<HighsInt(void*, Callback, void*)> setCallback{library, "Highs_setCallback"};
  Function<HighsInt(void*, int)> startCallback{library, "Highs_startCallback"};
  Function<HighsInt(void*)> run{library, "Highs_run"};
  Function<HighsInt(void const*)> modelStatus{library, "Highs_getModelStatus"};
  Function<HighsInt(void const*, char const*, HighsInt*)> intInfo{library, "Highs_getIntInfoValue"};
  Function<double(void const*)> objectiveValue{library, "Highs_getObjectiveValue"};
  Function<HighsInt(void const*, double*, double*, double*, double*)> solution{library,
                                                                               "Highs_getSolution"};
  Function<HighsInt(void const*, HighsInt*, HighsInt*)> basis{library, "Highs_getBasis"};
  Function<HighsInt(void const*, HighsInt*, double*)> dualRay{library, "Highs_getDualRay"};
  Function<HighsInt(void const*, HighsInt*, double*)> primalRay{library, "Highs_getPrimalRay"};
};

/// Throws std::runtime_error, which says what is missing; tried again at the next call then.
Library const& highs() {
  static Library const library;
  return library;
}

std::string fileOfLibrary() {
  Dl_info about{};
  dladdr(dlsym(highs().library, "Highs_version"), &about);
  return about.dli_fname ? about.dli_fname : "";
}

struct Destroy {
  void operator()(void* model) const { highs().destroy(model); }
};

void stopWhenAsked(int, char const*, void const*, CallbackAnswer* answer, void* interrupted) {
  if (answer && (*static_cast<std::function<bool()> const*>(interrupted))())
    answer->userInterrupt = 1;
}

void load(void* model, LinearProgram const& lp) {
  if (highs().sizeofHighsInt(model) != sizeof(HighsInt) ||
      lp.matrix.nonzeros() > std::numeric_limits<HighsInt>::max())
    throw BridgeLimit("this build of HiGHS can't count that many nonzeros");
  std::vector<HighsInt> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  auto const result = highs().passLp(
      model, lp.columns(), lp.rows(), static_cast<HighsInt>(lp.matrix.nonzeros()), columnwise,
      lp.sense == Sense::maximize ? maximize : minimize, lp.objectiveOffset, lp.objective.data(),
      lp.columnLower.data(), lp.columnUpper.data(), lp.rowLower.data(), lp.rowUpper.data(),
      starts.data(), lp.matrix.indices.data(), lp.matrix.values.data());
  if (result == statusError) throw BridgeLimit("HiGHS refuses this problem");
}

constexpr StatusCodes<HighsInt> codes{basisLower, basisUpper, basisZero, basisBasic};

VariableStatus ownStatus(HighsInt status, double value, double lower, double upper) {
  return codes.statusOf(status, nonbasicStatusAt(value, lower, upper));
}

void setStart(void* model, LinearProgram const& lp, Basis const& basis) {
  std::vector<HighsInt> columns, rows;
  for (int j = 0; j < lp.columns(); ++j)
    columns.push_back(
        codes.of(possibleStatus(basis.columns[j], lp.columnLower[j], lp.columnUpper[j])));
  for (int i = 0; i < lp.rows(); ++i)
    rows.push_back(codes.of(possibleStatus(basis.rows[i], lp.rowLower[i], lp.rowUpper[i])));
  highs().setBasis(model, columns.data(), rows.data());
}

void configure(void* model, BridgeOptions const& options) {
  highs().setBool(model, "output_flag", 0);
  bool const interior = options.algorithm == "ipm";
  bool const presolve = interior || (options.presolve && options.startBasis.empty());
  highs().setString(model, "presolve", presolve ? "choose" : "off");
  highs().setInt(model, "threads", options.threads);
  if (std::isfinite(options.timeLimit)) highs().setDouble(model, "time_limit", options.timeLimit);
  highs().setString(model, "solver", interior ? "ipm" : "simplex");
  highs().setInt(model, "simplex_strategy",
                 options.algorithm == "primal" ? primalSimplex : dualSimplex);
}

HighsInt iterationsOf(void* model) {
  HighsInt sum = 0;
  for (char const* const part :
       {"simplex_iteration_count", "ipm_iteration_count", "crossover_iteration_count"}) {
    HighsInt count = 0;
    highs().intInfo(model, part, &count);
    sum += std::max<HighsInt>(count, 0);  // -1: there was no such part
  }
  return sum;
}

Status statusOf(HighsInt status, std::string& message) {
  if (status == modelOptimal || status == modelEmpty) return Status::optimal;
  if (status == modelInfeasible) return Status::infeasible;
  if (status == modelUnbounded) return Status::unbounded;
  if (status == modelTimeLimit) return Status::timeLimit;
  if (status == modelIterationLimit) return Status::iterationLimit;
  if (status == modelInterrupt) return Status::interrupted;
  message = concat("HiGHS ended with model status ", status);
  return Status::numerical;
}

void readPoint(void* model, LinearProgram const& lp, Solution& solution) {
  solution.objective = highs().objectiveValue(model);
  solution.columnValues.resize(lp.columns());
  solution.reducedCosts.resize(lp.columns());
  solution.rowDuals.resize(lp.rows());
  std::vector<double> activity(lp.rows());
  highs().solution(model, solution.columnValues.data(), solution.reducedCosts.data(),
                   activity.data(), solution.rowDuals.data());
  std::vector<HighsInt> columns(lp.columns()), rows(lp.rows());
  if (highs().basis(model, columns.data(), rows.data()) != statusOk) return;
  for (int j = 0; j < lp.columns(); ++j)
    solution.basis.columns.push_back(
        ownStatus(columns[j], solution.columnValues[j], lp.columnLower[j], lp.columnUpper[j]));
  for (int i = 0; i < lp.rows(); ++i)
    solution.basis.rows.push_back(ownStatus(rows[i], activity[i], lp.rowLower[i], lp.rowUpper[i]));
}

void readCertificates(void* model, LinearProgram const& lp, Solution& solution) {
  HighsInt exists = 0;
  if (solution.status == Status::infeasible) {
    std::vector<double> y(lp.rows());
    highs().dualRay(model, &exists, y.data());
    if (exists) solution.farkas = std::move(y);
  } else if (solution.status == Status::unbounded) {
    std::vector<double> ray(lp.columns());
    highs().primalRay(model, &exists, ray.data());
    if (exists) solution.ray = std::move(ray);
  }
}

Solution run(LinearProgram const& lp, BridgeOptions const& options) {
  if (lp.columns() == 0) throw BridgeLimit("HiGHS does not look at rows without columns");
  std::unique_ptr<void, Destroy> const model(highs().create());
  configure(model.get(), options);
  load(model.get(), lp);
  if (!options.startBasis.empty()) setStart(model.get(), lp, options.startBasis);
  auto interrupted = options.interrupted;
  if (interrupted) {
    highs().setCallback(model.get(), stopWhenAsked, &interrupted);
    for (int const kind : {simplexInterrupt, ipmInterrupt})
      highs().startCallback(model.get(), kind);
  }
  highs().run(model.get());
  HighsInt iterations = iterationsOf(model.get());
  HighsInt status = highs().modelStatus(model.get());
  if (status == modelUnboundedOrInfeasible) {
    highs().setString(model.get(), "presolve", "off");
    highs().setString(model.get(), "solver", "simplex");
    highs().setInt(model.get(), "simplex_strategy", primalSimplex);
    highs().run(model.get());
    iterations += iterationsOf(model.get());
    status = highs().modelStatus(model.get());
  }

  Solution solution;
  solution.iterations = iterations;
  solution.status = statusOf(status, solution.message);
  readPoint(model.get(), lp, solution);
  readCertificates(model.get(), lp, solution);
  return solution;
}

}  // namespace
}  // namespace osi_cuda

OSI_CUDA_BRIDGE_MODULE(
        .version = [] { return std::string(osi_cuda::highs().version()); },
        .algorithms = "dual primal ipm",
        .startsFromBasis = [](std::string const& algorithm) { return algorithm != "ipm"; },
        .run = osi_cuda::run, .library = osi_cuda::fileOfLibrary)
