// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/csv.hpp"

#include <algorithm>

#include "readers/number.hpp"
#include "readers/output.hpp"
#include "shell/csv_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

using readers::shortest;

/// A CSV file whose cells speak of a network.
class Table : public shell::CsvTable {
 public:
  explicit Table(std::string const& path) : CsvTable(path) {}

  double atLeastZero(std::size_t column) const {
    std::string const cell = text(column);
    readers::Number const number = readers::parseNumber(cell);
    if (number.fault != readers::NumberFault::none || number.value < 0.0)
      fail(column, "a number >= 0");
    return number.value;
  }
  int node(std::size_t column, Network const& network) const {
    std::optional<int> const found = network.findNode(text(column));
    if (!found) fail(column, "the name of a node of the network");
    return *found;
  }
};

/// The link from a node to another with this name, if it is not empty. Nothing: there is none.
std::optional<int> findLink(Network const& network, std::string const& name, int source, int target,
                            bool& ambiguous) {
  std::optional<int> found;
  ambiguous = false;
  for (int i = 0; i < network.linkCount(); ++i) {
    Link const& link = network.links[i];
    if (link.source != source || link.target != target) continue;
    if (!name.empty() && link.name != name) continue;
    ambiguous = found.has_value();
    found = i;
  }
  return found;
}

}  // namespace

std::vector<double> readMatrix(std::string const& path, Network const& network,
                               std::string const& value) {
  Table table(path);
  std::size_t const sources = table.need("source"), targets = table.need("target"),
                    values = table.need(value);
  Pairs const pairs(network.nodeCount());
  std::vector<double> matrix(pairs.count());
  std::vector<char> seen(pairs.count());
  while (table.next()) {
    int const source = table.node(sources, network), target = table.node(targets, network);
    if (source == target) table.fail(targets, "another node than the source");
    int const pair = pairs(source, target);
    if (seen[pair]) table.fail(targets, "a pair of nodes that has no line yet");
    seen[pair] = 1;
    matrix[pair] = table.atLeastZero(values);
  }
  return matrix;
}

std::string matrixText(std::vector<double> const& matrix, Network const& network,
                       std::string const& value) {
  Pairs const pairs(network.nodeCount());
  std::string text = "source,target," + value + '\n';
  for (int j = 0; j < pairs.count(); ++j)
    text += network.nodes[pairs.source(j)].name + ',' + network.nodes[pairs.target(j)].name + ',' +
            shortest(matrix[j]) + '\n';
  return text;
}

std::vector<std::optional<double>> readLoads(std::string const& path, Network const& network) {
  Table table(path);
  std::size_t const sources = table.need("source"), targets = table.need("target"),
                    values = table.need("load");
  bool const named = table.find("link").has_value();
  std::vector<std::optional<double>> loads(network.links.size());
  while (table.next()) {
    int const source = table.node(sources, network), target = table.node(targets, network);
    std::string const name = named ? table.text(table.need("link")) : "";
    bool ambiguous = false;
    std::optional<int> const link = findLink(network, name, source, target, ambiguous);
    std::size_t const place = named ? table.need("link") : targets;
    if (!link) table.fail(place, "a link of the network from this source to this target");
    if (ambiguous) table.fail(place, "the name of one of several parallel links");
    if (loads[*link]) table.fail(place, "a link that has no line yet");
    loads[*link] = table.atLeastZero(values);
  }
  return loads;
}

std::string loadsText(std::vector<double> const& loads, Network const& network) {
  std::string text = "link,source,target,load\n";
  for (int i = 0; i < network.linkCount(); ++i) {
    Link const& link = network.links[i];
    text += link.name + ',' + network.nodes[link.source].name + ',' +
            network.nodes[link.target].name + ',' + shortest(loads[i]) + '\n';
  }
  return text;
}

Totals readTotals(std::string const& path, Network const& network) {
  Table table(path);
  std::size_t const nodes = table.need("node"), outs = table.need("out"), ins = table.need("in");
  Totals totals{std::vector<double>(network.nodes.size()),
                std::vector<double>(network.nodes.size())};
  std::vector<char> seen(network.nodes.size());
  while (table.next()) {
    int const node = table.node(nodes, network);
    if (seen[node]) table.fail(nodes, "a node that has no line yet");
    seen[node] = 1;
    totals.out[node] = table.atLeastZero(outs);
    totals.in[node] = table.atLeastZero(ins);
  }
  auto const missing = std::ranges::find(seen, 0);
  if (missing != seen.end())
    table.failAtEnd("a line for node '" + network.nodes[missing - seen.begin()].name + "'");
  return totals;
}

std::string totalsText(Totals const& totals, Network const& network) {
  std::string text = "node,out,in\n";
  for (std::size_t node = 0; node < network.nodes.size(); ++node)
    text += network.nodes[node].name + ',' + shortest(totals.out[node]) + ',' +
            shortest(totals.in[node]) + '\n';
  return text;
}

}  // namespace osi_cuda::examples::traffic
