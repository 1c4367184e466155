// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

namespace osi_cuda::testing {
namespace {

using Json = nlohmann::json;

/// Infeasible by `limit` below 1.
std::string bigM(std::string const& limit) {
  return "max: 3x + 2y;\nfirst: 2x + 3y + 1e7z <= 12;\nsecond: x + y >= 1;\nx <= " + limit +
         ";\ny <= 3;\nz <= 1;\n";
}

BOOST_AUTO_TEST_SUITE(doctor)

BOOST_AUTO_TEST_CASE(names_what_it_finds) {
  TemporaryFolder const folder;
  std::string const file = folder.write("a.lp", bigM("4"));
  ProgramResult const text = runOsiCuda({"doctor", file});
  BOOST_TEST(text.status == 0);
  for (char const* const part :
       {"matrix        1, row second, column x; to 1e+07, row first, column z",
        "status        optimal", "condition ", "the optimal point is unique",
        "big_m         1e+07 in row first, column z", "-> replace a big M"})
    BOOST_TEST(text.output.find(part) != std::string::npos, part << " in " << text.output);
  Json const json = Json::parse(runOsiCuda({"doctor", file, "--json"}).output);
  BOOST_TEST(json["findings"][0]["kind"] == "big_m");
  BOOST_TEST(json["findings"][0]["of"] == Json({"row first", "column z"}));
  BOOST_TEST(json["ranges"]["matrix"]["most"]["magnitude"] == 1e7);
  BOOST_TEST(json["unique_point"] == true);
  BOOST_TEST(json["condition"].get<double>() >= 1.0);
}

BOOST_AUTO_TEST_CASE(goes_without_an_optimum) {
  TemporaryFolder const folder;
  std::string const file = folder.write("a.lp", bigM("4"));
  Json const unsolved = Json::parse(runOsiCuda({"doctor", file, "--json", "--no-solve"}).output);
  BOOST_TEST(!unsolved.contains("status"));
  BOOST_TEST(unsolved["findings"][0]["kind"] == "big_m");
  ProgramResult const limited = runOsiCuda({"doctor", file, "--json", "--iteration-limit", "0"});
  BOOST_TEST(limited.status == 2);
  BOOST_TEST(!Json::parse(limited.output).contains("condition"));
  std::string const infeasible =
      folder.write("b.lp", "max: x;\nc: x + y >= 5;\nx <= 1;\ny <= 1;\n");
  ProgramResult const none = runOsiCuda({"doctor", infeasible});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(none.output.find("row_cannot_be_met") != std::string::npos);
  BOOST_TEST(runOsiCuda({"doctor", folder.file("absent.mps")}).status == 66);
  BOOST_TEST(runOsiCuda({"doctor"}).status == 64);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::testing
