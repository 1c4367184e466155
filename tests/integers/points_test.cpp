// SPDX-License-Identifier: EPL-2.0
// Integer points without a proof of their own: the local search, and what dives find.
#include <boost/test/unit_test.hpp>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/search/local_search.hpp"
#include "osi_cuda/search/points.hpp"
#include "tests/integers/small_problems.hpp"
#include "tests/support/random.hpp"

namespace osi_cuda {
namespace {

using testing::isPoint;
using testing::onHost;
using testing::Random;

/// Each of `jobs` jobs to one of `agents` agents, within the hours of each. Rounding an optimum of
/// the relaxation, to any side, misses rows.
LinearProgram assignment(int agents, int jobs, unsigned seed, double room = 0.85) {
  Random random(seed);
  LinearProgram lp;
  std::vector<double> hours(at(agents), 0.0);
  for (int j = 0; j < jobs; ++j) lp.addRow(1.0, 1.0);
  for (int a = 0; a < agents; ++a) lp.addRow(-infinity, 0.0);
  for (int a = 0; a < agents; ++a)
    for (int j = 0; j < jobs; ++j) {
      int const time = random.whole(5, 25);
      hours[at(a)] += time;
      lp.matrix.add(j, 1.0);
      lp.matrix.add(jobs + a, time);
      lp.endColumn(random.whole(10, 50), 0.0, 1.0);
      lp.integer.push_back(1);
    }
  for (int a = 0; a < agents; ++a)
    lp.rowUpper[at(jobs + a)] = std::round(room * hours[at(a)] / agents);
  return lp;
}

/// Lots: items in periods that share a machine; x is made, s kept, and y says whether any is made.
LinearProgram lots(int items, int periods, unsigned seed) {
  Random random(seed);
  LinearProgram lp;
  int const cells = items * periods;
  std::vector<double> demand;
  double most = 0.0;
  for (int k = 0; k < cells; ++k) most += demand.emplace_back(random.whole(10, 60));
  for (double const wanted : demand) lp.addRow(wanted, wanted);
  for (int k = 0; k < cells; ++k) lp.addRow(-infinity, 0.0);
  for (int t = 0; t < periods; ++t) lp.addRow(-infinity, std::round(1.4 * most / periods));
  auto const whole = [&](bool is) { lp.integer.push_back(is); };
  for (int k = 0; k < cells; ++k) {
    lp.matrix.add(k, 1.0);
    lp.matrix.add(cells + k, 1.0);
    lp.matrix.add(2 * cells + k % periods, 1.0);
    lp.endColumn(random.whole(1, 5), 0.0, infinity);
    whole(false);
  }
  for (int k = 0; k < cells; ++k) {
    lp.matrix.add(k, -1.0);
    if (k % periods + 1 < periods) lp.matrix.add(k + 1, 1.0);
    lp.endColumn(random.whole(1, 4), 0.0, infinity);
    whole(false);
  }
  for (int k = 0; k < cells; ++k) {
    lp.matrix.add(cells + k, -most);
    lp.matrix.add(2 * cells + k % periods, 8.0);
    lp.endColumn(random.whole(100, 300), 0.0, 1.0);
    whole(true);
  }
  return lp;
}

BOOST_AUTO_TEST_SUITE(integer_points)

BOOST_AUTO_TEST_CASE(jumpsFindPointsOfAssignmentsBelowACutoff) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    LinearProgram const lp = assignment(5, 30, seed);
    search::Jumps jumps(lp, 1);
    std::vector<double> const nothing(at(lp.columns()), 0.0);
    jumps.beginAt(nothing, lp.columnLower, lp.columnUpper);
    search::PointMaker const points(lp, 1e-9);
    double last = infinity;
    int found = 0;
    for (; found < 20 && jumps.work(1e6); ++found) {
      std::optional<double> const value = points.valueOf(jumps.values());
      BOOST_TEST_REQUIRE(value.has_value());
      BOOST_TEST(isPoint(lp, jumps.values()));
      BOOST_TEST(*value < last);
      last = *value;
      jumps.setCutoff(last - 1.0);
    }
    BOOST_TEST(found >= 3);
  }
}

BOOST_AUTO_TEST_CASE(jumpsAreTheSameInPiecesOfWorkAndEveryRun) {
  LinearProgram const lp = assignment(6, 40, 3);
  auto const points = [&](double piece) {
    search::Jumps jumps(lp, 7);
    jumps.beginAt(std::vector<double>(at(lp.columns()), 0.5), lp.columnLower, lp.columnUpper);
    for (int calls = 0; calls < 10000 && jumps.spent() < 2e6; ++calls)
      if (jumps.work(piece)) break;
    return jumps.values();
  };
  std::vector<double> const once = points(1e9);
  BOOST_TEST(isPoint(lp, once));
  BOOST_TEST(points(1e9) == once);
  BOOST_TEST(points(1e3) == once);
}

BOOST_AUTO_TEST_CASE(jumpsOfGeneralIntegersBesideEnumeration) {
  int points = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    LinearProgram lp = testing::smallProblem(seed, 3, 5, Sense::minimize);
    bool const has = testing::enumerated(lp).has_value();
    search::Jumps jumps(lp, seed);
    jumps.beginAt(std::vector<double>(5, 1.4), lp.columnLower, lp.columnUpper);
    bool const found = jumps.work(1e5);
    if (found) BOOST_TEST(isPoint(lp, jumps.values()));
    BOOST_TEST((has || !found));
    points += found;
  }
  BOOST_TEST(points > 60);
}

BOOST_AUTO_TEST_CASE(jumpsEndWhereNothingCanBeMoved) {
  LinearProgram lp;
  lp.addRow(1.0, 2.0);  // an empty row
  lp.addRow(-infinity, infinity);
  lp.matrix.add(1, 1.0);
  lp.endColumn(1.0, -infinity, infinity);
  lp.integer.push_back(1);
  search::Jumps jumps(lp, 1);
  jumps.beginAt(std::vector<double>{0.3}, lp.columnLower, lp.columnUpper);
  BOOST_TEST(!jumps.work(1e6));
}

BOOST_AUTO_TEST_CASE(theSearchHasPointsWhereDivesHaveNone) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    LinearProgram const lp = assignment(10, 40, seed, 0.8);
    Options options = onHost();
    options.search = SearchChoice::own;
    options.nodeLimit = 500;
    IntegerSolution const found = solveIntegers(lp, options);
    BOOST_TEST_REQUIRE(!found.solution.columnValues.empty());
    BOOST_TEST(isPoint(lp, found.solution.columnValues));
  }
}

BOOST_AUTO_TEST_CASE(theSearchHasPointsWhereRoundingHasNone) {
  for (LinearProgram const& lp : {assignment(8, 40, 2), lots(5, 10, 3)}) {
    Options options = onHost();
    options.search = SearchChoice::own;
    options.nodeLimit = 3000;
    IntegerSolution const found = solveIntegers(lp, options);
    BOOST_TEST_REQUIRE(!found.solution.columnValues.empty());
    BOOST_TEST(isPoint(lp, found.solution.columnValues));
    BOOST_TEST(found.boundIsProved);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
