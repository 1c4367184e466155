// SPDX-License-Identifier: EPL-2.0
// The program from its command line to its tables.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "tests/support/program.hpp"

namespace osi_cuda::textbook {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

ProgramResult runTextbook(std::vector<std::string> words) {
  std::filesystem::path const program =
      std::filesystem::path(testing::osiCudaProgram()).parent_path() / "textbook";
  words.insert(words.begin(), program.string());
  testing::Program run(words);
  int const status = run.wait();
  return {status, run.output(), run.errors()};
}

BOOST_AUTO_TEST_CASE(fromRunsToTables) {
  TemporaryFolder const folder;
  std::string const simplex = folder.file("simplex.csv"), product = folder.file("product.csv");
  ProgramResult const runs = runTextbook(
      {"simplex", "--place", "host", "--problem", "origin:40x20,origin:60x30", "--drive",
       "one-core,vectors", "--peer", "clp/dual,osi/host", "--results", simplex});
  BOOST_TEST(runs.status == 0);
  BOOST_TEST(runs.output.find("every rule took one path") != std::string::npos);
  BOOST_TEST(
      runTextbook({"product", "--size", "128", "--form", "blocked,openblas", "--results", product})
          .status == 0);
  ProgramResult const report =
      runTextbook({"report", simplex, product, "--pictures", folder.path().string()});
  BOOST_TEST(report.status == 0);
  BOOST_TEST(report.output.find("| origin 60x30 |") != std::string::npos);
  BOOST_TEST(report.output.find("| origin | double | 32 | 0 | 0 | 0 |") != std::string::npos);
  BOOST_TEST(std::filesystem::exists(folder.path() / "pivots-origin.svg"));
  BOOST_TEST(std::filesystem::exists(folder.path() / "product.svg"));
}

BOOST_AUTO_TEST_CASE(whatIsWrongIsSaid) {
  TemporaryFolder const folder;
  BOOST_TEST(runTextbook({"simplex", "--problem", "netlib:afiro"}).status == 64);
  BOOST_TEST(runTextbook({"simplex", "--rule", "steepest"}).status == 64);
  BOOST_TEST(runTextbook({"simplex", "--peer", "cplex", "--place", "none"}).status == 64);
  BOOST_TEST(runTextbook({"product", "--size", "100"}).status == 64);
  BOOST_TEST(runTextbook({"report", folder.file("none.csv")}).status == 66);
  std::string const cut = folder.write("cut.csv", "problem,rows\norigin:3x3\n");
  ProgramResult const bad = runTextbook({"report", cut});
  BOOST_TEST(bad.status == 65);
  BOOST_TEST(bad.errors.find("cut.csv:2:1: expected 2 cells as in the header, found 1") !=
             std::string::npos);
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
