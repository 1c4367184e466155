// SPDX-License-Identifier: EPL-2.0
// Signals, time and memory: what ends a run from outside.
#include <signal.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;
using testing::osiCudaProgram;
using testing::Program;
using testing::ProgramResult;
using testing::TemporaryFolder;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A second is promised; a machine that runs other things as well may take longer.
constexpr double patience = 10.0;

/// A problem that takes far longer than the tests wait for it: 5 s, as its tableau is passed over
/// after every fourth pivot.
struct LongSolve {
  TemporaryFolder folder;
  std::string file = folder.write("long.mps", testing::assignmentMps(220));
  std::string basis = folder.file("last.bas");
  Program program{{osiCudaProgram(), "solve", file, "--json", "--verbose", "--engine", "host",
                   "--algorithm", "primal", "--pricing", "dantzig", "--block-size", "4",
                   "--threads", "1", "--basis-out", basis}};
};

BOOST_AUTO_TEST_SUITE(interrupt)

BOOST_AUTO_TEST_CASE(signalsStopASolveWithThePointSoFar) {
  for (int const number : {SIGINT, SIGTERM}) {
    LongSolve run;
    BOOST_REQUIRE(run.program.hasSaid("Read in "));
    Clock::time_point const start = Clock::now();
    run.program.signal(number);
    BOOST_TEST(run.program.wait() == 2, run.program.errors());
    BOOST_TEST(secondsSince(start) < patience);
    Json const json = Json::parse(run.program.output());
    BOOST_TEST(json["status"] == "interrupted");
    BOOST_TEST(json["columns"] == 220 * 220);
    BOOST_TEST(testing::readWholeFile(run.basis).rfind("NAME", 0) == 0u);
  }
}

// Those of OpenBLAS would keep all cores busy for the first 0.1 s.
BOOST_AUTO_TEST_CASE(aSolveThatUsesOneThreadHasNoOther) {
  LongSolve run;
  BOOST_REQUIRE(run.program.hasSaid("Read in "));
  BOOST_TEST(run.program.threads() == 1);
}

BOOST_AUTO_TEST_CASE(theSecondSignalEndsAtOnce) {
  LongSolve run;
  BOOST_REQUIRE(run.program.hasSaid("Read in "));
  run.program.signal(SIGSTOP);  // so that both are there when it goes on
  run.program.signal(SIGINT);
  run.program.signal(SIGTERM);
  run.program.signal(SIGCONT);
  int const status = run.program.wait();
  BOOST_TEST((status == 128 + SIGINT || status == 128 + SIGTERM), status);
  BOOST_TEST(run.program.output() == "");
}

BOOST_AUTO_TEST_CASE(aSilentPipeCanBeInterrupted) {
  TemporaryFolder const folder;
  std::string const pipe = folder.file("pipe");
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Program writer({"sh", "-c", "exec 3>\"$0\"; echo open >&2; sleep 60", pipe});
  Program program({osiCudaProgram(), "solve", "-", "--json", "--time-limit", "0.2"}, pipe);
  BOOST_TEST(program.wait() == 2);
  Json const json = Json::parse(program.output());
  BOOST_TEST(json["status"] == "time_limit");
  BOOST_TEST(json["rows"].is_null());
}

// Nobody has opened its other end: to open it would wait.
BOOST_AUTO_TEST_CASE(aPipeWithoutAWriterEndsWithTheLimitOrASignal) {
  TemporaryFolder const folder;
  std::string const pipe = folder.file("pipe");
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Program limited({osiCudaProgram(), "solve", pipe, "--json", "--time-limit", "0.2"});
  BOOST_TEST(limited.wait() == 2);
  BOOST_TEST(Json::parse(limited.output())["status"] == "time_limit");
  Program interrupted({osiCudaProgram(), "solve", pipe, "--json"});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // beyond the start of the program
  interrupted.signal(SIGINT);
  int const status = interrupted.wait();
  BOOST_TEST((status == 2 || status == 128 + SIGINT), status);
}

BOOST_AUTO_TEST_CASE(endlessInputsEndWithALimitOrAnError) {
  // Zeros without a line end.
  Program zeros({osiCudaProgram(), "solve", "-", "--json"}, "/dev/zero");
  BOOST_TEST(zeros.wait() == 65);
  BOOST_TEST(zeros.errors().find("standard input:1:1: expected lines of at most 134217728 bytes, "
                                 "found a longer one") != std::string::npos,
             zeros.errors());
  // Empty lines without an end.
  TemporaryFolder const folder;
  std::string const pipe = folder.file("pipe");
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Program writer({"sh", "-c", "exec yes '' > \"$0\"", pipe});
  Program lines({osiCudaProgram(), "solve", pipe, "--json", "--time-limit", "0.3"});
  BOOST_TEST(lines.wait() == 2);
  BOOST_TEST(Json::parse(lines.output())["status"] == "time_limit");
}

BOOST_AUTO_TEST_CASE(theTimeLimitActsWithinASecond) {
  TemporaryFolder const folder;
  std::string const file = folder.write("long.mps", testing::assignmentMps(220));
  Clock::time_point const start = Clock::now();
  ProgramResult const result =
      testing::runOsiCuda({"solve", file, "--json", "--time-limit", "0.2", "--algorithm", "primal",
                           "--engine", "host", "--pricing", "dantzig", "--block-size", "4"});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(secondsSince(start) < 0.2 + patience);
  BOOST_TEST(Json::parse(result.output)["status"] == "time_limit");
}

#if !defined(__SANITIZE_ADDRESS__)  // whose shadow memory needs more address space than that
BOOST_AUTO_TEST_CASE(tooLittleMemoryIsASentence) {
  TemporaryFolder const folder;
  // 1200 x 360000 doubles are 3.5 GB, in an address space of 2 GB.
  std::string const file = folder.write("wide.mps", testing::assignmentMps(600));
  Program program({"sh", "-c", "ulimit -v 2000000; exec \"$@\"", "sh", osiCudaProgram(), "solve",
                   file, "--engine", "host", "--representation", "tableau", "--threads", "1"});
  BOOST_TEST(program.wait() == 69);
  std::string const expected = "osi-cuda: not enough memory: 1200 x 360000 needs 4.";
  BOOST_TEST(program.errors().rfind(expected, 0) == 0u, program.errors());
  BOOST_TEST(program.errors().find(" are available\n") != std::string::npos);
}
#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
