// SPDX-License-Identifier: EPL-2.0
// The program as a user meets it: measurements, their file, its tables.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/support/program_beside.hpp"

namespace osi_cuda::response {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

ProgramResult run(std::vector<std::string> words) {
  return testing::runBeside("study_response", std::move(words));
}

BOOST_AUTO_TEST_CASE(experimentsAndTheirReport) {
  TemporaryFolder const folder;
  std::string const results = folder.file("measured.csv");
  auto const experiment = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "experiment");
    for (std::string const word : {"--results", results.c_str(), "--device", "host", "--repeats",
                                   "1", "--cells", "12", "--quiet"})
      words.push_back(word);
    return run(words);
  };
  BOOST_TEST(experiment({"sweeps", "--sizes", "30x40"}).status == 0);
  BOOST_TEST(experiment({"integration"}).status == 0);
  BOOST_TEST(experiment({"executors", "--degrees", "1,3"}).status == 0);
  BOOST_TEST(experiment({"maxwell"}).status == 0);
  BOOST_TEST(experiment({"products", "--degrees", "1"}).status == 0);
  ProgramResult const none = experiment({"products", "--data", folder.file("")});
  BOOST_TEST(none.status == 66);
  BOOST_TEST(none.errors.find("has no netlib/25fv47, ") != std::string::npos);
  BOOST_TEST(experiment({"sweeps", "--sizes", "2x9"}).status == 64);
  BOOST_TEST(experiment({"storage"}).status == 69);
  ProgramResult const two = experiment({"sweeps", "--sizes", "30x40", "--forms", "two-gpus"});
  BOOST_TEST(two.status == 69);
  BOOST_TEST(two.errors.find("two-gpus: it wants two devices and there is none") !=
             std::string::npos);
  ProgramResult const report = run({"report", results});
  BOOST_TEST(report.status == 0);
  for (std::string const text :
       {"## sweeps", "host, one core", "## executors", "tensor", "| 32 x 32, 5 steps |"})
    BOOST_TEST(report.output.find(text) != std::string::npos);
  BOOST_TEST(run({"report", folder.file("none.csv")}).status == 66);
  BOOST_TEST(run({"report", folder.write("cut.csv", "series,problem\nsweeps\n")}).status == 65);
}

}  // namespace
}  // namespace osi_cuda::response
