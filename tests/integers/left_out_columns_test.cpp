// SPDX-License-Identifier: EPL-2.0
// Columns far from the root's basis are left out of the nodes' linear programs, and come back.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/search/node_lps.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/integers/small_problems.hpp"
#include "tests/support/dense_mips.hpp"

namespace osi_cuda {
namespace {

using search::BoundChange;

std::size_t place(int j) {
  return static_cast<std::size_t>(j);
}

Basis slacks(LinearProgram const& lp) {
  return {std::vector<VariableStatus>(place(lp.columns())),
          std::vector<VariableStatus>(place(lp.rows()), VariableStatus::basic)};
}

double objectiveOfAll(LinearProgram lp, std::vector<BoundChange> const& node) {
  for (BoundChange const& change : node)
    (change.upper ? lp.columnUpper : lp.columnLower)[place(change.column)] = change.value;
  Solver solver(lp);
  return solver.solve(testing::onHost()).objective;
}

BOOST_AUTO_TEST_SUITE(left_out_columns)

// Nodes that fix most of the columns that are there: without the others they have no point.
BOOST_AUTO_TEST_CASE(nodes_get_the_columns_that_they_lack) {
  std::function<bool()> const never = [] { return false; };
  for (char const* model : {"cover:12x800:30:1", "cover:20x900:20:2", "knapsack:5x900:3"}) {
    LinearProgram const lp = testing::denseMip(model);
    search::NodeLps lps(lp, slacks(lp), testing::onHost(), false);
    lps.leavesOut = true;
    BOOST_REQUIRE(lps.begin(lp.columnLower, lp.columnUpper, never));
    int const few = lps.columns();
    BOOST_TEST(few < lp.columns() * 3 / 4);
    std::vector<BoundChange> node;
    for (int j = 0; j < lp.columns(); ++j)
      if (lps.has(j) && j % 61 != 0) node.push_back({j, true, 0.0});
    std::int64_t start = -1;
    int rounds = 0;
    BatchResults answers;
    std::vector<int> missing;
    do {
      search::NodeList list;
      list.add(node, start);
      lps.solve(list, infinity, 0, never, answers);
      bool const isEmpty = answers.status[0] == BatchStatus::infeasible;
      BOOST_REQUIRE((isEmpty || answers.status[0] == BatchStatus::optimal));
      missing = lps.missing(lps.multipliersOf(answers, 0), list[0], !isEmpty);
      start = answers.start[0];
      lps.add(missing);
      if (!missing.empty()) BOOST_REQUIRE(lps.begin(lp.columnLower, lp.columnUpper, never));
    } while (!missing.empty() && ++rounds < 30);
    BOOST_TEST_CONTEXT(model) {
      BOOST_TEST(rounds > 0);
      BOOST_TEST(rounds < 30);
      BOOST_TEST(lps.columns() > few);
      BOOST_REQUIRE((answers.status[0] == BatchStatus::optimal));
      BOOST_TEST(std::fabs(answers.objective[0] - objectiveOfAll(lp, node)) < 1e-6);
    }
  }
}

// A column that is left out can't move: the node wants it; where it rests, nothing is asked for.
BOOST_AUTO_TEST_CASE(bounds_of_columns_that_are_not_there) {
  std::function<bool()> const never = [] { return false; };
  LinearProgram const lp = testing::denseMip("cover:12x800:30:1");
  search::NodeLps lps(lp, slacks(lp), testing::onHost(), false);
  lps.leavesOut = true;
  BOOST_REQUIRE(lps.begin(lp.columnLower, lp.columnUpper, never));
  int out = 0;
  while (lps.has(out)) ++out;
  search::NodeList list;
  list.add(std::vector<BoundChange>{{out, true, 0.0}}, -1);
  list.add(std::vector<BoundChange>{{out, false, 1.0}}, -1);
  BatchResults answers;
  lps.solve(list, infinity, 0, never, answers);
  BOOST_TEST((answers.status[0] == BatchStatus::optimal));
  BOOST_TEST((answers.status[1] == BatchStatus::infeasible));
  std::vector<double> const none(place(lp.rows()));
  BOOST_TEST(lps.missing(none, list[1], false) == std::vector<int>{out});
  // Fixed there everywhere, it makes the common problem another one.
  BOOST_TEST(!lps.isStale());
  lps.tighten({out, true, 0.0});
  BOOST_TEST(!lps.isStale());
  std::vector<double> lower = lp.columnLower;
  lower[place(out)] = 1.0;
  lps.tighten({out, false, 1.0});
  BOOST_TEST(lps.isStale());
  BOOST_REQUIRE(lps.begin(lower, lp.columnUpper, never));
  BOOST_TEST(!lps.isStale());
  search::NodeList all;
  all.add({}, -1);
  lps.solve(all, infinity, 0, never, answers);
  BOOST_TEST(std::fabs(answers.objective[0] - objectiveOfAll(lp, {{out, false, 1.0}})) < 1e-6);
}

BOOST_AUTO_TEST_CASE(searches_end_at_the_optimum) {
  for (char const* model : {"cover:6x800:30:1", "cover:10x700:20:2", "knapsack:2x700:1"}) {
    LinearProgram const lp = testing::denseMip(model);
    Options options = testing::onHost();
    options.search = SearchChoice::own;
    IntegerSolution const own = solveIntegers(lp, options);
    options.search = SearchChoice::cbc;
    IntegerSolution const other = solveIntegers(lp, options);
    BOOST_TEST_CONTEXT(model) {
      BOOST_REQUIRE((own.solution.status == Status::optimal));
      BOOST_TEST(own.boundIsProved);
      BOOST_TEST(testing::isPoint(lp, own.solution.columnValues));
      double const size = 1.0 + std::fabs(other.solution.objective);
      BOOST_TEST(std::fabs(own.solution.objective - other.solution.objective) < 1e-5 * size);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
