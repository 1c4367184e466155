// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>

#include "bridges/comparison.hpp"
#include "examples/common/records.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/textbook/commands.hpp"
#include "examples/textbook/device_module.hpp"
#include "examples/textbook/host_simplex.hpp"
#include "examples/textbook/problems.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::textbook {
namespace {

using examples::appendRecord;
using examples::numberOf;
using examples::Record;
using examples::textOf;
using examples::toField;
using shell::ExitStatus;
using shell::Failure;
using Words = std::vector<std::string>;

struct Arguments {
  Words problems{"origin:100x50", "signed:100x50", "uniform:100x50", "traffic-sum:5",
                 "traffic-minimax:5"};
  std::vector<Words> chosen = std::vector<Words>(axes().size());  ///< by axis; empty: all values
  Words peers;
  Limits limits;
  double probeSeconds = 0.5, peerSeconds = 30.0;
  int repeats = 1;
  std::string results, optima;
  bool list = false;
};

/// A problem with its answer, which our engine has proved, now or in a run before.
struct Problem {
  std::string name;
  LinearProgram lp;
  double optimum = 0.0;

  Problem(std::string const& text, std::uint64_t seed, std::vector<Record> const& before)
      : name(text), lp(makeProblem(text, seed)) {
    for (Record const& record : before)
      if (textOf(record, "problem") == name && !textOf(record, "optimum").empty()) {
        optimum = numberOf(record, "optimum");
        return;
      }
    Solution const solution = Solver(lp).solve();
    if (solution.status != Status::optimal)
      throw Failure(ExitStatus::numerical, name + ": no optimum to compare with");
    optimum = solution.objective;
  }
  Record record(std::string const& solver) const {
    return {{"problem", name},
            {"rows", std::to_string(lp.rows())},
            {"columns", std::to_string(lp.columns())},
            {"optimum", examples::toField(optimum, 17)},
            {"solver", solver}};
  }
};

/// The columns of a results file; other solvers leave some empty.
Words columnNames() {
  Words names{"problem", "rows", "columns", "optimum", "solver"};
  for (Axis const& axis : axes()) names.push_back(axis.name);
  for (char const* const name :
       {"tableau_rows", "tableau_columns", "ending", "verdict", "pivots", "phase1_pivots",
        "seconds", "setup_seconds", "pivot_us", "floor_us", "error", "residual", "path"})
    names.emplace_back(name);
  return names;
}

/// What the point x is worth: "right" to 1e-6 in the objective and in every row and bound, "near"
/// to 1e-3, otherwise "wrong"; without a claim "stopped".
std::string judge(Problem const& problem, bool optimal, bool stopped, std::vector<double> const& x,
                  Record& record) {
  if (stopped) return "stopped";
  if (!optimal) return "wrong";  // these problems have optima
  Solution point;
  point.columnValues = x;
  point.rowDuals.assign(std::size_t(problem.lp.rows()), 0.0);
  double const residual = residualsOf(problem.lp, point).primal;
  double const error =
      std::abs(objectiveOf(problem.lp, x) - problem.optimum) / (1.0 + std::abs(problem.optimum));
  record["error"] = toField(error);
  record["residual"] = toField(residual);
  double const worst = std::isfinite(error) ? std::max(error, residual) : infinity;
  return worst <= 1e-6 ? "right" : worst <= 1e-3 ? "near" : "wrong";
}

Outcome solve(FirstTableau const& first, Variant const& variant, Limits const& limits) {
  return variant.place == Place::device ? deviceModule().simplex(first, variant, limits)
                                        : solveOnHost(first, variant, limits);
}

/// What a pivot can't be quicker than, in seconds an entry: the update reads and writes it, which
/// is a copy; greatest improvement reads it once more. `rates` keeps what has been measured:
/// seconds an entry of a copy as large as the tableau.
double floorOf(Variant const& v, double entries, std::map<Words, double>& rates) {
  Words const words = wordsOf(v);
  double const bytes = entries * (v.precision == Precision::doubles ? 8 : 4);
  double& copy = rates[{words[0], v.place == Place::host ? words[3] : "", words[4]}];
  if (copy == 0.0)
    copy = (v.place == Place::device ? deviceModule().copySeconds(bytes)
                                     : hostCopySeconds(bytes, v.drive)) /
           entries;
  return v.rule == Rule::largest ? copy : 1.5 * copy;
}

class Session {
 public:
  Session(Arguments const& arguments, std::vector<Variant> variants)
      : arguments_(arguments), variants_(std::move(variants)) {}

  ExitStatus run() {
    // Opens whatever has to be opened: that is no part of a solve.
    for (std::string const& peer : arguments_.peers)
      solveByPeer(makeProblem("origin:200x100", 1), peer);
    std::vector<Record> optima;
    if (!arguments_.optima.empty()) optima = examples::readRecords(arguments_.optima);
    for (std::string const& name : arguments_.problems) {
      Problem const problem(name, arguments_.limits.seed, optima);
      if (!variants_.empty()) runVariants(problem);
      for (std::string const& peer : arguments_.peers) runPeer(problem, peer);
    }
    return summary();
  }

 private:
  void runVariants(Problem const& problem) {
    FirstTableau const first = firstTableau(problem.lp);
    std::map<Words, double> rates;
    std::printf("%s: tableau %d x %d, optimum %.10g\n", problem.name.c_str(), first.m + 2,
                first.columns + 1, problem.optimum);
    for (Variant const& variant : variants_) {
      std::string label;
      for (std::string const& word : wordsOf(variant)) label += (label.empty() ? "" : " ") + word;
      Limits limits = arguments_.limits;
      std::string const key = familyOfProblem(problem.name) + ' ' + label;
      if (tooSlow_.count(key)) limits.seconds = std::min(limits.seconds, arguments_.probeSeconds);
      std::vector<Outcome> outcomes;
      for (int k = 0; k < arguments_.repeats; ++k) {
        outcomes.push_back(solve(first, variant, limits));
        if (outcomes.back().ending == Ending::timeLimit) break;
      }
      std::sort(outcomes.begin(), outcomes.end(),
                [](Outcome const& a, Outcome const& b) { return a.pivotSeconds < b.pivotSeconds; });
      Outcome const& o = outcomes[outcomes.size() / 2];
      if (o.ending == Ending::timeLimit) tooSlow_.insert(key);
      store(problem, first, variant, label, o,
            floorOf(variant, double(first.entries.size()), rates));
    }
  }

  void store(Problem const& problem, FirstTableau const& first, Variant const& variant,
             std::string const& label, Outcome const& o, double floor) {
    Record record = problem.record("textbook");
    Words const words = wordsOf(variant);
    for (std::size_t k = 0; k < words.size(); ++k) record[axes()[k].name] = words[k];
    double const pivots = double(std::max<std::int64_t>(1, o.pivots));
    char path[20];
    std::snprintf(path, sizeof path, "%016llx", static_cast<unsigned long long>(o.path));
    record.merge(Record{{"tableau_rows", std::to_string(first.m + 2)},
                        {"tableau_columns", std::to_string(first.columns + 1)},
                        {"ending", toString(o.ending)},
                        {"pivots", std::to_string(o.pivots)},
                        {"phase1_pivots", std::to_string(o.phase1Pivots)},
                        {"seconds", toField(o.setupSeconds + o.pivotSeconds)},
                        {"setup_seconds", toField(o.setupSeconds)},
                        {"pivot_us", toField(1e6 * o.pivotSeconds / pivots)},
                        {"floor_us", toField(1e6 * floor * o.entries / pivots)},
                        {"path", path}});
    bool const stopped = o.ending == Ending::timeLimit || o.ending == Ending::pivotLimit;
    std::string const verdict =
        judge(problem, o.ending == Ending::optimal, stopped, o.values, record);
    record["verdict"] = verdict;
    appendRecord(arguments_.results, columnNames(), record);
    std::printf("  %-62s %-10s %-7s %7lld pivots %9.4f s %9.2f us a pivot (copy %.2f)\n",
                label.c_str(), toString(o.ending), verdict.c_str(),
                static_cast<long long>(o.pivots), o.setupSeconds + o.pivotSeconds,
                numberOf(record, "pivot_us"), numberOf(record, "floor_us"));
    std::fflush(stdout);
    ++counts_[{words[4], verdict}];
    // The rules of a device's four kernels are one rule.
    std::string const group =
        problem.name + (variant.rule == Rule::largest ? " largest " : " greatest ") + words[4];
    if (!stopped) paths_[group].insert(o.path);
  }

  void runPeer(Problem const& problem, std::string const& peer) {
    std::string const key = familyOfProblem(problem.name) + ' ' + peer;
    if (tooSlow_.count(key)) return;
    Record record = problem.record(peer);
    auto const finish = [&](std::string const& ending, std::string const& verdict, double pivots,
                            double seconds) {
      record.merge(Record{{"ending", ending},
                          {"verdict", verdict},
                          {"pivots", toField(pivots)},
                          {"seconds", toField(seconds)},
                          {"pivot_us", toField(1e6 * seconds / std::max(1.0, pivots))}});
      appendRecord(arguments_.results, columnNames(), record);
      if (verdict == "stopped") tooSlow_.insert(key);
      std::printf("  %-20s %-22s %-10s %-7s %7.0f pivots %9.4f s\n", peer.c_str(),
                  problem.name.c_str(), ending.c_str(), verdict.c_str(), pivots, seconds);
      std::fflush(stdout);
    };
    Stopwatch const watch;
    Solution const solution = solveByPeer(problem.lp, peer);
    double const taken = watch.seconds();
    bool const optimal = solution.status == Status::optimal;
    bool const stopped =
        !optimal && solution.status != Status::infeasible && solution.status != Status::unbounded;
    finish(toString(solution.status),
           judge(problem, optimal, stopped, solution.columnValues, record),
           double(solution.iterations), taken);
  }

  /// "osi/cuda" and "osi/host": this project's engine behind OSI; else what the bridges have.
  Solution solveByPeer(LinearProgram const& lp, std::string const& peer) const {
    if (peer.rfind("osi/", 0) == 0) {
      LinearProgram minimised = lp;
      if (lp.sense == Sense::maximize)
        for (double& cost : minimised.objective) cost = -cost;
      auto const solver =
          examples::makeSolver("cuda", peer.substr(4), toField(arguments_.peerSeconds));
      examples::load(*solver, minimised);
      solver->initialSolve();
      Solution solution;
      solution.status = solver->isProvenOptimal()            ? Status::optimal
                        : solver->isProvenPrimalInfeasible() ? Status::infeasible
                        : solver->isProvenDualInfeasible()   ? Status::unbounded
                                                             : Status::timeLimit;
      solution.columnValues.assign(solver->getColSolution(),
                                   solver->getColSolution() + lp.columns());
      solution.iterations = solver->getIterationCount();
      return solution;
    }
    try {
      Contestant const other = parseContestants(peer, bridges()).front();
      BridgeOptions options;
      options.algorithm = other.algorithm;
      options.timeLimit = arguments_.peerSeconds;
      return other.bridge->solve(lp, options);
    } catch (std::invalid_argument const& fault) {
      throw Failure(ExitStatus::usage, fault.what());
    } catch (BridgeUnavailable const& fault) {
      throw Failure(ExitStatus::unavailable, fault.what());
    }
  }

  /// Verdicts by precision, and whether all runs of a rule went the same way.
  ExitStatus summary() const {
    bool sound = true;
    for (auto const& [what, count] : counts_) {
      std::printf("%s precision: %d %s\n", what.first.c_str(), count, what.second.c_str());
      sound =
          sound && !(what.first == "double" && (what.second == "wrong" || what.second == "near"));
    }
    for (auto const& [group, paths] : paths_) {
      if (paths.size() == 1) continue;
      std::printf("%s: %zu different sequences of pivots\n", group.c_str(), paths.size());
      sound = false;
    }
    if (!paths_.empty() && sound) std::printf("every rule took one path, wherever it ran\n");
    return sound ? ExitStatus::optimal : ExitStatus::disagreement;
  }

  Arguments const& arguments_;
  std::vector<Variant> variants_;
  std::set<std::string> tooSlow_;  ///< family and variant or peer that met its limit
  std::map<std::pair<std::string, std::string>, int> counts_;
  std::map<std::string, std::set<std::uint64_t>> paths_;
};

ExitStatus run(Arguments const& arguments) {
  std::vector<Variant> variants;
  bool wantsDevice = false;
  for (Variant const& variant : allVariants()) {
    Words const words = wordsOf(variant);
    bool wanted = true;
    for (std::size_t k = 0; k < words.size(); ++k) {
      Words const& chosen = arguments.chosen[k];
      wanted = wanted && (chosen.empty() ||
                          std::find(chosen.begin(), chosen.end(), words[k]) != chosen.end());
    }
    if (!wanted) continue;
    variants.push_back(variant);
    wantsDevice = wantsDevice || variant.place == Place::device;
  }
  if (arguments.list) {
    for (Variant const& variant : variants) {
      for (std::string const& word : wordsOf(variant)) std::cout << word << ' ';
      std::cout << '\n';
    }
    return ExitStatus::optimal;
  }
  if (std::string const reason = wantsDevice ? whyNoDevice() : ""; !reason.empty()) {
    // Whoever named the device means it; otherwise the processor's variants are run.
    if (!arguments.chosen[0].empty()) throw EngineUnavailable(reason);
    std::cerr << "textbook: " << reason << "; only the processor's variants are run\n";
    std::erase_if(variants, [](Variant const& v) { return v.place == Place::device; });
  }
  return Session(arguments, variants).run();
}

}  // namespace

shell::Command simplexCommand() {
  return {
      "simplex", "the two-phase tableau method in all its variants", [](CLI::App& app) {
        auto const a = std::make_shared<Arguments>();
        app.add_option("--problem", a->problems,
                       "origin:ROWSxCOLUMNS, signed:..., uniform:..., traffic-sum:NODES, "
                       "traffic-minimax:NODES; several [five small ones]")
            ->delimiter(',');
        for (std::size_t k = 0; k < axes().size(); ++k) {
          std::string values;
          for (std::string const& value : axes()[k].values)
            values += (values.empty() ? "" : ", ") + value;
          app.add_option("--" + axes()[k].name, a->chosen[k], values + " [all]")
              ->delimiter(',')
              ->check(CLI::IsMember(axes()[k].values) | CLI::IsMember({"none"}));
        }
        app.add_option(
               "--peer", a->peers,
               "other solvers: osi/cuda, osi/host (this project's engine), clp/dual, lp_solve, ...")
            ->delimiter(',');
        app.add_option("--seconds", a->limits.seconds, "limit of a run [none]")
            ->check(CLI::PositiveNumber);
        app.add_option("--probe-seconds", a->probeSeconds,
                       "limit of a run where a smaller problem of the family met its limit [0.5]")
            ->check(CLI::PositiveNumber);
        app.add_option("--peer-seconds", a->peerSeconds, "limit of another solver [30]")
            ->check(CLI::PositiveNumber);
        app.add_option("--pivots", a->limits.pivots, "limit of a run [none]")
            ->check(CLI::NonNegativeNumber);
        app.add_option("--repeats", a->repeats, "runs, the median counts [1]")
            ->check(CLI::Range(1, 1000));
        app.add_option("--seed", a->limits.seed, "of problems and random ties [1]");
        app.add_option("--results", a->results, "CSV file to which a line a run is appended");
        app.add_option("--optima", a->optima,
                       "results file of a run of the same seed: its optima are not found anew");
        app.add_flag("--list", a->list, "only name the variants");
        return shell::Run([a] { return run(*a); });
      }};
}

}  // namespace osi_cuda::textbook
