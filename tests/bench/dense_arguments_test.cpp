// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/dense_arguments.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "shell/command.hpp"
#include "shell/failure.hpp"

using namespace osi_cuda;
using bench::DenseArguments;

namespace {

/// The arguments as a program gets them, and the status that it ends with.
int parsed(std::vector<char const*> words, DenseArguments& arguments) {
  words.insert(words.begin(), "bench_test");
  return shell::runTool({"bench_test", "A test.",
                         [&](CLI::App& app) -> shell::Run {
                           arguments.addTo(app);
                           return [&] {
                             arguments.sizes();
                             return shell::ExitStatus::optimal;
                           };
                         }},
                        static_cast<int>(words.size()), words.data());
}

}  // namespace

BOOST_AUTO_TEST_CASE(dense_problems_are_named_on_the_command_line) {
  DenseArguments usual, given;
  BOOST_TEST(parsed({}, usual) == 0);
  BOOST_TEST(usual.sizes().size() == 2u);
  BOOST_TEST(usual.sizes().front().rows == 1000);
  BOOST_TEST(parsed({"--size", "30x20", "--size", "5x7", "--family", "uniform"}, given) == 0);
  BOOST_TEST(given.sizes().size() == 2u);
  BOOST_TEST(given.sizes().back().rows == 5);
  BOOST_TEST(given.sizes().back().columns == 7);
  BOOST_TEST((given.family() == bench::DenseFamily::uniform));
}

BOOST_AUTO_TEST_CASE(arguments_that_name_no_problem_are_wrong_usage) {
  for (std::vector<char const*> const& words :
       std::vector<std::vector<char const*>>{{"--size", "30"},
                                             {"--size", "0x5"},
                                             {"--size", "3x5x"},
                                             {"--size"},
                                             {"--family", "none"},
                                             {"--famly", "origin"},
                                             {"more"}}) {
    DenseArguments arguments;
    BOOST_TEST(parsed(words, arguments) == static_cast<int>(shell::ExitStatus::usage),
               words.front());
  }
}
