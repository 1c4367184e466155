// SPDX-License-Identifier: EPL-2.0
// The device's part of a shared relaxation, on a device of the host's imagination.
#include "tests/support/emulated_module.hpp"
// the emulation comes first
#include "examples/response/device/part.cu"
// what follows is the host's
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/errors.hpp"
#include "tests/response_emulated/each_failure.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

namespace osi_cuda::response {
namespace {

struct Case {
  Mesh mesh = generatePlate({9, 1, 0.25, 9.0, 4});
  Space space = makeSpace(mesh, 2);
  Relaxation relaxation = relaxationOf(space);
  std::vector<double> start;
  Case() {
    for (int k = 0; k < relaxation.rows(); ++k) start.push_back(std::sin(1.0 + k));
  }
};

BOOST_AUTO_TEST_CASE(hostAndDeviceShareTheRows) {
  Case const c;
  for (int const depth : {1, 3})
    for (double const share : {0.0, 0.4, 1.0}) {
      emulated_runtime::reset();
      std::vector<double> plain = c.start;
      relaxPlainly(c.relaxation, plain, 4 * depth, 1);
      {
        auto const host = hostPart(1), device = device::makePart();
        SharedRelaxation shared(c.relaxation, twoPartsOf(c.space.place, share), depth, c.start,
                                *host, *device);
        shared.run(4);
        std::vector<double> const x = shared.values();
        double most = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k)
          most = std::isnan(x[k]) ? HUGE_VAL : std::max(most, std::abs(x[k] - plain[k]));
        BOOST_TEST(most < 1e-14);
        SharingModel const model = shared.measure(2);
        if (share == 0.4) BOOST_TEST(model.rate[1] > 0.0);
      }
      BOOST_TEST(emulated_runtime::held().empty());
      BOOST_TEST(emulated_runtime::faults().empty());
    }
}

/// Each call that may fail does so once: it is told, and nothing stays behind.
BOOST_AUTO_TEST_CASE(whatFailsIsToldAndNothingIsLeft) {
  Case const c;
  auto const work = [&] {
    auto const host = hostPart(1), device = device::makePart();
    SharedRelaxation shared(c.relaxation, twoPartsOf(c.space.place, 0.5), 2, c.start, *host,
                            *device);
    shared.run(2);
    return shared.values();
  };
  failEachCallOnce(work, 30, 0);
}

}  // namespace
}  // namespace osi_cuda::response
