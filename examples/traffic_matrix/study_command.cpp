// SPDX-License-Identifier: EPL-2.0
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/arguments.hpp"
#include "examples/traffic_matrix/commands.hpp"
#include "examples/traffic_matrix/report.hpp"
#include "examples/traffic_matrix/study.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

struct StudyArguments {
  StudySettings settings;
  std::string prior = "noisy", solver = solverNames().front();
  bool json = false;
};

void printJson(StudyArguments const& arguments, std::vector<StudyRow> const& rows) {
  nlohmann::ordered_json json{{"status", "studied"},
                              {"nodes", arguments.settings.nodes},
                              {"seeds", arguments.settings.seeds},
                              {"spread", arguments.settings.spread},
                              {"sigma", arguments.settings.sigma},
                              {"prior", arguments.prior}};
  for (StudyRow const& row : rows)
    json["rows"].push_back({{"name", row.name},
                            {"mean", accuracyJson(row.mean)},
                            {"deviation", accuracyJson(row.deviation)},
                            {"largest_residual", row.largestResidual}});
  json["version"] = OSI_CUDA_VERSION;
  std::cout << toText(json) << '\n';
}

/// "12.3 (1.2)", in per cent.
std::string cell(double mean, double deviation) {
  auto const tenths = [](double share) {
    std::string text = std::to_string(std::lround(share * 1000.0));
    if (text.size() < 2) text.insert(0, "0");
    return text.insert(text.size() - 1, ".");
  };
  return tenths(mean) + " (" + tenths(deviation) + ")";
}

/// A table that is also one of Markdown.
void printTable(std::vector<StudyRow> const& rows) {
  std::vector<std::vector<std::string>> lines{{"% (deviation over seeds)"}};
  for (Measure const& measure : measures) lines[0].emplace_back(measure.heading);
  lines[0].emplace_back("residual");
  for (StudyRow const& row : rows) {
    auto& line = lines.emplace_back(1, row.name);
    for (Measure const& measure : measures)
      line.push_back(cell(row.mean.*measure.of, row.deviation.*measure.of));
    line.push_back(shell::shortNumber(row.largestResidual, 2));
  }
  std::cout << shell::markdownTable(lines, shell::Cells::words);
}

ExitStatus run(StudyArguments const& arguments) {
  StudySettings settings = arguments.settings;
  require(settings.nodes >= 3, "--nodes", "at least 3", settings.nodes);
  require(settings.seeds >= 1, "--seeds", "at least 1", settings.seeds);
  require(settings.spread >= 0.0, "--spread", "at least 0", settings.spread);
  require(settings.sigma >= 0.0, "--sigma", "at least 0", settings.sigma);
  settings.gravityPrior = choice("--prior", arguments.prior, {"noisy", "gravity"}) == 1;
  choice("--solver", arguments.solver, solverNames());
  auto const rows = study(settings, [&] { return makeSolver(arguments.solver); });
  if (arguments.json)
    printJson(arguments, rows);
  else
    printTable(rows);
  return ExitStatus::optimal;
}

}  // namespace

Command studyCommand() {
  auto const setUp = [](CLI::App& app) -> Run {
    auto const arguments = std::make_shared<StudyArguments>();
    app.add_option("--nodes", arguments->settings.nodes, "of each network [20]");
    app.add_option("--seeds", arguments->settings.seeds, "how many networks [20]");
    app.add_option("--prior", arguments->prior,
                   "noisy (truth with an error of sigma) or gravity (from the true totals) [noisy]")
        ->type_name("NAME");
    app.add_option("--spread", arguments->settings.spread,
                   "how far the true matrix is from gravity [0.5]");
    app.add_option("--sigma", arguments->settings.sigma,
                   "error of noisy estimates, relative [0.2]");
    app.add_option("--solver", arguments->solver, "cuda or clp [" + arguments->solver + "]")
        ->type_name("NAME");
    app.add_flag("--json", arguments->json, "print one JSON object on standard output");
    return [arguments] { return run(*arguments); };
  };
  return {"study", "compare the objectives over many generated networks", setUp};
}

}  // namespace osi_cuda::examples::traffic
