// SPDX-License-Identifier: EPL-2.0
//
// Osi's own tests (libOsiCommonTests) over OsiCuda and, for calibration, over OsiClp, each in a
// process of its own so that one can't hide behind the other's state.
//
//     osi_common_tests cuda|clp [--engine NAME] [--least PASSED] [--netlib FOLDER [--largest
//     BYTES]]
//
// Prints a tally; fails on an error, or where fewer than PASSED checks were made in the common
// part.
// --netlib adds Osi's Netlib test with the files NAME.mps.gz of FOLDER, those of at most BYTES. The
// test's list has problems that are not there: they are two errors each, which are not counted.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include "OsiClpSolverInterface.hpp"
#include "OsiCuts.hpp"
#include "OsiRowCut.hpp"
#include "OsiRowCutDebugger.hpp"
#include "OsiUnitTests.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

using OsiUnitTest::outcomes;
using OsiUnitTest::TestOutcome;

struct Tally {
  int passed = 0, warnings = 0, errors = 0;
  double seconds = 0.0;
};

Tally tallyNow() {
  auto const count = [](TestOutcome::SeverityLevel level) {
    int total = 0, expected = 0;
    outcomes.getCountBySeverity(level, total, expected);
    return total;
  };
  return {count(TestOutcome::PASSED), count(TestOutcome::WARNING), count(TestOutcome::ERROR), 0.0};
}

template <class Run>
Tally section(char const* name, Run run) {
  Tally const before = tallyNow();
  auto const begin = std::chrono::steady_clock::now();
  run();
  Tally now = tallyNow();
  now.passed -= before.passed;
  now.warnings -= before.warnings;
  now.errors -= before.errors;
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("TALLY %-15s %5d passed %3d warnings %3d errors %8.2f seconds\n", name, now.passed,
              now.warnings, now.errors, now.seconds);
  std::fflush(stdout);
  return now;
}

/// A folder of links to the files that are small enough; returns how many there are.
int linkFiles(std::string const& from, std::string const& to, std::uintmax_t largest) {
  namespace fs = std::filesystem;
  fs::remove_all(to);
  fs::create_directories(to);
  int count = 0;
  for (auto const& entry : fs::directory_iterator(from)) {
    std::string const name = entry.path().filename().string();
    if (name.size() < 8 || name.substr(name.size() - 7) != ".mps.gz") continue;
    if (entry.file_size() > largest) continue;
    fs::create_symlink(fs::canonical(entry.path()), fs::path(to) / name);
    if (name == "vtp-base.mps.gz")  // the test's list has it without the hyphen
      fs::create_symlink(fs::canonical(entry.path()), fs::path(to) / "vtpbase.mps.gz");
    ++count;
  }
  return count;
}

/// Errors of Osi's Netlib test that say only that a file is missing. Osi's development branch keeps
/// its outcomes to itself: there they count as errors.
template <class Outcomes>
int missingFileErrors(Outcomes const& all) {
  int count = 0;
  if constexpr (std::ranges::range<Outcomes>) {
    std::set<std::string> missing;
    for (auto const& outcome : all)
      if (outcome.testcond == "reading MPS file failed") missing.insert(outcome.testname);
    for (auto const& outcome : all)
      if (outcome.severity == TestOutcome::ERROR && missing.count(outcome.testname)) ++count;
    std::printf("%zu problems of the list have no file\n", missing.size());
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  std::string solver = argc > 1 ? argv[1] : "", engine, netlib;
  int least = 0;
  std::uintmax_t largest = std::numeric_limits<std::uintmax_t>::max();
  for (int k = 2; k + 1 < argc; k += 2) {
    if (!std::strcmp(argv[k], "--engine")) engine = argv[k + 1];
    if (!std::strcmp(argv[k], "--netlib")) netlib = argv[k + 1];
    if (!std::strcmp(argv[k], "--largest")) largest = std::strtoull(argv[k + 1], nullptr, 10);
    if (!std::strcmp(argv[k], "--least")) least = std::atoi(argv[k + 1]);
  }
  std::unique_ptr<OsiSolverInterface> empty;
  if (solver == "clp") {
    empty = std::make_unique<OsiClpSolverInterface>();
  } else if (solver == "cuda") {
    auto cuda = std::make_unique<OsiCudaSolverInterface>();
    if (!engine.empty()) cuda->setSolverOption("engine", engine);
    empty = std::move(cuda);
  } else {
    std::fprintf(
        stderr, "usage: osi_common_tests cuda|clp [--engine NAME] [--netlib FOLDER] [--least N]\n");
    return 64;
  }
  empty->messageHandler()->setLogLevel(0);
  std::string const sample = OSI_CUDA_SAMPLE_FOLDER "/";
  std::string const none = "/nonexistent/";

  section("row cuts", [&] { OsiRowCutUnitTest(empty.get(), sample); });
  section("column cuts", [&] { OsiColCutUnitTest(empty.get(), sample); });
  section("cut debugger", [&] { OsiRowCutDebuggerUnitTest(empty.get(), sample); });
  section("cuts", [&] { OsiCutsUnitTest(); });
  Tally const common =
      section("common", [&] { OsiSolverInterfaceCommonUnitTest(empty.get(), sample, none); });
  int uncounted = 0;
  if (!netlib.empty()) {
    int const files = linkFiles(netlib, "netlib-files", largest);
    std::printf("%d Netlib files\n", files);
    std::vector<OsiSolverInterface*> solvers{empty->clone()};
    section("netlib", [&] { OsiSolverInterfaceMpsUnitTest(solvers, "netlib-files/"); });
    delete solvers[0];
    uncounted = missingFileErrors(outcomes);
  }
  Tally const total = tallyNow();
  if (total.errors > uncounted || total.warnings > 0) outcomes.print();
  if (common.passed < least)
    std::printf("common: %d passed, fewer than %d\n", common.passed, least);
  std::printf("TOTAL %d errors\n", total.errors - uncounted);
  return total.errors == uncounted && common.passed >= least ? 0 : 1;
}
