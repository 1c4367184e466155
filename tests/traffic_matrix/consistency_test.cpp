// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/consistency.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "examples/common/solver_factory.hpp"
#include "tests/traffic_matrix/cases.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::traffic;
using osi_cuda::testing::TrafficCase;

namespace {

SolverFactory factory(std::string const& name) {
  return [name] { return examples::makeSolver(name); };
}

/// A chain A - B - C - D, both directions: all that goes from A crosses AB, and so on.
struct Chain {
  Chain() {
    for (char const* name : {"A", "B", "C", "D"}) network.nodes.push_back({name});
    for (int k = 0; k < 3; ++k) {
      std::string const name = network.nodes[k].name + network.nodes[k + 1].name;
      network.links.push_back({name, k, k + 1, 1.0, 0.0});
      network.links.push_back({name, k + 1, k, 1.0, 0.0});
    }
    routing = routingMatrix(network);
    measured.resize(6);
    std::iota(measured.begin(), measured.end(), 0);
    prior.assign(12, 1.0);
    loads = linkLoads(routing, prior);
  }
  Observation observation() const { return {routing, measured, loads, prior}; }
  Network network;
  CoinPackedMatrix routing;
  std::vector<int> measured;
  std::vector<double> loads, prior;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(consistency)

BOOST_AUTO_TEST_CASE(trueLoadsDoNotContradictEachOther) {
  for (std::string const& name : examples::solverNames()) {
    TrafficCase const traffic(15, 1);
    BOOST_TEST(!findContradiction(traffic.observation(), factory(name)).exists());
    Correction const correction = correctLoads(traffic.observation(), factory(name));
    BOOST_TEST(correction.total == 0.0);
    BOOST_TEST(correction.loads == traffic.loads);
  }
}

// Two parallel links of equal weight share evenly whatever flows: unequal loads can't be.
BOOST_AUTO_TEST_CASE(parallelLinksMustCarryTheSame) {
  Chain chain;
  chain.network.links.push_back({"AB2", 0, 1, 1.0, 0.0});
  CoinPackedMatrix const routing = routingMatrix(chain.network);
  std::vector<double> loads = linkLoads(routing, chain.prior);
  BOOST_TEST(loads[0] == 1.5);
  BOOST_TEST(loads[6] == 1.5);
  loads[6] = 2.0;
  Observation const observation{routing, {0, 1, 2, 3, 4, 5, 6}, loads, chain.prior};
  for (std::string const& name : examples::solverNames()) {
    Contradiction const found = findContradiction(observation, factory(name));
    BOOST_TEST(found.exists());
    BOOST_TEST(std::abs(found.excess - 0.5) <= 1e-9);
    BOOST_TEST(explain(found, observation, counterNames(chain.network)) ==
               "with these routes, load of AB2 (A -> B) can't be more than load of AB (A -> B), "
               "but it is 2 against 1.5");
    BOOST_TEST(std::abs(correctLoads(observation, factory(name)).total - 0.5) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(theContradictingLinksAreNamed) {
  for (std::string const& name : examples::solverNames()) {
    TrafficCase traffic(15, 2);
    // A link all of whose traffic must also cross others: raise it until they can't explain it.
    int culprit = -1;
    Contradiction found;
    for (int i = 0; i < traffic.network.linkCount() && !found.exists(); ++i) {
      std::vector<double> const kept = traffic.loads;
      traffic.loads[i] = 50.0 * (1.0 + traffic.loads[i]);
      found = findContradiction(traffic.observation(), factory(name));
      culprit = i;
      if (!found.exists()) traffic.loads = kept;
    }
    BOOST_TEST_REQUIRE(found.exists());
    BOOST_TEST(holds(found, traffic.observation()));
    bool named = false;
    for (auto const& [link, multiplier] : found.multipliers) named = named || link == culprit;
    BOOST_TEST(named);
    std::string const sentence =
        explain(found, traffic.observation(), counterNames(traffic.network));
    BOOST_TEST(sentence.find(traffic.network.describe(culprit)) != std::string::npos);

    // Every link is needed: without any one of them, the rest do not contradict each other.
    for (auto const& [without, unused] : found.multipliers) {
      Observation rest = traffic.observation();
      rest.measured.clear();
      for (auto const& [link, multiplier] : found.multipliers)
        if (link != without) rest.measured.push_back(link);
      BOOST_TEST(!findContradiction(rest, factory(name)).exists());
    }
  }
}

BOOST_AUTO_TEST_CASE(aLinkThatNoRouteUsesMustBeEmpty) {
  Chain chain;
  chain.network.links.push_back({"detour", 0, 2, 9.0, 0.0});
  Observation const observation{routingMatrix(chain.network),
                                {0, 1, 2, 3, 4, 5, 6},
                                {3.0, 3.0, 4.0, 4.0, 3.0, 3.0, 7.0},
                                chain.prior};
  for (std::string const& name : examples::solverNames()) {
    Contradiction const found = findContradiction(observation, factory(name));
    BOOST_TEST_REQUIRE(found.multipliers.size() == 1U);
    BOOST_TEST(found.multipliers.front().first == 6);
    BOOST_TEST(explain(found, observation, counterNames(chain.network)) ==
               "with these routes, load of detour (A -> C) can't be more than 0, but it is 7 "
               "against 0");
    Correction const correction = correctLoads(observation, factory(name));
    BOOST_TEST(std::abs(correction.total - 7.0) <= 1e-9);
    BOOST_TEST(correction.loads[6] == 0.0);
  }
}

// A certificate that proves nothing is not believed.
BOOST_AUTO_TEST_CASE(multipliersAreChecked) {
  Chain const chain;
  Contradiction made;
  made.multipliers = {{0, 1.0}, {2, -1.0}};  // A -> B traffic need not cross BC
  made.excess = 1.0;
  BOOST_TEST(!holds(made, chain.observation()));
}

BOOST_AUTO_TEST_CASE(correctedLoadsCanBeExplained) {
  for (std::string const& name : examples::solverNames()) {
    TrafficCase traffic(15, 3);
    traffic.loads[5] *= 40.0;
    traffic.loads[20] = 0.0;
    Correction const correction = correctLoads(traffic.observation(), factory(name));
    Contradiction const found = findContradiction(traffic.observation(), factory(name));
    BOOST_TEST((correction.total > 0.0) == found.exists());
    Observation corrected = traffic.observation();
    corrected.loads = correction.loads;
    BOOST_TEST(!findContradiction(corrected, factory(name)).exists());
    double total = 0.0;
    for (std::size_t i = 0; i < traffic.loads.size(); ++i)
      total += std::abs(correction.loads[i] - traffic.loads[i]);
    BOOST_TEST(std::abs(total - correction.total) <= 1e-6 * (1.0 + total));
    auto const solver = examples::makeSolver(name);
    Estimate const result = estimate(corrected, {}, *solver);
    BOOST_TEST_REQUIRE((result.outcome == Outcome::optimal));
    BOOST_TEST(result.residual <= 1e-8);
  }
}

BOOST_AUTO_TEST_SUITE_END()
