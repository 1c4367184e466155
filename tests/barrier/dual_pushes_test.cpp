// SPDX-License-Identifier: EPL-2.0
// From the point and the multipliers of the interior point method to a basis that is optimal, at
// vertices where many bases meet.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/random.hpp"
#include "tests/support/transport_lp.hpp"

using namespace osi_cuda;

namespace {

/// k persons, k tasks, random costs.
LinearProgram assignmentLp(int k, unsigned seed) {
  testing::Random random(seed);
  LinearProgram lp = testing::transportLp(k);
  for (double& cost : lp.objective) cost = random.below(1000);
  return lp;
}

Options hostOptions() {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  return options;
}

BarrierPoint optimalPoint(StandardForm const& form) {
  auto const barrier = makeHostBarrier({1});
  barrier->load(form);
  BarrierRequest request;
  request.handover = false;
  BarrierPoint point = barrier->run(request);
  BOOST_TEST(toString(point.end) == "converged");
  return point;
}

/// Of the variables at their bounds those are basic that chance says: the multipliers of such a
/// basis have nothing to do with those of the point.
CrossoverStart carelessStart(StandardForm const& form, unsigned seed) {
  testing::Random random(seed);
  BarrierPoint point = optimalPoint(form);
  for (std::size_t v = 0; v < static_cast<std::size_t>(form.columns()); ++v)
    if (point.stiffness[v] > 1.0) point.stiffness[v] = 1e6 * (1.0 + random.below(1000));
  return startOf(form, point);
}

Solution solvedFrom(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                    CrossoverStart const& start) {
  Options const options = hostOptions();
  Callbacks const callbacks;
  engine.load(form);
  Budget budget = budgetOf(options, callbacks);
  Run run(callbacks, budget);
  Solution solution = Simplex(lp, form, engine, options, run).solve(start.basis, start.inside);
  run.conclude(solution);
  return solution;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dual_pushes)

// No more exchanges than there are pushes to be made: one for each nonbasic variable between its
// bounds, and one for each basic variable that rests on one.
BOOST_AUTO_TEST_CASE(a_degenerate_vertex_takes_as_many_exchanges_as_there_are_pushes) {
  constexpr int k = 40;
  std::int64_t with = 0, without = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    LinearProgram const lp = assignmentLp(k, seed);
    StandardForm const form = makeStandardForm(lp, true);
    double const optimum = Solver(lp).solve(hostOptions()).objective;
    CrossoverStart start = carelessStart(form, seed);
    for (auto const& make : {makeHostEngine, makeFactoredEngine}) {
      auto const engine = make({});
      Solution const s = solvedFrom(lp, form, *engine, start);
      BOOST_TEST(toString(s.status) == "optimal");
      BOOST_TEST(std::fabs(s.objective - optimum) <= 1e-9 * (1.0 + std::fabs(optimum)));
      BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9);
      BOOST_TEST(s.iterations <= start.between + 2 * k);
      with += s.iterations;
    }
    start.inside.multiplier.clear();
    for (auto const& make : {makeHostEngine, makeFactoredEngine}) {
      auto const engine = make({});
      without += solvedFrom(lp, form, *engine, start).iterations;
    }
  }
  BOOST_TEST(4 * with < 3 * without);
}

// Multipliers that belong to another problem mislead nobody: the answer is the same.
BOOST_AUTO_TEST_CASE(wrong_multipliers_lead_to_the_same_answer) {
  LinearProgram const lp = assignmentLp(12, 7);
  StandardForm const form = makeStandardForm(lp, true);
  double const optimum = Solver(lp).solve(hostOptions()).objective;
  CrossoverStart const start = carelessStart(form, 7);
  for (double const factor : {0.0, -1.0, 1e3}) {
    CrossoverStart other = start;
    for (double& y : other.inside.multiplier) y *= factor;
    auto const engine = makeFactoredEngine({});
    Solution const s = solvedFrom(lp, form, *engine, other);
    BOOST_TEST(toString(s.status) == "optimal");
    BOOST_TEST(std::fabs(s.objective - optimum) <= 1e-9 * (1.0 + std::fabs(optimum)));
  }
}

// The limit holds in the middle of them, too.
BOOST_AUTO_TEST_CASE(a_limit_of_iterations_ends_them) {
  LinearProgram const lp = assignmentLp(30, 3);
  StandardForm const form = makeStandardForm(lp, true);
  CrossoverStart const start = carelessStart(form, 3);
  auto const engine = makeFactoredEngine({});
  Options options = hostOptions();
  options.iterationLimit = 5;
  Callbacks const callbacks;
  engine->load(form);
  Budget budget = budgetOf(options, callbacks);
  Run run(callbacks, budget);
  Simplex simplex(lp, form, *engine, options, run);
  Solution const s = simplex.solve(start.basis, start.inside);
  BOOST_TEST(toString(s.status) == "iteration_limit");
  BOOST_TEST(run.iterations() >= 5);
  BOOST_TEST(run.iterations() <= 16 + 5);  // a run of primal pushes is not cut short
}

BOOST_AUTO_TEST_SUITE_END()
