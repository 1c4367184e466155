// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>
#include <omp.h>

#include <iostream>
#include <map>
#include <memory>

#include "examples/common/run_tables.hpp"
#include "examples/response/commands.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/experiments.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;

std::map<std::string, Series*> const series{
    {"sweeps", sweepExperiments},       {"integration", integrationExperiments},
    {"storage", storageExperiments},    {"products", productExperiments},
    {"executors", executorExperiments}, {"tiling", tilingExperiments},
    {"sharing", sharingExperiments},    {"maxwell", maxwellExperiments}};

/// Every M of the literature with every N.
std::vector<std::string> allSizes() {
  std::vector<std::string> sizes;
  for (int const rows : {300, 500, 700, 1000})
    for (int const columns : {512, 2048, 8192, 35'840, 71'680})
      sizes.push_back(fmt::format("{}x{}", rows, columns));
  return sizes;
}

struct Arguments {
  std::string kind, database, device = "auto";
  ExperimentSettings settings;
};

ExitStatus run(Arguments arguments) {
  ExperimentSettings& settings = arguments.settings;
  settings.onDevice = usesDevice(arguments.device);
  settings.threads = omp_get_max_threads();
  if (settings.sizes.empty()) settings.sizes = {"300x512", "1000x4096"};
  if (settings.sizes == std::vector<std::string>{"all"}) settings.sizes = allSizes();
  MeasurementDatabase database(arguments.database, MeasurementDatabase::Mode::write);
  bool allOk = true;
  series.at(arguments.kind)(settings, [&](Measurement const& m) {
    database.store(m);
    allOk = allOk && m.ok;
    if (!settings.quiet)
      std::cerr << fmt::format("{}, {}, {}: {:.4g} ms, error {:.1e}{}\n", m.series, m.problem,
                               m.form, 1e3 * m.seconds, m.error, m.ok ? "" : " (wrong)");
  });
  return allOk ? ExitStatus::optimal : ExitStatus::disagreement;
}

}  // namespace

examples::Command experimentCommand() {
  return {
      "experiment", "measure the forms of one kind of work into a database", [](CLI::App& app) {
        auto const a = std::make_shared<Arguments>();
        ExperimentSettings& s = a->settings;
        app.add_option(
               "KIND", a->kind,
               "sweeps, maxwell, integration, storage, products, executors, tiling or sharing")
            ->required()
            ->check(CLI::IsMember(series));
        app.add_option("--database", a->database, "SQLite file")->required();
        app.add_option("--device", a->device, "auto (where there is one), host or cuda [auto]")
            ->check(CLI::IsMember({"auto", "host", "cuda"}));
        app.add_option("--sizes", s.sizes,
                       "of sweeps: ROWSxCOLUMNS, or all, 20 sizes from 300x512 to 1000x71680 "
                       "[300x512,1000x4096]")
            ->delimiter(',');
        app.add_option("--forms", s.forms,
                       "of sweeps on a device, only these [all, and the host's]")
            ->delimiter(',')
            ->check(CLI::IsMember(deviceFormNames()));
        app.add_option("--r", s.r, "of sweeps: conductivity x time step / width^2 [4]")
            ->check(CLI::Range(1e-6, 1e6));
        app.add_option(
               "--cells", s.cells,
               "along the plate's side, over the degree; maxwell: a quarter of what its grids "
               "may have [200]")
            ->check(CLI::Range(4, 4000));
        app.add_option("--degrees", s.degrees, "of elements [1,2,3,4]")
            ->delimiter(',')
            ->check(CLI::Range(1, 4));
        app.add_option("--files", s.files, "LPs whose matrices products take, too")->delimiter(',');
        app.add_option("--data", s.data,
                       "of products: folder of netlib/ and kennington/, whose 36 named LPs are "
                       "taken, too")
            ->type_name("FOLDER");
        app.add_option("--depths", s.depths, "of tiling: steps in a pass [1,2,4,8,16]")
            ->delimiter(',')
            ->check(CLI::Range(1, 64));
        app.add_option("--repeats", s.repeats, "the median of so many counts [5]")
            ->check(CLI::Range(1, 1000));
        app.add_flag("--quiet", s.quiet, "no line per measurement");
        return examples::Run([a] { return run(*a); });
      }};
}

examples::Command reportCommand() {
  return {"report", "tables of a database, as Markdown", [](CLI::App& app) {
            auto const database = std::make_shared<std::string>();
            auto const page = std::make_shared<std::string>();
            app.add_option("DATABASE", *database, "SQLite file")->required();
            app.add_option("--page", *page,
                           "put the tables between their marks in this file; else print them")
                ->type_name("FILE");
            return examples::Run([database, page] {
              MeasurementDatabase const all(*database, MeasurementDatabase::Mode::read);
              auto const tables = tablesOf(all.latest());
              examples::writePage({tables.begin(), tables.end()}, *page);
              return ExitStatus::optimal;
            });
          }};
}

}  // namespace osi_cuda::response
