// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/report.hpp"

#include <cmath>
#include <ostream>

#include "examples/common/program.hpp"
#include "examples/traffic_matrix/arguments.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

using shell::shortNumber;

std::string percent(double share) {
  return shortNumber(std::round(share * 1e4) / 1e2, 6) + " %";
}

}  // namespace

nlohmann::ordered_json accuracyJson(std::vector<NamedMatrix> const& estimates,
                                    std::vector<double> const& truth) {
  nlohmann::ordered_json json;
  for (auto const& [name, matrix] : estimates) {
    Accuracy const accuracy = accuracyOf(matrix, truth);
    for (Measure const& measure : measures) json[name][measure.key] = accuracy.*measure.of;
  }
  return json;
}

void printAccuracy(std::ostream& out, std::vector<NamedMatrix> const& estimates,
                   std::vector<double> const& truth) {
  std::vector<std::string> header{"against the truth"};
  for (Measure const& measure : measures) header.emplace_back(measure.heading);
  shell::TextTable table(header);
  for (auto const& [name, matrix] : estimates) {
    Accuracy const accuracy = accuracyOf(matrix, truth);
    std::vector<std::string> cells{name};
    for (Measure const& measure : measures) cells.push_back(percent(accuracy.*measure.of));
    table.add(cells);
  }
  table.print(out);
}

nlohmann::ordered_json worstJson(std::vector<double> const& result,
                                 std::vector<double> const& truth, Network const& network,
                                 int count) {
  auto json = nlohmann::ordered_json::array();
  Pairs const pairs(network.nodeCount());
  for (int const j : worstPairs(result, truth, count))
    json.push_back({{"source", network.nodes[pairs.source(j)].name},
                    {"target", network.nodes[pairs.target(j)].name},
                    {"truth", truth[j]},
                    {"result", result[j]}});
  return json;
}

void printWorst(std::ostream& out, std::vector<double> const& result,
                std::vector<double> const& truth, Network const& network, int count) {
  if (count == 0) return;
  shell::TextTable table({"worst pairs", "truth", "result", "difference"});
  Pairs const pairs(network.nodeCount());
  constexpr int digits = 5;
  for (int const j : worstPairs(result, truth, count))
    table.add({network.nodes[pairs.source(j)].name + " -> " + network.nodes[pairs.target(j)].name,
               shortNumber(truth[j], digits), shortNumber(result[j], digits),
               shortNumber(result[j] - truth[j], digits)});
  table.print(out);
}

std::vector<std::string> writePictures(std::string const& folder, Network const& network,
                                       std::vector<double> const& loads,
                                       std::vector<NamedMatrix> const& matrices,
                                       bool truthIsFirst) {
  makeFolder(folder);
  std::vector<std::string> files;
  auto const write = [&](char const* name, std::string const& picture) {
    files.push_back(folder + '/' + name);
    writeTextFile(files.back(), picture);
  };
  write("network.svg", networkMap(network, loads, matrices.back().second));
  write("matrices.svg", heatMaps(matrices, network));
  if (truthIsFirst)
    write("errors.svg",
          errorDistribution({matrices.begin() + 1, matrices.end()}, matrices.front().second));
  return files;
}

}  // namespace osi_cuda::examples::traffic
