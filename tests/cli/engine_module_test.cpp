// SPDX-License-Identifier: EPL-2.0
// The program with engine modules that are not what they should be.
#include <algorithm>
#include <boost/test/unit_test.hpp>
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

BOOST_AUTO_TEST_CASE(a_device_that_is_lost_in_the_middle_costs_a_notice) {
  auto const solved = solveWith(OSI_CUDA_LOST_MODULE, {"--engine", "cuda", "--json"});
  BOOST_TEST(solved.status == 0, solved.errors);
  BOOST_TEST(solved.output.find("the device fell off the bus; continuing with engine host") !=
                 std::string::npos,
             solved.output);
  BOOST_TEST(solved.output.find("\"engine\": \"host\"") != std::string::npos, solved.output);
}

BOOST_AUTO_TEST_SUITE_END()
