// SPDX-License-Identifier: EPL-2.0
// Every kernel says what the host says, to rounding. Needs a device; elsewhere it is skipped.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/random.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/field_problem.hpp"
#include "tests/support/needs_device.hpp"

namespace osi_cuda::response {
namespace {

using NeedsDevice = testing::NeedsDevice<+[] { return deviceModule.whyNot(); }>;
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

BOOST_AUTO_TEST_CASE(manySystems) {
  Mesh const mesh = generatePlate({20, 3, 0.2, 4.0, 2});
  for (int const width : {1, 7, 32, 45, 64}) {
    Space const space = makeSpace(mesh, 2);
    Csr const matrix = fieldMatrix(space, 10.0);
    std::vector<double> b = randomNumbers(std::size_t(space.dofs) * width, 5);
    if (width > 1)  // a column that is 0 stays 0
      for (int i = 0; i < space.dofs; ++i) b[std::size_t(i) * width + 1] = 0.0;
    ManySolved const host = hostManySolver(matrix)->solve(b, width, 1e-13, 5000);
    ManySolved const device = deviceModule->makeManySolver(matrix)->solve(b, width, 1e-13, 5000);
    BOOST_TEST(difference(device.x, host.x) < 1e-10);
    BOOST_TEST(device.residual < 1e-11);
    BOOST_TEST(std::abs(device.iterations - host.iterations) <= 16);
  }
}

}  // namespace
}  // namespace osi_cuda::response
