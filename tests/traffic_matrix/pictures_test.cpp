// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/pictures.hpp"

#include <boost/test/unit_test.hpp>

#include "examples/traffic_matrix/evaluation.hpp"
#include "tests/traffic_matrix/cases.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::traffic;

namespace {

int count(std::string const& text, std::string const& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pictures)

BOOST_AUTO_TEST_CASE(measuresByHand) {
  std::vector<double> const truth{100.0, 50.0, 0.0, 10.0}, estimate{120.0, 20.0, 4.0, 10.0};
  Accuracy const accuracy = accuracyOf(estimate, truth);
  BOOST_TEST(std::abs(accuracy.meanRelative - (0.2 + 0.6 + 0.0) / 3.0) <= 1e-15);
  BOOST_TEST(std::abs(accuracy.medianRelative - 0.2) <= 1e-15);
  BOOST_TEST(std::abs(accuracy.totalVariation - (20.0 + 30.0 + 4.0) / 320.0) <= 1e-15);
  BOOST_TEST(std::abs(accuracy.within23 - 2.0 / 3.0) <= 1e-15);
  BOOST_TEST(std::abs(accuracy.trafficWithin23 - 110.0 / 160.0) <= 1e-15);
  BOOST_TEST(worstPairs(estimate, truth, 2) == std::vector<int>({1, 0}),
             boost::test_tools::per_element());
}

// Equal neighbours are one bar, the diagonal is left out, and what is 0 has a colour of its own.
BOOST_AUTO_TEST_CASE(heatMapsHaveOneScale) {
  Network network;
  for (char const* name : {"A", "B&C", "D"}) network.nodes.push_back({name});
  std::vector<double> const truth{8.0, 4.0, 4.0, 2.0, 1.0, 0.0},
      prior{8.0, 8.0, 8.0, 8.0, 8.0, 8.0};
  std::string const svg = heatMaps({{"truth", truth}, {"prior", prior}}, network);
  BOOST_TEST(count(svg, "<g shape-rendering") == 2);
  BOOST_TEST(count(svg, ">truth<") == 1);
  BOOST_TEST(count(svg, "B&amp;C") == 3);  // once as a row, twice as a column
  // Rows by falling traffic: A (15), B&C (15), D (7). The full one has bars of 2, 1, 1, and 2.
  BOOST_TEST(count(svg, "M1 0h2v1h-2zM0 1h1v1h-1zM2 1h1v1h-1zM0 2h2v1h-2z") == 1);
  BOOST_TEST(count(svg, "<path fill=\"#e4e4e4\" d=\"M1 2h1v1h-1z\"/>") == 1);
}

BOOST_AUTO_TEST_CASE(exactEstimatesAreWithinEverything) {
  testing::TrafficCase const traffic(6, 1);
  std::string const svg = errorDistribution({{"exact", traffic.truth}}, traffic.truth);
  BOOST_TEST(count(svg, "exact: 100 % of pairs, 100 % of traffic within 23 %") == 1);
}

BOOST_AUTO_TEST_CASE(networksShowEveryDirection) {
  testing::TrafficCase traffic(9, 2);
  std::string const unknown = networkMap(traffic.network, traffic.loads, traffic.truth);
  BOOST_TEST(count(unknown, "<polygon") == traffic.network.linkCount());
  BOOST_TEST(count(unknown, "share of largest") == 1);
  setCapacities(traffic.network, traffic.loads);
  for (Link const& link : traffic.network.links) BOOST_TEST(link.capacity > 0.0);
  std::string const known = networkMap(traffic.network, traffic.loads, traffic.truth);
  BOOST_TEST(count(known, "use of capacity") == 1);
  for (Node const& node : traffic.network.nodes)
    BOOST_TEST(count(known, ">" + node.name + "<") == 1);
}

BOOST_AUTO_TEST_CASE(numbersAreReadable) {
  BOOST_TEST(axisNumber(4970.3) == "4970");
  BOOST_TEST(axisNumber(0.012345) == "0.0123");
  BOOST_TEST(axisNumber(1234567.0) == "1230000");
  BOOST_TEST(axisNumber(0.0) == "0");
}

BOOST_AUTO_TEST_SUITE_END()
