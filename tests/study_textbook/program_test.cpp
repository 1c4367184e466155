// SPDX-License-Identifier: EPL-2.0
// The program from its command line to its page.
#include <boost/test/unit_test.hpp>

#include "tests/support/program_beside.hpp"

namespace osi_cuda::textbook {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

ProgramResult runTextbook(std::vector<std::string> words) {
  return testing::runBeside("study_textbook", std::move(words));
}

BOOST_AUTO_TEST_CASE(runsAndTheirReport) {
  TemporaryFolder const folder;
  std::string const results = folder.file("simplex.csv");
  ProgramResult const runs = runTextbook(
      {"simplex", "--place", "host", "--problem", "origin:40x20,origin:60x30", "--drive",
       "one-core,vectors", "--peer", "clp/dual,ours/host", "--results", results});
  BOOST_TEST(runs.status == 0);
  BOOST_TEST(runs.output.find("every rule took one path") != std::string::npos);
  ProgramResult const report = runTextbook({"report", results});
  BOOST_TEST(report.status == 0);
  BOOST_TEST(report.output.find("| origin:60x30 |") != std::string::npos);
  BOOST_TEST(report.output.find("| clp/dual |") != std::string::npos);
  BOOST_TEST(report.output.find("wrong") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(whatIsWrongIsSaid) {
  TemporaryFolder const folder;
  BOOST_TEST(runTextbook({"simplex", "--problem", "netlib:afiro"}).status == 64);
  BOOST_TEST(runTextbook({"simplex", "--rule", "steepest"}).status == 64);
  BOOST_TEST(runTextbook({"simplex", "--peer", "cplex", "--place", "none"}).status == 64);
  BOOST_TEST(runTextbook({"report", folder.file("none.csv")}).status == 66);
  ProgramResult const unwritable =
      runTextbook({"simplex", "--place", "host", "--drive", "vectors", "--problem", "origin:9x9",
                   "--results", folder.file("no/such/folder.csv")});
  BOOST_TEST(unwritable.status == 73);
}

BOOST_AUTO_TEST_CASE(listOfVariants) {
  ProgramResult const all = runTextbook({"simplex", "--list"});
  BOOST_TEST(std::count(all.output.begin(), all.output.end(), '\n') == 208);
}

}  // namespace
}  // namespace osi_cuda::textbook
