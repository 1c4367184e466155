// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>

#include "examples/response/commands.hpp"
#include "examples/response/placement_command.hpp"

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

ExitStatus run(Arguments const& a) {
  PlacementArguments const& asked = a.placement;
  asked.limits();  // what is wrong with them shows before anything is computed
  asked.checkFiles("");
  // The grid is periodic and the same everywhere: all fields are one, moved. Each step solves along
  // the rows, then along the columns, so that a pulse stays a product of two.
  std::vector<double> const down = ringPulse(a.rows, a.r, a.steps);
  std::vector<double> const along = ringPulse(a.columns, a.r, a.steps);
  auto const moved = [&](Cell at, Cell source) {
    int const row = (at.row - source.row + a.rows) % a.rows;
    int const column = (at.column - source.column + a.columns) % a.columns;
    return down[row] * along[column];
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
  stages.json = {
      {"rows_of_grid", a.rows}, {"columns_of_grid", a.columns}, {"steps", a.steps}, {"r", a.r}};
  stages.lines = {{"grid", fmt::format("{} x {}, periodic", a.rows, a.columns)},
                  {"field", fmt::format("{} steps of r {}", a.steps, a.r)}};
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

std::vector<double> ringPulse(int cells, double r, int steps) {
  std::vector<double> cosine(cells), field(cells, 1.0);
  for (int k = 0; k < cells; ++k) cosine[k] = std::cos(2.0 * std::numbers::pi * k / cells);
  for (int wave = 1; wave < cells; ++wave) {
    constexpr double nothing = 1e-18;
    double const left = std::pow(1.0 + 2.0 * r * (1.0 - cosine[wave]), -steps);
    for (int k = 0; k < cells && left > nothing; ++k)
      field[k] += left * cosine[std::int64_t{wave} * k % cells];
  }
  return field;
}

examples::Command gridCommand() {
  return {"grid", "the same on a periodic grid", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            char const* const group = "Grid";
            auto const size = CLI::Range(3, 100'000);
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
