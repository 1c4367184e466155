// SPDX-License-Identifier: EPL-2.0
#include "examples/response/sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::response {
namespace {

constexpr int strip = 16;  // lines that are solved together: two cache lines of doubles

/// Solves `count` <= strip systems at once; place k of system s is at field[k * along + s *
/// across].
void sweepStrip(CyclicMatrix const& m, SweepTables const& t, int n, double* field,
                std::size_t along, std::size_t across, int count, std::vector<double>& work) {
  work.resize(std::size_t(n) * strip);
  double* const u = work.data();
  double last[strip] = {};
  for (int k = 1; k < n; ++k)
    for (int s = 0; s < count; ++s) {
      last[s] = (field[k * along + s * across] - m.a * last[s]) * t.inverse[k];
      u[std::size_t(k) * strip + s] = last[s];
    }
  double first[strip];
  for (int s = 0; s < count; ++s) last[s] = 0.0;
  for (int k = n - 1; k > 0; --k)
    for (int s = 0; s < count; ++s) {
      last[s] = t.alpha[k] * last[s] + u[std::size_t(k) * strip + s];
      u[std::size_t(k) * strip + s] = last[s];
    }
  for (int s = 0; s < count; ++s)
    first[s] = t.closing *
               (field[s * across] - m.a * u[std::size_t(n - 1) * strip + s] - m.c * u[strip + s]);
  for (int s = 0; s < count; ++s) field[s * across] = first[s];
  for (int k = 1; k < n; ++k)
    for (int s = 0; s < count; ++s)
      field[k * along + s * across] = u[std::size_t(k) * strip + s] + first[s] * t.v[k];
}

void sweepAll(CyclicMatrix const& m, int n, int systems, double* field, std::size_t along,
              std::size_t across, int threads) {
  SweepTables const tables = tablesOf(m, n);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> work;
#pragma omp for schedule(static)
    for (int s = 0; s < systems; s += strip)
      sweepStrip(m, tables, n, field + s * across, along, across, std::min(strip, systems - s),
                 work);
  }
}

}  // namespace

SweepCase diffusion(int rows, int columns, double r) {
  CyclicMatrix const matrix{-r, 1.0 + 2.0 * r, -r};
  return {rows, columns, matrix, matrix};
}

SweepTables tablesOf(CyclicMatrix const& m, int n) {
  SweepTables t;
  for (auto* table : {&t.alpha, &t.gamma, &t.inverse, &t.v}) table->assign(n, 0.0);
  // Before place 1 stands y[0] itself: alpha 0, gamma 1.
  double alpha = 0.0, gamma = 1.0;
  for (int k = 1; k < n; ++k) {
    t.inverse[k] = 1.0 / (m.b + m.a * alpha);
    alpha = t.alpha[k] = -m.c * t.inverse[k];
    gamma = t.gamma[k] = -m.a * gamma * t.inverse[k];
  }
  double v = 1.0;  // y[n] is y[0]
  for (int k = n - 1; k > 0; --k) v = t.v[k] = t.alpha[k] * v + t.gamma[k];
  t.closing = 1.0 / (m.b + m.a * t.v[n - 1] + m.c * t.v[1]);
  return t;
}

void sweepOnHost(SweepCase const& grid, std::vector<double>& field, int steps, int threads) {
  auto const width = std::size_t(grid.columns);
  for (int step = 0; step < steps; ++step) {
    sweepAll(grid.alongRow, grid.columns, grid.rows, field.data(), 1, width, threads);
    sweepAll(grid.alongColumn, grid.rows, grid.columns, field.data(), width, 1, threads);
  }
}

}  // namespace osi_cuda::response
