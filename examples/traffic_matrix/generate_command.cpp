// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/traffic_matrix/arguments.hpp"
#include "examples/traffic_matrix/commands.hpp"
#include "examples/traffic_matrix/csv.hpp"
#include "examples/traffic_matrix/generators.hpp"
#include "examples/traffic_matrix/routing.hpp"

namespace osi_cuda::examples::traffic {
namespace {

struct GenerateArguments {
  NetworkArguments network;
  int nodes = 20;
  std::uint64_t seed = 1;
  double mean = 100.0, spread = 0.5, sigma = 0.2, counterNoise = 0.0;
  std::string folder;
  bool json = false;
};

void check(GenerateArguments const& arguments) {
  constexpr int most = 2000;
  require(arguments.nodes >= 3 && arguments.nodes <= most, "--nodes", "from 3 to 2000",
          arguments.nodes);
  require(arguments.mean > 0.0, "--mean", "more than 0", arguments.mean);
  require(arguments.spread >= 0.0, "--spread", "at least 0", arguments.spread);
  require(arguments.sigma >= 0.0, "--sigma", "at least 0", arguments.sigma);
  require(arguments.counterNoise >= 0.0, "--counter-noise", "at least 0", arguments.counterNoise);
}

ExitStatus run(GenerateArguments const& arguments) {
  check(arguments);
  makeFolder(arguments.folder);
  Random random(arguments.seed);
  bool const isGiven = !arguments.network.path.empty();
  NetworkFile file;
  if (isGiven) {
    file = arguments.network.read();
  } else {
    file.network = generateNetwork(arguments.nodes, random);
    file.network.name = "generated: " + std::to_string(arguments.nodes) + " nodes, seed " +
                        std::to_string(arguments.seed);
  }
  Network& network = file.network;
  Pairs const pairs(network.nodeCount());
  bool const hasTruth = sum(file.demands) > 0.0;
  std::vector<double> const truth =
      hasTruth ? file.demands : generateTruth(pairs, arguments.mean, arguments.spread, random);
  std::vector<double> loads = linkLoads(routingMatrix(network), truth);
  if (!isGiven) setCapacities(network, loads);
  std::vector<double> const prior = noisyMatrix(truth, arguments.sigma, random);
  for (double& load : loads) load *= std::max(0.0, 1.0 + arguments.counterNoise * random.normal());

  nlohmann::ordered_json files;
  auto const write = [&](char const* name, std::string const& text) {
    std::string const path = arguments.folder + '/' + name;
    writeTextFile(path, text);
    files.push_back(path);
  };
  if (!isGiven) write("network.txt", sndlibText(network, truth));
  write("truth.csv", matrixText(truth, network));
  write("prior.csv", matrixText(prior, network));
  write("loads.csv", loadsText(loads, network));
  write("totals.csv", totalsText(totalsOf(truth, pairs), network));

  if (arguments.json) {
    nlohmann::ordered_json json{{"status", "written"},          {"nodes", network.nodeCount()},
                                {"links", network.linkCount()}, {"pairs", pairs.count()},
                                {"traffic", sum(truth)},        {"files", files},
                                {"version", OSI_CUDA_VERSION}};
    std::cout << toText(json) << '\n';
    return ExitStatus::optimal;
  }
  std::cout << network.nodeCount() << " nodes, " << network.linkCount() << " links, "
            << pairs.count() << " pairs\n";
  for (auto const& path : files) std::cout << "wrote " << path.get<std::string>() << '\n';
  return ExitStatus::optimal;
}

}  // namespace

Command generateCommand() {
  auto const setUp = [](CLI::App& app) -> Run {
    auto const arguments = std::make_shared<GenerateArguments>();
    app.add_option("--out", arguments->folder, "folder for the files, made if need be")
        ->type_name("FOLDER")
        ->required();
    app.add_option("--nodes", arguments->nodes, "size of a generated network [20]");
    arguments->network.addTo(app, false);
    app.add_option("--seed", arguments->seed, "of every random number [1]");
    app.add_option("--mean", arguments->mean, "true traffic of a pair, on average [100]");
    app.add_option("--spread", arguments->spread,
                   "how far the true matrix is from gravity (log-normal deviation) [0.5]");
    app.add_option("--sigma", arguments->sigma, "error of the estimate prior.csv, relative [0.2]");
    app.add_option("--counter-noise", arguments->counterNoise,
                   "error of the loads, relative; they may then contradict each other [0]");
    app.add_flag("--json", arguments->json, "print one JSON object on standard output");
    app.footer(
        "Writes network.txt (SNDlib's native format; not with --network), truth.csv, prior.csv,\n"
        "loads.csv and totals.csv. With --network the file's demands are the true matrix, where\n"
        "it has any.");
    return [arguments] { return run(*arguments); };
  };
  return {"generate", "make a network, a true matrix, its link loads and an estimate of it", setUp};
}

}  // namespace osi_cuda::examples::traffic
