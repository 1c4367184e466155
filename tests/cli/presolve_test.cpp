// SPDX-License-Identifier: EPL-2.0
// What osi-cuda solve says of a presolve, and that basis files, checkpoints and traces mean what
// they mean without.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::ProgramResult;
using testing::runOsiCuda;

struct Fixture {
  testing::TemporaryFolder folder;
  /// With a row of one entry, which a presolve takes away.
  std::string file =
      folder.write("problem.mps",
                   "NAME reducible\nROWS\n N cost\n L most\n L bound\n G least\nCOLUMNS\n"
                   " x cost -3 most 1\n x bound 2 least 4\n"
                   " y cost -2 most 3\n y least 1\n z cost 1 most 5\n z least 2\n"
                   "RHS\n rhs most 12 bound 6\n rhs least 5\nENDATA\n");

  ProgramResult solve(std::vector<std::string> const& more) const {
    std::vector<std::string> words{"solve", file, "--engine", "host"};
    words.insert(words.end(), more.begin(), more.end());
    return runOsiCuda(words);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(presolve, Fixture)

BOOST_AUTO_TEST_CASE(summary_and_notices) {
  ProgramResult const on = solve({"--presolve", "on"});
  BOOST_TEST(on.status == 0);
  BOOST_TEST(on.output.find("problem     reducible, 3 rows, 3 columns, 7 nonzeros\n") == 0u,
             on.output);
  BOOST_TEST(on.output.find("\npresolve    ") != std::string::npos, on.output);
  BOOST_TEST(on.errors.find("presolve") == std::string::npos, on.errors);
  ProgramResult const verbose = solve({"--presolve", "on", "--verbose"});
  BOOST_TEST(verbose.errors.find("presolve: 3 rows, 3 columns and 7 nonzeros become ") !=
                 std::string::npos,
             verbose.errors);
  ProgramResult const off = solve({"--presolve", "off"});
  BOOST_TEST(off.output.find("presolve") == std::string::npos);
  BOOST_TEST(off.errors.find("presolve") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(json) {
  Json const on = Json::parse(solve({"--presolve", "on", "--json"}).output);
  Json const off = Json::parse(solve({"--presolve", "off", "--json"}).output);
  BOOST_TEST(on["objective"].get<double>() == off["objective"].get<double>(),
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(on["rows"] == 3);
  Json const& presolve = on["presolve"];
  BOOST_TEST(presolve["rows"].get<int>() < 3);
  BOOST_TEST(presolve["nonzeros"].get<int>() < 7);
  BOOST_TEST(presolve["seconds"].get<double>() > 0.0);
  BOOST_TEST(presolve["seconds"].get<double>() == on["seconds"]["presolve"].get<double>());
  BOOST_TEST(presolve["iterations"].get<int>() + presolve["iterations_after"].get<int>() ==
             on["iterations"].get<int>());
  BOOST_TEST(!off.contains("presolve"));
  BOOST_TEST(off["seconds"]["presolve"] == 0.0);
}

BOOST_AUTO_TEST_CASE(a_basis_file_starts_the_given_problem) {
  std::string const basis = folder.file("problem.bas");
  BOOST_TEST(solve({"--presolve", "on", "--basis-out", basis}).status == 0);
  auto const again = [&](char const* presolve) {
    return Json::parse(solve({"--presolve", presolve, "--basis-in", basis, "--json"}).output);
  };
  Json const without = again("auto"), with = again("on");
  BOOST_TEST(!without.contains("presolve"));
  BOOST_TEST(without["iterations"] == 0);
  // What is left of the basis need not be one of what is left of the problem.
  BOOST_TEST(with.contains("presolve"));
  BOOST_TEST(with["status"] == "optimal");
  BOOST_TEST(with["objective"].get<double>() == without["objective"].get<double>());
}

BOOST_AUTO_TEST_CASE(a_checkpoint_and_a_trace) {
  std::string const checkpoint = folder.file("checkpoint"), trace = folder.file("trace");
  BOOST_TEST(solve({"--presolve", "on", "--checkpoint", checkpoint, "--trace", trace}).status == 0);
  std::string const saved = testing::readWholeFile(checkpoint);
  BOOST_TEST(saved.find("* problem reducible, 3 rows, 3 columns, 7 nonzeros\n") !=
             std::string::npos);
  BOOST_TEST(saved.find("* status optimal\n") != std::string::npos, saved);
  std::string const events = testing::readWholeFile(trace);
  for (char const* part : {"\"event\":\"presolve\"", "\"event\":\"postsolve\"", "\"usable\":true"})
    BOOST_TEST(events.find(part) != std::string::npos, events);
  Json const resumed = Json::parse(solve({"--resume", checkpoint, "--json"}).output);
  BOOST_TEST(resumed["status"] == "optimal");
  BOOST_TEST(resumed["iterations"] == 0);
}

BOOST_AUTO_TEST_CASE(wrong_words_are_refused) {
  ProgramResult const result = solve({"--presolve", "maybe"});
  BOOST_TEST(result.status == 64);
  BOOST_TEST(result.errors.find("expected auto, on or off, found 'maybe'") != std::string::npos,
             result.errors);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda
