// SPDX-License-Identifier: EPL-2.0
// The crossover from a caller's point, whose pivots a device makes.
#include <boost/test/unit_test.hpp>

#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

BOOST_AUTO_TEST_SUITE(emulated_start_point)

BOOST_AUTO_TEST_CASE(a_point_leads_to_the_hosts_vertex) {
  for (bool const sparse : {false, true}) {
    LinearProgram const lp = sparse ? sparseLp(16, 40, 3, 3) : denseLp(24, 16, 3, false);
    Options options;
    options.engine = EngineChoice::host;
    Solution const expected = Solver(lp).solve(options);
    BOOST_TEST_REQUIRE(toString(expected.status) == "optimal");
    StartPoint point{expected.columnValues, expected.rowDuals};
    for (double& v : point.x) v += 1e-5 * (1.0 + std::fabs(v));
    for (double& v : point.y) v -= 1e-5 * (1.0 + std::fabs(v));
    emulated_runtime::reset();
    EngineMakers makers;
    makers.device = [](EngineOptions const& wanted) {
      return std::make_unique<cuda::CudaEngine>(wanted);
    };
    Solver solver = solverWith(makers);
    solver.load(lp);
    solver.setStart(point);
    options.engine = EngineChoice::cuda;
    Solution const s = solver.solve(options);
    BOOST_TEST(toString(s.status) == "optimal");
    BOOST_TEST((s.engine == SolveEngine::cuda));
    BOOST_TEST(!s.deviceLost);
    BOOST_TEST(s.iterations < expected.iterations);
    BOOST_TEST(std::fabs(s.objective - expected.objective) <=
               1e-9 * (1.0 + std::fabs(expected.objective)));
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
