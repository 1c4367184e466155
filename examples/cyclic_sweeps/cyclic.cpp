// SPDX-License-Identifier: EPL-2.0
#include "examples/cyclic_sweeps/cyclic.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::cyclic_sweeps {
namespace {

constexpr int strip = 16;  // lines that are solved together: two cache lines of doubles

/// Solves lines first .. first + count, count <= strip. `u`: room for strip numbers a place.
void sweepStrip(Lines const& l, Tables const& t, double* first, int count, double* u) {
  double last[strip] = {}, start[strip];
  for (int k = 1; k < l.length; ++k)
    for (int s = 0; s < count; ++s)
      u[k * strip + s] = last[s] =
          (first[k * l.along + s * l.across] - l.m.a * last[s]) * t.inverse[k];
  std::fill_n(last, count, 0.0);
  for (int k = l.length - 1; k > 0; --k)
    for (int s = 0; s < count; ++s)
      u[k * strip + s] = last[s] = t.alpha[k] * last[s] + u[k * strip + s];
  for (int s = 0; s < count; ++s)
    first[s * l.across] = start[s] =
        t.closing *
        (first[s * l.across] - l.m.a * u[(l.length - 1) * strip + s] - l.m.c * u[strip + s]);
  for (int k = 1; k < l.length; ++k)
    for (int s = 0; s < count; ++s)
      first[k * l.along + s * l.across] = u[k * strip + s] + start[s] * t.v[k];
}

}  // namespace

Grid diffusion(int rows, int columns, double r) {
  CyclicMatrix const matrix{-r, 1.0 + 2.0 * r, -r};
  return {rows, columns, matrix, matrix};
}

Lines rowLines(Grid const& g) {
  return {g.alongRow, g.columns, g.rows, 1, std::size_t(g.columns)};
}
Lines columnLines(Grid const& g) {
  return {g.alongColumn, g.rows, g.columns, std::size_t(g.columns), 1};
}

Tables tablesOf(CyclicMatrix const& m, int n) {
  Tables t;
  for (auto* table : {&t.alpha, &t.inverse, &t.v}) table->assign(n, 0.0);
  // Before place 1 stands y[0] itself: alpha 0, gamma 1. v keeps gamma until it is formed.
  double alpha = 0.0, gamma = 1.0;
  for (int k = 1; k < n; ++k) {
    t.inverse[k] = 1.0 / (m.b + m.a * alpha);
    alpha = t.alpha[k] = -m.c * t.inverse[k];
    gamma = t.v[k] = -m.a * gamma * t.inverse[k];
  }
  double v = 1.0;  // y[n] is y[0]
  for (int k = n - 1; k > 0; --k) v = t.v[k] = t.alpha[k] * v + t.v[k];
  t.closing = 1.0 / (m.b + m.a * t.v[n - 1] + m.c * t.v[1]);
  return t;
}

Factors factorsOf(CyclicMatrix const& m) {
  // p + a c / p = b, the root of larger size
  double const p = 0.5 * (m.b + std::copysign(std::sqrt(m.b * m.b - 4.0 * m.a * m.c), m.b));
  return {-m.a / p, 1.0 / p, -m.c / p};
}

int Factors::reach() const {
  double const slowest = std::max({std::abs(forward), std::abs(backward), 1e-3});
  constexpr double roundings = 0x1p-58;  // of values up to 1 / (1 - slowest) as large
  return 1 + int(std::ceil(std::log(roundings * (1.0 - slowest)) / std::log(slowest)));
}

void solveLines(Lines const& l, double* field, int threads) {
  Tables const tables = tablesOf(l.m, l.length);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> u(std::size_t(l.length) * strip);
#pragma omp for schedule(static)
    for (int s = 0; s < l.count; s += strip)
      sweepStrip(l, tables, field + s * l.across, std::min(strip, l.count - s), u.data());
  }
}

void sweepOnHost(Grid const& grid, std::vector<double>& field, int steps, int threads) {
  for (int step = 0; step < steps; ++step) {
    solveLines(rowLines(grid), field.data(), threads);
    solveLines(columnLines(grid), field.data(), threads);
  }
}

}  // namespace osi_cuda::cyclic_sweeps
