// SPDX-License-Identifier: EPL-2.0
// Every kernel says what the host says, to rounding. Runs on a device, and on the emulated one
// (small, as each thread is a fiber); without either it is skipped.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "examples/cyclic_sweeps/device_module.hpp"
#include "osi_cuda/base/errors.hpp"
#include "tests/support/kernel_checks.hpp"

namespace osi_cuda::cyclic_sweeps {
namespace {

using NeedsDevice = testing::NeedsDevice<whyNoDevice>;
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);

bool small() {
  return testing::smallCases(deviceModule().deviceName());
}
using testing::difference;
using testing::randomNumbers;
using Sizes = std::vector<std::pair<int, int>>;

/// Two steps against the host's.
void check(Grid const& grid, DeviceField& field, std::string const& what) {
  std::vector<double> host = randomNumbers(grid.cells(), 3);
  field.upload(host);
  field.step(2);
  sweepOnHost(grid, host, 2, 2);
  BOOST_TEST_CONTEXT(what << ' ' << grid.rows << " x " << grid.columns)
  BOOST_TEST(difference(field.download(), host) < 1e-13);
}

/// Rows and columns in one piece and in several: what a warp, two, four and eight of them sweep,
/// and chunks of up to 10, 16, 22 and 32 places.
BOOST_AUTO_TEST_CASE(forms) {
  Sizes sizes{{3, 3},     {5, 33},    {40, 17},   {300, 512},  {33, 545},  {129, 1089}, {31, 4352},
              {1024, 50}, {17, 4353}, {1025, 24}, {8, 20'000}, {3000, 40}, {1000, 1001}};
  if (small()) sizes = {{3, 3}, {40, 33}, {9, 545}, {5, 1100}, {4, 4500}, {700, 5}, {1200, 9}};
  for (auto const& [rows, columns] : sizes) {
    for (CyclicMatrix const& other : {CyclicMatrix{-4.0, 9.0, -4.0}, {0.5, 4.0, -2.0}}) {
      Grid grid = diffusion(rows, columns, 4.0);
      grid.alongColumn = other;
      for (std::size_t k = 0; k < formNames.size(); ++k)
        check(grid, *deviceModule().makeField(grid, Form(k)), formNames[k]);
    }
  }
}

/// On as many devices as there are, and with several shares on one.
BOOST_AUTO_TEST_CASE(shares) {
  bool const two = deviceModule().deviceCount() > 1;
  std::vector<std::vector<int>> choices{{0, 0}, {0, 0, 0}};
  if (two) choices.insert(choices.end(), {{0, 1}, {1, 0}, {0, 1, 1, 0}});
  Sizes const sizes = small() ? Sizes{{181, 30}, {361, 5}, {2300, 3}}
                              : Sizes{{400, 100}, {1000, 513}, {501, 5000}, {4400, 70}};
  for (auto const& [rows, columns] : sizes) {
    Grid grid = diffusion(rows, columns, 1.0);  // what comes in has faded after 44 places
    for (auto const& devices : choices)
      check(grid, *deviceModule().makeShares(grid, devices),
            std::to_string(devices.size()) + " shares from device " + std::to_string(devices[0]));
  }
}

BOOST_AUTO_TEST_CASE(whatSharesCantBeIsTold) {
  Grid const small = diffusion(60, 9, 1.0);
  BOOST_CHECK_EXCEPTION(
      deviceModule().makeShares(small, {0, 0}), EngineUnavailable, [](EngineUnavailable const& e) {
        return std::string(e.what()).find("pieces of columns this short") != std::string::npos;
      });
  BOOST_CHECK_THROW(deviceModule().makeShares(diffusion(300, 9, 1.0), {0, 1000}),
                    EngineUnavailable);
}

BOOST_AUTO_TEST_CASE(maxwell) {
  for (auto const& [rows, columns] : small() ? Sizes{{11, 40}} : Sizes{{96, 200}, {700, 5000}}) {
    MaxwellField host = planeWave(rows, columns, 0.1, 1, 2, 0.0), field = host;
    splitMaxwell(host, 0.25, 3, 2);
    deviceModule().splitMaxwell(field, 0.25, 3);
    for (auto const part : {&MaxwellField::ex, &MaxwellField::ey, &MaxwellField::hz})
      BOOST_TEST(difference(field.*part, host.*part) < 1e-12);
  }
}

}  // namespace
}  // namespace osi_cuda::cyclic_sweeps
