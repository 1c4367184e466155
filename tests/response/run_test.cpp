// SPDX-License-Identifier: EPL-2.0
// A long run: the point of least state, and going on after the worst.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "examples/common/failure.hpp"
#include "examples/response/heat_run.hpp"
#include "examples/response/plant.hpp"
#include "examples/response/saved_state.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;
using examples::Failure;
using testing::Program;
using testing::readWholeFile;
using testing::TemporaryFolder;

/// a -> b -> c -> a with an inner loop at b, and memory of different sizes.
BOOST_AUTO_TEST_CASE(leastStateOfALoopThatCanBeSeenThrough) {
  std::vector<double> big(100), middle(10), small(1);
  Loop loop;
  int const x = loop.add("big", big), y = loop.add("middle", middle), z = loop.add("small", small);
  auto const nothing = [] { return Loop::end; };
  loop.add({"a", {x}, {y}, {1}, nothing});     // needs x only
  loop.add({"b", {y}, {z}, {1, 2}, nothing});  // x is overwritten before it is read again
  loop.add({"c", {y, z}, {x}, {0, Loop::end}, nothing});
  loop.setResults({x});
  BOOST_TEST(loop.liveBefore(0) == std::vector<int>({x}), boost::test_tools::per_element());
  BOOST_TEST(loop.liveBefore(1) == std::vector<int>({y}), boost::test_tools::per_element());
  BOOST_TEST(loop.liveBefore(2) == std::vector<int>({y, z}), boost::test_tools::per_element());
  BOOST_TEST(loop.leastPoint() == 1);
  BOOST_TEST(loop.bytesBefore(1) == 80u);
}

/// A small problem, whole.
struct Small {
  Mesh mesh = generatePlate({10, 1, 0.2, 4.0, 1});
  Space space = makeSpace(mesh, 2);
  std::vector<Functional> loads;
  explicit Small(double radius = 0.15) {
    Locator const locator(mesh);
    for (Point const p : spreadPoints(locator, 3, 0, radius))
      loads.push_back(bumpAt(space, locator, p, radius));
  }
};
constexpr std::int64_t smallSteps = 12;

std::uint64_t bitsOf(HeatRun const& run) {
  Checksum sum;
  sum.add(run.field());
  sum.add(run.peak());
  sum.addNumber(run.stepsDone());
  sum.addNumber(run.iterations());
  return sum.value();
}

std::uint64_t bitsOfWholeRun(Small const& small) {
  HeatRun run(small.space, small.loads, {});
  run.setLastStep(smallSteps);
  BOOST_TEST(run.loop().run(0, [](int) { return true; }) == Loop::end);
  BOOST_TEST(run.stepsDone() == smallSteps);
  return bitsOf(run);
}

/// What is said to be dead is: with all of it spoilt before every stage, nothing changes.
BOOST_AUTO_TEST_CASE(whatIsNotLiveIsNotRead) {
  Small const small;
  HeatRun run(small.space, small.loads, {});
  run.setLastStep(smallSteps);
  std::vector<std::vector<int>> live;
  for (int s = 0; s < int(run.loop().stages().size()); ++s)
    live.push_back(run.loop().liveBefore(s));
  run.loop().run(0, [&](int stage) {
    for (int k = 0; k < int(run.loop().datasets().size()); ++k)
      if (!std::binary_search(live[stage].begin(), live[stage].end(), k))
        std::memset(run.loop().datasets()[k].memory.data(), 0xff,
                    run.loop().datasets()[k].memory.size());
    return true;
  });
  BOOST_TEST(bitsOf(run) == bitsOfWholeRun(small));
}

/// And what is said to be live is needed: without any one part of it the result is another.
BOOST_AUTO_TEST_CASE(whatIsLiveIsNeeded) {
  Small const small;
  std::uint64_t const right = bitsOfWholeRun(small);
  HeatRun const model(small.space, small.loads, {});
  int const point = model.loop().leastPoint();
  BOOST_TEST(model.loop().liveBefore(point).size() == 4u);
  auto const freePlace = std::find(small.space.isFixed.begin(), small.space.isFixed.end(), 0) -
                         small.space.isFixed.begin();
  for (int const k : model.loop().liveBefore(point)) {
    HeatRun run(small.space, small.loads, {});
    run.setLastStep(smallSteps);
    bool spoilt = false;
    run.loop().run(0, [&](int stage) {
      if (stage == point && run.stepsDone() == smallSteps / 2 && !spoilt) {
        spoilt = true;
        auto const memory = run.loop().datasets()[k].memory;
        if (memory.size() == sizeof(std::int64_t))
          ++*reinterpret_cast<std::int64_t*>(memory.data());
        else
          reinterpret_cast<double*>(memory.data())[freePlace] += 1.0;
      }
      return true;
    });
    BOOST_TEST(bitsOf(run) != right);
  }
}

/// Saved and loaded into a fresh run before any stage, the rest is the same to the bit.
BOOST_AUTO_TEST_CASE(aRunGoesOnFromAnyStage) {
  Small const small;
  TemporaryFolder const folder;
  std::string const file = folder.file("state");
  std::uint64_t const right = bitsOfWholeRun(small);
  ProblemIdentity const problem{HeatRun(small.space, small.loads, {}).identity(), "small"};
  for (int const visit : {0, 1, 2, 3, 7, 100, 101, 102, 103, 104}) {
    HeatRun first(small.space, small.loads, {});
    first.setLastStep(smallSteps);
    int left = visit;
    int const stage = first.loop().run(0, [&](int) { return left-- > 0; });
    saveState(file, first.loop(), stage, problem);
    HeatRun second(small.space, small.loads, {});
    second.setLastStep(smallSteps);
    BOOST_TEST(loadState(file, second.loop(), problem) == stage);
    BOOST_TEST(second.stepsDone() == first.stepsDone());
    second.loop().run(stage, [](int) { return true; });
    BOOST_TEST(bitsOf(second) == right);
  }
}

BOOST_AUTO_TEST_CASE(badStatesAreRefusedWithASentence) {
  Small const small;
  TemporaryFolder const folder;
  std::string const file = folder.file("state");
  HeatRun run(small.space, small.loads, {});
  run.setLastStep(2);
  ProblemIdentity const problem{run.identity(), "small"};
  run.loop().run(0, [](int) { return true; });
  saveState(file, run.loop(), run.loop().leastPoint(), problem);
  std::string const good = readWholeFile(file);
  HeatRun other(small.space, small.loads, {});
  auto const faultOf = [&](std::string const& content, ProblemIdentity const& asked) {
    std::string const path = folder.write("other", content);
    try {
      loadState(path, other.loop(), asked);
    } catch (Failure const& failure) {
      BOOST_TEST((failure.status() == ExitStatus::badInput));
      BOOST_TEST(other.stepsDone() == 0);  // nothing was touched
      std::string const sentence = failure.what();
      return sentence.substr(sentence.find("': ") + 3);
    }
    return std::string("no fault");
  };
  BOOST_TEST(faultOf(good, problem) == "no fault");
  BOOST_TEST(other.stepsDone() == 2);
  std::int64_t& step = *reinterpret_cast<std::int64_t*>(
      other.loop().datasets()[other.loop().liveBefore(0).at(2)].memory.data());
  step = 0;
  BOOST_TEST(faultOf("", problem) == "this is no saved state of response run");
  BOOST_TEST(faultOf("x,y\n1,2\n", problem) == "this is no saved state of response run");
  for (std::size_t const length : {std::size_t(20), good.size() / 2, good.size() - 1})
    BOOST_TEST(faultOf(good.substr(0, length), problem) ==
               "the saved state ends before its data do");
  std::string const changed =
      "the saved state was changed since it was written: its checksum does "
      "not fit";
  for (std::size_t const at : {good.size() / 3, good.size() / 2, good.size() - 3}) {
    std::string bad = good;
    bad[at] = char(bad[at] ^ 4);
    BOOST_TEST(faultOf(bad, problem) == changed);
  }
  BOOST_TEST(faultOf(good + "x", problem) == changed);
  BOOST_TEST(faultOf(good, {problem.checksum + 1, "large"}) ==
             "the state belongs to another problem (small; this one is large)");
  HeatSettings longer;
  longer.step *= 2.0;
  BOOST_TEST(HeatRun(small.space, small.loads, longer).identity() != problem.checksum);
  BOOST_TEST(HeatRun(small.space, Small(0.2).loads, {}).identity() != problem.checksum);
}

// ---- the program -------------------------------------------------------------------------------

/// The program's arguments: without a state, or saving after every step.
std::vector<std::string> words(std::string const& state, std::int64_t steps = 60,
                               std::string const& cells = "20",
                               std::vector<std::string> const& more = {}) {
  std::string const ours = testing::osiCudaProgram();
  std::vector<std::string> all{ours.substr(0, ours.rfind('/')) + "/response",
                               "run",
                               "--cells",
                               cells,
                               "--steps",
                               std::to_string(steps),
                               "--json"};
  if (!state.empty()) all.insert(all.end(), {"--state", state, "--every", "0"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

nlohmann::json answerOf(std::vector<std::string> const& all, int status) {
  Program program(all);
  BOOST_TEST(program.wait() == status);
  return nlohmann::json::parse(program.output());
}

/// The last step that the program said it had saved; -1 for none.
std::int64_t lastSaved(std::string const& errors) {
  std::size_t const end = errors.rfind(" of 60: saved\n");
  if (end == std::string::npos) return -1;
  return std::stol(errors.substr(errors.rfind("step ", end) + 5));
}

BOOST_AUTO_TEST_CASE(killedAtAnyTimeItLosesNothing) {
  TemporaryFolder const folder;
  std::string const state = folder.file("state"), whole = folder.file("whole.csv"),
                    pieces = folder.file("pieces.csv");
  nlohmann::json const right = answerOf(words("", 60, "20", {"--out", whole}), 0);
  BOOST_TEST(right["steps_computed"] == 60);
  std::mt19937 random(20);
  std::int64_t saved = -1;
  int kills = 0;
  for (; kills < 25; ++kills) {
    Program program(words(state));
    // At any time, or at any time after a save.
    if (kills % 2 == 0) BOOST_TEST(program.hasSaid("saved"));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    program.signal(SIGKILL);
    int const status = program.wait();
    std::string const errors = program.errors();
    // It went on where the one before it had saved: that state, or the next one, whose rename was
    // done when it was killed and whose line was not. One without a word did nothing.
    std::string const goesOn = "goes on after step ";
    if (std::size_t const at = errors.find(goesOn); at != std::string::npos) {
      std::int64_t const first = std::stol(errors.substr(at + goesOn.size()));
      BOOST_TEST(first >= saved);
      BOOST_TEST(first <= saved + 1);
      saved = first;
    } else if (!errors.empty()) {
      BOOST_TEST(saved == -1);
    }
    saved = std::max(saved, lastSaved(errors));
    if (status == 0 || saved >= 55) break;
  }
  BOOST_TEST_MESSAGE(kills << " kills up to step " << saved);
  BOOST_TEST(std::filesystem::exists(state));
  nlohmann::json const last = answerOf(words(state, 60, "20", {"--out", pieces}), 0);
  BOOST_TEST(last["resumed"] == true);
  BOOST_TEST(last["first_step"].get<std::int64_t>() >= saved + 1);
  BOOST_TEST(last["first_step"].get<std::int64_t>() <= saved + 2);
  BOOST_TEST(last["last_step"] == 60);
  BOOST_TEST(last["bits"] == right["bits"]);
  BOOST_TEST(last["iterations"] == right["iterations"]);  // each one made once
  BOOST_TEST(readWholeFile(pieces) == readWholeFile(whole));
}

BOOST_AUTO_TEST_CASE(interruptedItSavesAndEnds) {
  TemporaryFolder const folder;
  std::string const state = folder.file("state");
  Program program(words(state, 100'000'000));
  BOOST_TEST(program.hasSaid("step 3 of"));
  program.signal(SIGTERM);
  BOOST_TEST(program.wait() == 2);
  nlohmann::json const stopped = nlohmann::json::parse(program.output());
  BOOST_TEST(stopped["status"] == "stopped");
  auto const step = stopped["last_step"].get<std::int64_t>();
  nlohmann::json const next = answerOf(words(state, step + 2), 0);
  BOOST_TEST(next["first_step"] == step + 1);
  BOOST_TEST(next["steps_computed"] == 2);
  // Nothing is left to do; and a longer run goes on from a finished one.
  BOOST_TEST(answerOf(words(state, step + 2), 0)["steps_computed"] == 0);
}

BOOST_AUTO_TEST_CASE(statesThatCantBeReadOrWritten) {
  TemporaryFolder const folder;
  std::string const state = folder.file("state");
  BOOST_TEST(answerOf(words(state, 2), 0)["saves"].get<int>() >= 2);
  auto const endOf = [](std::vector<std::string> const& all, int status) {
    Program program(all);
    BOOST_TEST(program.wait() == status);
    return program.output() + program.errors();
  };
  BOOST_TEST(endOf(words(state, 60, "21"), 65).find("another problem") != std::string::npos);
  BOOST_TEST(endOf(words(folder.file("")), 66).find("no regular file") != std::string::npos);
  BOOST_TEST(endOf(words("/nowhere/state"), 73).find("can't write") != std::string::npos);
  // A disk that takes no more of a file than this: the state before stays what it was.
  std::string const before = readWholeFile(state);
  std::string line = "ulimit -f 4; trap '' XFSZ; exec";
  for (std::string const& word : words(state)) line += " '" + word + "'";
  BOOST_TEST(endOf({"sh", "-c", line}, 73).find("File too large") != std::string::npos);
  BOOST_TEST(readWholeFile(state) == before);
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(folder.path()))
    files += entry.exists();
  BOOST_TEST(files == 1);
}

}  // namespace
}  // namespace osi_cuda::response
