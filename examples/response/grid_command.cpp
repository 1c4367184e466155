// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <memory>

#include "examples/response/commands.hpp"
#include "examples/response/placement_command.hpp"
#include "examples/response/sweeps.hpp"
#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;

struct Arguments {
  PlacementArguments placement;
  int rows = 256, columns = 256, steps = 150;
  double r = 4.0;
};

/// A cell of the grid, which is 1 wide and as high as its cells are square.
struct Cell {
  int row = 0, column = 0;
};

/// Every k-th cell along the generalised golden ratio's line (Roberts 2018), which fills a periodic
/// square evenly.
Cell spreadCell(Arguments const& a, int k) {
  constexpr double g = 1.32471795724474602596;  // g^3 = g + 1
  double const x = std::fmod(0.5 + k / g, 1.0), y = std::fmod(0.5 + k / (g * g), 1.0);
  return {int(y * a.rows), int(x * a.columns)};
}

Point placeOf(Arguments const& a, Cell cell) {
  return {(cell.column + 0.5) / a.columns, (cell.row + 0.5) / a.columns};
}

/// The field some steps after the cell (0, 0) gave off a pulse that makes 1 on average.
std::vector<double> pulse(Arguments const& a, SweepCase const& grid) {
  std::vector<double> field(grid.cells(), 0.0);
  field[0] = double(grid.cells());
  sweepOnHost(grid, field, a.steps, omp_get_max_threads());
  return field;
}

ExitStatus run(Arguments const& a) {
  PlacementArguments const& asked = a.placement;
  asked.check();
  SweepCase const grid = diffusion(a.rows, a.columns, a.r);
  Stopwatch const watch;
  std::vector<double> const field = pulse(a, grid);
  double const sweepSeconds = watch.seconds();
  // The grid is periodic and the same everywhere: all fields are one, moved.
  auto const moved = [&](Cell at, Cell source) {
    int const row = (at.row - source.row + a.rows) % a.rows;
    int const column = (at.column - source.column + a.columns) % a.columns;
    return field[std::size_t(row) * a.columns + column];
  };
  int const n = asked.plant.sources, m = asked.plant.observations, g = asked.plant.guards;
  Plant plant;
  for (int j = 0; j < n; ++j) plant.sources.push_back(placeOf(a, spreadCell(a, j)));
  for (int i = 0; i < m + g; ++i) {
    Cell const at = spreadCell(a, n + i);
    (i < m ? plant.observations : plant.guards).push_back(placeOf(a, at));
    for (int j = 0; j < n; ++j)
      (i < m ? plant.response : plant.guardResponse).push_back(moved(at, spreadCell(a, j)));
    if (i < m) plant.target.push_back(asked.plant.target.at(plant.observations.back()));
  }
  Stages stages;
  stages.seconds = {{"sweeps", sweepSeconds}};
  stages.json = {
      {"rows_of_grid", a.rows}, {"columns_of_grid", a.columns}, {"steps", a.steps}, {"r", a.r}};
  stages.lines = {
      {"grid", fmt::format("{} x {}, periodic", a.rows, a.columns)},
      {"sweeps", fmt::format("{} steps of r {}, {:.3g} s", a.steps, a.r, sweepSeconds)}};
  auto const fieldOf = [&](std::vector<double> const& strength) {
    return [&a, &moved, strength](Point p) -> std::optional<double> {
      Cell const at{int(p.y * a.columns), int(p.x * a.columns)};
      if (at.row >= a.rows || at.column >= a.columns) return std::nullopt;
      double value = 0.0;
      for (std::size_t j = 0; j < strength.size(); ++j)
        if (strength[j] != 0.0) value += strength[j] * moved(at, spreadCell(a, int(j)));
      return value;
    };
  };
  return placeAndReport(asked, plant, stages,
                        {{0.0, 0.0}, {1.0, double(a.rows) / a.columns}, {}, fieldOf});
}

}  // namespace

examples::Command gridCommand() {
  return {"grid", "the same on a periodic grid, by cyclic sweeps", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            char const* const group = "Grid";
            auto const size = CLI::Range(3, 1'000'000);
            app.add_option("--rows", a->rows, "of the grid [256]")->check(size)->group(group);
            app.add_option("--columns", a->columns, "of the grid [256]")->check(size)->group(group);
            app.add_option("--steps", a->steps, "in time after each source's pulse [150]")
                ->check(CLI::Range(1, 1'000'000))
                ->group(group);
            app.add_option("--r", a->r, "conductivity x time step / width^2 [4]")
                ->check(CLI::Range(1e-6, 1e6))
                ->group(group);
            a->placement.addTo(app);
            return examples::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::response
