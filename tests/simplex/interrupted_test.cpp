// SPDX-License-Identifier: EPL-2.0
// Solves that are stopped in the middle of an engine's work.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <vector>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;

namespace {

/// Is stopped while it makes pivots, as by a time limit that is over when K pivots are folded.
class StoppedEngine final : public host::HostEngine {
 public:
  StoppedEngine() : HostEngine(EngineOptions{}) {}
  PivotReport run(PivotRequest const&) override { throw Interrupted{}; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(interrupted)

// The engine has reached the basis to start from; no pivot was made that is worth anything. What is
// left, and what is saved over an older checkpoint, is the basis that the solve began at.
BOOST_AUTO_TEST_CASE(aSolveStoppedInItsFirstPivotsKeepsItsStart) {
  LinearProgram lp = testing::denseLp(30, 20, 3, false);
  Options options;
  options.engine = EngineChoice::host;
  Basis const start = Solver(lp).solve(options).basis;
  for (double& cost : lp.objective) cost = -cost;  // so that there is something to do
  EngineMakers makers;
  makers.factored = makers.precise = {};
  makers.host = [](EngineOptions const&) { return std::make_unique<StoppedEngine>(); };
  Solver solver = solverWith(std::move(makers));
  solver.load(lp);
  solver.setBasis(start);
  std::vector<Checkpoint> saved;
  Callbacks callbacks;
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) { saved.push_back(checkpoint); };
  Solution const solution = solver.solve(options, callbacks);
  BOOST_TEST((solution.status != Status::optimal));
  BOOST_TEST((solution.basis == start));
  BOOST_TEST((solver.basis() == start));
  BOOST_REQUIRE(saved.size() == 1u);
  BOOST_TEST((saved[0].basis == start));
}

BOOST_AUTO_TEST_SUITE_END()
