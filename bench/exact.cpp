// SPDX-License-Identifier: EPL-2.0
// How long the check in exact arithmetic takes: the table of docs/exact.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "bridges/bridge.hpp"
#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/solver.hpp"
#include "readers/read.hpp"

using namespace osi_cuda;

namespace {

struct Settings {
  bool ownBases = false;
  double timeLimit = infinity;  ///< seconds of each solve and of each check
  std::vector<std::string> files;
};

void printUsage() {
  std::fputs(
      "usage: bench_exact [--own] [--time-limit SECONDS] FILE...\n"
      "Solves each LP, by Clp's dual simplex or with --own by this project's solver (host\n"
      "engine), checks the final basis in exact arithmetic and prints a row of a table, with\n"
      "seconds of processor time.\n",
      stderr);
}

/// Nothing when the command line is wrong.
bool parse(int argc, char** argv, Settings& settings) {
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--own") == 0) {
      settings.ownBases = true;
    } else if (std::strcmp(argv[k], "--time-limit") == 0 && k + 1 < argc) {
      settings.timeLimit = std::atof(argv[++k]);
    } else if (argv[k][0] == '-') {
      return false;
    } else {
      settings.files.emplace_back(argv[k]);
    }
  }
  return !settings.files.empty();
}

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

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
    char part[80];
    std::snprintf(part, sizeof part, "%s%zu %s by %.1e", text.empty() ? "" : ", ",
                  violations.size(), what, largestOf(violations));
    text += part;
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
    std::printf("| %s | %d x %d | %.2f | | | | %s |\n", name.c_str(), lp.rows(), lp.columns(),
                solveSeconds, toString(solution.status));
    return;
  }
  auto const begin = std::chrono::steady_clock::now();
  std::clock_t const beginOfCheck = std::clock();
  rational::Limits limits;
  limits.stop = [&] { return secondsSince(begin) > settings.timeLimit; };
  rational::BasisCheck const check = rational::checkBasis(lp, solution.basis, limits);
  double const seconds = processorSecondsSince(beginOfCheck);
  std::printf("| %s | %d x %d | %.2f | %.3f | %d | %s | %s |\n", name.c_str(), lp.rows(),
              lp.columns(), solveSeconds, seconds, check.denominatorDigits, check.digits.c_str(),
              verdictOf(check).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!parse(argc, argv, settings)) {
    printUsage();
    return 64;
  }
  std::puts(
      "| problem | rows x columns | solve, s | check, s | digits of the denominator | objective | "
      "verdict |\n|---|---|---:|---:|---:|---:|---|");
  try {
    for (std::string const& file : settings.files) {
      printRow(file, settings);
      std::fflush(stdout);
    }
  } catch (std::exception const& e) {
    std::fprintf(stderr, "bench_exact: %s\n", e.what());
    return 1;
  }
  return 0;
}
