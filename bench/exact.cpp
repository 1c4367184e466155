// SPDX-License-Identifier: EPL-2.0
// How long the check in exact arithmetic takes: the table of docs/evidence/exact.md.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bridges/bridge.hpp"
#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/solver.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "readers/read.hpp"
#include "shell/program.hpp"

using namespace osi_cuda;

namespace {

struct Settings {
  bool ownBases = false;
  double timeLimit = infinity;  ///< seconds of each solve and of each check
  std::vector<std::string> files;
};

Solution solve(LinearProgram const& lp, Settings const& settings) {
  if (settings.ownBases) {
    Options options;
    options.engine = EngineChoice::host;
    options.timeLimit = settings.timeLimit;
    return Solver(lp).solve(options);
  }
  BridgeOptions options;
  options.algorithm = "dual";
  options.timeLimit = settings.timeLimit;
  return findBridge(bridges(), "clp")->solve(lp, options);
}

/// Of all threads, so that other work of the machine does not count.
double processorSecondsSince(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double largestOf(std::vector<rational::Violation> const& violations) {
  double largest = 0.0;
  for (rational::Violation const& v : violations) largest = std::max(largest, v.amount);
  return largest;
}

/// "proved", or how many conditions fail and by how much at most.
std::string verdictOf(rational::BasisCheck const& check) {
  if (check.outcome == rational::Outcome::proved) return "proved";
  if (check.outcome != rational::Outcome::refuted) return check.message;
  std::string text;
  auto const add = [&](char const* what, std::vector<rational::Violation> const& violations) {
    if (violations.empty()) return;
    text += fmt::format("{}{} {} by {:.1e}", text.empty() ? "" : ", ", violations.size(), what,
                        largestOf(violations));
  };
  add("beyond a bound", check.primal);
  add("reduced costs", check.dual);
  return text;
}

void printRow(std::string const& file, Settings const& settings) {
  LinearProgram const lp = readers::read(file).lp;
  std::string name = std::filesystem::path(file).filename().string();
  name = name.substr(0, name.find(".mps"));
  std::clock_t const start = std::clock();
  Solution const solution = solve(lp, settings);
  double const solveSeconds = processorSecondsSince(start);
  if (solution.status != Status::optimal) {
    fmt::print("| {} | {} x {} | {:.2f} | | | | {} |\n", name, lp.rows(), lp.columns(),
               solveSeconds, toString(solution.status));
    return;
  }
  Stopwatch const watch;
  std::clock_t const beginOfCheck = std::clock();
  rational::Limits limits;
  limits.stop = [&] { return watch.seconds() > settings.timeLimit; };
  rational::BasisCheck const check = rational::checkBasis(lp, solution.basis, limits);
  double const seconds = processorSecondsSince(beginOfCheck);
  fmt::print("| {} | {} x {} | {:.2f} | {:.3f} | {} | {} | {} |\n", name, lp.rows(), lp.columns(),
             solveSeconds, seconds, check.denominatorDigits, check.digits, verdictOf(check));
}

shell::ExitStatus run(Settings const& settings) {
  fmt::print(
      "| problem | rows x columns | solve, s | check, s | digits of the denominator | objective | "
      "verdict |\n|---|---|---:|---:|---:|---:|---|\n");
  for (std::string const& file : settings.files) {
    printRow(file, settings);
    std::fflush(stdout);
  }
  return shell::ExitStatus::optimal;
}

shell::Run setUp(CLI::App& app) {
  auto const settings = std::make_shared<Settings>();
  app.add_option("FILE", settings->files, "linear programs")->required();
  app.add_flag("--own", settings->ownBases,
               "solve by this project's solver (host engine), not by Clp's dual simplex");
  app.add_option("--time-limit", settings->timeLimit, "seconds of each solve and check [none]");
  return [settings] { return run(*settings); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool({"bench_exact",
                         "Solves each LP, checks the final basis in exact arithmetic and prints a "
                         "row of a table, with seconds of processor time.",
                         setUp},
                        count, words);
}
