// SPDX-License-Identifier: EPL-2.0
#include "bench/netlib_settings.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "shell/solver_options.hpp"

namespace osi_cuda::bench {
namespace {

/// What is parsed once all has been read.
struct Texts {
  NetlibSettings settings;
  std::string algorithm;
  std::vector<std::string> peers, options;
  double memoryGigabytes = 60.0;
};

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
  for (std::string const& text : texts.peers) try {
      for (Contestant& peer : parseContestants(text, bridges())) s.peers.push_back(std::move(peer));
    } catch (std::invalid_argument const& fault) {
      throw shell::Failure(shell::ExitStatus::usage, fault.what());
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
  app.add_option("--algorithm", texts->algorithm,
                 "primal, dual, barrier or none (only peers) [primal and dual]")
      ->check(CLI::IsMember({"primal", "dual", "barrier", "none"}));
  app.add_option("--peer", texts->peers, "clp, highs, clp/primal, ...")->allow_extra_args(false);
  app.add_option("--peer-limit", s.peerLimit, "seconds of another solver [60]");
  app.add_flag("--peer-presolve", s.peerPresolve, "the others may use their presolve");
  app.add_option("--results", s.resultsFile,
                 "a CSV file: a line for each problem and solver as it is finished");
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
  return fitting;
}

}  // namespace osi_cuda::bench
