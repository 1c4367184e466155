// SPDX-License-Identifier: EPL-2.0
// osi-cuda solve --checkpoint and --resume: what survives a kill, a signal, a limit, a bad disk.
#include "cli/solve_files.hpp"

#include <signal.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "osi_cuda/model/fingerprint.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "shell/failure.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::osiCudaProgram;
using testing::Program;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::runOsiCuda;
using testing::TemporaryFolder;

constexpr int killedStatus = 128 + SIGKILL;

struct Fixture {
  TemporaryFolder folder;
  std::string file = folder.file("checkpoint");

  std::string assignment(int n) const {
    return folder.write("assignment.mps", testing::assignmentMps(n));
  }
  std::string small() const { return folder.write("small.mps", testing::smallMps()); }
};

Json parsed(ProgramResult const& result, int status) {
  BOOST_TEST(result.status == status, result.errors);
  return Json::parse(result.output);
}

bool appears(fs::path const& path) {
  auto const end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!fs::exists(path)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

// ---- kills -------------------------------------------------------------------------------------

/// What a trace says of the time since the last checkpoint.
struct Traced {
  int launchesAfterTheInterval = 0;  ///< that ended when the next checkpoint was overdue
  std::int64_t iterations = 0;       ///< of the last launch
};

/// `saved`: seconds at which the checkpoint was taken that is left (0: none), of that run.
Traced readTrace(std::string const& path, double saved, double interval) {
  Traced traced;
  double pause = interval;  // after a slow write the next one waits ten times as long
  std::istringstream lines(readWholeFile(path));
  for (std::string line; std::getline(lines, line);) {
    Json const event = Json::parse(line, nullptr, false);
    if (event.is_discarded()) continue;  // the kill came in the midst of it
    if (event["event"] == "checkpoint")
      pause = std::max(pause, 10.0 * event["took"].get<double>() + interval);
    if (event["event"] != "launch") continue;
    traced.iterations = event["iterations"];
    traced.launchesAfterTheInterval += event["seconds"].get<double>() > saved + pause;
  }
  return traced;
}

/// Kills a solve at random moments and resumes it, until it has been killed so often; a solve that
/// ends before that is begun again. Then it is let end.
void killAndResume(std::string const& problem, std::vector<std::string> const& options, int kills,
                   unsigned seed) {
  TemporaryFolder const folder;
  std::string const file = folder.file("checkpoint"), trace = folder.file("trace");
  LinearProgram const lp = readers::read(problem).lp;
  std::vector<std::string> command{osiCudaProgram(), "solve", problem,     "--json",
                                   "--engine",       "host",  "--threads", "1"};
  command.insert(command.end(), options.begin(), options.end());
  Program untouched(command);
  int const status = untouched.wait();
  BOOST_TEST_REQUIRE(status == 0, untouched.errors());
  Json const expected = Json::parse(untouched.output());
  double const whole = expected["seconds"]["total"];
  // So that some checkpoints lie in a run and a run is killed a few times.
  double const interval = whole / 20.0;
  for (std::string const& word :
       {std::string("--checkpoint"), file, std::string("--checkpoint-interval"),
        std::to_string(interval), std::string("--trace"), trace})
    command.push_back(word);

  testing::Random random(seed);
  int killed = 0, resumed = 0;
  // On a busy machine the first runs may be killed before their first checkpoint: then some more.
  while (killed < kills || (resumed == 0 && killed < 20 * kills)) {
    readers::SavedSolve before;
    std::vector<std::string> words = command;
    if (fs::exists(file)) {
      before = readers::readCheckpoint(file, lp);
      words.insert(words.end(), {"--resume", file});
      ++resumed;
    }
    fs::remove(trace);
    Program run(words);
    std::this_thread::sleep_for(
        std::chrono::duration<double>(random.between(0.05 * whole, 0.4 * whole)));
    run.signal(SIGKILL);
    if (run.wait() != killedStatus) {  // it was done already
      BOOST_TEST(Json::parse(run.output())["status"] == "optimal");
      fs::remove(file);
      continue;
    }
    ++killed;
    readers::SavedSolve after;
    if (fs::exists(file)) after = readers::readCheckpoint(file, lp);  // whole, or it throws
    BOOST_TEST(after.iterations >= before.iterations);
    BOOST_TEST(after.seconds >= before.seconds);
    if (!fs::exists(trace)) continue;
    // Once the interval is over, the first launch to end is followed by a checkpoint.
    Traced const traced = readTrace(trace, after.seconds - before.seconds, interval);
    BOOST_TEST(traced.launchesAfterTheInterval <= 1);
    BOOST_TEST(traced.iterations + before.iterations >= after.iterations);
  }
  BOOST_TEST(resumed > 0);

  std::vector<std::string> last = command;
  if (fs::exists(file)) last.insert(last.end(), {"--resume", file});
  Program end(last);
  BOOST_TEST(end.wait() == 0, end.errors());
  Json const found = Json::parse(end.output());
  BOOST_TEST(found["status"] == "optimal");
  BOOST_TEST(found["objective"].get<double>() == expected["objective"].get<double>(),
             boost::test_tools::tolerance(1e-9));
  for (auto const& entry : fs::directory_iterator(folder.path())) {
    std::string const name = entry.path().filename().string();  // of a write that was killed
    BOOST_TEST((name == "checkpoint" || name == "trace" || name.rfind(".osi-cuda-", 0) == 0), name);
  }
  BOOST_TEST_MESSAGE(killed << " kills, " << resumed << " runs resumed, interval " << interval
                            << " s, " << found["total"].dump() << ", untouched "
                            << expected["iterations"] << " iterations");
}

/// Dense, with many short pivots, from a start that is neither primal nor dual feasible.
std::string denseProblem(TemporaryFolder const& folder, int size) {
  std::string const file = folder.file("dense.mps");
  readers::write(file, testing::denseLp(size, size, 3, false), readers::FileFormat::freeMps);
  return file;
}

BOOST_FIXTURE_TEST_SUITE(checkpoint, Fixture)

BOOST_AUTO_TEST_CASE(killedRunsAreResumed) {
  killAndResume(assignment(110),
                {"--block-size", "4", "--pricing", "dantzig", "--algorithm", "primal"}, 3, 1);
}

// ---- signals and limits ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(aSignalWritesAndTheSolveGoesOn) {
  std::string const problem = assignment(220);
  LinearProgram const lp = readers::read(problem).lp;
  Program run({osiCudaProgram(), "solve", problem, "--json", "--verbose", "--engine", "host",
               "--pricing", "dantzig", "--block-size", "4", "--checkpoint", file,
               "--checkpoint-interval", "1000"});
  BOOST_REQUIRE(run.hasSaid("Read in "));
  run.signal(SIGUSR1);
  BOOST_REQUIRE(appears(file));
  readers::SavedSolve const first = readers::readCheckpoint(file, lp);
  BOOST_TEST(!first.status);
  fs::remove(file);
  run.signal(SIGUSR1);  // each one counts
  BOOST_REQUIRE(appears(file));
  readers::SavedSolve const second = readers::readCheckpoint(file, lp);
  BOOST_TEST(second.iterations >= first.iterations);
  BOOST_TEST(second.seconds > first.seconds);
  run.signal(SIGINT);
  BOOST_TEST(run.wait() == 2, run.errors());
  Json const json = Json::parse(run.output());
  BOOST_TEST(json["status"] == "interrupted");
  readers::SavedSolve const last = readers::readCheckpoint(file, lp);
  BOOST_TEST((last.status == Status::interrupted));
  BOOST_TEST(last.iterations == json["iterations"].get<std::int64_t>());
  BOOST_TEST(last.iterations >= second.iterations);
}

BOOST_AUTO_TEST_CASE(limitsLeaveACheckpointAndTotalsGoOn) {
  std::string const problem = assignment(40);
  Json const whole = parsed(runOsiCuda({"solve", problem, "--json", "--engine", "host"}), 0);
  std::int64_t total = 0;
  double seconds = 0.0;
  std::vector<std::string> const command{"solve", problem,        "--json", "--engine",
                                         "host",  "--checkpoint", file,     "--iteration-limit",
                                         "20"};
  int runs = 0;
  for (int status = 2; status == 2 && runs < 100; ++runs) {
    std::vector<std::string> words = command;
    if (runs > 0) words.insert(words.end(), {"--resume", file});
    ProgramResult const result = runOsiCuda(words);
    Json const json = Json::parse(result.output);
    status = result.status;
    std::int64_t const iterations = json["iterations"];
    BOOST_TEST(iterations <= 20);
    if (runs > 0) {
      BOOST_TEST(json["before"]["iterations"] == total);
      BOOST_TEST(json["before"]["seconds"].get<double>() >= seconds);
      BOOST_TEST(json["total"]["iterations"] == total + iterations);
      seconds = json["before"]["seconds"];
      BOOST_TEST(json["total"]["seconds"].get<double>() > seconds);
    } else {
      BOOST_TEST(!json.contains("before"));
      BOOST_TEST(!json.contains("total"));
    }
    total += iterations;
    BOOST_TEST(json["status"] == (status == 2 ? "iteration_limit" : "optimal"));
    if (status == 0) BOOST_TEST(json["objective"] == whole["objective"]);
  }
  BOOST_TEST(runs > 2);
  BOOST_TEST(runs < 100);

  // Of a finished solve: nothing is left to do, and that is said.
  Json const again = parsed(runOsiCuda({"solve", problem, "--json", "--resume", file}), 0);
  BOOST_TEST(again["iterations"] == 0);
  BOOST_TEST(again["total"]["iterations"] == total);
  BOOST_TEST(again["notices"][0] ==
             "The checkpoint is of a solve that ended with the status optimal; this one starts "
             "where it ended.");
  ProgramResult const summary = runOsiCuda({"solve", problem, "--quiet", "--resume", file});
  BOOST_TEST(summary.output.find("\nin all      " + std::to_string(total) + " iterations and ") !=
                 std::string::npos,
             summary.output);
}

BOOST_AUTO_TEST_CASE(aTimeLimitLeavesACheckpoint) {
  std::string const problem = assignment(220);
  Json const json =
      parsed(runOsiCuda({"solve", problem, "--json", "--engine", "host", "--algorithm", "primal",
                         "--pricing", "dantzig", "--block-size", "4", "--time-limit", "1.5",
                         "--checkpoint", file}),
             2);
  BOOST_TEST(json["status"] == "time_limit");
  if (json["rows"].is_null()) return;  // a machine so busy that the time was over while it read
  readers::SavedSolve const saved = readers::readCheckpoint(file, readers::read(problem).lp);
  BOOST_TEST((saved.status == Status::timeLimit));
  BOOST_TEST(saved.iterations == json["iterations"].get<std::int64_t>());
}

BOOST_AUTO_TEST_CASE(aResumedRunThatIsStoppedAtOnceLosesNothing) {
  std::string const problem = assignment(40), copy = folder.file("copy");
  LinearProgram const lp = readers::read(problem).lp;
  parsed(runOsiCuda({"solve", problem, "--json", "--engine", "host", "--checkpoint", file}), 0);
  std::string const text = readWholeFile(file);
  runOsiCuda({"solve", problem, "--time-limit", "0", "--resume", file, "--checkpoint", file});
  BOOST_TEST(readWholeFile(file) == text);  // the time was over while the problem was read
  // Another file begins with what was resumed, before there is anything new to save.
  readers::SavedSolve const saved = readers::readCheckpoint(file, lp);
  cli::CheckpointFile other(copy, 60.0, [](std::string const& notice) { BOOST_ERROR(notice); });
  other.begin(lp, &saved);
  readers::SavedSolve const copied = readers::readCheckpoint(copy, lp);
  BOOST_TEST((copied.status == Status::optimal));
  BOOST_TEST(copied.iterations == saved.iterations);
  BOOST_TEST(copied.seconds == saved.seconds);
  BOOST_CHECK(copied.basis == saved.basis);
}

// ---- what is refused ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(whatCannotBeResumedIsRefused) {
  std::string const problem = assignment(10);
  parsed(runOsiCuda({"solve", problem, "--json", "--checkpoint", file}), 0);
  std::string const text = readWholeFile(file);

  ProgramResult const foreign = runOsiCuda({"solve", small(), "--quiet", "--resume", file});
  BOOST_TEST(foreign.status == 65);
  BOOST_TEST(foreign.errors == file +
                                   ":8:1: expected a checkpoint of this problem (small, 2 rows, 2 "
                                   "columns, 4 nonzeros), found one of another problem "
                                   "(assignment, 20 rows, 100 columns, 200 nonzeros)\n");

  std::string const cut = folder.write("cut", text.substr(0, text.size() / 2));
  ProgramResult const truncated = runOsiCuda({"solve", problem, "--resume", cut});
  BOOST_TEST(truncated.status == 65);
  BOOST_TEST(truncated.errors ==
             cut + ":8:1: expected a checkpoint that ends with ENDATA, found a truncated one\n");

  std::string damaged = text;
  damaged[damaged.find("\n X") + 3] ^= 'U' ^ 'L';
  std::string const bad = folder.write("bad", damaged);
  ProgramResult const corrupted = runOsiCuda({"solve", problem, "--resume", bad});
  BOOST_TEST(corrupted.status == 65);
  BOOST_TEST(corrupted.errors.find(", found a damaged or changed one\n") != std::string::npos,
             corrupted.errors);

  std::string const none = folder.file("none");
  ProgramResult const missing = runOsiCuda({"solve", problem, "--resume", none});
  BOOST_TEST(missing.status == 66);
  BOOST_TEST(missing.errors == "osi-cuda: " + none + ": No such file or directory\n");

  ProgramResult const both = runOsiCuda({"solve", problem, "--resume", file, "--basis-in", file});
  BOOST_TEST(both.status == 64);
  BOOST_TEST(both.errors.find("--basis-in") != std::string::npos, both.errors);
}

BOOST_AUTO_TEST_CASE(intervalsThatAreNoneAreRefused) {
  std::string const problem = small();
  for (std::string const interval : {"0", "-1", "-0.0", "nan", "inf", "1e10", "soon", ""}) {
    ProgramResult const result =
        runOsiCuda({"solve", problem, "--checkpoint", file, "--checkpoint-interval=" + interval});
    BOOST_TEST(result.status == 64, interval << ": " << result.errors);
    BOOST_TEST(result.errors.find("--checkpoint-interval") != std::string::npos, result.errors);
    BOOST_TEST(!fs::exists(file));
  }
  BOOST_TEST(runOsiCuda({"solve", problem, "--checkpoint", file, "--checkpoint-interval", "0"})
                 .errors.rfind("osi-cuda: --checkpoint-interval: expected a number > 0 and <= 1e9 "
                               "of seconds, found '0'",
                               0) == 0u);
  BOOST_TEST(runOsiCuda({"solve", problem, "--checkpoint-interval", "5"}).status == 64);
}

BOOST_AUTO_TEST_CASE(filesThatCannotBeWrittenAreRefusedBeforeTheSolve) {
  std::string const problem = small(), missing = folder.file("missing/checkpoint");
  ProgramResult const result = runOsiCuda({"solve", problem, "--checkpoint", missing});
  BOOST_TEST(result.status == 73);
  BOOST_TEST(result.errors ==
             "osi-cuda: can't write '" + missing + "': No such file or directory\n");
  BOOST_TEST(result.output == "");
  BOOST_TEST(runOsiCuda({"solve", problem, "--checkpoint", folder.path().string()}).status == 73);
  std::string const pipe = folder.file("pipe");
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (std::string const& path : {std::string("-"), pipe, std::string("/dev/null")}) {
    ProgramResult const other = runOsiCuda({"solve", problem, "--checkpoint", path});
    BOOST_TEST(other.status == 64, other.errors);
    BOOST_TEST(other.errors.rfind(
                   "osi-cuda: --checkpoint needs a file that can be replaced, not '" + path + "'",
                   0) == 0u,
               other.errors);
  }
}

// A disk that is full, or gone, for a while: a sentence when it begins, and later tries.
BOOST_AUTO_TEST_CASE(troubleWithTheDiskDoesNotEndTheSolve) {
  std::string const path = folder.file("disk/checkpoint");
  fs::create_directory(folder.path() / "disk");
  LinearProgram const lp = readers::read(small()).lp;
  std::vector<std::string> notices;
  cli::CheckpointFile checkpoints(path, 1e-9,
                                  [&](std::string const& text) { notices.push_back(text); });
  checkpoints.begin(lp, nullptr);
  Checkpoint state;
  state.basis = {{VariableStatus::atLower, VariableStatus::atLower},
                 {VariableStatus::basic, VariableStatus::basic}};
  state.algorithm = SolveAlgorithm::dual;
  auto const write = [&](bool works) {
    std::error_code ignored;
    if (works) fs::create_directory(folder.path() / "disk", ignored);
    if (!works) fs::remove_all(folder.path() / "disk", ignored);
    checkpoints.write(state);
    BOOST_TEST(fs::exists(path) == works);
    return notices.size();
  };
  BOOST_TEST(write(true) == 0u);
  BOOST_TEST(write(false) == 1u);
  BOOST_TEST(write(false) == 1u);
  BOOST_TEST(write(true) == 1u);
  BOOST_TEST(write(false) == 2u);
  BOOST_TEST(notices[0] == "The checkpoint is an old one: can't write '" + path +
                               "': No such file or directory; the solve continues and will try "
                               "again.");
}

BOOST_AUTO_TEST_CASE(aResumedSolveAddsUp) {
  LinearProgram const lp = readers::read(small()).lp;
  readers::SavedSolve before{fingerprintOf(lp),
                             Status::timeLimit,
                             SolveAlgorithm::primal,
                             100,
                             7.5,
                             Basis{{VariableStatus::atLower, VariableStatus::atLower},
                                   {VariableStatus::basic, VariableStatus::basic}}};
  cli::CheckpointFile checkpoints(file, 60.0, [](std::string const& text) { BOOST_ERROR(text); });
  checkpoints.begin(lp, &before);
  BOOST_TEST(readers::readCheckpoint(file, lp).iterations == 100);
  checkpoints.write({before.basis, 23, 0.5, SolveAlgorithm::dual, {}});
  readers::SavedSolve const after = readers::readCheckpoint(file, lp);
  BOOST_TEST(after.iterations == 123);
  BOOST_TEST(after.seconds == 8.0);
  BOOST_TEST((after.algorithm == SolveAlgorithm::dual));
  BOOST_TEST(!after.status);
  BOOST_TEST(!checkpoints.due());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(checkpoint_long, Fixture)

BOOST_AUTO_TEST_CASE(twentyKillsOfADegenerateProblem) {
  killAndResume(assignment(150),
                {"--block-size", "4", "--pricing", "dantzig", "--algorithm", "primal"}, 20, 2);
}

BOOST_AUTO_TEST_CASE(twentyKillsOfADenseProblem) {
  for (std::string const algorithm : {"primal", "dual"})
    killAndResume(denseProblem(folder, 400),
                  {"--block-size", "4", "--pricing", "dantzig", "--algorithm", algorithm}, 20, 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
