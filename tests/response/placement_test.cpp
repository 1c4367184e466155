// SPDX-License-Identifier: EPL-2.0
// The linear programs, and what is said of their answers.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/solver_factory.hpp"
#include "examples/response/placement.hpp"

namespace osi_cuda::response {
namespace {

SolverFactory solver(std::string const& name) {
  return [name] { return examples::makeSolver(name, "host"); };
}

/// Two sources at three places; a field of 1 everywhere is out of reach.
Plant smallPlant() {
  Plant plant;
  plant.sources = {{0, 0}, {1, 0}};
  plant.observations = {{0, 1}, {0.5, 1}, {1, 1}};
  plant.response = {2, 0, 1, 1, 0, 2};
  plant.target = {1, 1.5, 1};
  return plant;
}

BOOST_AUTO_TEST_CASE(worstDeviation) {
  for (auto const& name : examples::solverNames()) {
    // By symmetry q = (a, a): |2 a - 1| and |2 a - 1.5| are least, 0.25, at a = 0.625.
    Placement const best = place(smallPlant(), Goal::minimax, {}, solver(name));
    BOOST_REQUIRE((best.outcome == Outcome::optimal));
    BOOST_TEST(best.worst == 0.25, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(best.rows == 6);
    double prices = 0.0;
    for (Limiting const& one : best.limiting) {
      BOOST_TEST(one.tooLow == (one.observation == 1));
      prices += one.price;
    }
    BOOST_TEST(prices == 1.0, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(sumOfDeviations) {
  for (auto const& name : examples::solverNames()) {
    // q = (0.5, 0.5) meets two of three.
    Placement const best = place(smallPlant(), Goal::sum, {}, solver(name));
    BOOST_REQUIRE((best.outcome == Outcome::optimal));
    BOOST_TEST(best.total == 0.5, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(budgetsAndGuards) {
  Plant plant = smallPlant();
  plant.guards = {{2, 2}};
  plant.guardResponse = {1, 0};
  Limits limits;
  limits.budget = 1.0;
  limits.guard = 0.25;
  for (auto const& name : examples::solverNames()) {
    Placement const best = place(plant, Goal::minimax, limits, solver(name));
    BOOST_REQUIRE((best.outcome == Outcome::optimal));
    BOOST_TEST(best.strength[0] <= 0.25 + 1e-9);
    BOOST_TEST(best.spent <= 1.0 + 1e-9);
    BOOST_TEST(best.worst == 0.5, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(fewSources) {
  // One source does what three weaker ones do together.
  Plant plant;
  plant.sources = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  plant.observations = {{0, 1}, {1, 1}};
  plant.response = {1, 0.5, 0.1, 0.9, 1, 0.1, 0.5, 0.9};
  plant.target = {2, 2};
  Limits limits;
  limits.within = 1e-6;
  limits.lower = -5.0;
  limits.upper = 5.0;
  for (auto const& name : examples::solverNames()) {
    Placement const best = place(plant, Goal::few, limits, solver(name));
    BOOST_REQUIRE((best.outcome == Outcome::optimal));
    BOOST_TEST(best.sourcesOn == 1);
    BOOST_TEST(best.strength[0] == 2.0, boost::test_tools::tolerance(1e-5));
  }
}

BOOST_AUTO_TEST_CASE(contradictionsAreProvedAndTold) {
  Limits limits;
  limits.upper = 0.6;
  limits.within = 0.1;
  limits.budget = 1.0;
  for (auto const& name : examples::solverNames())
    for (Goal const goal : {Goal::minimax, Goal::sum, Goal::few}) {
      Placement const none = place(smallPlant(), goal, limits, solver(name));
      BOOST_REQUIRE((none.outcome == Outcome::infeasible));
      BOOST_REQUIRE(none.contradiction.exists());
      BOOST_TEST(none.contradiction.needed > none.contradiction.possible);
      BOOST_TEST(none.contradiction.sentence().find("observation 2") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(falseContradictionsAreRefused) {
  Plant const plant = smallPlant();
  Limits limits;
  limits.upper = 0.6;
  limits.within = 0.1;
  double needed = 0.0, possible = 0.0;
  BOOST_TEST(holds(plant, limits, {0, 1, 0, 0}, needed, possible));  // 1.4 against 1.2
  BOOST_TEST(!holds(plant, limits, {1, 0, 0, 0}, needed, possible));
  BOOST_TEST(!holds(plant, limits, {0, 1, 0, 1}, needed, possible));   // a budget no one has
  BOOST_TEST(!holds(plant, limits, {0, -1, 0, 0}, needed, possible));  // may well be lower
  limits.upper = 1e30;
  BOOST_TEST(!holds(plant, limits, {0, 1, 0, 0}, needed, possible));
}

}  // namespace
}  // namespace osi_cuda::response
