// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>

#include "examples/common/records.hpp"
#include "examples/common/svg.hpp"
#include "examples/cyclic_sweeps/commands.hpp"
#include "examples/cyclic_sweeps/device_module.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::cyclic_sweeps {
namespace {

using examples::ExitStatus;

struct Arguments {
  std::string device = "auto", svg;
  int cells = 256, pulseSteps = 24;
};

/// A pulse of hz in the middle of a wide grid, for the picture.
MaxwellField pulse(int cells) {
  MaxwellField f{cells, cells, 1.0 / cells, {}, {}, {}};
  f.ex.assign(f.cells(), 0.0);
  f.ey = f.ex;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      double const x = double(j) / cells - 0.4, y = double(i) / cells - 0.5;
      f.hz.push_back(std::exp(-(x * x + y * y) / 0.0018));
    }
  return f;
}

/// hz at two times: blue below 0, red above.
std::string drawn(std::array<MaxwellField, 2> const& fields, std::array<double, 2> const& times) {
  constexpr double side = 420.0, margin = 20.0, top = 44.0;
  constexpr int tiles = 84;
  constexpr double shades = 12.0;
  constexpr std::array<examples::Rgb, 3> colours{{{20, 70, 190}, {247, 247, 247}, {190, 30, 30}}};
  examples::Svg svg(2 * side + 3 * margin, side + top + margin, "a pulse on a periodic grid");
  for (std::size_t k = 0; k < 2; ++k) {
    MaxwellField const& f = fields[k];
    double most = 1e-300;
    for (double const value : f.hz) most = std::max(most, std::abs(value));
    double const left = margin + double(k) * (side + margin), step = side / tiles;
    svg.rectangle(left, top, side, side, "rgb(247,247,247)");
    auto const shadeOf = [&](int row, int column) {
      std::size_t const at =
          std::size_t(row * f.rows / tiles) * f.columns + std::size_t(column * f.columns / tiles);
      return std::round(shades * f.hz[at] / most) / shades;
    };
    for (int row = 0; row < tiles; ++row)
      for (int column = 0, end = 0; column < tiles; column = end) {
        double const shade = shadeOf(row, column);  // neighbours of one shade are one rectangle
        for (end = column + 1; end < tiles && shadeOf(row, end) == shade;) ++end;
        if (shade != 0.0)
          svg.rectangle(left + column * step, top + row * step, (end - column) * step + 0.2,
                        step + 0.2, examples::colourAlong(colours, 0.5 + 0.5 * shade));
      }
    svg.text(left, 26, fmt::format("hz after {:.3g}, up to {:.3g}", times[k], most), "start", 15);
  }
  return svg.document();
}

ExitStatus run(Arguments const& a) {
  std::string const why = a.device == "host" ? "not asked for" : whyNoDevice();
  if (a.device == "cuda" && !why.empty()) throw EngineUnavailable(why);
  bool const onDevice = why.empty();
  auto const advance = [&](MaxwellField& field, double step, int steps) {
    if (onDevice) return deviceModule().splitMaxwell(field, step, steps);
    Stopwatch const watch;
    splitMaxwell(field, step, steps, omp_get_max_threads());
    return watch.seconds() / steps;
  };
  std::cout << fmt::format(
      "a plane wave over one period, on {}\n{:<24}{:>12}{:>8}{:>14}{:>12}\n",
      onDevice ? deviceModule().deviceName() : fmt::format("{} cores", omp_get_max_threads()),
      "grid", "error", "order", "energy drift", "ms a step");
  double before = 0.0;
  bool isRight = true;
  for (int cells = 32; cells <= a.cells; cells *= 2) {
    constexpr int m = 1, n = 2;
    double const period = 1.0 / std::hypot(double(m), double(n));
    int const steps = 5 * cells / 32;  // of 2.9 cells; the explicit scheme's limit is 0.7
    MaxwellField const start = planeWave(cells, cells, 1.0 / cells, m, n, 0.0);
    MaxwellField field = start;
    double const seconds = advance(field, period / steps, steps);
    // The wave is back where it was: what differs is the scheme's error.
    double error = 0.0;
    for (std::size_t k = 0; k < field.hz.size(); ++k)
      error = std::max(error, std::abs(field.hz[k] - start.hz[k]));
    double const energy = splitEnergy(start, period / steps);
    double const drift = std::abs(splitEnergy(field, period / steps) - energy) / energy;
    isRight = isRight && drift < 1e-10;
    std::cout << fmt::format("{:<24}{:>12.3e}{:>8}{:>14.1e}{:>12.4g}\n",
                             fmt::format("{0} x {0}, {1} steps", cells, steps), error,
                             before > 0.0 ? fmt::format("{:.2f}", std::log2(before / error)) : "-",
                             drift, 1e3 * seconds);
    before = error;
  }
  if (!a.svg.empty()) {
    double const step = 2.0 / a.cells;  // two cells
    std::array<MaxwellField, 2> fields;
    fields[0] = pulse(a.cells);
    advance(fields[0], step, a.pulseSteps);
    fields[1] = fields[0];
    advance(fields[1], step, a.pulseSteps);
    examples::writeTextFile(a.svg, drawn(fields, {a.pulseSteps * step, 2 * a.pulseSteps * step}));
  }
  return isRight ? ExitStatus::optimal : ExitStatus::disagreement;
}

}  // namespace

examples::Command waveCommand() {
  return {"wave", "Maxwell's equations by splitting: error, order, energy, a picture",
          [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            app.add_option("--device", a->device, "auto (where there is one), host or cuda [auto]")
                ->check(CLI::IsMember({"auto", "host", "cuda"}));
            app.add_option("--cells", a->cells, "along a side, at most [256]")
                ->check(CLI::Range(32, 8192));
            app.add_option("--pulse-steps", a->pulseSteps, "of the picture, twice [24]")
                ->check(CLI::Range(1, 100'000));
            app.add_option("--svg", a->svg, "draw a pulse at two times")->type_name("FILE");
            return examples::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::cyclic_sweeps
