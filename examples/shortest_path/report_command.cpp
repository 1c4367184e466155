// SPDX-License-Identifier: EPL-2.0
#include <filesystem>
#include <iostream>
#include <memory>

#include "examples/shortest_path/commands.hpp"
#include "examples/shortest_path/report.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;

struct Arguments {
  std::string database, plots;
};

ExitStatus run(Arguments const& arguments) {
  std::vector<Experiment> const experiments =
      ExperimentDatabase(arguments.database, ExperimentDatabase::Mode::read).latest();
  std::cout << reportTables(experiments);
  if (arguments.plots.empty()) return ExitStatus::optimal;
  std::error_code error;
  std::filesystem::create_directories(arguments.plots, error);
  if (error)
    throw Failure(ExitStatus::cannotWrite,
                  "can't make the folder '" + arguments.plots + "': " + error.message());
  for (auto const& [name, document] : reportPlots(experiments)) {
    std::string const path = arguments.plots + '/' + name;
    examples::writeTextFile(path, document);
    std::cerr << path << '\n';
  }
  return ExitStatus::optimal;
}

}  // namespace

examples::Command reportCommand() {
  return {"report", "tables (Markdown) and plots (SVG) of a database", [](CLI::App& app) {
            auto const arguments = std::make_shared<Arguments>();
            app.add_option("DATABASE", arguments->database, "SQLite file")->required();
            app.add_option("--plots", arguments->plots, "folder for the plots");
            return examples::Run([arguments] { return run(*arguments); });
          }};
}

}  // namespace osi_cuda::shortest_path
