// SPDX-License-Identifier: EPL-2.0
// An engine that errs: whatever its pivot loops claim, no wrong status may come of it; nor may it
// make a difference how long they take.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <ostream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;

namespace {

/// Ends the first `errors` runs with a claim that nothing supports, after a few right pivots.
class ErringEngine : public host::HostEngine {
 public:
  ErringEngine(Stop claim, int errors)
      : HostEngine(EngineOptions{}), claim_(claim), left_(errors) {}

  PivotReport run(PivotRequest const& request) override {
    if (left_ == 0) return HostEngine::run(request);
    --left_;
    ++told;
    PivotRequest shorter = request;
    shorter.budget = std::min(request.budget, 3);
    PivotReport report = HostEngine::run(shorter);
    report.stop = claim_;
    report.position = 0;
    report.direction = 1;
    return report;
  }

  int told = 0;

 private:
  Stop claim_;
  int left_;
};

/// Makes pivots that lead nowhere, as a cycle of steps that are not degenerate would.
class CyclingEngine : public host::HostEngine {
 public:
  explicit CyclingEngine(PivotReport const& each) : HostEngine(EngineOptions{}), each_(each) {}

  PivotReport run(PivotRequest const&) override {
    if (++runs_ > 100000) throw std::runtime_error("it goes on and on");
    return each_;
  }

 private:
  PivotReport each_;
  int runs_ = 0;
};

/// Notes how many pivots it is asked for, and takes its time with the first.
class LateEngine : public host::HostEngine {
 public:
  explicit LateEngine(std::chrono::milliseconds delay)
      : HostEngine(EngineOptions{}), delay_(delay) {}

  PivotReport run(PivotRequest const& request) override {
    if (budgets.empty()) std::this_thread::sleep_for(delay_);
    budgets.push_back(request.budget);
    return HostEngine::run(request);
  }

  std::vector<int> budgets;

 private:
  std::chrono::milliseconds delay_;
};

Solution solveWith(host::HostEngine& engine, LinearProgram const& lp, AlgorithmChoice algorithm) {
  StandardForm const form = makeStandardForm(lp, true);
  engine.load(form);
  Options options;
  options.algorithm = algorithm;
  options.objectiveLimit = lp.sense == Sense::maximize ? -1e9 : 1e9;
  options.iterationLimit = 100000;
  Callbacks const callbacks;
  Budget budget = budgetOf(options, callbacks);
  Run run(callbacks, budget);
  Solution solution = Simplex(lp, form, engine, options, run).solve({});
  run.conclude(solution);
  return solution;
}

auto const claims =
    boost::unit_test::data::make({Stop::optimal, Stop::ray, Stop::cutoff, Stop::unstable});
auto const bothAlgorithms =
    boost::unit_test::data::make({AlgorithmChoice::primal, AlgorithmChoice::dual});

}  // namespace

namespace osi_cuda {
std::ostream& operator<<(std::ostream& out, Stop stop) {
  return out << "stop " << static_cast<int>(stop);
}
std::ostream& operator<<(std::ostream& out, AlgorithmChoice algorithm) {
  return out << (algorithm == AlgorithmChoice::primal ? "primal" : "dual");
}
}  // namespace osi_cuda

BOOST_AUTO_TEST_SUITE(wrong_claims)

BOOST_DATA_TEST_CASE(a_wrong_claim_delays_the_optimum, claims* bothAlgorithms, claim, algorithm) {
  LinearProgram const lp = testing::sparseLp(60, 80, 5, 7);
  ErringEngine honest(Stop::optimal, 0);
  Solution const right = solveWith(honest, lp, algorithm);
  BOOST_TEST_REQUIRE((right.status == Status::optimal));
  for (int const errors : {1, 2, 5, 12}) {
    ErringEngine engine(claim, errors);
    Solution const s = solveWith(engine, lp, algorithm);
    BOOST_TEST(engine.told == errors);
    BOOST_TEST((s.status == Status::optimal), errors << " errors: " << toString(s.status));
    BOOST_TEST(std::fabs(s.objective - right.objective) <= 1e-9 * (1 + std::fabs(right.objective)));
    BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9);
  }
}

// Without end: then no status is claimed, but for one that is proved all the same.
BOOST_DATA_TEST_CASE(claims_that_are_always_wrong_end_as_numerical, claims* bothAlgorithms, claim,
                     algorithm) {
  LinearProgram const lp = testing::sparseLp(60, 80, 5, 7);
  ErringEngine engine(claim, 1 << 30);
  Solution const s = solveWith(engine, lp, algorithm);
  if (s.status == Status::optimal) {
    BOOST_TEST(residualsOf(lp, s).largest() <= 1e-7);
  } else {
    BOOST_TEST(toString(s.status) == "numerical");
    BOOST_TEST(!s.message.empty());
    BOOST_TEST(s.columnValues.size() == 80u);
  }
}

// A cycle through a small pivot asked for a fresh tableau each time, and one of other steps counted
// as progress: both went on for ever.
BOOST_DATA_TEST_CASE(pivots_that_gain_nothing_come_to_an_end,
                     boost::unit_test::data::make({Stop::unstable, Stop::full}) * bothAlgorithms,
                     stop, algorithm) {
  LinearProgram const lp = testing::sparseLp(60, 80, 5, 7);
  PivotReport each;
  each.stop = stop;
  each.iterations = stop == Stop::unstable ? 1 : 50;
  CyclingEngine engine(each);
  BOOST_TEST(toString(solveWith(engine, lp, algorithm).status) == "numerical");
}

// Launches were as long as the last one's time allowed, and with them what is looked at in between:
// a busy machine made other pivots.
BOOST_AUTO_TEST_CASE(a_busy_machine_makes_the_same_pivots) {
  LinearProgram const lp = testing::sparseLp(200, 300, 5, 7);
  LateEngine idle(std::chrono::milliseconds(0)), busy(std::chrono::milliseconds(400));
  Solution const first = solveWith(idle, lp, AlgorithmChoice::primal);
  Solution const second = solveWith(busy, lp, AlgorithmChoice::primal);
  BOOST_TEST(idle.budgets.size() > 2u);
  BOOST_TEST(idle.budgets == busy.budgets, boost::test_tools::per_element());
  BOOST_TEST(first.iterations == second.iterations);
}

BOOST_AUTO_TEST_SUITE_END()
