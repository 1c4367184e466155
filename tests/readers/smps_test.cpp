// SPDX-License-Identifier: EPL-2.0
//
// Stochastic programs in SMPS files: scenarios, the deterministic equivalent, and what is refused.
// tests/python/test_stochastic.py solves them.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "readers/smps.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda {
namespace {

namespace data = boost::unit_test::data;
using readers::Change;
using readers::LineSource;

/// min x + 2 y, d: x + y >= 3, e: y - z <= 4 (z later), z <= 9.
std::string const core =
    "NAME small\nROWS\n N cost\n G d\n L e\nCOLUMNS\n x cost 1 d 1\n y cost 2 d 1\n y e 1\n"
    " z cost 5 e -1\nRHS\n need d 3 e 4\nBOUNDS\n UP b z 9\nENDATA\n";
std::string const time = "TIME small\nPERIODS LP\n x d now\n z e later\nENDATA\n";
std::string const stoch =
    "STOCH small\nINDEP DISCRETE\n need e 4 later .25\n need e 8 later .75\n"
    "INDEP DISCRETE ADD\n UP b z 1 later .5\n UP b z 2 later .5\nINDEP DISCRETE MULTIPLY\n"
    " z cost 2 later .5\n z cost 3 later .5\nENDATA\n";

readers::ScenarioTree treeOf(std::string const& timeText, std::string const& stochText,
                             readers::ReadResult* result = nullptr) {
  readers::ReadResult const read = readers::readText(core, "core");
  if (result) *result = read;
  LineSource timeSource = LineSource::ofText(timeText, "time");
  LineSource stochSource = LineSource::ofText(stochText, "stoch");
  return readers::readTree(read, timeSource, stochSource, {});
}

std::string changed(std::string text, std::string const& from, std::string const& to) {
  std::size_t const place = text.find(from);
  BOOST_REQUIRE(place != text.npos);
  return text.replace(place, from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(smps)

BOOST_AUTO_TEST_CASE(what_is_independent_is_combined) {
  readers::ScenarioTree const tree = treeOf(time, stoch);
  BOOST_TEST(tree.scenarios.size() == 8u);
  BOOST_TEST(tree.nodes == 9);
  readers::Scenario const& last = tree.scenarios.back();
  BOOST_TEST(last.probability == 0.1875);
  BOOST_TEST(last.nodes == (std::vector<int>{0, 8}), boost::test_tools::per_element());
  BOOST_REQUIRE(last.changes.size() == 3u);
  BOOST_TEST(last.changes[0].value == 8.0);
  BOOST_TEST((last.changes[1].kind == Change::Kind::upper));
  BOOST_TEST(last.changes[1].value == 11.0);
  BOOST_TEST(last.changes[2].value == 15.0);
}

BOOST_AUTO_TEST_CASE(the_equivalent_is_the_one_written_down) {
  readers::ReadResult read;
  readers::ScenarioTree const tree =
      treeOf(time,
             "STOCH\nSCENARIOS DISCRETE\n SC a 'ROOT' .25 now\n x e 2\n SC b a .75 later\n y e 0\n"
             " FX b z 1\n need e 6\nENDATA\n",
             &read);
  LinearProgram const found = readers::deterministicEquivalent(read.lp, tree);
  LinearProgram const expected =
      readers::readText(
          "NAME small\nROWS\n N cost\n G d\n L e.1\n L e.2\nCOLUMNS\n x cost 1 d 1\n x e.1 2 e.2 "
          "2\n"
          " y cost 2 d 1\n y e.1 1\n z.1 cost 1.25 e.1 -1\n z.2 cost 3.75 e.2 -1\nRHS\n"
          " r d 3 e.1 4\n r e.2 6\nBOUNDS\n UP b z.1 9\n FX b z.2 1\nENDATA\n",
          "written")
          .lp;
  BOOST_TEST(testing::firstDifference(expected, found, {.names = true}) == "");
}

struct Bad {
  bool inTime;
  std::string from, to, message;
};
std::ostream& operator<<(std::ostream& out, Bad const& bad) {
  return out << bad.to;
}
std::vector<Bad> const bads = {
    {true, "x d now", "w d now", "time:3:2: expected a column of the core, found \"w\""},
    {true, "x d now", "y d now", "time:3:2: expected periods in the order of the core's rows"},
    {true, "ENDATA", "", "expected ENDATA"},
    {true, "PERIODS LP", "PERIODS EXPLICIT", "time:5:1: expected a period for row d, found none"},
    {true, "later", "now", "time:4:6: expected a new period, found \"now\""},
    {false, "DISCRETE\n", "NORMAL\n", "stoch:2:1: expected INDEP, BLOCKS or SCENARIOS, DISCRETE"},
    {false, "e 4 later .25", "e 4 later .5", "that sum to 1, found 1.25"},
    {false, "e 4 later .25", "e 4 later 1.5",
     "stoch:3:17: expected a probability from 0 to 1, found \"1.5\""},
    {false, "e 4 later .25", "e 4 later now .25", "COLUMN ROW VALUE [PERIOD] PROBABILITY"},
    {false, "need e 4", "x d 4", "stoch:3:6: expected a number of period later or later"},
    {false, "need e 4", "need cost 4", "expected a row of the core, found \"cost\""},
    {false, "UP b z 1 ", "UP b x 1 ", "expected a number of period later or later"},
    {false, "UP b z 1 ", "LO b z -inf ", "expected"},
    {false, "z cost 2", "z cost 1e308", "stoch:9:9: expected a finite number"},
    {false, "MULTIPLY", "DIVIDE", "stoch:8:1: expected INDEP"},
    {false, "STOCH small\n", "STOCH small\nNODES\n", "stoch:2:1: expected INDEP"},
    {false, "STOCH small\n", "STOCH small\nBLOCKS\n z cost 1\n", "or BL or SC"},
    {false, "need e 4 later .25", "a b c d e f g", "stoch:3:14: expected the end of the line"}};

BOOST_DATA_TEST_CASE(a_fault_is_one_message, data::make(bads), bad) {
  std::string const timeText = bad.inTime ? changed(time, bad.from, bad.to) : time;
  std::string const stochText = bad.inTime ? stoch : changed(stoch, bad.from, bad.to);
  BOOST_CHECK_EXCEPTION(treeOf(timeText, stochText), readers::ReadError, [&](auto const& error) {
    BOOST_TEST(std::string(error.what()).find(bad.message) != std::string::npos, error.what());
    return true;
  });
}

BOOST_AUTO_TEST_CASE(too_many_scenarios_are_refused_before_they_are_made) {
  std::string text = "STOCH\n";
  for (int k = 0; k < 30; ++k)
    text += "BLOCKS DISCRETE\n BL b" + std::to_string(k) + " later .5\n z cost 1\n BL b" +
            std::to_string(k) + " later .5\n";
  BOOST_CHECK_EXCEPTION(treeOf(time, text + "ENDATA\n"), readers::ReadError, [](auto const& error) {
    return std::string(error.what()).ends_with("expected at most 1000000 scenarios, found more");
  });
}

BOOST_AUTO_TEST_CASE(convert_writes_it) {
  testing::TemporaryFolder folder;
  std::string const in = folder.write("small.cor", core);
  std::string const sto = folder.write("other", stoch), out = folder.file("all.lp");
  auto const none = testing::runOsiCuda({"convert", in, out, "--from", "smps"});
  BOOST_TEST(none.status == 66);
  BOOST_TEST(none.errors.find("small.tim: No such file") != std::string::npos, none.errors);
  folder.write("small.TIM", time);
  auto const result = testing::runOsiCuda({"convert", in, out, "--stoch", sto});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.errors ==
             "The deterministic equivalent has 8 scenario(s), 2 period(s) and 9 node(s).\n");
  LinearProgram const lp = readers::read(out).lp;
  BOOST_TEST(lp.rows() == 9);
  BOOST_TEST(lp.columns() == 10);
  BOOST_TEST(testing::runOsiCuda({"convert", in, sto, "--stoch", sto}).status == 64);
  BOOST_TEST(testing::runOsiCuda({"convert", in, out, "--stoch", sto, "--from", "mps"}).status ==
             64);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda
