// SPDX-License-Identifier: EPL-2.0
#include "examples/cyclic_sweeps/maxwell.hpp"

#include <cmath>
#include <numbers>

namespace osi_cuda::cyclic_sweeps {
namespace {

/// Room for the field after half a step.
struct Spare {
  std::vector<double> e, hz;
};

template <class Visit>
void overCells(MaxwellField const& f, bool alongRows, int threads, Visit const& visit) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t at = 0; at < f.cells(); ++at) visit(cellOf(at, f.rows, f.columns, alongRows));
}

void explicitHalf(MaxwellField& f, bool alongRows, double k, Spare& spare, int threads) {
  auto& e = alongRows ? f.ey : f.ex;
  spare.e.resize(f.cells());
  spare.hz.resize(f.cells());
  overCells(f, alongRows, threads, [&](Cell c) {
    explicitCell(c, alongRows ? -k : k, e.data(), f.hz.data(), spare.e.data(), spare.hz.data());
  });
  e.swap(spare.e);
  f.hz.swap(spare.hz);
}

void implicitHalf(MaxwellField& f, bool alongRows, double k, Spare& spare, int threads) {
  auto& e = alongRows ? f.ey : f.ex;
  double const signedK = alongRows ? -k : k;
  Grid const grid = diffusion(f.rows, f.columns, k * k);
  overCells(f, alongRows, threads,
            [&](Cell c) { spare.e[c.at] = implicitRight(c, signedK, e.data(), f.hz.data()); });
  e.swap(spare.e);
  solveLines(alongRows ? rowLines(grid) : columnLines(grid), e.data(), threads);
  overCells(f, alongRows, threads, [&](Cell c) { implicitHz(c, signedK, e.data(), f.hz.data()); });
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
  Spare spare;
  for (int s = 0; s < steps; ++s)
    for (bool const alongRows : {false, true}) {
      explicitHalf(field, alongRows, k, spare, threads);
      implicitHalf(field, !alongRows, k, spare, threads);
    }
}

double splitEnergy(MaxwellField const& field, double step) {
  MaxwellField f = field;
  Spare spare;
  explicitHalf(f, false, -0.5 * step / field.width, spare, 1);
  double sum = 0.0;
  for (auto const* part : {&f.ex, &f.ey, &f.hz})
    for (double const value : *part) sum += value * value;
  return sum / double(field.cells());
}

}  // namespace osi_cuda::cyclic_sweeps
