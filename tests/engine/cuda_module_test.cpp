// SPDX-License-Identifier: EPL-2.0
// The loader of the CUDA module, wherever the tests run.
#include "osi_cuda/engine/cuda_module.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>

#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/needs.hpp"

using namespace osi_cuda;

namespace {

std::string whyDeviceIsThere() {
  return findEngines().back().devices.empty() ? "" : "here is a CUDA device";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cuda_module)

BOOST_AUTO_TEST_CASE(an_engine_without_devices_has_a_reason) {
  for (EngineReport const& engine : findEngines())
    BOOST_TEST(engine.devices.empty() == !engine.reason.empty(), engine.name);
}

BOOST_AUTO_TEST_CASE(without_a_device_cuda_is_refused_and_automatic_takes_the_host,
                     *osi_cuda::testing::needs(whyDeviceIsThere)) {
  Options options;
  options.engine = EngineChoice::cuda;
  BOOST_CHECK_THROW(Solver(testing::denseLp(20, 10, 1, true)).solve(options), EngineUnavailable);
  options.engine = EngineChoice::automatic;
  std::string notices;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& sentence) { notices += sentence; };
  Solution const s = Solver(testing::denseLp(700, 400, 1, true)).solve(options, callbacks);
  BOOST_TEST((s.engine == SolveEngine::host));
  BOOST_TEST((notices.find("engine host: engine cuda:") != std::string::npos), notices);
}

BOOST_AUTO_TEST_CASE(small_problems_stay_on_the_host) {
  Solution const s = Solver(testing::denseLp(30, 20, 1, true)).solve();
  BOOST_TEST((s.engine == SolveEngine::host));
}

BOOST_AUTO_TEST_SUITE_END()
