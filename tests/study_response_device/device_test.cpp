// SPDX-License-Identifier: EPL-2.0
// Every kernel says what the host says, to rounding. Needs a device; elsewhere it is skipped.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/random.hpp"
#include "studies/response/device_module.hpp"
#include "tests/support/needs_device.hpp"

namespace osi_cuda::response {
namespace {

using NeedsDevice = testing::NeedsDevice<+[] { return kernels.whyNot(); }>;
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);

std::vector<double> randomNumbers(std::size_t count, std::uint64_t seed) {
  examples::Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = 2.0 * random.uniform() - 1.0;
  return values;
}

/// The largest difference over the largest value; infinite for what is no number.
double difference(std::vector<double> const& a, std::vector<double> const& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double size = 1e-300, most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::abs(b[k]));
    most = std::isnan(a[k]) ? HUGE_VAL : std::max(most, std::abs(a[k] - b[k]));
  }
  return most / size;
}

BOOST_AUTO_TEST_CASE(sweeps) {
  struct Size {
    int rows, columns;
  };
  std::vector<Size> const sizes{{3, 3},      {5, 33},    {40, 17},     {300, 512}, {33, 545},
                                {129, 1089}, {31, 4352}, {1024, 50},   {17, 4353}, {1025, 24},
                                {8, 20'000}, {3000, 40}, {1000, 1001}, {7, 3}};
  for (auto const& [rows, columns] : sizes)
    for (CyclicMatrix const& other : {CyclicMatrix{-4.0, 9.0, -4.0}, {0.5, 4.0, -2.0}}) {
      SweepCase grid = diffusion(rows, columns, 4.0);
      grid.alongColumn = other;
      std::vector<double> const start = randomNumbers(grid.cells(), 3);
      std::vector<double> host = start;
      sweepOnHost(grid, host, 2, 2);
      for (std::size_t k = 0; k < sweepFormNames.size(); ++k) {
        std::vector<double> field = start;
        kernels->sweep(grid, SweepForm(k), field, 2, 0);
        BOOST_TEST_CONTEXT(sweepFormNames[k] << ' ' << rows << " x " << columns)
        BOOST_TEST(difference(field, host) < 1e-13);
      }
    }
}

BOOST_AUTO_TEST_CASE(sweepsInTwoHalves) {
  for (int const second : {0, 1}) {
    if (second >= kernels->deviceCount()) continue;
    for (auto const& [rows, columns] :
         {std::pair{400, 100}, {1000, 513}, {501, 5000}, {2300, 70}}) {
      SweepCase const grid = diffusion(rows, columns, 2.0);
      std::vector<double> const start = randomNumbers(grid.cells(), 4);
      std::vector<double> host = start, field = start;
      sweepOnHost(grid, host, 3, 2);
      kernels->sweepOnTwo(grid, field, 3, second);
      BOOST_TEST(difference(field, host) < 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(formsOfElements) {
  for (int degree = 1; degree <= highestDegree; ++degree) {
    Mesh const mesh = generatePlate({14, 2, 0.25, 9.0, 6});
    Space const space = makeSpace(mesh, degree);
    auto const fem = kernels->makeFem(space);
    auto const elements = elementMatrices(space, Integration::local);
    for (std::size_t k = 0; k < integrationNames.size(); ++k)
      BOOST_TEST(difference(fem->integrate(Integration(k), 1).values, elements) < 1e-12);

    Csr matrix = fieldMatrix(space, 0.0);
    for (int i = 0; i < matrix.rows; ++i)
      if (space.isFixed[i]) matrix.value[matrix.find(i, i)] = 0.0;
    for (bool const byColours : {false, true}) {
      BOOST_TEST(difference(fem->assemble(Storage::csr, byColours, 1).values, matrix.value) <
                 1e-12);
      BOOST_TEST(difference(fem->assemble(Storage::ell, byColours, 1).values, ellOf(matrix).value) <
                 1e-12);
    }
    std::vector<double> x = randomNumbers(std::size_t(space.dofs), 7), y(x.size());
    for (int i = 0; i < space.dofs; ++i)
      if (space.isFixed[i]) x[i] = 0.0;
    matrix.multiply(x.data(), y.data());
    std::vector<double> first;
    for (std::size_t k = 0; k < storageNames.size(); ++k) {
      auto const storage = Storage(k);
      BOOST_TEST(difference(fem->multiply(storage, x, 1).values, y) < 1e-12);
      for (auto const preconditioner : {Preconditioner::jacobi, Preconditioner::ssor}) {
        if (preconditioner == Preconditioner::ssor && k > 1) continue;
        TimedValues const solved = fem->solve(storage, preconditioner, x, 1e-12, 5000);
        BOOST_TEST(solved.iterations < 5000);
        if (first.empty()) first = solved.values;
        BOOST_TEST(difference(solved.values, first) < 1e-8);
      }
    }
    // Executors of the host against the same product.
    for (std::size_t k = 0; k < executorNames.size(); ++k)
      BOOST_TEST(difference(executeOnHost(space, Executor(k), x, 2, 1).values, y) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(products) {
  Mesh const mesh = generatePlate({14, 2, 0.25, 9.0, 6});
  Csr const matrix = fieldMatrix(makeSpace(mesh, 3), 0.0);
  BOOST_TEST(kernels->timeProductsInDouble(matrix, 1).error < 1e-12);
  BOOST_TEST(kernels->timeProductsInSingle(matrix, 1).error < 1e-4);
  BOOST_TEST(kernels->timeManyProducts(matrix, 32, 1).error < 1e-12);
}

}  // namespace
}  // namespace osi_cuda::response
