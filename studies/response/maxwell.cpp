// SPDX-License-Identifier: EPL-2.0
#include "studies/response/maxwell.hpp"

#include <cmath>
#include <numbers>

#include "examples/response/sweeps.hpp"

namespace osi_cuda::response {
namespace {

/// One direction of the grid: e is the electric part that sees it, and de/dt = sign d(hz), dhz/dt =
/// sign d(e) along it; sign is 1 along columns (ex) and -1 along rows (ey).
struct Direction {
  bool alongRows;
  double sign;
};
constexpr Direction byRows{true, -1.0}, byColumns{false, 1.0};

/// Calls visit(at, next, before) for each cell: its own place, and those of its neighbours.
template <class Visit>
void overCells(MaxwellField const& f, Direction const& d, int threads, Visit const& visit) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int i = 0; i < f.rows; ++i)
    for (int j = 0; j < f.columns; ++j) {
      int const n = f.columns, m = f.rows;
      auto const at = [&](int r, int c) { return std::size_t(r) * n + c; };
      std::size_t const next =
          d.alongRows ? at(i, j + 1 < n ? j + 1 : 0) : at(i + 1 < m ? i + 1 : 0, j);
      std::size_t const before =
          d.alongRows ? at(i, j > 0 ? j - 1 : n - 1) : at(i > 0 ? i - 1 : m - 1, j);
      visit(at(i, j), next, before);
    }
}

std::vector<double>& electric(MaxwellField& f, Direction const& d) {
  return d.alongRows ? f.ey : f.ex;
}

/// field <- (1 + s D) field, D this direction's part of the equations, s = k width. `spare` keeps
/// what hz was.
void explicitHalf(MaxwellField& f, Direction const& d, double k, std::vector<double>& spare,
                  int threads) {
  std::vector<double>& e = electric(f, d);
  spare = f.hz;
  overCells(f, d, threads, [&](std::size_t at, std::size_t next, std::size_t) {
    f.hz[at] += d.sign * k * (e[next] - e[at]);
  });
  overCells(f, d, threads, [&](std::size_t at, std::size_t, std::size_t before) {
    e[at] += d.sign * k * (spare[at] - spare[before]);
  });
}

/// field <- (1 - s D)^-1 field. Without hz the system is e - k^2 (second difference of e) = e +
/// sign k (difference of hz); hz follows from e.
void implicitHalf(MaxwellField& f, Direction const& d, double k, int threads) {
  std::vector<double>& e = electric(f, d);
  overCells(f, d, threads, [&](std::size_t at, std::size_t, std::size_t before) {
    e[at] += d.sign * k * (f.hz[at] - f.hz[before]);
  });
  solveLinesOnHost(diffusion(f.rows, f.columns, k * k), d.alongRows, e, threads);
  overCells(f, d, threads, [&](std::size_t at, std::size_t next, std::size_t) {
    f.hz[at] += d.sign * k * (e[next] - e[at]);
  });
}

}  // namespace

MaxwellField planeWave(int rows, int columns, double width, int m, int n, double time) {
  using std::numbers::pi;
  double const kx = 2.0 * pi * m / (columns * width), ky = 2.0 * pi * n / (rows * width);
  double const omega = std::hypot(kx, ky);
  MaxwellField f{rows, columns, width, {}, {}, {}};
  auto const wave = [&](double x, double y) { return std::cos(kx * x + ky * y - omega * time); };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double const x = j * width, y = i * width, half = 0.5 * width;
      f.ex.push_back(-ky / omega * wave(x + half, y));
      f.ey.push_back(kx / omega * wave(x, y + half));
      f.hz.push_back(wave(x + half, y + half));
    }
  return f;
}

void splitMaxwell(MaxwellField& field, double step, int steps, int threads) {
  double const k = 0.5 * step / field.width;
  std::vector<double> spare;
  for (int s = 0; s < steps; ++s) {
    explicitHalf(field, byColumns, k, spare, threads);
    implicitHalf(field, byRows, k, threads);
    explicitHalf(field, byRows, k, spare, threads);
    implicitHalf(field, byColumns, k, threads);
  }
}

double splitEnergy(MaxwellField const& field, double step) {
  MaxwellField f = field;
  std::vector<double> spare;
  explicitHalf(f, byColumns, -0.5 * step / field.width, spare, 1);
  double sum = 0.0;
  for (auto const* part : {&f.ex, &f.ey, &f.hz})
    for (double const value : *part) sum += value * value;
  return sum / double(field.cells());
}

}  // namespace osi_cuda::response
