// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/estimation.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "bridges/bridge.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/evaluation.hpp"
#include "tests/traffic_matrix/cases.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::traffic;
using osi_cuda::testing::allObjectives;
using osi_cuda::testing::TrafficCase;

namespace {

constexpr double sameOptimum = 1e-9;
constexpr double loadsMet = 1e-8;

double relativeGap(double a, double b) {
  return std::abs(a - b) / std::max({1.0, std::abs(a), std::abs(b)});
}

/// The value of the objective at X = `matrix`, straight from the definition.
double objectiveValue(Objective const& objective, std::vector<double> const& prior,
                      std::vector<double> const& units, std::vector<double> const& matrix) {
  double total = 0.0, largest = 0.0;
  for (std::size_t j = 0; j < prior.size(); ++j) {
    double const e = (prior[j] - matrix[j]) / units[j];
    double const a = std::max(objective.alpha * e, -e);
    largest = std::max(largest, std::abs(e));
    total += std::max(a, objective.gamma + objective.beta * (a - objective.gamma));
  }
  return objective.kind == Objective::Kind::minimax ? largest : total;
}

std::string describe(Objective const& objective, std::string const& what) {
  return objectiveNames[static_cast<std::size_t>(objective.kind)] + ", q " +
         std::to_string(objective.q) + ", " + what;
}

/// Who solves the LPs of error rows: their dense tableau is large.
enum class RowsWith { everySolver, clp };

/// Every objective, formulation and solver: loads met, one optimum, which is the definition's.
void checkAll(TrafficCase const& traffic, std::vector<Objective> const& objectives,
              RowsWith rowsWith = RowsWith::everySolver) {
  Observation const observation = traffic.observation();
  for (Objective const& objective : objectives) {
    std::vector<double> optima;
    for (std::string const& name : examples::solverNames()) {
      for (Formulation const formulation : {Formulation::errorRows, Formulation::deviations}) {
        if (formulation == Formulation::errorRows && rowsWith == RowsWith::clp && name != "clp")
          continue;
        Settings settings;
        settings.objective = objective;
        settings.formulation = formulation;
        auto const solver = examples::makeSolver(name);
        Estimate const result = estimate(observation, settings, *solver);
        std::string const what = describe(
            objective, name + ", " + formulationNames[static_cast<std::size_t>(formulation)]);
        BOOST_TEST_CONTEXT(what) {
          BOOST_TEST_REQUIRE((result.outcome == Outcome::optimal));
          BOOST_TEST(result.residual <= loadsMet);
          auto const units = errorUnits(observation.prior, objective.q, result.floor);
          double const value = objectiveValue(objective, observation.prior, units, result.matrix);
          BOOST_TEST(relativeGap(value, result.objectiveValue) <= sameOptimum);
          BOOST_TEST(*std::min_element(result.matrix.begin(), result.matrix.end()) >= 0.0);
          optima.push_back(result.objectiveValue);
        }
      }
    }
    auto const [low, high] = std::minmax_element(optima.begin(), optima.end());
    BOOST_TEST_CONTEXT(describe(objective, "all solvers and formulations"))
    BOOST_TEST(relativeGap(*low, *high) <= sameOptimum);
  }
}

/// Those with the parameters of q = 0, 0.5 and 1 in turn, one for each kind.
std::vector<Objective> oneOfEachKind() {
  std::vector<Objective> const all = allObjectives();
  return {all[6], all[13], all[2], all[16], all[11]};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(estimation)

BOOST_AUTO_TEST_CASE(everyObjectiveMeetsTheLoadsAtOneOptimum) {
  checkAll(TrafficCase(10, 1), allObjectives());
}

BOOST_AUTO_TEST_CASE(twentyNodes) {
  checkAll(TrafficCase(20, 2), oneOfEachKind());
}

BOOST_AUTO_TEST_CASE(theBridgesFindTheSameOptimum) {
  TrafficCase const traffic(8, 3);
  Observation const observation = traffic.observation();
  for (Objective const& objective : allObjectives()) {
    for (Formulation const formulation : {Formulation::errorRows, Formulation::deviations}) {
      Settings settings;
      settings.objective = objective;
      settings.formulation = formulation;
      auto const solver = examples::makeSolver("clp");
      Estimate const result = estimate(observation, settings, *solver);
      BOOST_TEST_REQUIRE((result.outcome == Outcome::optimal));
      LinearProgram const lp = testing::linearProgramOf(*solver);
      for (char const* const name : {"glpk", "lp_solve"}) {
        Solution const peer = findBridge(bridges(), name)->solve(lp);
        BOOST_TEST_CONTEXT(describe(objective, name)) {
          BOOST_TEST_REQUIRE((peer.status == Status::optimal));
          BOOST_TEST(relativeGap(peer.objective, solver->getObjValue()) <= sameOptimum);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(anExactPriorIsTheAnswer) {
  TrafficCase traffic(10, 4);
  traffic.prior = traffic.truth;
  for (Objective const& objective : oneOfEachKind()) {
    Settings settings;
    settings.objective = objective;
    auto const solver = examples::makeSolver("clp");
    Estimate const result = estimate(traffic.observation(), settings, *solver);
    BOOST_TEST_REQUIRE((result.outcome == Outcome::optimal));
    BOOST_TEST(accuracyOf(result.matrix, traffic.truth).totalVariation <= 1e-9);
  }
}

// The unit of traffic is the user's choice: the same matrix in other units must come out.
BOOST_AUTO_TEST_CASE(unitsOfTrafficDoNotMatter) {
  TrafficCase const traffic(10, 5);
  for (Objective objective : oneOfEachKind()) {
    Settings settings;
    settings.objective = objective;
    auto const solver = examples::makeSolver("clp");
    Estimate const plain = estimate(traffic.observation(), settings, *solver);
    for (double const factor : {1e-6, 1e9}) {
      Observation other = traffic.observation();
      for (double& load : other.loads) load *= factor;
      for (double& value : other.prior) value *= factor;
      settings.objective.gamma = objective.gamma * std::pow(factor, 1.0 - objective.q);
      Estimate const scaled = estimate(other, settings, *solver);
      BOOST_TEST_REQUIRE((scaled.outcome == Outcome::optimal));
      BOOST_TEST(scaled.residual <= loadsMet);
      double const value = scaled.objectiveValue / std::pow(factor, 1.0 - objective.q);
      BOOST_TEST(relativeGap(value, plain.objectiveValue) <= sameOptimum);
    }
  }
}

BOOST_AUTO_TEST_CASE(emptyEstimatesCountAsTheFloor) {
  TrafficCase traffic(10, 6);
  for (std::size_t j = 0; j < traffic.prior.size(); j += 7) traffic.prior[j] = 0.0;
  for (Objective const& objective : oneOfEachKind()) {
    std::vector<double> optima;
    for (Formulation const formulation : {Formulation::errorRows, Formulation::deviations}) {
      Settings settings;
      settings.objective = objective;
      settings.formulation = formulation;
      settings.floorShare = 1e-2;
      auto const solver = examples::makeSolver("clp");
      Estimate const result = estimate(traffic.observation(), settings, *solver);
      BOOST_TEST_REQUIRE((result.outcome == Outcome::optimal));
      BOOST_TEST(result.residual <= loadsMet);
      BOOST_TEST(result.pairsOnFloor >= 13);
      optima.push_back(result.objectiveValue);
    }
    BOOST_TEST(relativeGap(optima[0], optima[1]) <= sameOptimum);
  }
}

// 2 rows a pair and the link rows; or the link rows alone.
BOOST_AUTO_TEST_CASE(deviationsLeaveOnlyTheLinkRows) {
  TrafficCase const traffic(10, 7);
  Settings settings;
  auto const solver = examples::makeSolver("clp");
  settings.formulation = Formulation::errorRows;
  BOOST_TEST(estimate(traffic.observation(), settings, *solver).rows == 34 + 180);
  settings.formulation = Formulation::deviations;
  BOOST_TEST(estimate(traffic.observation(), settings, *solver).rows == 34);
  BOOST_TEST(solver->getNumCols() == 180);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(traffic_long)

BOOST_AUTO_TEST_CASE(thirtyAndFiftyNodes) {
  checkAll(TrafficCase(30, 8), oneOfEachKind());
  checkAll(TrafficCase(30, 8), allObjectives(), RowsWith::clp);
  checkAll(TrafficCase(50, 9), oneOfEachKind(), RowsWith::clp);
}

BOOST_AUTO_TEST_SUITE_END()
