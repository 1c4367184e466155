// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "examples/common/random.hpp"
#include "examples/response/commands.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/experiments.hpp"

namespace osi_cuda::response {

void storeForm(Measurement m, Store const& store, std::string const& form, double seconds,
               std::vector<double> const& values, std::vector<double> const& reference,
               double enough) {
  double size = 1e-300, most = values.size() == reference.size() ? 0.0 : HUGE_VAL;
  for (std::size_t k = 0; k < values.size() && most < HUGE_VAL; ++k) {
    size = std::max(size, std::abs(reference[k]));
    double const one = std::abs(values[k] - reference[k]);
    most = std::isnan(one) ? HUGE_VAL : std::max(most, one);
  }
  m.form = form;
  m.seconds = seconds;
  m.error = most / size;
  m.ok = m.error < enough;
  store(m);
}

std::vector<double> randomNumbers(std::size_t count) {
  examples::Random random(1);
  std::vector<double> values(count);
  for (double& value : values) value = 2.0 * random.uniform() - 1.0;
  return values;
}

std::vector<double> freeNumbers(Space const& space) {
  std::vector<double> x = randomNumbers(std::size_t(space.dofs));
  for (int k = 0; k < space.dofs; ++k)
    if (space.isFixed[k]) x[k] = 0.0;
  return x;
}

void overDegrees(ExperimentSettings const& settings, std::string const& series,
                 std::function<void(Space const&, Measurement)> const& work) {
  for (int const degree : settings.degrees) {
    PlateSettings plate;
    plate.cells = std::max(4, settings.cells / degree);
    Mesh const mesh = generatePlate(plate);
    Space const space = makeSpace(mesh, degree);
    Measurement m;
    m.series = series;
    m.problem = fmt::format("degree {}, {} triangles, {} degrees of freedom", degree,
                            mesh.triangles.size(), space.dofs);
    m.size = degree;
    m.executor = "host";
    work(space, m);
  }
}

examples::Command experimentCommand() {
  auto const settings = std::make_shared<ExperimentSettings>();
  auto const of = [settings](ExperimentSeries* measure) {
    return [settings, measure](Store const& store) {
      settings->onDevice = usesDevice(settings->device);
      settings->threads = omp_get_max_threads();
      measure(*settings, store);
    };
  };
  return examples::experimentCommand(
      {{"integration", of(integrationExperiments)},
       {"storage", of(storageExperiments)},
       {"executors", of(executorExperiments)},
       {"products", of(productExperiments)},
       {"tiling", of(tilingExperiments)},
       {"sharing", of(sharingExperiments)}},
      [settings](CLI::App& app) {
        ExperimentSettings& s = *settings;
        app.add_option("--device", s.device, "auto (where there is one), host or cuda [auto]")
            ->check(CLI::IsMember({"auto", "host", "cuda"}));
        app.add_option("--cells", s.cells, "along the plate's side, over the degree [200]")
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
        app.add_option("--shares", s.shares, "of sharing: the host's beside a GPU [0.1,0.5,0.9]")
            ->delimiter(',')
            ->check(CLI::Range(0.0, 1.0));
        app.add_option("--repeats", s.repeats, "the median of so many counts [5]")
            ->check(CLI::Range(1, 1000));
      });
}

}  // namespace osi_cuda::response
