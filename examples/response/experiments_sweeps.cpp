// SPDX-License-Identifier: EPL-2.0
// Sweeps over periodic grids: steps of diffusion in all forms, and of Maxwell's equations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "examples/common/failure.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/maxwell.hpp"
#include "examples/response/measuring.hpp"
#include "examples/response/sweeps.hpp"
#include "osi_cuda/errors.hpp"

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
  for (int const threads : threadCounts(settings)) {
    m.form = threads == 1 ? "host, one core" : fmt::format("host, {} cores", threads);
    constexpr double manyCells = 3e7;  // a core takes a second
    m.seconds = medianOf(m.size > manyCells ? 1 : std::min(settings.repeats, 3),
                         [&] { sweepOnHost(grid, field, 1, threads); });
    store(m);
  }
}

void twoDevices(SweepCase const& grid, Measurement m, std::vector<double> const& start,
                std::vector<double> const& reference, Store const& store) {
  for (int const second : {0, 1}) {
    if (second >= deviceModule().deviceCount()) continue;
    m.form = second == 0 ? "fused, two halves on one GPU" : "fused, two GPUs";
    try {
      std::vector<double> field = start;
      deviceModule().sweepOnTwo(grid, field, 2, second);
      m.error = difference(field, reference);
      m.ok = m.error < rounding;
      constexpr int steps = 20;
      m.seconds = deviceModule().sweepOnTwo(grid, field, steps, second);
      store(m);
    } catch (EngineUnavailable const&) {
      // The grid is too small to be shared, or one device can't read the other's memory: no line.
    }
  }
}

}  // namespace

void sweepExperiments(ExperimentSettings const& settings, Store const& store) {
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
    for (std::size_t k = 0; k < sweepFormNames().size(); ++k) {
      auto const& wanted = settings.forms;
      if (!wanted.empty() &&
          std::find(wanted.begin(), wanted.end(), sweepFormNames()[k]) == wanted.end())
        continue;
      std::vector<double> field = start;
      SweepTimes const times = deviceModule().sweep(grid, SweepForm(k), field, 2, settings.repeats);
      m.form = sweepFormNames()[k];
      m.seconds = times.alongRows + times.alongColumns;
      m.note = fmt::format("rows {:.4g} ms, columns {:.4g} ms", 1e3 * times.alongRows,
                           1e3 * times.alongColumns);
      m.error = difference(field, reference);
      m.ok = m.error < rounding;
      store(m);
      copy = times.copy;
    }
    m.form = "two copies of the field";
    m.seconds = 2.0 * copy;
    m.error = 0.0;
    m.note = "";
    m.ok = true;
    store(m);
    twoDevices(grid, m, start, reference, store);
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
      result.seconds = medianOf(std::min(settings.repeats, 3),
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
