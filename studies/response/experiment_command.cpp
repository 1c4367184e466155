// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>
#include <omp.h>

#include <memory>

#include "studies/response/commands.hpp"
#include "studies/response/device_module.hpp"
#include "studies/response/experiments.hpp"

namespace osi_cuda::response {
namespace {

/// Every M of the literature with every N.
std::vector<std::string> allSizes() {
  std::vector<std::string> sizes;
  for (int const rows : {300, 500, 700, 1000})
    for (int const columns : {512, 2048, 8192, 35'840, 71'680})
      sizes.push_back(fmt::format("{}x{}", rows, columns));
  return sizes;
}

void complete(ExperimentSettings& settings) {
  settings.onDevice = kernels.isWanted(settings.device);
  settings.threads = omp_get_max_threads();
  if (settings.sizes.empty()) settings.sizes = {"300x512", "1000x4096"};
  if (settings.sizes == std::vector<std::string>{"all"}) settings.sizes = allSizes();
}

}  // namespace

examples::Command measureCommand() {
  auto const settings = std::make_shared<ExperimentSettings>();
  std::map<std::string, studies::Series> series;
  for (auto const& [name, measure] :
       std::map<std::string, ExperimentSeries*>{{"sweeps", sweepExperiments},
                                                {"integration", integrationExperiments},
                                                {"storage", storageExperiments},
                                                {"products", productExperiments},
                                                {"executors", executorExperiments},
                                                {"maxwell", maxwellExperiments}})
    series[name] = [settings, measure = measure](Store const& store) {
      complete(*settings);
      measure(*settings, store);
    };
  return studies::experimentCommand(series, [settings](CLI::App& app) {
    ExperimentSettings& s = *settings;
    app.add_option("--device", s.device, "auto (where there is one), host or cuda [auto]")
        ->check(CLI::IsMember({"auto", "host", "cuda"}));
    app.add_option("--sizes", s.sizes,
                   "of sweeps: ROWSxCOLUMNS, or all, 20 sizes from 300x512 to 1000x71680 "
                   "[300x512,1000x4096]")
        ->delimiter(',');
    app.add_option("--forms", s.forms, "of sweeps on a device, only these [all, and the host's]")
        ->delimiter(',')
        ->check(CLI::IsMember(deviceFormNames()));
    app.add_option("--r", s.r, "of sweeps: conductivity x time step / width^2 [4]")
        ->check(CLI::Range(1e-6, 1e6));
    app.add_option("--cells", s.cells,
                   "along the plate's side, over the degree; maxwell: a quarter of what its grids "
                   "may have [200]")
        ->check(CLI::Range(4, 4000));
    app.add_option("--degrees", s.degrees, "of elements [1,2,3,4]")
        ->delimiter(',')
        ->check(CLI::Range(1, 4));
    app.add_option("--files", s.files, "LPs whose matrices products take, too")->delimiter(',');
    app.add_option("--data", s.data,
                   "of products: folder of netlib/ and kennington/, whose 36 named LPs are taken, "
                   "too")
        ->type_name("FOLDER");
    app.add_option("--repeats", s.repeats, "the median of so many counts [5]")
        ->check(CLI::Range(1, 1000));
  });
}

}  // namespace osi_cuda::response
