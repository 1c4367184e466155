// SPDX-License-Identifier: EPL-2.0
// From the point and the multipliers of the interior point method to a basis that is optimal, at
// vertices where many bases meet.
#include <algorithm>
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

SparseMatrix identity(int k) {
  SparseMatrix matrix;
  matrix.rows = k;
  for (int j = 0; j < k; ++j) {
    matrix.add(j, 1.0);
    matrix.endColumn();
  }
  return matrix;
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

BOOST_AUTO_TEST_SUITE(primal_pushes)

// Where the optimal face is large, most variables are between their bounds, those that are not the
// most flexible ones as well.
BOOST_AUTO_TEST_CASE(far_from_its_bounds_at_next_to_no_multiplier_a_variable_is_between_them) {
  constexpr int k = 10;
  LinearProgram lp;
  lp.matrix = identity(k);
  lp.objective.assign(k, 0.0);
  lp.columnLower.assign(k, 0.0);
  lp.columnUpper.assign(k, 2.0);
  lp.rowLower.assign(k, -infinity);
  lp.rowUpper.assign(k, 3.0);
  StandardForm const form = makeStandardForm(lp, false);
  BarrierPoint point;
  point.value.assign(2 * k, 1.0);
  for (std::size_t i = k; i < 2 * k; ++i) point.value[i] = -1.0;
  point.multiplier.assign(k, 0.0);
  point.stiffness.assign(2 * k, 1e-20);
  for (std::size_t j = 0; j < k; ++j) point.stiffness[j] = 1e-16;
  BOOST_TEST(startOf(form, point).between == k);
  point.stiffness[0] = 1.0;  // its multiplier says where it belongs
  point.value[1] = 1e-3;     // and this one is next to where it belongs
  BOOST_TEST(startOf(form, point).between == k - 2);
  // Next to a bound it is at it, however soft: basic variables move by no more than that.
  for (std::size_t j = 0; j < k; ++j) point.stiffness[j] = 1e-19;
  point.value[2] = 1e-7;
  BOOST_TEST(startOf(form, point).between == k - 1);
}

// A push for each variable between its bounds, and a free one, and no other: it ends at a bound,
// at zero if it is free, or in the basis, and no basic variable gets beyond its bounds.
BOOST_AUTO_TEST_CASE(each_variable_takes_one_push_by_its_column) {
  constexpr int k = 6;
  LinearProgram lp = testing::transportLp(k);
  lp.columnLower[3] = -infinity;
  StandardForm const form = makeStandardForm(lp, false);
  for (auto const& make : {makeFactoredEngine, makePreciseEngine}) {
    auto const engine = make({});
    engine->load(form);
    auto* const pushes = engine->as<PushesColumns>();
    BOOST_REQUIRE(pushes);
    std::vector<double> inside(static_cast<std::size_t>(form.variables()), -1.0);
    std::fill_n(inside.begin(), k * k, 1.0 / k);
    engine->setValues(inside);
    PivotRequest request;
    request.pivotTolerance = request.relativePivot = 1e-7;
    request.harris = 1e-8;
    request.budget = 8;
    int next = 0, count = 0, runs = 0;
    for (Stop stop = Stop::budget; stop != Stop::optimal; ++runs) {
      PivotReport const report = pushes->push(next, request);
      count += report.iterations;
      stop = report.stop;
      BOOST_TEST(report.iterations <= request.budget);
    }
    BOOST_TEST(runs > 1);
    BOOST_TEST(count <= k * k);
    BOOST_TEST(count > k);
    BOOST_TEST(engine->measure(1e-7, 1e-7).primalCount == 0);
    Snapshot const end = engine->snapshot();
    for (int const variable : end.nonbasicVariable) {
      auto const v = static_cast<std::size_t>(variable);
      double const x = end.value[v];
      BOOST_TEST((x == form.lower[v] || x == form.upper[v] || x == 0.0));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

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
