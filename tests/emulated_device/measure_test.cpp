// SPDX-License-Identifier: EPL-2.0
// The kernels that measure a device, and what a device tells of itself.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

BOOST_AUTO_TEST_SUITE(emulated_measure)

BOOST_AUTO_TEST_CASE(all_rates_of_a_device_are_measured) {
  emulated_runtime::reset();  // what a test before made fail
  Machine measured = referenceMachine();
  measured.device = cuda::measureDevice(0, 64);
  for (MachineField const& field : machineFields()) {
    double const rate = field.of(measured);
    BOOST_TEST_CONTEXT(field.name) BOOST_TEST((std::isfinite(rate) && rate > 0.0));
  }
  DeviceRates const &found = measured.device, &usual = referenceMachine().device;
  BOOST_TEST(found.fp64 != usual.fp64);
  BOOST_TEST(found.barrier != usual.barrier);
  BOOST_TEST(found.memory == cuda::deviceProperties(0).memory);
}

// No clock and no bandwidth is told: the reference's rates, so that choices are those of today.
BOOST_AUTO_TEST_CASE(a_device_that_tells_nothing_has_the_reference_rates) {
  DeviceProperties const is = cuda::deviceProperties(0);
  BOOST_TEST(is.name == "emulated");
  BOOST_TEST(is.clock == 0.0);
  DeviceRates const rates = ratesOf(is);
  BOOST_TEST(rates.matrix == referenceMachine().device.matrix);
  BOOST_TEST(rates.bandwidth == referenceMachine().device.bandwidth);
}

BOOST_AUTO_TEST_SUITE_END()
