// SPDX-License-Identifier: EPL-2.0
//
// Osi's own tests (libOsiCommonTests) over OsiCuda and, for calibration, over OsiClp, each in a
// process of its own so that one can't hide behind the other's state.
//
//     osi_common_tests cuda|clp [--engine NAME] [--netlib FOLDER] [--least PASSED]
//
// Prints a tally; fails on an error, or where fewer than PASSED checks were made.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>

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

}  // namespace

int main(int argc, char** argv) {
  std::string solver = argc > 1 ? argv[1] : "", engine, netlib;
  int least = 0;
  for (int k = 2; k + 1 < argc; k += 2) {
    if (!std::strcmp(argv[k], "--engine")) engine = argv[k + 1];
    if (!std::strcmp(argv[k], "--netlib")) netlib = argv[k + 1];
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
  if (!netlib.empty()) {
    std::vector<OsiSolverInterface*> solvers{empty->clone()};
    section("netlib", [&] { OsiSolverInterfaceMpsUnitTest(solvers, netlib + "/"); });
    delete solvers[0];
  }
  Tally const total = tallyNow();
  if (total.errors > 0 || total.warnings > 0) outcomes.print();
  if (common.passed < least)
    std::printf("common: %d passed, fewer than %d\n", common.passed, least);
  return total.errors == 0 && common.passed >= least ? 0 : 1;
}
