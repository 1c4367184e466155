// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/routing.hpp"

#include <boost/test/unit_test.hpp>

#include "examples/common/failure.hpp"
#include "examples/traffic_matrix/priors.hpp"
#include "tests/traffic_matrix/cases.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::traffic;
using osi_cuda::testing::TrafficCase;

namespace {

/// Links A -> B and so on, by the letters of `ends`, "AB AC ...", all of weight 1.
Network letters(int nodes, std::string const& ends) {
  Network network;
  for (int k = 0; k < nodes; ++k) network.nodes.push_back({std::string(1, char('A' + k))});
  for (std::size_t at = 0; at < ends.size(); at += 3)
    network.links.push_back({ends.substr(at, 2), ends[at] - 'A', ends[at + 1] - 'A', 1.0, 0.0});
  return network;
}

/// The shares of links on the way of one pair.
std::vector<double> shares(Network const& network, int source, int target) {
  CoinPackedMatrix const routing = routingMatrix(network);
  std::vector<double> unit(routing.getNumCols());
  unit[Pairs(network.nodeCount())(source, target)] = 1.0;
  return linkLoads(routing, unit);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(routing)

BOOST_AUTO_TEST_CASE(pairsAreNumberedBySourceThenTarget) {
  Pairs const pairs(4);
  int next = 0;
  for (int source = 0; source < 4; ++source)
    for (int target = 0; target < 4; ++target) {
      if (source == target) continue;
      BOOST_TEST(pairs(source, target) == next);
      BOOST_TEST(pairs.source(next) == source);
      BOOST_TEST(pairs.target(next) == target);
      ++next;
    }
  BOOST_TEST(pairs.count() == next);
}

// A - B - D and A - C - D, then D - E: a diamond with a tail.
BOOST_AUTO_TEST_CASE(everyNodeSplitsEvenlyOverItsNextHops) {
  Network const diamond = letters(5, "AB AC BD CD DE EA");
  BOOST_TEST(shares(diamond, 0, 4) == std::vector<double>({0.5, 0.5, 0.5, 0.5, 1.0, 0.0}),
             boost::test_tools::per_element());
}

// Splits are made node by node, not by number of routes: A has two next hops, B two more.
BOOST_AUTO_TEST_CASE(splitsAreByHopNotByRoute) {
  Network const network = letters(6, "AB AC BD BE CD DF EF FA");
  BOOST_TEST(
      shares(network, 0, 5) == std::vector<double>({0.5, 0.5, 0.25, 0.25, 0.5, 0.75, 0.25, 0.0}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(parallelLinksShareAndLongerRoutesCarryNothing) {
  Network network = letters(3, "AB AB BC CA AC");
  network.links[4].weight = 3.0;
  BOOST_TEST(shares(network, 0, 2) == std::vector<double>({0.5, 0.5, 1.0, 0.0, 0.0}),
             boost::test_tools::per_element());
}

// 0.1 + 0.2 and 0.3 are equal lengths, though not equal numbers.
BOOST_AUTO_TEST_CASE(equalLengthsMayDifferInTheLastDigit) {
  Network network = letters(3, "AB BC AC CA");
  network.links[0].weight = 0.1;
  network.links[1].weight = 0.2;
  network.links[2].weight = 0.3;
  BOOST_TEST(shares(network, 0, 2) == std::vector<double>({0.5, 0.5, 0.5, 0.0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(aPairWithoutARouteIsNamed) {
  BOOST_CHECK_EXCEPTION(routingMatrix(letters(3, "AB BA AC")), examples::Failure,
                        [](examples::Failure const& failure) {
                          return std::string(failure.what()) == "there is no route from 'C' to 'A'";
                        });
}

// What leaves a node beyond what enters it is what it sends minus what it receives.
BOOST_AUTO_TEST_CASE(loadsConserveTraffic) {
  TrafficCase const traffic(25, 11);
  std::vector<double> balance(25);
  for (int i = 0; i < traffic.network.linkCount(); ++i) {
    balance[traffic.network.links[i].source] += traffic.loads[i];
    balance[traffic.network.links[i].target] -= traffic.loads[i];
  }
  Totals const totals = totalsOf(traffic.truth, Pairs(25));
  for (int node = 0; node < 25; ++node)
    BOOST_TEST(std::abs(balance[node] - totals.out[node] + totals.in[node]) <= 1e-8);
}

BOOST_AUTO_TEST_CASE(generatedNetworksAreWhatTheyPromise) {
  for (unsigned const seed : {1U, 2U, 3U}) {
    TrafficCase const traffic(60, seed);
    BOOST_TEST(traffic.network.linkCount() == 2 * (2 * 60 - 3));
    std::vector<int> degrees(60);
    for (std::size_t i = 0; i < traffic.network.links.size(); i += 2) {
      Link const &there = traffic.network.links[i], &back = traffic.network.links[i + 1];
      BOOST_TEST((there.source == back.target && there.target == back.source));
      BOOST_TEST(there.weight == back.weight);
      ++degrees[there.source];
      ++degrees[there.target];
    }
    BOOST_TEST(*std::min_element(degrees.begin(), degrees.end()) == 2);
    BOOST_TEST(*std::max_element(degrees.begin(), degrees.end()) >= 9);  // the mean is 3.9
    BOOST_TEST(std::abs(sum(traffic.truth) / 3540.0 - 100.0) <= 1e-9);
    // 2-connected: without any one node, the others still reach each other.
    for (int without = 0; without < 60; ++without) {
      std::vector<int> reached{without == 0 ? 1 : 0};
      std::vector<char> seen(60);
      seen[without] = seen[reached.front()] = 1;
      for (std::size_t k = 0; k < reached.size(); ++k)
        for (Link const& link : traffic.network.links)
          if (link.source == reached[k] && !seen[link.target]) {
            seen[link.target] = 1;
            reached.push_back(link.target);
          }
      BOOST_TEST(reached.size() == 59U);
    }
  }
}

BOOST_AUTO_TEST_CASE(aSeedRepeatsItself) {
  TrafficCase const once(15, 7), again(15, 7), other(15, 8);
  BOOST_TEST(once.loads == again.loads);
  BOOST_TEST(once.prior == again.prior);
  BOOST_TEST(once.truth != other.truth);
}

BOOST_AUTO_TEST_CASE(gravityFollowsTheTotals) {
  Pairs const pairs(3);
  Totals const totals{{60.0, 30.0, 10.0}, {20.0, 50.0, 30.0}};
  std::vector<double> prior = gravity(totals, pairs, {});
  BOOST_TEST(prior[pairs(0, 1)] == 60.0 * 50.0 / 100.0);
  BOOST_TEST(prior[pairs(2, 0)] == 10.0 * 20.0 / 100.0);
  double const before = sum(prior);

  std::vector<double> const rubbed = gravity(totals, pairs, {1.0, 2.0, 1.0, 1.0, 1.0, 1.0});
  BOOST_TEST(std::abs(sum(rubbed) - before) <= 1e-12);
  BOOST_TEST(std::abs(rubbed[pairs(0, 1)] / rubbed[pairs(0, 2)] -
                      2.0 * prior[pairs(0, 1)] / prior[pairs(0, 2)]) <= 1e-12);

  balance(prior, totals, pairs);
  Totals const met = totalsOf(prior, pairs);
  for (int node = 0; node < 3; ++node) {
    BOOST_TEST(std::abs(met.out[node] - totals.out[node]) <= 1e-7);
    BOOST_TEST(std::abs(met.in[node] - totals.in[node]) <= 1e-7);
  }
}

BOOST_AUTO_TEST_SUITE_END()
