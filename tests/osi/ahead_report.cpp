// SPDX-License-Identifier: EPL-2.0
// Cbc with and without branches computed ahead of its hot starts: osi_ahead_report. One line of a
// table a file: whether the trees are the same, solve by solve, and what either way takes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "shell/command.hpp"
#include "shell/failure.hpp"
#include "tests/osi/traced_search.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

struct Settings {
  std::vector<std::string> files;
  std::string engine = "host", representation = "auto";
  int threads = 2, strong = 10, nodes = 1000, rounds = 1;
  bool cuts = false;
};

/// The faster of some rounds; their answers are the same.
TracedRun fastest(std::string const& file, TracedSettings const& search, int rounds) {
  TracedRun best = searchTraced(file, search);
  for (int round = 1; round < rounds; ++round) {
    TracedRun const next = searchTraced(file, search);
    best.seconds = std::min(best.seconds, next.seconds);
    best.trace.hotSeconds = std::min(best.trace.hotSeconds, next.trace.hotSeconds);
  }
  return best;
}

bool printRow(std::string const& file, Settings const& settings) {
  TracedSettings search;
  search.strong = settings.strong;
  search.nodes = settings.nodes;
  search.cuts = settings.cuts ? static_cast<unsigned>(allCuts) : 0u;
  search.options = {{"engine", settings.engine},
                    {"threads", std::to_string(settings.threads)},
                    {"representation", settings.representation},
                    {"branches-ahead", "off"}};
  TracedRun const without = fastest(file, search, settings.rounds);
  search.options.back().second = "on";
  TracedRun const with = fastest(file, search, settings.rounds);
  bool const same = with.trace.fingerprint == without.trace.fingerprint &&
                    with.nodes == without.nodes && with.objective == without.objective;
  std::string name = std::filesystem::path(file).filename().string();
  name = name.substr(0, name.find('.'));
  fmt::print("| {} | {} | {}{} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
             name, same ? "the same" : "ANOTHER", with.nodes, with.proved ? ", all" : "",
             with.objective < 1e40 ? fmt::format("{:.10g}", with.objective) : "none",
             with.trace.hotSolves, with.ahead.asked, with.ahead.found, with.ahead.branches,
             without.seconds, with.seconds, without.trace.hotSeconds, with.trace.hotSeconds);
  std::fflush(stdout);
  return same;
}

shell::ExitStatus run(Settings const& settings) {
  fmt::print(
      "| problem | tree | nodes | objective | hot starts | with a batch at hand | found | solved "
      "ahead | seconds without | with | of these in hot starts without | with |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool same = true;
  for (std::string const& file : settings.files) {
    if (!std::filesystem::exists(file))
      throw shell::Failure(shell::ExitStatus::noInput, file + " is not there");
    try {
      same = printRow(file, settings) && same;
    } catch (CoinError const& fault) {  // an engine that is not here
      throw shell::Failure(shell::ExitStatus::unavailable, fault.message());
    }
  }
  return same ? shell::ExitStatus::optimal : shell::ExitStatus::disagreement;
}

shell::Run setUp(CLI::App& app) {
  auto const s = std::make_shared<Settings>();
  app.add_option("FILE", s->files, "MIPs in MPS")->required();
  app.add_option("--engine", s->engine, "host, cuda or auto [host]");
  app.add_option("--representation", s->representation, "auto, tableau or factors [auto]");
  app.add_option("--threads", s->threads, "branches solved side by side; 0: all cores [2]")
      ->check(CLI::Range(0, 1024));
  app.add_option("--strong", s->strong, "candidates of strong branching [10]")
      ->check(CLI::Range(0, 10000));
  app.add_option("--nodes", s->nodes, "nodes of a search at most [1000]")
      ->check(CLI::Range(1, 100000000));
  app.add_option("--rounds", s->rounds, "searches, of which the fastest counts [1]")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--cuts", s->cuts, "with eight of Cgl's generators");
  return [s] { return run(*s); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool({"osi_ahead_report",
                         "Searches MIPs by Cbc with and without branches computed ahead of hot "
                         "starts, and compares trees and seconds; 4: some tree is another.",
                         setUp},
                        count, words);
}
