// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/sndlib.hpp"

#include <boost/test/unit_test.hpp>

#include "examples/common/failure.hpp"
#include "readers/read_error.hpp"
#include "tests/support/program.hpp"
#include "tests/traffic_matrix/cases.hpp"

using namespace osi_cuda;
using namespace osi_cuda::examples::traffic;
using osi_cuda::testing::TemporaryFolder;

namespace {

std::string const fiveNodes = OSI_CUDA_TEST_FOLDER "/traffic_matrix/five_nodes.txt";

NetworkFile readText(std::string const& text, NetworkOptions const& options = {}) {
  TemporaryFolder const folder;
  return readNetwork(folder.write("network.txt", text), options);
}

std::string const nodes = "NODES (\n  A ( 0 0 )\n  B ( 1 0 )\n)\n";
std::string const links = "LINKS (\n  AB ( A B ) 10 0 1 0 ( )\n)\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(sndlib)

BOOST_AUTO_TEST_CASE(aNetworkOfOurOwn) {
  NetworkFile const file = readNetwork(fiveNodes, {});
  Network const& network = file.network;
  BOOST_TEST(network.nodeCount() == 5);
  BOOST_TEST(network.linkCount() == 14);  // seven lines, both directions
  BOOST_TEST(network.nodes[*network.findNode("Lyon")].x == 4.84);
  BOOST_TEST(network.describe(1) == "paris-lyon (Lyon -> Paris)");
  BOOST_TEST(network.links[0].capacity == 40000.0);
  BOOST_TEST(network.links[0].weight == 4.0);
  BOOST_TEST(network.links[4].capacity == 10000.0);  // the largest module, none is pre-installed
  Pairs const pairs(5);
  int const paris = *network.findNode("Paris"), nice = *network.findNode("Nice");
  BOOST_TEST(file.demands[pairs(paris, nice)] ==
             900.0 + 2 * 50.0);  // two demands, units of 1 and 2
  BOOST_TEST(file.demands[pairs(nice, paris)] == 300.0);
}

BOOST_AUTO_TEST_CASE(theMeaningOfLinksAndWeightsIsTheUsers) {
  NetworkOptions options;
  options.directions = NetworkOptions::Directions::asWritten;
  BOOST_TEST(readText(nodes + links, options).network.linkCount() == 1);
  options.weights = NetworkOptions::Weights::hops;
  BOOST_TEST(readNetwork(fiveNodes, options).network.links[0].weight == 1.0);
  options.weights = NetworkOptions::Weights::inverseCapacity;
  BOOST_TEST(readNetwork(fiveNodes, options).network.links[0].weight == 1.0 / 40000.0);
  options.weights = NetworkOptions::Weights::distance;  // Paris - Lyon, 392 km
  BOOST_TEST(std::abs(readNetwork(fiveNodes, options).network.links[0].weight - 392.0) < 2.0);
}

BOOST_AUTO_TEST_CASE(costsOfZeroAreNoWeights) {
  std::string const plain = "LINKS (\n AB ( A B ) 10 0 0 0 ( )\n)\n";
  BOOST_TEST(readText(nodes + plain).network.links[0].weight == 1.0);
  std::string const mixed =
      "NODES ( A B )\nLINKS ( AB ( A B ) 0 0 1 0 ( ) AC ( B A ) 0 0 0 0 ( ) )\n";
  BOOST_CHECK_THROW(readText(mixed), examples::Failure);
}

BOOST_AUTO_TEST_CASE(whatIsWrittenIsReadBack) {
  testing::TrafficCase const traffic(12, 5);
  NetworkFile const file = readText(sndlibText(traffic.network, traffic.truth));
  BOOST_TEST(file.demands == traffic.truth);
  BOOST_TEST(file.network.linkCount() == traffic.network.linkCount());
  for (int i = 0; i < file.network.linkCount(); ++i) {
    BOOST_TEST(file.network.describe(i) == traffic.network.describe(i));
    BOOST_TEST(file.network.links[i].weight == traffic.network.links[i].weight);
  }
}

BOOST_AUTO_TEST_CASE(faultsAreNamedWithTheirPlace) {
  struct Case {
    std::string text;
    std::string place;  ///< LINE:COLUMN: expected WHAT, found WHAT
  };
  for (Case const& fault : {
           Case{nodes + "LINKS (\n  AB ( A C ) 10 0 1 0 ( )\n)\n",
                "6:10: expected the name of a node of this network, found \"C\""},
           Case{nodes + "LINKS (\n  AB ( A A ) 10 0 1 0 ( )\n)\n",
                "6:10: expected another node than the source, found \"A\""},
           Case{nodes + "LINKS (\n  AB ( A B ) ten 0 1 0 ( )\n)\n",
                "6:14: expected the pre-installed capacity, found \"ten\""},
           Case{nodes + "LINKS (\n  AB ( A B ) 10 0 -1 0 ( )\n)\n",
                "6:19: expected the routing cost, at least 0, found \"-1\""},
           Case{"NODES (\n  A ( 0 0 )\n  A ( 1 0 )\n)\n",
                "3:3: expected a name that no other node has, found \"A\""},
           Case{nodes + "LINKS (\n  AB ( A B )",
                "7:1: expected the pre-installed capacity, found the end of the file"},
           Case{nodes, "5:1: expected a section LINKS, found the end of the file"},
           Case{nodes + links + "DEMANDS (\n  AB ( A B ) 1 -3 UNLIMITED\n)\n",
                "9:16: expected the demand's value, at least 0, found \"-3\""},
       }) {
    BOOST_TEST_CONTEXT(fault.text) {
      try {
        readText(fault.text);
        BOOST_TEST_ERROR("no error");
      } catch (readers::ReadError const& error) {
        std::string const what = error.what();
        BOOST_TEST(what.substr(what.find(".txt:") + 5) == fault.place);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
