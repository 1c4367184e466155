// SPDX-License-Identifier: EPL-2.0
// Maxwell's equations by splitting: order, energy, both directions alike.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/random.hpp"
#include "studies/response/maxwell.hpp"

namespace osi_cuda::response {
namespace {

/// The largest error of any component at time 3/4, of a wave of one and two periods.
double waveError(int rows, int columns, double cellsOfStep) {
  double const width = 1.0 / columns;
  int const steps = int(std::ceil(0.75 / (cellsOfStep * width)));
  MaxwellField field = planeWave(rows, columns, width, 1, 2, 0.0);
  splitMaxwell(field, 0.75 / steps, steps, 2);
  MaxwellField const right = planeWave(rows, columns, width, 1, 2, 0.75);
  double error = 0.0;
  for (std::size_t k = 0; k < field.cells(); ++k)
    error = std::max({error, std::abs(field.ex[k] - right.ex[k]),
                      std::abs(field.ey[k] - right.ey[k]), std::abs(field.hz[k] - right.hz[k])});
  return error;
}

BOOST_AUTO_TEST_CASE(wavesTravelWithSecondOrder) {
  for (double const cellsOfStep : {0.5, 3.0}) {  // below and beyond the explicit scheme's limit
    double before = waveError(48, 32, cellsOfStep);
    for (int const finer : {2, 4}) {
      double const now = waveError(48 * finer, 32 * finer, cellsOfStep);
      double const order = std::log2(before / now);
      BOOST_TEST_MESSAGE(cellsOfStep << " cells a step, " << finer << " times: order " << order);
      if (finer == 4 || cellsOfStep < 1.0) {
        BOOST_TEST(order > 1.9);
        BOOST_TEST(order < 2.1);
      }
      before = now;
    }
    BOOST_TEST(before < (cellsOfStep < 1.0 ? 0.03 : 0.3));
  }
}

BOOST_AUTO_TEST_CASE(theEnergyStays) {
  examples::Random random(4);
  MaxwellField field{23, 30, 0.1, {}, {}, {}};
  for (auto* part : {&field.ex, &field.ey, &field.hz})
    for (std::size_t k = 0; k < field.cells(); ++k) part->push_back(2.0 * random.uniform() - 1.0);
  for (double const step : {0.02, 0.3, 5.0}) {  // up to fifty cells
    double const before = splitEnergy(field, step);
    splitMaxwell(field, step, 200, 2);
    BOOST_TEST(splitEnergy(field, step) == before, boost::test_tools::tolerance(1e-10));
  }
}

/// The factors of a step with the time reversed are the inverse ones, in the inverse order.
BOOST_AUTO_TEST_CASE(stepsBackUndoSteps) {
  MaxwellField const start = planeWave(12, 9, 0.2, 2, 1, 0.3);
  MaxwellField field = start;
  splitMaxwell(field, 0.25, 3, 1);
  double moved = 0.0, error = 0.0;
  for (std::size_t k = 0; k < start.cells(); ++k)
    moved = std::max(moved, std::abs(field.hz[k] - start.hz[k]));
  BOOST_TEST(moved > 0.1);
  splitMaxwell(field, -0.25, 3, 2);
  for (auto const part : {&MaxwellField::ex, &MaxwellField::ey, &MaxwellField::hz})
    for (std::size_t k = 0; k < start.cells(); ++k)
      error = std::max(error, std::abs((field.*part)[k] - (start.*part)[k]));
  BOOST_TEST(error < 1e-13);
}

}  // namespace
}  // namespace osi_cuda::response
