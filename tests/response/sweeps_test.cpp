// SPDX-License-Identifier: EPL-2.0
// Cyclic sweeps on the host against dense solves.
#include <lapacke.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/random.hpp"
#include "examples/response/sweeps.hpp"

namespace osi_cuda::response {
namespace {

std::vector<double> randomField(std::size_t cells, std::uint64_t seed) {
  examples::Random random(seed);
  std::vector<double> field(cells);
  for (double& value : field) value = 2.0 * random.uniform() - 1.0;
  return field;
}

std::vector<double> denseCyclicSolve(CyclicMatrix const& m, std::vector<double> d) {
  int const n = int(d.size());
  std::vector<double> a(std::size_t(n) * n, 0.0);
  for (int k = 0; k < n; ++k) {
    a[std::size_t(k) * n + (k + n - 1) % n] += m.a;
    a[std::size_t(k) * n + k] += m.b;
    a[std::size_t(k) * n + (k + 1) % n] += m.c;
  }
  std::vector<int> pivots(n);
  BOOST_REQUIRE(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, a.data(), n, pivots.data(), d.data(), 1) ==
                0);
  return d;
}

/// One step by dense solves.
std::vector<double> denseStep(SweepCase const& grid, std::vector<double> field) {
  for (int r = 0; r < grid.rows; ++r) {
    auto const line = field.begin() + std::ptrdiff_t(r) * grid.columns;
    auto const solved = denseCyclicSolve(grid.alongRow, {line, line + grid.columns});
    std::copy(solved.begin(), solved.end(), line);
  }
  for (int c = 0; c < grid.columns; ++c) {
    std::vector<double> line(grid.rows);
    for (int r = 0; r < grid.rows; ++r) line[r] = field[std::size_t(r) * grid.columns + c];
    line = denseCyclicSolve(grid.alongColumn, line);
    for (int r = 0; r < grid.rows; ++r) field[std::size_t(r) * grid.columns + c] = line[r];
  }
  return field;
}

BOOST_AUTO_TEST_CASE(sweepsSolveTheSystems) {
  for (auto const& [rows, columns] : {std::pair{3, 3}, {3, 40}, {17, 5}, {37, 50}})
    for (auto const& matrix :
         {CyclicMatrix{-1.0, 3.0, -1.0}, {-30.0, 61.0, -30.0}, {0.5, 4.0, -2.0}, {0.0, 2.0, 1.0}}) {
      SweepCase grid{rows, columns, matrix, {-0.2, -1.4, 0.3}};
      std::vector<double> field = randomField(grid.cells(), 5);
      std::vector<double> const dense = denseStep(grid, field);
      for (int const threads : {1, 2}) {
        std::vector<double> copy = field;
        sweepOnHost(grid, copy, 1, threads);
        double difference = 0.0;
        for (std::size_t k = 0; k < copy.size(); ++k)
          difference = std::max(difference, std::abs(copy[k] - dense[k]));
        BOOST_TEST(difference < 1e-13);
      }
    }
}

}  // namespace
}  // namespace osi_cuda::response
