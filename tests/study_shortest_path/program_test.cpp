// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/support/program_beside.hpp"

namespace osi_cuda::shortest_path {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

BOOST_AUTO_TEST_CASE(experimentsAndTheirReport) {
  TemporaryFolder const folder;
  std::string const results = folder.file("measured.csv");
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"bellman-ford", "--sizes", "200"},
                                             {"wave", "--sizes", "20,40"},
                                             {"lp", "--sizes", "12"}}) {
    words.insert(words.begin(), "experiment");
    words.insert(words.end(), {"--results", results, "--device", "host", "--quiet"});
    ProgramResult const result = testing::runBeside("study_shortest_path", words);
    BOOST_TEST(result.status == 0);
    BOOST_TEST(result.errors == "");
  }
  ProgramResult const report = testing::runBeside("study_shortest_path", {"report", results});
  BOOST_TEST(report.status == 0);
  for (std::string const text : {"## bellman-ford", "| road, ", "| maze 20 x 20 |", "lp, clp"})
    BOOST_TEST(report.output.find(text) != std::string::npos);
}

}  // namespace
}  // namespace osi_cuda::shortest_path
