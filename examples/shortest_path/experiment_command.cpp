// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "examples/shortest_path/commands.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/experiments.hpp"
#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;

struct Arguments {
  std::string kind, database, device = "auto";
  ExperimentArguments experiments;
  bool quiet = false;
};

void choosePlaces(Arguments& arguments) {
  if (arguments.device == "host") return;
  std::string const reason = whyNoDevice();
  if (!reason.empty() && arguments.device != "auto") throw EngineUnavailable(reason);
  arguments.experiments.device = reason.empty();
  if (arguments.device == "cuda") arguments.experiments.host = false;
}

std::map<std::string, Series*> const series{{"ants", antExperiments},
                                            {"bellman-ford", bellmanFordExperiments},
                                            {"wave", waveExperiments},
                                            {"lp", linearExperiments}};

void tell(Experiment const& e) {
  std::cerr << fmt::format("{} {}{}, {} {}{}: {:.3g} s, exact {:.3g} %{}\n", e.method,
                           e.solver.empty() ? "" : e.solver + ' ', e.place, e.family, e.vertices,
                           e.ants > 0 ? fmt::format(", ants {}", e.ants) : "", e.seconds,
                           100.0 * e.accuracy, e.ok ? "" : " (not ok)");
}

ExitStatus run(Arguments arguments) {
  std::string const fault = ants::faultOf(arguments.experiments.parameters);
  if (!fault.empty()) throw Failure(ExitStatus::usage, fault);
  choosePlaces(arguments);
  ExperimentDatabase database(arguments.database, ExperimentDatabase::Mode::write);
  bool allOk = true;
  Store const store = [&](Experiment const& experiment) {
    database.store(experiment);
    allOk = allOk && experiment.ok;
    if (!arguments.quiet) tell(experiment);
  };
  series.at(arguments.kind)(arguments.experiments, store);
  return allOk ? ExitStatus::optimal : ExitStatus::disagreement;
}

}  // namespace

examples::Command experimentCommand() {
  return {"experiment", "a series of runs with fixed seeds into a database", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            ExperimentArguments& e = a->experiments;
            app.add_option("KIND", a->kind, "ants, bellman-ford, wave or lp")
                ->required()
                ->check(CLI::IsMember(series));
            app.add_option("--database", a->database, "SQLite file")->required();
            app.add_option("--device", a->device,
                           "auto (both where there is a device), host or cuda [auto]")
                ->check(CLI::IsMember({"auto", "host", "cuda"}));
            auto const add = [&](char const* name, auto& value, char const* help) {
              return app.add_option(name, value, help);
            };
            add("--sizes", e.sizes, "vertices, arcs or cells along a side")
                ->delimiter(',')
                ->check(CLI::Range(std::int64_t{2}, std::int64_t{2'000'000'000}));
            add("--families", e.families, "kinds of graphs, see docs")->delimiter(',');
            add("--numbers", e.ants, "of ants [32,64,...,8192]")->delimiter(',');
            ants::addTo(app, e.parameters);
            add("--runs", e.runs, "of the ants, a cell [100]")->check(CLI::Range(1, 100'000));
            add("--host-limit", e.hostLimit,
                "largest size at which the host's Bellman-Ford and wave run [none]");
            add("--dijkstra-limit", e.dijkstraLimit,
                "largest size at which Dijkstra's algorithm runs [none]");
            add("--time-limit", e.timeLimit, "seconds of an LP [60]");
            app.add_flag("--quiet", a->quiet, "no line per experiment");
            return examples::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::shortest_path
