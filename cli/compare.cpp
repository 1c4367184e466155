// SPDX-License-Identifier: EPL-2.0
#include "cli/compare.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <ostream>

#include "cli/command.hpp"
#include "cli/device_opening.hpp"
#include "cli/interrupt.hpp"
#include "cli/result.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {

using namespace shell;

namespace {

using Json = nlohmann::ordered_json;

constexpr char ownName[] = "osi_cuda";

bool isOwn(std::string const& name) {
  return name.starts_with(ownName);
}

/// This solver comes first, unless the list names it itself (with an engine or an algorithm).
std::vector<Contestant> contestantsOf(std::string const& with,
                                      std::vector<BridgePointer> const& solvers) {
  std::string list = with;
  if (list.empty()) {
    for (auto const& solver : solvers)
      if (!isOwn(solver->name())) list += (list.empty() ? "" : ",") + solver->name();
  }
  if (list.empty()) return parseContestants(ownName, solvers);  // there is nobody else
  auto contestants = parseContestants(list, solvers);
  bool const named =
      std::ranges::any_of(contestants, [](auto const& one) { return isOwn(one.bridge->name()); });
  if (named) return contestants;
  auto own = parseContestants(ownName, solvers);
  own.insert(own.end(), contestants.begin(), contestants.end());
  return own;
}

/// Who is asked about the final basis of this solver.
std::vector<Contestant> warmJudges(std::vector<Contestant> const& contestants) {
  std::vector<Contestant> judges;
  for (auto const& one : contestants)
    if (one.bridge->name() == "glpk" || one.bridge->name() == "clp") judges.push_back(one);
  return judges;
}

struct FileResult {
  std::string file;
  LinearProgram lp;
  Comparison comparison;
  std::vector<WarmCheck> warm;
};

ExitStatus statusOf(Comparison const& comparison) {
  if (comparison.disagreement()) return ExitStatus::disagreement;
  if (comparison.truth.known)
    return comparison.truth.status == Status::optimal ? ExitStatus::optimal : ExitStatus::noOptimum;
  auto const numerical = [](Answer const& answer) {
    return answer.solution.status == Status::numerical;
  };
  bool const allNumerical = std::ranges::all_of(comparison.answers, numerical);
  return allNumerical ? ExitStatus::numerical : ExitStatus::stopped;
}

std::string proofOf(Answer const& answer) {
  if (!answer.proved) return "-";
  return answer.solution.status == Status::optimal      ? "kkt"
         : answer.solution.status == Status::infeasible ? "farkas"
                                                        : "ray";
}

std::vector<std::string> tableRow(Answer const& answer) {
  if (answer.verdict == Verdict::skipped)
    return {answer.label(), "-", "-", "-", "-", "-", "-", "-", "-", "-", "skipped"};
  Solution const& solution = answer.solution;
  bool const optimal = solution.status == Status::optimal;
  constexpr int few = 2;
  auto const residual = [&](double value) { return optimal ? shortNumber(value, few) : "-"; };
  return {answer.label(),
          toString(solution.status),
          optimal ? shortNumber(solution.objective, 12) : "-",
          residual(answer.relativeDifference),
          std::to_string(solution.iterations),
          shortNumber(solution.seconds, 3),
          residual(solution.residuals.primal),
          residual(solution.residuals.dual),
          residual(solution.residuals.complementarity),
          proofOf(answer),
          toString(answer.verdict)};
}

std::string truthLine(Comparison const& comparison) {
  Truth const& truth = comparison.truth;
  if (!truth.known)
    return comparison.disagreement() ? "Claims differ and nothing proves one of them."
                                     : "No solver made a claim.";
  std::string line = toString(truth.status);
  if (truth.status == Status::optimal) line += ' ' + shortNumber(truth.objective, 12);
  return line + (truth.proved ? ", proved by " : ", not proved, claimed by ") + truth.source;
}

void printTable(FileResult const& result, std::ostream& out) {
  out << result.file << ": " << result.lp.rows() << " rows, " << result.lp.columns() << " columns, "
      << result.lp.matrix.nonzeros() << " nonzeros\n";
  if (RelaxedColumns const relaxed = relaxedIn(result.lp); relaxed != RelaxedColumns())
    out << "relaxed: " << relaxed.text("solve --integers") << '\n';
  TextTable table({"solver", "status", "objective", "difference", "iterations", "seconds", "primal",
                   "dual", "gap", "proof", "verdict"});
  for (auto const& answer : result.comparison.answers) table.add(tableRow(answer));
  table.print(out);
  for (auto const& answer : result.comparison.answers)
    if (!answer.reason.empty())
      out << answer.label() << " (" << toString(answer.verdict) << "): " << answer.reason << '\n';
  for (auto const& check : result.warm)
    out << "warm start: "
        << (check.confirmed ? check.label + " confirms the final basis, 0 iterations"
                            : check.sentence)
        << '\n';
  out << truthLine(result.comparison) << "\n\n";
}

Json jsonOf(Answer const& answer) {
  Solution const& solution = answer.solution;
  Json json{{"solver", answer.solver},
            {"algorithm", answer.algorithm},
            {"version", answer.version},
            {"verdict", toString(answer.verdict)}};
  if (!answer.reason.empty()) json["reason"] = answer.reason;
  if (answer.verdict == Verdict::skipped) return json;
  json["status"] = toString(solution.status);
  json["proved"] = answer.proved;
  if (solution.status == Status::optimal) {
    json["objective"] = numberOrNull(solution.objective);
    json["difference"] = numberOrNull(answer.relativeDifference);
    json["residuals"] = {{"primal", numberOrNull(solution.residuals.primal)},
                         {"dual", numberOrNull(solution.residuals.dual)},
                         {"complementarity", numberOrNull(solution.residuals.complementarity)}};
  }
  json["iterations"] = solution.iterations;
  json["seconds"] = solution.seconds;
  if (solution.engine != SolveEngine::none) json["engine"] = toString(solution.engine);
  if (!solution.device.empty()) json["device"] = solution.device;
  return json;
}

Json jsonOf(FileResult const& result, ExitStatus status) {
  Json json{{"file", result.file},
            {"rows", result.lp.rows()},
            {"columns", result.lp.columns()},
            {"nonzeros", result.lp.matrix.nonzeros()},
            {"exit_status", static_cast<int>(status)}};
  addRelaxed(json, relaxedIn(result.lp));
  Truth const& truth = result.comparison.truth;
  json["truth"] = {{"known", truth.known}, {"proved", truth.proved}};
  if (truth.known) {
    json["truth"]["status"] = toString(truth.status);
    if (truth.status == Status::optimal) json["truth"]["objective"] = truth.objective;
    json["truth"]["source"] = truth.source;
  }
  json["answers"] = Json::array();
  for (auto const& answer : result.comparison.answers) json["answers"].push_back(jsonOf(answer));
  json["warm_starts"] = Json::array();
  for (auto const& check : result.warm)
    json["warm_starts"].push_back({{"solver", check.label},
                                   {"confirmed", check.confirmed},
                                   {"iterations", check.solution.iterations},
                                   {"status", toString(check.solution.status)},
                                   {"message", check.sentence}});
  return json;
}

FileResult compareFile(std::string const& file, std::vector<Contestant> const& contestants,
                       ComparisonOptions const& options) {
  FileResult result;
  result.file = file;
  result.lp = readers::read(file, {.interrupted = options.interrupted}).lp;
  result.comparison = compareSolvers(result.lp, contestants, options);
  for (auto const& answer : result.comparison.answers) {
    if (!isOwn(answer.solver)) continue;
    auto checks = warmChecks(result.lp, answer, warmJudges(contestants), options);
    std::move(checks.begin(), checks.end(), std::back_inserter(result.warm));
  }
  return result;
}

/// The one that says most: solvers at odds, then what kept a file from being solved.
ExitStatus worse(ExitStatus a, ExitStatus b) {
  constexpr std::array order{
      ExitStatus::disagreement, ExitStatus::internal,  ExitStatus::unavailable,
      ExitStatus::badInput,     ExitStatus::noInput,   ExitStatus::numerical,
      ExitStatus::stopped,      ExitStatus::noOptimum, ExitStatus::optimal};
  for (ExitStatus const status : order)
    if (status == a || status == b) return status;
  return ExitStatus::internal;
}

class OwnBridge final : public Bridge {
 public:
  OwnBridge(std::string name, Options const& base) : name_(std::move(name)), base_(base) {}

  std::string name() const override { return name_; }
  std::string version() const override { return OSI_CUDA_VERSION; }
  std::vector<std::string> algorithms() const override {
    return {"auto", "primal", "dual", "barrier"};
  }
  bool startsFromBasis(std::string const& algorithm) const override {
    return algorithm != "barrier";
  }

  void open(std::string const& algorithm) const override {
    if (!isDevice(base_.engine)) return;
    BridgeOptions options;
    options.algorithm = algorithm;
    try {
      LinearProgram const lp = exercise();
      Basis const basis = run(lp, options).basis;
      // From there again: a refactorisation is the first use of more libraries of a device.
      if (startsFromBasis(algorithm)) options.startBasis = basis;
      run(lp, options);
    } catch (BridgeLimit const&) {  // every solve says so
    }
  }

 protected:
  Solution run(LinearProgram const& lp, BridgeOptions const& options) const override {
    Options own = base_;
    findOption("algorithm")->set(own, options.algorithm);
    own.timeLimit = options.timeLimit;
    own.threads = options.threads;
    Callbacks callbacks;
    callbacks.interrupted = options.interrupted;
    try {
      Solver solver = takeSolver();
      solver.load(lp);
      if (!options.startBasis.empty()) solver.setBasis(options.startBasis);
      Solution solution = solver.solve(own, callbacks);
      solver.load({});
      std::lock_guard const lock(mutex_);
      idle_.push_back(std::move(solver));
      return solution;
    } catch (EngineUnavailable const& unavailable) {
      throw BridgeLimit(unavailable.what());
    } catch (std::bad_alloc const&) {
      throw BridgeLimit("not enough memory");
    }
  }

 private:
  /// One whose engine is open from an earlier solve, where there is one.
  Solver takeSolver() const {
    std::lock_guard const lock(mutex_);
    if (idle_.empty()) return Solver();
    Solver solver = std::move(idle_.back());
    idle_.pop_back();
    return solver;
  }

  std::string name_;
  Options base_;
  std::mutex mutable mutex_;  ///< of idle_
  std::vector<Solver> mutable idle_;
};

}  // namespace

ExitStatus askingOthers(std::function<ExitStatus()> const& run) {
  try {
    return run();
  } catch (BridgeUnavailable const& missing) {
    throw Failure(ExitStatus::unavailable, std::string("--with: ") + missing.what());
  } catch (std::invalid_argument const& unknownSolver) {
    throw Failure(ExitStatus::usage, std::string("--with: ") + unknownSolver.what());
  }
}

ExitStatus compareFiles(CompareRequest const& request, std::vector<BridgePointer> const& solvers,
                        std::ostream& out, std::ostream& log) {
  auto const contestants = contestantsOf(request.with, solvers);
  ExitStatus worst = ExitStatus::optimal;
  Json all = Json::array();
  for (auto const& file : request.files) {
    if (request.options.interrupted && request.options.interrupted()) {
      worst = worse(worst, ExitStatus::stopped);
      break;
    }
    try {
      FileResult const result = compareFile(file, contestants, request.options);
      ExitStatus const status = statusOf(result.comparison);
      worst = worse(worst, status);
      if (request.json) {
        all.push_back(jsonOf(result, status));
      } else {
        printTable(result, out);
      }
    } catch (readers::ReadInterrupted const&) {
      worst = worse(worst, ExitStatus::stopped);
    } catch (...) {
      FailureReport failure = report(std::current_exception());
      log << failure.line << '\n';
      failure.json["file"] = file;
      all.push_back(std::move(failure.json));
      worst = worse(worst, failure.status);
    }
  }
  if (request.json) out << toText(all) << '\n';
  return worst;
}

Run setUpCompare(CLI::App& app) {
  auto const request = std::make_shared<CompareRequest>();
  auto const texts = std::make_shared<std::vector<std::string>>();
  addArgument(app, "FILE", request->files, "linear programs to solve");
  addValue(app, "--with", request->with, "LIST",
           "solvers to compare with, as glpk,lp_solve,clp/primal,glpk/all "
           "[every bridge, its default algorithm]");
  app.add_flag("--json", request->json, "print a JSON array, one object a file");
  addValue(app, "--objective-tolerance", request->options.objectiveTolerance, "NUMBER",
           CLI::NonNegativeNumber, "relative difference up to which objectives agree [1e-6]");
  addSolverOptions(app, *texts, ListedIn::helpOfSolve);
  return [request, texts] {
    Options const own = solverOptions(*texts);
    request->options.timeLimit = own.timeLimit;
    request->options.threads = own.threads;
    request->options.interrupted = interrupted;
    catchInterrupts();
    if (request->with.empty()) tellMissing(std::cerr);
    return askingOthers(
        [&] { return compareFiles(*request, allSolvers(own), std::cout, std::cerr); });
  };
}

std::vector<BridgePointer> allSolvers(Options const& base) {
  Options host = base;
  host.engine = EngineChoice::host;
  Options cuda = base;
  cuda.engine = EngineChoice::cuda;
  std::vector<BridgePointer> all{std::make_shared<OwnBridge>("osi_cuda", base),
                                 std::make_shared<OwnBridge>("osi_cuda@host", host),
                                 std::make_shared<OwnBridge>("osi_cuda@cuda", cuda)};
  for (auto& bridge : bridges()) all.push_back(std::move(bridge));
  return all;
}

void tellMissing(std::ostream& log) {
  for (BridgeReport const& report : findBridges())
    if (!report.bridge)
      log << "osi-cuda: solver " << report.name << " is left out: " << report.reason << '\n';
}

}  // namespace osi_cuda::cli
