// SPDX-License-Identifier: EPL-2.0
// Sweeps over periodic grids: steps of diffusion in all forms, and of Maxwell's equations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "examples/common/failure.hpp"
#include "examples/response/sweeps.hpp"
#include "osi_cuda/errors.hpp"
#include "studies/response/device_module.hpp"
#include "studies/response/maxwell.hpp"
#include "studies/response/measuring.hpp"

namespace osi_cuda::response {
namespace {

SweepCase gridOf(std::string const& size, double r) {
  int rows = 0, columns = 0;
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &rows, &columns, &rest) != 2 || rows < 3 || columns < 3)
    throw examples::Failure(examples::ExitStatus::usage,
                            "--sizes wants ROWSxCOLUMNS, each at least 3, not '" + size + "'");
  return diffusion(rows, columns, r);
}

void sweepOnCores(ExperimentSettings const& settings, SweepCase const& grid, Measurement m,
                  Store const& store, std::vector<double>& reference) {
  m.executor = "host";
  m.ok = true;
  std::vector<double> field = reference;
  sweepOnHost(grid, reference, 2, settings.threads);
  if (settings.onDevice && !settings.forms.empty()) return;  // this is no form that was asked for
  for (int const threads : threadCounts(settings)) {
    m.form = threads == 1 ? "host, one core" : fmt::format("host, {} cores", threads);
    constexpr double manyCells = 3e7;  // a core takes a second
    m.seconds = studies::medianSeconds(m.size > manyCells ? 1 : std::min(settings.repeats, 3),
                                       [&] { sweepOnHost(grid, field, 1, threads); });
    store(m);
  }
}

/// Forms that are no SweepForm: the fused one with the rows in halves on devices 0 and `second`.
struct HalvesForm {
  char const *name, *words;
  int second;
};
constexpr HalvesForm twoHalves{"two-halves", "fused, two halves on one GPU", 0};
constexpr HalvesForm twoDevices{"two-gpus", "fused, two GPUs", 1};

bool isAskedFor(ExperimentSettings const& settings, std::string const& form) {
  return std::find(settings.forms.begin(), settings.forms.end(), form) != settings.forms.end();
}
bool isWanted(ExperimentSettings const& settings, std::string const& form) {
  return settings.forms.empty() || isAskedFor(settings, form);
}

/// One that was asked for by name has to be possible; of others it is said why they are not.
void leaveOut(ExperimentSettings const& settings, HalvesForm const& form, std::string const& why) {
  if (isAskedFor(settings, form.name))
    throw examples::Failure(examples::ExitStatus::unavailable, std::string(form.name) + ": " + why);
  std::cerr << fmt::format("sweeps, {}: left out, {}\n", form.words, why);
}

void sweepInHalves(ExperimentSettings const& settings, HalvesForm const& form,
                   SweepCase const& grid, Measurement m, std::vector<double> const& start,
                   std::vector<double> const& reference, Store const& store) {
  try {
    std::vector<double> field = start, seconds;
    for (int k = 0; k < settings.repeats; ++k) {
      constexpr int steps = 20;
      std::vector<double> other = start;
      seconds.push_back(kernels->sweepOnTwo(grid, other, steps, form.second));
    }
    kernels->sweepOnTwo(grid, field, 2, form.second);
    storeForm(m, store, form.words, studies::median(std::move(seconds)), field, reference);
  } catch (EngineUnavailable const& why) {
    // The grid is too small to be shared, or one device can't read the other's memory.
    leaveOut(settings, form, why.what());
  }
}

}  // namespace

std::vector<std::string> deviceFormNames() {
  std::vector<std::string> names = sweepFormNames;
  names.insert(names.end(), {twoHalves.name, twoDevices.name});
  return names;
}

void sweepExperiments(ExperimentSettings const& settings, Store const& store) {
  int const devices = settings.onDevice ? kernels->deviceCount() : 0;
  bool const hasTwo = devices > 1;
  if (!hasTwo && (settings.onDevice || isAskedFor(settings, twoDevices.name)))
    leaveOut(settings, twoDevices,
             fmt::format("it wants two devices and there is {}", devices == 0 ? "none" : "one"));
  for (std::string const& size : settings.sizes) {
    SweepCase const grid = gridOf(size, settings.r);
    Measurement m;
    m.series = "sweeps";
    m.problem = fmt::format("{} x {}", grid.rows, grid.columns);
    m.size = double(grid.cells());
    m.bytes = 32.0 * double(grid.cells());  // each direction reads and writes a double once
    std::vector<double> const start = randomNumbers(grid.cells());
    std::vector<double> reference = start;
    sweepOnCores(settings, grid, m, store, reference);
    if (!settings.onDevice) continue;
    m.executor = deviceName(settings);
    double copy = 0.0;
    for (std::size_t k = 0; k < sweepFormNames.size(); ++k) {
      if (!isWanted(settings, sweepFormNames[k])) continue;
      std::vector<double> field = start;
      SweepTimes const times = kernels->sweep(grid, SweepForm(k), field, 2, settings.repeats);
      m.note = fmt::format("rows {:.4g} ms, columns {:.4g} ms", 1e3 * times.alongRows,
                           1e3 * times.alongColumns);
      storeForm(m, store, sweepFormNames[k], times.alongRows + times.alongColumns, field,
                reference);
      copy = times.copy;
    }
    m.note = "";
    if (copy > 0.0) storeForm(m, store, "two copies of the field", 2.0 * copy, {}, {});
    for (HalvesForm const& form : {twoHalves, twoDevices})
      if (isWanted(settings, form.name) && (form.second == 0 || hasTwo))
        sweepInHalves(settings, form, grid, m, start, reference, store);
  }
}

/// A plane wave over one period of time at steps of about three cells: what is left of it.
void maxwellExperiments(ExperimentSettings const& settings, Store const& store) {
  for (int const cells : {32, 64, 128, 256, 512}) {
    if (cells > 4 * settings.cells) break;
    double const width = 1.0 / cells;
    constexpr int m = 1, n = 2;
    double const period = 1.0 / std::hypot(double(m), double(n));
    int const steps = 5 * cells / 32;  // of 2.9 cells; the explicit scheme's limit is 0.7
    double const step = period / steps;
    MaxwellField const start = planeWave(cells, cells, width, m, n, 0.0);
    Measurement result;
    result.series = "maxwell";
    result.problem = fmt::format("{0} x {0}, {1} steps", cells, steps);
    result.size = double(start.cells());
    result.executor = "host";
    for (int const threads : threadCounts(settings)) {
      MaxwellField field;
      result.seconds = studies::medianSeconds(std::min(settings.repeats, 3),
                                              [&] {
                                                field = start;
                                                splitMaxwell(field, step, steps, threads);
                                              }) /
                       steps;
      double const before = splitEnergy(start, step), after = splitEnergy(field, step);
      double const drift = std::abs(after - before) / before;
      result.form = threads == 1 ? "host, one core" : fmt::format("host, {} cores", threads);
      // The wave is back where it was: what differs is the scheme's error.
      result.note = fmt::format("{:.3e}", difference(field.hz, start.hz));
      result.error = drift;
      result.ok = drift < rounding;
      store(result);
    }
  }
}

}  // namespace osi_cuda::response
