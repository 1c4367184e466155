// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/needs_device.hpp"
#include "tests/support/random.hpp"

// What the tests of the examples' kernels share: each holds what a device says against the host.
// They run on a device, and on the emulated one (small, as each thread is a fiber).
namespace osi_cuda::testing {

/// Few and small cases: on the emulated device, and under a sanitizer of a real one.
inline bool smallCases(std::string const& device) {
  return device == "emulated" || std::getenv("OSI_CUDA_SMALL_KERNELS");
}

/// Uniform in [-1, 1).
inline std::vector<double> randomNumbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.between(-1.0, 1.0);
  return values;
}

/// The largest difference over the largest value; infinite for what is no number.
inline double difference(std::vector<double> const& a, std::vector<double> const& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double size = 1e-300, most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::abs(b[k]));
    most = std::isnan(a[k]) ? HUGE_VAL : std::max(most, std::abs(a[k] - b[k]));
  }
  return most / size;
}

}  // namespace osi_cuda::testing
