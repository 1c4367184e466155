// SPDX-License-Identifier: EPL-2.0
// Every kernel says what the host says, to rounding. Runs on a device, and on the emulated one
// (small, as each thread is a fiber); without either it is skipped.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "examples/response/device_module.hpp"
#include "examples/response/fem_problem.hpp"
#include "examples/response/field_problem.hpp"
#include "examples/response/partition.hpp"
#include "examples/response/plant.hpp"
#include "tests/support/kernel_checks.hpp"

namespace osi_cuda::response {
namespace {

using NeedsDevice = testing::NeedsDevice<whyNoDevice>;
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);
using testing::difference;
using testing::randomNumbers;

bool emulated() {
  return deviceModule().deviceName() == "emulated";
}
bool small() {
  return testing::smallCases(deviceModule().deviceName());
}

BOOST_AUTO_TEST_CASE(formsOfElements) {
  Mesh const mesh = generatePlate({small() ? 4 : 14, small() ? 0 : 2, 0.25, 9.0, 6});
  for (int degree = 1; degree <= highestDegree; ++degree) {
    Space const space = makeSpace(mesh, degree);
    FemProblem const problem = femProblemOf(space);
    auto const host = makeHostFem(problem), device = deviceModule().makeFem(problem);
    for (std::size_t k = 0; k < integrationNames.size(); ++k)
      BOOST_TEST(difference(device->integrate(Integration(k), 1).values,
                            host->integrate(Integration(k), 1).values) < 1e-12);
    for (auto const storage : {Storage::csr, Storage::ell})
      for (bool const byColours : {false, true})
        BOOST_TEST(difference(device->assemble(storage, byColours, 1).values,
                              host->assemble(storage, byColours, 1).values) < 1e-12);
    for (int const width : {1, 2, 32}) {
      std::vector<double> x = randomNumbers(std::size_t(space.dofs) * width, 7);
      for (std::size_t k = 0; k < x.size(); ++k)
        if (space.isFixed[k / width]) x[k] = 0.0;
      for (std::size_t k = 0; k < storageNames.size(); ++k) {
        BOOST_TEST(difference(device->multiply(Storage(k), x, width, 1).values,
                              host->multiply(Storage(k), x, width, 1).values) < 1e-12);
        if (small() && (degree != 2 || width == 32)) continue;
        for (auto const preconditioner : {Preconditioner::jacobi, Preconditioner::ssor}) {
          if (preconditioner == Preconditioner::ssor && k > 1) continue;
          CgRequest const request{x, width, 1e-12, 5000};
          Timed const one = device->solve(Storage(k), preconditioner, request);
          Timed const other = host->solve(Storage(k), preconditioner, request);
          BOOST_TEST(difference(one.values, other.values) < 1e-8);
          BOOST_TEST(one.iterations <= other.iterations + 16);  // it looks at every 16th
        }
      }
    }
  }
}

/// Many right-hand sides; one that is 0 stays 0.
BOOST_AUTO_TEST_CASE(manySystems) {
  Mesh const mesh = generatePlate({small() ? 4 : 20, small() ? 0 : 3, 0.2, 4.0, 2});
  Space const space = makeSpace(mesh, 2);
  Csr const matrix = csrOf(fieldMatrix(space, 10.0));
  for (int const width : small() ? std::vector<int>{8} : std::vector<int>{1, 8, 64, 256}) {
    std::vector<double> b = randomNumbers(std::size_t(space.dofs) * width, 5);
    if (width > 1)
      for (int i = 0; i < space.dofs; ++i) b[std::size_t(i) * width + 1] = 0.0;
    Timed const host = makeHostSolver(matrix)->solve({b, width, 1e-13});
    Timed const device = deviceModule().makeSolver(matrix)->solve({b, width, 1e-13});
    BOOST_TEST(difference(device.values, host.values) < 1e-10);
    for (int i = 0; i < space.dofs && width > 1; ++i)
      BOOST_TEST(device.values[std::size_t(i) * width + 1] == 0.0);
  }
}

/// What `solve --device cuda` does, beside Cholesky factors; steady, and after some time.
BOOST_AUTO_TEST_CASE(fieldsOnTheDevice) {
  Mesh const mesh = generatePlate({small() ? 5 : 20, 0, 0.2, 4.0, 2});
  Space const space = makeSpace(mesh, small() ? 1 : 2);
  Locator const locator(mesh);
  std::vector<Functional> loads, measures;
  for (Point const p : spreadPoints(locator, 3, 0, 0.3))
    loads.push_back(bumpAt(space, locator, p, 0.3));
  for (Point const p : spreadPoints(locator, 5, 7, 0.1))
    measures.push_back(valueAt(space, *locator.find(p)));
  for (double const seconds : {0.0, 0.01}) {
    FieldProblem const host(space, {seconds, 2}), device(space, {seconds, 2, true});
    for (bool const swapped : {false, true})
      BOOST_TEST(difference(device.response(swapped ? loads : measures, swapped ? measures : loads,
                                            nullptr),
                            host.response(swapped ? loads : measures, swapped ? measures : loads,
                                          nullptr)) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(products) {
  Mesh const mesh = generatePlate({small() ? 4 : 14, small() ? 0 : 2, 0.25, 9.0, 6});
  Csr const matrix = csrOf(fieldMatrix(makeSpace(mesh, small() ? 2 : 3), 0.0));
  std::vector<double> const x = randomNumbers(std::size_t(matrix.columns) * manyColumns, 4);
  std::vector<double> y(std::size_t(matrix.rows)), many(y.size() * manyColumns);
  matrix.multiply(x.data(), y.data());
  matrix.multiply(x.data(), many.data(), manyColumns);
  for (bool const isDouble : {true, false}) {
    double const enough = isDouble ? 1e-13 : 1e-5;
    auto const products = deviceModule().makeProducts(matrix, x, isDouble);
    for (ProductShape const& shape : allShapes()) {
      if (small() && shape.perRow <= 32 && shape.block != 64 && shape.rows != 2) continue;
      products->multiply(shape, 1, 1);
      BOOST_TEST_CONTEXT(shape.perRow << " a row, blocks of " << shape.block << ", " << shape.rows)
      BOOST_TEST(difference(products->result(), y) < enough);
    }
    products->multiplyMany(1, 1);
    BOOST_TEST(difference(products->result(), many) < enough);
    if (emulated()) continue;  // it has no such library
    products->library(1, 1);
    BOOST_TEST(difference(products->result(), y) < enough);
    products->libraryMany(1, 1);
    BOOST_TEST(difference(products->result(), many) < enough);
  }
}

/// The host beside a device, several devices, and several parts on one.
BOOST_AUTO_TEST_CASE(devicesShareTheRows) {
  Mesh const mesh = generatePlate({small() ? 9 : 30, 1, 0.25, 9.0, 4});
  Space const space = makeSpace(mesh, 2);
  Relaxation const relaxation = relaxationOf(space);
  std::vector<double> const start = randomNumbers(std::size_t(relaxation.rows()), 9);
  int const second = deviceModule().deviceCount() > 1 ? 1 : 0;
  for (int const depth : {1, 3}) {
    std::vector<double> plain = start;
    relaxPlainly(relaxation, plain, 4 * depth, 1);
    for (std::vector<double> const& shares :
         {std::vector<double>{0.0, 1.0}, {0.4, 0.6}, {1.0, 0.0}, {0.0, 1.0, 1.0, 1.0}}) {
      std::vector<std::unique_ptr<PartExecutor>> owners;
      owners.push_back(hostPart(1));
      for (std::size_t p = 1; p < shares.size(); ++p)
        owners.push_back(deviceModule().makePart(p % 2 == 0 ? second : 0));
      std::vector<PartExecutor*> executors;
      for (auto const& one : owners) executors.push_back(one.get());
      SharedRelaxation shared(relaxation, partsOf(space.place, shares), depth, start, executors);
      shared.run(4);
      BOOST_TEST(difference(shared.values(), plain) < 1e-13);
    }
  }
}

}  // namespace
}  // namespace osi_cuda::response
