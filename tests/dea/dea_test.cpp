// SPDX-License-Identifier: EPL-2.0
// Efficiency analysis: units whose scores can be told by hand, and single solves of each.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/dea/comparison.hpp"
#include "examples/dea/envelopment.hpp"
#include "readers/read_error.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::dea;

namespace {

VariantOptions onHost() {
  VariantOptions options;
  options.engine = BatchEngine::host;
  options.threads = 2;
  return options;
}

/// One input, one output: (2, 1), (4, 4), (8, 6), (6, 3).
Units fourUnits() {
  Units units;
  units.names = {"a", "b", "c", "d"};
  units.inputNames = {"x"};
  units.outputNames = {"y"};
  units.inputs = {2, 4, 8, 6};
  units.outputs = {1, 4, 6, 3};
  return units;
}

void checkScores(Question const& question, std::vector<double> const& expected) {
  Units const units = fourUnits();
  Analysis const analysis = analyse(units, question, onHost(), true);
  for (std::size_t u = 0; u < expected.size(); ++u) {
    BOOST_TEST((analysis.scores[u].status == BatchStatus::optimal));
    BOOST_TEST(std::fabs(analysis.scores[u].efficiency - expected[u]) <= 1e-12);
  }
  // Each mix makes at least what the unit makes; with constant returns weights are free.
  std::vector<double> made(units.count(), 0.0);
  for (Reference const& r : analysis.references)
    made[r.unit] += r.weight * units.output(r.reference, 0);
  for (std::size_t u = 0; u < units.count(); ++u) BOOST_TEST(made[u] >= units.output(u, 0) - 1e-12);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(efficiency_analysis)

BOOST_AUTO_TEST_CASE(scores_that_can_be_told_by_hand) {
  // Constant returns: output an input, beside the best, b's 1.
  checkScores({Orientation::input, Returns::constant}, {0.5, 1.0, 0.75, 0.5});
  checkScores({Orientation::output, Returns::constant}, {0.5, 1.0, 0.75, 0.5});
  // Variable returns: the frontier is a, b, c; d could do with 2 + 2/3 * 2 = 10/3 of 6, or make 5.
  checkScores({Orientation::input, Returns::variable}, {1.0, 1.0, 1.0, 10.0 / 18.0});
  checkScores({Orientation::output, Returns::variable}, {1.0, 1.0, 1.0, 0.6});
}

BOOST_AUTO_TEST_CASE(scores_are_those_of_single_solves) {
  Units const units = generateUnits(60, 3, 2, 5);
  for (auto const orientation : {Orientation::input, Orientation::output})
    for (auto const returns : {Returns::constant, Returns::variable}) {
      Question const question{orientation, returns};
      Analysis const analysis = analyse(units, question, onHost(), false);
      Comparison const c = compareWithSingles(units, question, analysis, 2, 60.0);
      BOOST_TEST(c.units == 60u);
      BOOST_TEST(c.different == 0u);
      BOOST_TEST(c.difference <= 1e-9);
      BOOST_TEST(analysis.again <= 3u);
    }
}

BOOST_AUTO_TEST_CASE(files_of_units_are_read_as_they_were_written) {
  testing::TemporaryFolder const folder;
  Units const units = generateUnits(12, 2, 3, 7);
  Units const again = readUnits(folder.write("units.csv", unitsText(units)));
  BOOST_TEST((again.names == units.names));
  BOOST_TEST((again.inputs == units.inputs));
  BOOST_TEST((again.outputs == units.outputs));
  for (char const* const text :
       {"unit,in:x\na,1\n", "unit,in:x,out:y\na,0,1\n", "unit,in:x,out:y\n", "name,in:x,out:y\n"})
    BOOST_CHECK_THROW(readUnits(folder.write("bad.csv", text)), readers::ReadError);
}

BOOST_AUTO_TEST_CASE(an_analysis_can_be_stopped) {
  Units const units = generateUnits(3000, 3, 2, 5);
  Analysis const analysis = analyse(units, {}, onHost(), false, [](std::size_t) { return true; });
  BOOST_TEST((analysis.scores.back().status == BatchStatus::interrupted));
}

BOOST_AUTO_TEST_SUITE_END()
