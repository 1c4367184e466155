// SPDX-License-Identifier: EPL-2.0
// The program with engine modules that are not what they should be.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

using namespace osi_cuda;

BOOST_AUTO_TEST_SUITE(engine_module)

// In a process of its own: a module that was opened stays.
testing::ProgramResult solveWith(std::string const& module, std::vector<std::string> more) {
  testing::TemporaryFolder const folder;
  std::vector<std::string> words{"env", "OSI_CUDA_ENGINE_PATH=" + module, testing::osiCudaProgram(),
                                 "solve",
                                 folder.write("assignment.mps", testing::assignmentMps(12))};
  words.insert(words.end(), more.begin(), more.end());
  testing::Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

BOOST_AUTO_TEST_CASE(a_module_of_another_build_is_refused) {
  auto const refused = solveWith(OSI_CUDA_FOREIGN_MODULE, {"--engine", "cuda"});
  BOOST_TEST(refused.status == 69);
  BOOST_TEST(refused.errors.find("engine cuda: the module OsiCudaEngine.so can't be used: ") !=
             std::string::npos);
  BOOST_TEST(refused.errors.find(" belongs to another build (") != std::string::npos,
             refused.errors);
  BOOST_TEST(refused.errors.find(" 0123456789abcdef instead of ") != std::string::npos);
  BOOST_TEST(std::count(refused.errors.begin(), refused.errors.end(), '\n') == 1, refused.errors);
}

BOOST_AUTO_TEST_CASE(without_a_module_the_sentence_says_so) {
  testing::TemporaryFolder const empty;
  auto const refused = solveWith(empty.file(""), {"--engine", "cuda"});
  BOOST_TEST(refused.status == 69);
  BOOST_TEST(refused.errors.find("the module OsiCudaEngine.so can't be used: no file") !=
                 std::string::npos,
             refused.errors);
}

BOOST_AUTO_TEST_CASE(a_module_without_its_library_names_the_library) {
  auto const refused =
      solveWith(OSI_CUDA_LONELY_BRIDGE "/OsiCudaBridge-glpk.so", {"--engine", "cuda"});
  BOOST_TEST(refused.status == 69);
  BOOST_TEST(refused.errors.find("libosi_cuda_absent_library.so") != std::string::npos,
             refused.errors);
}

BOOST_AUTO_TEST_CASE(info_says_which_module_is_in_use) {
  for (std::string const module : {OSI_CUDA_LOST_MODULE, "/nonexistent/"}) {
    testing::Program program(
        {"env", "OSI_CUDA_ENGINE_PATH=" + module, testing::osiCudaProgram(), "info", "--json"});
    BOOST_TEST(program.wait() == 0);
    auto const info = nlohmann::json::parse(program.output());
    BOOST_TEST(info.contains("cuda_module_file") == (module == OSI_CUDA_LOST_MODULE));
    if (info.contains("cuda_module_file")) BOOST_TEST(info["cuda_module_file"] == module);
  }
}

std::string const again = "the device fell off the bus; begun again as a new process";
std::string const onHost = "the device fell off the bus; continuing with engine host";

bool tells(testing::ProgramResult const& result, std::string const& text) {
  return (result.output + result.errors).find(text) != std::string::npos;
}

/// A device that is lost to the first process that makes three runs of pivots on it.
struct LostOnce {
  testing::TemporaryFolder const folder;
  testing::ProgramResult run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"env", "OSI_CUDA_LOST_ONCE=" + folder.file("lost"),
                                 "OSI_CUDA_ENGINE_PATH=" OSI_CUDA_LOST_MODULE});
    testing::Program program(words);
    int const status = program.wait();
    return {status, program.output(), program.errors()};
  }
  std::string model(int size) const {
    return folder.write("model" + std::to_string(size) + ".mps", testing::assignmentMps(size));
  }
};

BOOST_AUTO_TEST_CASE(a_device_that_is_lost_twice_leaves_the_solve_to_the_host) {
  auto const solved = solveWith(OSI_CUDA_LOST_MODULE, {"--engine", "cuda", "--json"});
  BOOST_TEST(solved.status == 0, solved.errors);
  BOOST_TEST(tells(solved, again), solved.errors);
  BOOST_TEST(tells(solved, onHost), solved.errors);
  BOOST_TEST(tells(solved, "\"engine\": \"host\""), solved.output);
}

BOOST_FIXTURE_TEST_CASE(a_new_process_has_the_device_again, LostOnce) {
  std::vector<std::string> const words{
      testing::osiCudaProgram(), "solve", model(12), "--engine", "cuda", "--json"};
  auto const solved = run(words);
  BOOST_TEST(solved.status == 0, solved.errors);
  BOOST_TEST(tells(solved, again), solved.output);
  BOOST_TEST(!tells(solved, onHost), solved.output);
  BOOST_TEST(tells(solved, "\"engine\": \"cuda\""), solved.output);
  BOOST_TEST(!tells(run(words), again));
}

BOOST_FIXTURE_TEST_CASE(a_pipe_is_not_read_again, LostOnce) {
  auto const solved = run(
      {"sh", "-c",
       "cat " + model(12) + " | " + testing::osiCudaProgram() + " solve - --engine cuda --json"});
  BOOST_TEST(solved.status == 0, solved.errors);
  BOOST_TEST(tells(solved, onHost), solved.output);
  BOOST_TEST(!tells(solved, again), solved.output);
}

BOOST_FIXTURE_TEST_CASE(who_asks_for_it_gets_an_error_or_the_host, LostOnce) {
  std::vector<std::string> words{testing::osiCudaProgram(), "solve", model(12), "--engine", "cuda",
                                 "--device-loss",           "stop"};
  auto const stopped = run(words);
  BOOST_TEST(stopped.status == 69, stopped.errors);
  BOOST_TEST(tells(stopped, "the device fell off the bus\n"), stopped.errors);
  std::filesystem::remove(folder.file("lost"));
  words.back() = "host";
  auto const continued = run(words);
  BOOST_TEST(continued.status == 0, continued.errors);
  BOOST_TEST(!tells(continued, again), continued.errors);
}

BOOST_FIXTURE_TEST_CASE(the_time_of_the_first_process_counts, LostOnce) {
  auto const solved = run({"env", "OSI_CUDA_BEGUN_AGAIN=5 lost", testing::osiCudaProgram(), "solve",
                           model(12), "--time-limit", "4"});
  BOOST_TEST(solved.status == 2, solved.errors);
  BOOST_TEST(tells(solved, "lost; begun again as a new process"), solved.errors);
}

BOOST_FIXTURE_TEST_CASE(a_batch_solves_the_rest_as_a_new_process, LostOnce) {
  std::string const list =
      folder.write("list.csv", "file\n" + model(3) + "\n" + model(12) + "\n" + model(11) + "\n");
  auto const solved = run({testing::osiCudaProgram(), "batch", list, "--engine", "cuda", "--output",
                           folder.file("answers")});
  BOOST_TEST(solved.status == 0, solved.errors);
  BOOST_TEST(tells(solved, again), solved.errors);
  std::ifstream answers(folder.file("answers"));
  int optimal = 0;
  for (std::string line; std::getline(answers, line);)
    optimal += line.find("\"status\":\"optimal\"") != std::string::npos ? 1 : 0;
  BOOST_TEST(optimal == 3);
}

// Its lines are printed: a new process would print them again.
BOOST_FIXTURE_TEST_CASE(a_batch_without_an_output_is_ended_on_the_host, LostOnce) {
  std::string const list =
      folder.write("list.csv", "file\n" + model(3) + "\n" + model(12) + "\n" + model(11) + "\n");
  auto const solved = run({testing::osiCudaProgram(), "batch", list, "--engine", "cuda"});
  BOOST_TEST(solved.status == 0, solved.output);
  BOOST_TEST(tells(solved, "a device was lost; continuing with engine host"), solved.errors);
  BOOST_TEST(std::count(solved.output.begin(), solved.output.end(), '\n') == 3, solved.output);
}

BOOST_FIXTURE_TEST_CASE(a_regression_run_stops_and_can_be_continued, LostOnce) {
  std::string const list = folder.write("list.csv", "file\n" + model(12) + "\n" + model(11) + "\n");
  std::vector<std::string> words{
      testing::osiCudaProgram(), "regress", list, "--database", folder.file("runs"), "--with",
      "osi_cuda@cuda/dual"};
  auto const stopped = run(words);
  BOOST_TEST(stopped.status == 69, stopped.errors);
  BOOST_TEST(tells(stopped, "what is left can be solved with --continue"), stopped.errors);
  words.emplace_back("--continue");
  auto const rest = run(words);
  BOOST_TEST(rest.status == 0, rest.errors);
  BOOST_TEST(tells(rest, "2 runs stored"), rest.output + rest.errors);
}

BOOST_AUTO_TEST_SUITE_END()
