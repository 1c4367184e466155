// SPDX-License-Identifier: EPL-2.0
// Repeated products: over tiles that overlap, and by several processors that share a mesh.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "examples/common/records.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/experiments.hpp"
#include "examples/response/partition.hpp"

namespace osi_cuda::response {
namespace {

constexpr double tileBytes = double(1 << 20);  // of matrix: half of a core's cache

/// How one share of the work among executors does, and what the model said of it.
void measureShares(ExperimentSettings const& settings, Space const& space,
                   Relaxation const& relaxation, std::vector<double> const& shares,
                   std::vector<PartExecutor*> const& executors, Measurement m, Store const& store) {
  constexpr int depth = 2, passes = 4;
  std::vector<double> const start = randomNumbers(std::size_t(relaxation.rows()));
  std::vector<double> reference = start;
  relaxPlainly(relaxation, reference, depth * passes, settings.threads);
  SharedRelaxation shared(relaxation, partsOf(space.place, shares), depth, start, executors);
  shared.run(passes);
  std::vector<double> const values = shared.values();
  SharingModel const model = shared.measure(settings.repeats);
  double const seconds = examples::medianSeconds(settings.repeats, [&] { shared.run(passes); });
  double all = 0.0;
  for (double const share : shares) all += share;
  std::string names, what;
  for (std::size_t p = 0; p < executors.size(); ++p) {
    names += (p ? " + " : "") + executors[p]->name();
    what += fmt::format("{}{:.3g}", p ? " : " : "", shares[p] / all);
  }
  m.executor = names;
  m.note = fmt::format("{:.0f} values exchanged", shared.exchanged());
  storeForm(m, store, fmt::format("{}: {}", names, what), seconds / passes, values, reference,
            1e-13);
  m.note = fmt::format("latency {:.3g} us; {:.3g} ns a value", 1e6 * model.latency,
                       1e9 * model.perValue);
  storeForm(m, store, fmt::format("{}: {}, model", names, what),
            model.seconds(shared.entries(), shared.exchanged()), {}, {});
}

/// The rates of executors that have equal parts.
std::vector<double> ratesOf(Space const& space, Relaxation const& relaxation,
                            std::vector<PartExecutor*> const& executors, int repeats) {
  std::vector<double> const equal(executors.size(), 1.0);
  SharedRelaxation trial(relaxation, partsOf(space.place, equal), 2,
                         std::vector<double>(std::size_t(relaxation.rows()), 0.0), executors);
  return trial.measure(repeats).balance();
}

}  // namespace

void tilingExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "tiling", [&](Space const& space, Measurement m) {
    Relaxation const plain = relaxationOf(space);
    double const bytes = 12.0 * plain.matrix.nonzeros();
    Parts const boxes =
        partsOf(space.place, std::vector<double>(std::max<std::size_t>(1, bytes / tileBytes), 1.0));
    Relaxation const sorted = permuted(plain, boxes.member);
    std::vector<double> const start = randomNumbers(std::size_t(plain.rows()));
    int const most = *std::max_element(settings.depths.begin(), settings.depths.end());
    for (int const threads : {1, settings.threads}) {
      std::string const cores = threads == 1 ? "one core, " : fmt::format("{} cores, ", threads);
      auto const give = [&](std::string const& form, auto const& run) {
        std::vector<double> x = start, reference = start;
        run(x);  // `most` steps
        double const seconds = examples::medianSeconds(std::min(settings.repeats, 3), [&] {
          std::vector<double> y = start;
          run(y);
        });
        relaxPlainly(form == "rows as numbered" ? plain : sorted, reference, most, threads);
        storeForm(m, store, cores + form, seconds / most, x, reference, 1e-13);
      };
      give("rows as numbered", [&](auto& x) { relaxPlainly(plain, x, most, threads); });
      give("rows by boxes", [&](auto& x) { relaxPlainly(sorted, x, most, threads); });
      for (int const depth : settings.depths) {
        TiledRelaxation const tiled(sorted, depth, tileBytes);
        m.note = fmt::format("{} tiles; {:.2f} of the entries", tiled.tiles(), tiled.redundancy());
        give(fmt::format("tiles, {} steps a pass", depth),
             [&](auto& x) { tiled.run(x, most, threads); });
        m.note = "";
      }
      if (settings.threads == 1) break;
    }
  });
}

void sharingExperiments(ExperimentSettings const& settings, Store const& store) {
  overDegrees(settings, "sharing", [&](Space const& space, Measurement m) {
    Relaxation const relaxation = relaxationOf(space);
    auto const measure = [&](std::vector<double> const& shares, auto const& executors) {
      std::vector<PartExecutor*> pointers;
      for (auto const& one : executors) pointers.push_back(one.get());
      measureShares(
          settings, space, relaxation,
          shares.empty() ? ratesOf(space, relaxation, pointers, settings.repeats) : shares,
          pointers, m, store);
    };
    // The last core waits for the device, or is the second executor's.
    int const cores = std::max(1, settings.threads - 1);
    std::vector<std::unique_ptr<PartExecutor>> executors;
    executors.push_back(hostPart(cores));
    if (!settings.onDevice) {
      executors.push_back(hostPart(1));
      measure({}, executors);
      return;
    }
    executors.push_back(deviceModule().makePart(0));
    measure({}, executors);  // as the model says
    for (double const share : settings.shares) measure({share, 1.0 - share}, executors);
    executors.clear();
    // Devices only: all there are, or two parts on the only one.
    int const devices = deviceModule().deviceCount();
    for (int const count : {1, std::max(2, devices)}) {
      executors.clear();
      for (int k = 0; k < count; ++k) executors.push_back(deviceModule().makePart(k % devices));
      measure(std::vector<double>(std::size_t(count), 1.0), executors);
    }
  });
}

}  // namespace osi_cuda::response
