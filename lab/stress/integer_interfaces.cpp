// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/integer_interfaces.hpp"

#include <osi_cuda.h>
#include <sys/wait.h>

#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "lab/stress/cbc_models.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "readers/solution_file.hpp"
#include "readers/write.hpp"

namespace osi_cuda::stress {
namespace {

using Json = nlohmann::json;

/// A status by its word. Words that are not known are no answer.
Answer answerOf(std::string const& word) {
  if (word == "optimal") return Answer::optimal;
  if (word == "infeasible") return Answer::infeasible;
  if (word == "unbounded") return Answer::unbounded;
  if (word == "iteration_limit" || word == "time_limit" || word == "interrupted" ||
      word == "node_limit" || word == "objective_limit")
    return Answer::timeLimit;
  return Answer::numerical;
}

void take(IntegerClaim& claim, std::string const& status) {
  claim.status = status;
  claim.answer = answerOf(status);
}

/// An interrupt at one of the next polls, from any thread.
std::function<bool()> interruptOf(SearchSettings const& settings) {
  if (settings.interruptAfter < 0) return {};
  auto const left = std::make_shared<std::atomic<int>>(settings.interruptAfter);
  return [left] { return left->fetch_sub(1) <= 0; };
}

IntegerClaim byLibrary(IntegerProblem const& problem) {
  Options options;
  auto all = problem.settings.options();
  all.insert(all.end(), {{"engine", "host"}, {"threads", "1"}});
  for (auto const& [name, value] : all)
    if (std::string const fault = setOption(options, name, value); !fault.empty())
      throw std::invalid_argument(fault);
  IntegerCallbacks callbacks;
  callbacks.interrupted = interruptOf(problem.settings);
  IntegerSolution const solution = solveIntegers(problem.lp, options, callbacks);
  IntegerClaim claim;
  take(claim, toString(solution.solution.status));
  claim.objective = solution.solution.objective;
  if (!std::isnan(claim.objective) && claim.answer != Answer::infeasible &&
      claim.answer != Answer::unbounded)
    claim.point = solution.solution.columnValues;
  claim.bound = solution.search.bound;
  claim.enclosure = solution.solution.objectiveEnclosure;
  return claim;
}

IntegerClaim byC(IntegerProblem const& problem) {
  LinearProgram const& lp = problem.lp;
  std::unique_ptr<osi_cuda_problem, decltype(&osi_cuda_free)> const handle(osi_cuda_create(),
                                                                           osi_cuda_free);
  osi_cuda_problem* const p = handle.get();
  auto const done = [&](int code) {
    if (code != OSI_CUDA_OK) throw std::runtime_error(osi_cuda_message(p));
  };
  done(osi_cuda_load_columns(p, lp.rows(), lp.columns(), lp.matrix.starts.data(),
                             lp.matrix.indices.data(), lp.matrix.values.data(),
                             lp.columnLower.data(), lp.columnUpper.data(), lp.rowLower.data(),
                             lp.rowUpper.data(), lp.objective.data()));
  done(osi_cuda_set_sense(p, lp.sense == Sense::maximize ? OSI_CUDA_MAXIMIZE : OSI_CUDA_MINIMIZE));
  done(osi_cuda_set_offset(p, lp.objectiveOffset));
  std::vector<std::uint8_t> const marks(lp.integer.begin(), lp.integer.end());
  done(osi_cuda_set_integers(p, marks.data()));
  std::vector<std::int32_t> semicontinuous, types, priorities, columns;
  std::vector<double> thresholds, weights;
  std::vector<std::int64_t> starts{0};
  for (auto const& [column, on] : lp.choices.semicontinuous) {
    semicontinuous.push_back(column);
    thresholds.push_back(on);
  }
  for (OrderedSet const& set : lp.choices.sets) {
    types.push_back(set.type);
    priorities.push_back(set.priority);
    columns.insert(columns.end(), set.columns.begin(), set.columns.end());
    weights.insert(weights.end(), set.weights.begin(), set.weights.end());
    starts.push_back(std::ssize(columns));
  }
  done(osi_cuda_set_semicontinuous_columns(p, static_cast<std::int32_t>(semicontinuous.size()),
                                           semicontinuous.data(), thresholds.data()));
  done(osi_cuda_set_ordered_sets(p, static_cast<std::int32_t>(types.size()), types.data(),
                                 priorities.data(), starts.data(), columns.data(), weights.data(),
                                 nullptr));
  done(osi_cuda_set_option(p, "engine", "host"));
  done(osi_cuda_set_option(p, "threads", "1"));
  for (auto const& [name, value] : problem.settings.options())
    done(osi_cuda_set_option(p, name.c_str(), value.c_str()));
  std::function<bool()> interrupted = interruptOf(problem.settings);
  if (interrupted)
    done(osi_cuda_set_interrupt(
        p, [](void* data) { return (*static_cast<std::function<bool()>*>(data))() ? 1 : 0; },
        &interrupted));
  done(osi_cuda_solve_integers(p, nullptr, nullptr, nullptr));
  IntegerClaim claim;
  take(claim, osi_cuda_text(p, OSI_CUDA_TEXT_STATUS));
  done(osi_cuda_get_number(p, OSI_CUDA_OBJECTIVE, &claim.objective));
  osi_cuda_get_number(p, OSI_CUDA_BOUND, &claim.bound);
  done(
      osi_cuda_get_objective_enclosure(p, &claim.enclosure.lower, &claim.enclosure.upper, nullptr));
  std::vector<double> values(lp.columns());
  if (!std::isnan(claim.objective) && claim.answer != Answer::infeasible &&
      claim.answer != Answer::unbounded &&
      osi_cuda_get_values(p, OSI_CUDA_COLUMN_VALUES, lp.columns(), values.data()) == OSI_CUDA_OK)
    claim.point = values;
  return claim;
}

/// What a command prints, and its exit status, as a shell has it.
std::pair<std::string, int> outputOf(std::string const& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no pipe from " + command);
  std::string text;
  std::array<char, 4096> block;
  for (std::size_t n; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    text.append(block.data(), n);
  int const status = pclose(pipe);
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

/// Of a process: an interrupt after so many milliseconds. One: without --foreground the process
/// gets another with its group, and a second one ends it at once.
std::string interruptCommand(SearchSettings const& settings) {
  if (settings.interruptAfter < 0) return "";
  return "timeout --foreground --preserve-status -s INT " +
         digitsOf(std::max(1, settings.interruptAfter) / 1000.0) + " ";
}

double numberOf(Json const& value, double absent) {
  return value.is_number() ? value.get<double>() : absent;
}

void takeJson(IntegerClaim& claim, Json const& json) {
  take(claim, json.at("status"));
  claim.objective = numberOf(json.at("objective"), NAN);
  claim.enclosure = {numberOf(json.at("objective_lower"), -infinity),
                     numberOf(json.at("objective_upper"), infinity)};
}

IntegerClaim byProgram(IntegerProblem const& problem, std::string const& folder) {
  static std::string const program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "osi-cuda").string();
  std::string const model = folder + "/model.mps", solution = folder + "/model.sol";
  readers::write(model, problem.lp, readers::FileFormat::freeMps);
  std::filesystem::remove(solution);
  std::string command = interruptCommand(problem.settings) + "'" + program + "' solve " + model +
                        " --integers --json --engine host --threads 1 --exact-numbers doubles" +
                        " --solution " + solution;  // the truth is of the doubles
  for (auto const& [name, value] : problem.settings.options())
    command += " --" + name + " " + value;
  auto const [text, status] = outputOf(command + " 2>" + folder + "/errors");
  IntegerClaim claim;
  // An interrupt before the first line of main() ends it as it ends any program.
  if (problem.settings.interruptAfter >= 0 && status == 128 + SIGINT && text.empty()) {
    take(claim, "interrupted");
    return claim;
  }
  if (status > 3) {
    claim.fault = "exit status " + std::to_string(status);
    return claim;
  }
  Json const json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    claim.fault = "its output is no JSON object";
    return claim;
  }
  takeJson(claim, json);
  if (json.contains("search")) claim.bound = numberOf(json["search"]["bound"], NAN);
  static std::map<std::string, int> const expected{
      {"optimal", 0}, {"infeasible", 1}, {"unbounded", 1}, {"numerical", 3}};
  auto const found = expected.find(claim.status);
  if (status != (found == expected.end() ? 2 : found->second) &&
      !(claim.answer == Answer::numerical && status == 2))
    claim.fault = "exit status " + std::to_string(status) + " with status " + claim.status;
  if (!std::isnan(claim.objective) && claim.answer != Answer::infeasible &&
      claim.answer != Answer::unbounded)
    claim.point = readers::readSolution(solution, problem.lp).columnValues;
  return claim;
}

std::optional<IntegerClaim> byPython(IntegerProblem const& problem, std::string const& folder) {
  static std::string const python = [] {
    char const* const named = std::getenv("OSI_CUDA_PYTHON");
    std::string const name = named ? named : "python3";
    return outputOf(name + " -c 'import numpy' 2>/dev/null").second == 0 ? name : "";
  }();
  if (python.empty()) return std::nullopt;
  std::filesystem::path const bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  readers::write(folder + "/model.mps", problem.lp, readers::FileFormat::freeMps);
  std::ofstream script(folder + "/solve.py");
  script << R"(import json, math, sys
from osi_cuda import Problem
options = json.loads(sys.argv[2])
try:
    s = Problem.read(sys.argv[1]).solve_integers(engine="host", threads=1, **options)
except KeyboardInterrupt:
    print(json.dumps({"status": "interrupted", "objective": None, "objective_lower": None,
                      "objective_upper": None}))
    sys.exit()
number = lambda v: v if math.isfinite(v) else None
print(json.dumps({"status": s.status.name.lower(), "objective": number(s.objective),
                  "objective_lower": number(s.objective_lower), "bound": number(s.bound),
                  "objective_upper": number(s.objective_upper), "x": [number(v) for v in s.x]}))
)";
  script.close();
  Json options = Json::object();
  for (auto const& [name, value] : problem.settings.options()) {
    std::string key = name;
    std::ranges::replace(key, '-', '_');
    options[key] = value;
  }
  auto const [text, status] =
      outputOf(interruptCommand(problem.settings) + "env OSI_CUDA_LIBRARY='" +
               (bin / "libosi_cuda.so").string() + "' PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" +
               OSI_CUDA_PYTHON_FOLDER + "' " + python + " " + folder + "/solve.py " + folder +
               "/model.mps '" + options.dump() + "' 2>" + folder + "/errors");
  IntegerClaim claim;
  if (problem.settings.interruptAfter >= 0 && text.empty()) {  // while Python began
    take(claim, "interrupted");
    return claim;
  }
  Json const json = Json::parse(text, nullptr, false);
  if (status != 0 || json.is_discarded()) {
    claim.fault = "exit status " + std::to_string(status);
    return claim;
  }
  takeJson(claim, json);
  claim.bound = numberOf(json.value("bound", Json()), NAN);
  if (!std::isnan(claim.objective) && claim.answer != Answer::infeasible &&
      claim.answer != Answer::unbounded)
    claim.point = json.at("x").get<std::vector<double>>();
  return claim;
}

IntegerClaim byOsi(IntegerProblem const& problem, std::string const& folder) {
  OsiCudaSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  std::string const file = folder + "/osi.mps";
  if (problem.lp.choices.empty())
    load(solver, problem.lp);
  else if (readers::write(file, problem.lp, readers::FileFormat::freeMps);
           solver.readMps(file.c_str(), "") != 0)
    throw std::runtime_error(file + " can't be read");
  solver.setSolverOption("engine", "host");
  solver.setSolverOption("threads", "1");
  for (auto const& [name, value] : problem.settings.options())
    if (name == "time-limit" || name == "exact") solver.setSolverOption(name, value);
  if (problem.settings.iterationLimit >= 0)
    solver.setIntParam(OsiMaxNumIteration, static_cast<int>(problem.settings.iterationLimit));
  if (problem.settings.interruptAfter >= 0) solver.setInterrupt(interruptOf(problem.settings));
  solver.initialSolve();
  solver.branchAndBound();
  IntegerClaim claim;
  take(claim, solver.isProvenOptimal()            ? "optimal"
              : solver.isProvenPrimalInfeasible() ? "infeasible"
              : solver.isProvenDualInfeasible()   ? "unbounded"
              : solver.isIterationLimitReached()  ? "iteration_limit"
                                                  : "abandoned");
  if (claim.answer != Answer::optimal) return claim;
  claim.objective = solver.getObjValue();
  claim.point.assign(solver.getColSolution(), solver.getColSolution() + solver.getNumCols());
  auto const enclosure = solver.getObjectiveEnclosure();
  auto const infinite = [](double end) { return std::fabs(end) >= COIN_DBL_MAX; };
  if (!infinite(enclosure.lower)) claim.enclosure.lower = enclosure.lower;
  if (!infinite(enclosure.upper)) claim.enclosure.upper = enclosure.upper;
  return claim;
}

/// `solver` holds the problem.
IntegerClaim byCbc(OsiSolverInterface const& solver, IntegerProblem const& problem,
                   std::vector<std::string> const& generators) {
  ModelRun const run = searchedByCbc(solver, problem.settings, generators);
  IntegerClaim claim;
  claim.answer = run.answer;
  claim.status = toString(run.answer);
  claim.point = run.point;
  claim.objective = run.objective;
  claim.whole = 1e-6;
  return claim;
}

std::vector<std::string> generatorsOf(std::string const& interface) {
  std::vector<std::string> names;
  auto const colon = interface.find(':');
  if (colon == std::string::npos) return names;
  std::istringstream stream(interface.substr(colon + 1));
  for (std::string name; std::getline(stream, name, '+');) names.push_back(name);
  return names;
}

std::optional<IntegerClaim> claimed(std::string const& interface, IntegerProblem const& problem,
                                    std::string const& folder) {
  if (interface == "library") return byLibrary(problem);
  if (interface == "c") return byC(problem);
  if (interface == "program") return byProgram(problem, folder);
  if (interface == "python") return byPython(problem, folder);
  if (interface == "osi") return byOsi(problem, folder);
  if (!problem.lp.choices.empty()) return std::nullopt;  // CbcModel is not given them
  if (interface.rfind("cbc", 0) == 0) {
    OsiCudaSolverInterface solver;
    load(solver, problem.lp);
    solver.setSolverOption("engine", "host");
    solver.setSolverOption("threads", "1");
    if (!solver.prepareIntegers()) {
      IntegerClaim claim;
      take(claim, "infeasible");
      return claim;
    }
    return byCbc(solver, problem, generatorsOf(interface));
  }
  OsiClpSolverInterface solver;
  load(solver, problem.lp);
  return byCbc(solver, problem, generatorsOf(interface));
}

}  // namespace

std::vector<std::string> const& integerInterfaces() {
  static std::vector<std::string> const names{"library", "c",   "program", "python",
                                              "osi",     "cbc", "clp"};
  return names;
}

bool isIntegerInterface(std::string const& name) {
  std::string const first = name.substr(0, name.find(':'));
  if (std::ranges::find(integerInterfaces(), first) == integerInterfaces().end()) return false;
  if (first != name && first != "cbc" && first != "clp") return false;
  return std::ranges::all_of(generatorsOf(name), [](std::string const& generator) {
    return std::ranges::find(generatorNames(), generator) != generatorNames().end();
  });
}

std::optional<IntegerClaim> claimThrough(std::string const& interface,
                                         IntegerProblem const& problem, std::string const& folder) {
  // Cbc branches on free integers of one equation for ever.
  bool const model = interface.rfind("cbc", 0) == 0 || interface.rfind("clp", 0) == 0;
  if (model && problem.lp.rows() == 1 &&
      std::ranges::all_of(problem.lp.columnLower, [](double l) { return l == -infinity; }))
    return std::nullopt;
  auto const start = std::chrono::steady_clock::now();
  auto claim = claimed(interface, problem, folder);
  if (claim)
    claim->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return claim;
}

}  // namespace osi_cuda::stress
