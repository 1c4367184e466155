// SPDX-License-Identifier: EPL-2.0
#include <memory>

#include "studies/kit/experiment.hpp"
#include "studies/shortest_path/device_module.hpp"
#include "studies/shortest_path/experiments.hpp"

namespace osi_cuda::shortest_path {
namespace {

examples::Command measureCommand() {
  auto const settings = std::make_shared<ExperimentSettings>();
  auto const series = [settings](auto measure) {
    return [settings, measure](studies::Store const& store) {
      settings->onDevice = deviceModule.isWanted(settings->device);
      measure(*settings, store);
    };
  };
  return studies::experimentCommand(
      {{"bellman-ford", series(bellmanFordExperiments)},
       {"wave", series(waveExperiments)},
       {"lp", series(linearExperiments)}},
      [settings](CLI::App& app) {
        ExperimentSettings& s = *settings;
        app.add_option("--device", s.device,
                       "auto (both where there is one), host or cuda "
                       "[auto]")
            ->check(CLI::IsMember({"auto", "host", "cuda"}));
        app.add_option("--sizes", s.sizes, "vertices, arcs or cells along a side")
            ->delimiter(',')
            ->check(CLI::Range(std::int64_t{2}, std::int64_t{2'000'000'000}));
        app.add_option("--families", s.families, "kinds of graphs")->delimiter(',');
        app.add_option("--time-limit", s.timeLimit, "seconds of an LP [60]");
      });
}

}  // namespace
}  // namespace osi_cuda::shortest_path

int main(int count, char** words) {
  using namespace osi_cuda;
  return examples::runProgram(
      "study_shortest_path", "Kernels of graph algorithms beside the linear program, measured.",
      {shortest_path::measureCommand(), studies::reportCommand()}, count, words);
}
