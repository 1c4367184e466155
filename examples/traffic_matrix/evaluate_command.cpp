// SPDX-License-Identifier: EPL-2.0
#include <iostream>
#include <memory>

#include "examples/traffic_matrix/arguments.hpp"
#include "examples/traffic_matrix/commands.hpp"
#include "examples/traffic_matrix/csv.hpp"
#include "examples/traffic_matrix/report.hpp"
#include "examples/traffic_matrix/routing.hpp"

namespace osi_cuda::examples::traffic {
namespace {

struct EvaluateArguments {
  NetworkArguments network;
  std::string truth, prior, result, pictures;
  int worst = 5;
  bool json = false;
};

ExitStatus run(EvaluateArguments const& arguments) {
  require(arguments.worst >= 0, "--worst", "at least 0", arguments.worst);
  Network const network = arguments.network.read().network;
  std::vector<NamedMatrix> matrices{{"truth", readMatrix(arguments.truth, network)}};
  if (!arguments.prior.empty())
    matrices.emplace_back("prior", readMatrix(arguments.prior, network));
  matrices.emplace_back("result", readMatrix(arguments.result, network));
  std::vector<NamedMatrix> const estimates(matrices.begin() + 1, matrices.end());
  std::vector<double> const& truth = matrices.front().second;
  std::vector<double> const& result = matrices.back().second;

  std::vector<std::string> pictures;
  if (!arguments.pictures.empty())
    pictures = writePictures(arguments.pictures, network, linkLoads(routingMatrix(network), result),
                             matrices, true);
  if (arguments.json) {
    nlohmann::ordered_json json{{"status", "evaluated"},
                                {"nodes", network.nodeCount()},
                                {"pairs", Pairs(network.nodeCount()).count()},
                                {"accuracy", accuracyJson(estimates, truth)},
                                {"worst", worstJson(result, truth, network, arguments.worst)},
                                {"pictures", pictures},
                                {"version", OSI_CUDA_VERSION}};
    std::cout << toText(json) << '\n';
    return ExitStatus::optimal;
  }
  printAccuracy(std::cout, estimates, truth);
  printWorst(std::cout, result, truth, network, arguments.worst);
  for (std::string const& path : pictures) std::cout << "wrote " << path << '\n';
  return ExitStatus::optimal;
}

}  // namespace

Command evaluateCommand() {
  auto const setUp = [](CLI::App& app) -> Run {
    auto const arguments = std::make_shared<EvaluateArguments>();
    arguments->network.addTo(app, true);
    app.add_option("--truth", arguments->truth, "the true matrix (CSV)")
        ->type_name("FILE")
        ->required();
    app.add_option("--result", arguments->result, "the matrix to judge (CSV)")
        ->type_name("FILE")
        ->required();
    app.add_option("--prior", arguments->prior, "another one beside it (CSV)")->type_name("FILE");
    app.add_option("--worst", arguments->worst, "how many of the worst pairs to name [5]");
    app.add_option("--pictures", arguments->pictures,
                   "folder for matrices.svg, errors.svg and network.svg")
        ->type_name("FOLDER");
    app.add_flag("--json", arguments->json, "print one JSON object on standard output");
    return [arguments] { return run(*arguments); };
  };
  return {"evaluate", "compare a matrix with the true one", setUp};
}

}  // namespace osi_cuda::examples::traffic
