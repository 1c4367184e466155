// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>

#include "bench/dense_peers.hpp"
#include "bench/watchdog.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solver.hpp"
#include "studies/kit/experiment.hpp"
#include "studies/textbook/commands.hpp"
#include "studies/textbook/device_module.hpp"
#include "studies/textbook/host_simplex.hpp"
#include "studies/textbook/problems.hpp"

namespace osi_cuda::textbook {
namespace {

using shell::ExitStatus;
using shell::Failure;
using studies::Measurement;
using Words = std::vector<std::string>;

struct Arguments {
  Words problems{"origin:100x50", "signed:100x50", "uniform:100x50", "traffic-sum:5",
                 "traffic-minimax:5"};
  std::vector<Words> chosen = std::vector<Words>(axes().size());  ///< by axis; empty: all values
  Words peers;
  Limits limits;
  double probeSeconds = 0.5, peerSeconds = 30.0;
  int repeats = 1;
  std::string results;
  bool list = false;
};

/// A problem with its answer, which our engine proves.
struct Problem {
  std::string name;
  LinearProgram lp;
  double optimum = 0.0;

  Problem(std::string const& text, std::uint64_t seed) : name(text), lp(makeProblem(text, seed)) {
    Solution const solution = Solver(lp).solve();
    if (solution.status != Status::optimal)
      throw Failure(ExitStatus::numerical, name + ": no optimum to compare with");
    optimum = solution.objective;
  }
  Measurement measurement(std::string const& form) const {
    Measurement m;
    m.series = "simplex";
    m.problem = name;
    m.size = double(lp.rows()) * lp.columns();
    m.form = form;
    return m;
  }
};

/// What the point x is worth: "right" to 1e-6 in the objective and in every row and bound, "near"
/// to 1e-3, otherwise "wrong"; without a claim "stopped".
std::string judge(Problem const& problem, bool optimal, bool stopped, std::vector<double> const& x,
                  double& error) {
  if (stopped) return "stopped";
  if (!optimal) return "wrong";  // these problems have optima
  Solution point;
  point.columnValues = x;
  point.rowDuals.assign(std::size_t(problem.lp.rows()), 0.0);
  double const residual = residualsOf(problem.lp, point).primal;
  double const gap =
      std::abs(objectiveOf(problem.lp, x) - problem.optimum) / (1.0 + std::abs(problem.optimum));
  error = std::isfinite(gap) ? std::max(gap, residual) : infinity;
  return error <= 1e-6 ? "right" : error <= 1e-3 ? "near" : "wrong";
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
    for (std::string const& name : arguments_.problems) {
      Problem const problem(name, arguments_.limits.seed);
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
      store(problem, variant, label, o, floorOf(variant, double(first.entries.size()), rates));
    }
  }

  void store(Problem const& problem, Variant const& variant, std::string const& label,
             Outcome const& o, double floor) {
    Measurement m = problem.measurement(label);
    Words const words = wordsOf(variant);
    double const pivots = double(std::max<std::int64_t>(1, o.pivots));
    bool const stopped = o.ending == Ending::timeLimit || o.ending == Ending::pivotLimit;
    std::string const verdict =
        judge(problem, o.ending == Ending::optimal, stopped, o.values, m.error);
    m.seconds = o.setupSeconds + o.pivotSeconds;
    m.iterations = double(o.pivots);
    m.ok = verdict != "wrong";
    m.executor = variant.place == Place::device ? deviceModule().deviceName() : "host";
    double const pivot = 1e6 * o.pivotSeconds / pivots, copy = 1e6 * floor * o.entries / pivots;
    m.note = fmt::format("{}, {}, {:.4g} us a pivot, copy {:.4g} us, path {:016x}",
                         toString(o.ending), verdict, pivot, copy, o.path);
    finish(m);
    std::printf("  %-62s %-10s %-7s %7lld pivots %9.4f s %9.2f us a pivot (copy %.2f)\n",
                label.c_str(), toString(o.ending), verdict.c_str(),
                static_cast<long long>(o.pivots), m.seconds, pivot, copy);
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
    Measurement m = problem.measurement(peer);
    auto const end = [&](std::string const& ending, std::string const& verdict, double pivots,
                         double seconds) {
      m.seconds = seconds;
      m.iterations = pivots;
      m.ok = verdict != "wrong";
      m.executor = peer;
      m.note = ending + ", " + verdict;
      finish(m);
      if (verdict == "stopped") tooSlow_.insert(key);
      std::printf("  %-20s %-22s %-10s %-7s %7.0f pivots %9.4f s\n", peer.c_str(),
                  problem.name.c_str(), ending.c_str(), verdict.c_str(), pivots, seconds);
      std::fflush(stdout);
    };
    auto const begin = std::chrono::steady_clock::now();
    auto const seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    constexpr double grace = 5.0;
    Solution solution;
    {
      bench::Watchdog const watchdog(arguments_.peerSeconds + grace, [&] {
        end(toString(Status::timeLimit), "stopped", 0.0, seconds());
      });
      solution = solveByPeer(problem.lp, peer);
    }
    double const taken = seconds();
    bool const stopped = solution.status == Status::timeLimit ||
                         solution.status == Status::iterationLimit ||
                         solution.status == Status::interrupted;
    end(toString(solution.status),
        judge(problem, solution.status == Status::optimal, stopped, solution.columnValues, m.error),
        double(solution.iterations), taken);
  }

  void finish(Measurement const& m) const {
    if (!arguments_.results.empty()) studies::append(arguments_.results, m);
  }

  /// "ours/cuda", "ours/host", or what bench/dense_peers.hpp takes.
  Solution solveByPeer(LinearProgram const& lp, std::string const& peer) const {
    if (peer.rfind("ours/", 0) == 0) {
      Options options;
      if (std::string const fault = setOption(options, "engine", peer.substr(5)); !fault.empty())
        throw Failure(ExitStatus::usage, fault);
      options.timeLimit = arguments_.peerSeconds;
      return Solver(lp).solve(options);
    }
    try {
      return bench::solveByPeer(lp, {.solver = peer, .limit = arguments_.peerSeconds});
    } catch (std::invalid_argument const& fault) {
      throw Failure(ExitStatus::usage, fault.what());
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
    std::cerr << "study_textbook: " << reason << "; only the processor's variants are run\n";
    std::erase_if(variants, [](Variant const& v) { return v.place == Place::device; });
  }
  return Session(arguments, variants).run();
}

}  // namespace

shell::Command simplexCommand() {
  return {"simplex", "the two-phase tableau method in all its variants", [](CLI::App& app) {
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
            app.add_option("--peer", a->peers,
                           "other solvers: ours/cuda, ours/host, clp/dual, lp_solve, glpk, ...")
                ->delimiter(',');
            app.add_option("--seconds", a->limits.seconds, "limit of a run [none]")
                ->check(CLI::PositiveNumber);
            app.add_option(
                   "--probe-seconds", a->probeSeconds,
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
            app.add_flag("--list", a->list, "only name the variants");
            return shell::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::textbook
