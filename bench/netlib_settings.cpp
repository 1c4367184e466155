// SPDX-License-Identifier: EPL-2.0
#include "bench/netlib_settings.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "bench/results.hpp"
#include "shell/solver_options.hpp"

namespace osi_cuda::bench {
namespace {

/// A time limit ends solves of larger problems; their share of the work does not grow any more.
constexpr double dealtCells = 1e9;

/// What is parsed once all has been read.
struct Texts {
  NetlibSettings settings;
  std::string algorithm, part = "1/1";
  std::vector<std::string> peers, options;
  double memoryGigabytes = 60.0;
};

[[noreturn]] void refuse(std::string const& sentence) {
  throw shell::Failure(shell::ExitStatus::usage, sentence);
}

NetlibSettings settingsOf(Texts const& texts) {
  NetlibSettings s = texts.settings;
  s.options.timeLimit = 120.0;
  s.options.presolve = Toggle::off;  // as the peers, unless it is asked for
  s.options = shell::solverOptions(texts.options, s.options);
  s.memoryLimit = 1e9 * texts.memoryGigabytes;
  if (texts.algorithm == "primal") s.algorithms = {AlgorithmChoice::primal};
  if (texts.algorithm == "dual") s.algorithms = {AlgorithmChoice::dual};
  if (texts.algorithm == "barrier") s.algorithms = {AlgorithmChoice::barrier};
  if (texts.algorithm == "none") s.algorithms.clear();
  char end = '\0';
  if (std::sscanf(texts.part.c_str(), "%d/%d%c", &s.part, &s.parts, &end) != 2 || s.part < 1 ||
      s.part > s.parts)
    refuse("--part looks like 2/4, not '" + texts.part + "'");
  for (std::string const& text : texts.peers) try {
      for (Contestant& peer : parseContestants(text, bridges())) s.peers.push_back(std::move(peer));
    } catch (std::invalid_argument const& fault) {
      refuse(fault.what());
    }
  return s;
}

std::vector<testing::Instance> allInstances(std::string const& set) {
  std::vector<testing::Instance> all;
  if (set != "kennington") all = testing::netlibInstances();
  if (set != "netlib")
    for (auto& instance : testing::kenningtonInstances()) all.push_back(std::move(instance));
  std::stable_sort(all.begin(), all.end(),
                   [](auto const& a, auto const& b) { return a.cells() < b.cells(); });
  return all;
}

}  // namespace

std::function<NetlibSettings()> addNetlibSettings(CLI::App& app) {
  auto const texts = std::make_shared<Texts>();
  NetlibSettings& s = texts->settings;
  shell::addSolverOptions(app, texts->options);
  app.remove_option(app.get_option("--algorithm"));
  app.add_option("--set", s.set, "netlib, kennington or all [netlib]")
      ->check(CLI::IsMember({"netlib", "kennington", "all"}));
  app.add_option("--only", s.only, "problems by name")->allow_extra_args(false);
  app.add_option("--min-cells", s.minCells, "problems of that many rows x columns");
  app.add_option("--max-cells", s.maxCells, "problems of no more than that many");
  app.add_option("--memory-limit", texts->memoryGigabytes,
                 "GB: problems whose tableau with its FP32 copy takes more are left out [60]");
  app.add_option("--part", texts->part,
                 "I/N: the I-th of N shares of about the same work, for several devices");
  app.add_option("--algorithm", texts->algorithm,
                 "primal, dual, barrier or none (only peers) [primal and dual]")
      ->check(CLI::IsMember({"primal", "dual", "barrier", "none"}));
  app.add_option("--peer", texts->peers, "clp, highs, clp/primal, ...")->allow_extra_args(false);
  app.add_option("--peer-limit", s.peerLimit, "seconds of another solver [60]");
  app.add_flag("--peer-presolve", s.peerPresolve, "the others may use their presolve");
  app.add_option("--results", s.resultsFile,
                 "adds a line for each problem and solver as it is finished; what has its line "
                 "already is not run again");
  app.add_flag("--list", s.list, "only name the problems, the largest first");
  app.add_option("--print", s.print, "only print the tables of these results files");
  app.add_option("--solvers", s.solvers, "those of the tables")->delimiter(',');
  app.add_flag("--ratios", s.ratios, "print how many times the quickest of ours instead");
  return [texts] { return settingsOf(*texts); };
}

std::string ownLabel(Options const& options, AlgorithmChoice algorithm) {
  std::string label = findOption("engine")->get(options);
  label += algorithm == AlgorithmChoice::primal    ? "/primal"
           : algorithm == AlgorithmChoice::barrier ? "/barrier"
                                                   : "/dual";
  if (options.pricing != Pricing::automatic) label += '/' + findOption("pricing")->get(options);
  if (options.presolve != Toggle::off) label += "/presolve";
  return label;
}

double tableauBytes(testing::Instance const& instance) {
  return instance.cells() * (sizeof(double) + sizeof(float));
}

std::vector<testing::Instance> pickInstances(NetlibSettings const& s,
                                             std::vector<testing::Instance>& left) {
  std::vector<testing::Instance> fitting;
  for (auto& instance : allInstances(s.set)) {
    if (instance.cells() < s.minCells || instance.cells() > s.maxCells) continue;
    if (!s.only.empty() && std::find(s.only.begin(), s.only.end(), instance.name) == s.only.end())
      continue;
    (tableauBytes(instance) > s.memoryLimit ? left : fitting).push_back(std::move(instance));
  }
  std::vector<double> costs;
  for (auto const& instance : fitting) costs.push_back(std::min(instance.cells(), dealtCells));
  std::vector<int> const hands = deal(costs, s.parts);
  std::vector<testing::Instance> mine;
  for (std::size_t i = 0; i < fitting.size(); ++i)
    if (hands[i] == s.part - 1) mine.push_back(std::move(fitting[i]));
  return mine;
}

}  // namespace osi_cuda::bench
