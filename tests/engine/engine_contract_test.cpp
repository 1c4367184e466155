// SPDX-License-Identifier: EPL-2.0
// One contract, run over every engine that this machine has.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <random>

#include "tests/support/dense_family.hpp"
#include "tests/support/engine_bench.hpp"
#include "tests/support/plain_improvements.hpp"

using namespace osi_cuda;
using osi_cuda::testing::Bench;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::sparseLp;

namespace {

auto const engines = boost::unit_test::data::make(testing::engineNames());
auto const tableauEngines = boost::unit_test::data::make(testing::tableauEngineNames());

}  // namespace

BOOST_AUTO_TEST_SUITE(engine_contract)

/// A full matrix whose columns list their rows backwards.
LinearProgram backwardsLp() {
  LinearProgram lp = denseLp(70, 45, 2, true);
  for (auto column = lp.matrix.starts.begin(); column + 1 != lp.matrix.starts.end(); ++column) {
    std::reverse(lp.matrix.indices.begin() + column[0], lp.matrix.indices.begin() + column[1]);
    std::reverse(lp.matrix.values.begin() + column[0], lp.matrix.values.begin() + column[1]);
  }
  return lp;
}

BOOST_DATA_TEST_CASE(the_slack_basis_has_the_matrix_as_its_tableau, engines, name) {
  for (LinearProgram const& lp : {sparseLp(20, 30, 4, 1), denseLp(70, 45, 2, true),
                                  denseLp(33, 97, 2, true), backwardsLp()}) {
    Bench bench(name, lp);
    Snapshot const s = bench.engine->snapshot();
    for (int j = 0; j < lp.columns(); ++j)
      BOOST_TEST(bench.engine->column(j) ==
                     bench.columnOf(s.nonbasicVariable[static_cast<std::size_t>(j)]),
                 boost::test_tools::per_element());
    BOOST_TEST(bench.engine->drift().primal <= 1e-15);
    BOOST_TEST(bench.engine->drift().dual <= 1e-15);
    BOOST_TEST(bench.productError() <= 1e-13);
  }
}

BOOST_DATA_TEST_CASE(rows_and_columns_of_the_tableau_agree_after_pivots, engines, name) {
  for (int pivots : {1, 5, 63, 64, 65, 150}) {
    Bench bench(name, denseLp(60, 40, 3, true));
    bench.run(Algorithm::primal, Phase::two, Pricing::dantzig, pivots);
    BOOST_TEST(bench.tableauError() < 1e-11, pivots << " pivots");
    for (int i = 0; i < 60; i += 7) {
      std::vector<double> const row = bench.engine->row(i);
      for (int j = 0; j < 40; ++j)
        BOOST_TEST(std::fabs(row[static_cast<std::size_t>(j)] -
                             bench.engine->column(j)[static_cast<std::size_t>(i)]) < 1e-12);
    }
    BOOST_TEST(bench.engine->drift().primal < 1e-11);
    BOOST_TEST(bench.engine->drift().dual < 1e-11);
  }
}

BOOST_DATA_TEST_CASE(a_fresh_tableau_equals_the_updated_one, engines, name) {
  Bench bench(name, sparseLp(40, 60, 5, 4));
  bench.run(Algorithm::primal, Phase::one, Pricing::devex, 70);
  Snapshot const before = bench.engine->snapshot();
  std::map<std::pair<int, int>, double> entry;
  for (std::size_t i = 0; i < before.basicVariable.size(); ++i) {
    auto const row = bench.engine->row(static_cast<int>(i));
    for (std::size_t j = 0; j < row.size(); ++j)
      entry[{before.basicVariable[i], before.nonbasicVariable[j]}] = row[j];
  }
  std::vector<char> basic(before.value.size(), 0);
  for (int v : before.basicVariable) basic[static_cast<std::size_t>(v)] = 1;
  auto const change = bench.engine->refactor(basic);
  BOOST_TEST(change.dropped.empty());
  Snapshot const after = bench.engine->snapshot();
  for (std::size_t i = 0; i < after.basicVariable.size(); ++i) {
    auto const row = bench.engine->row(static_cast<int>(i));
    for (std::size_t j = 0; j < row.size(); ++j) {
      double const old = entry.at({after.basicVariable[i], after.nonbasicVariable[j]});
      BOOST_TEST(std::fabs(row[j] - old) <= 1e-9 * (1.0 + std::fabs(old)));
    }
  }
  for (std::size_t v = 0; v < after.value.size(); ++v)
    BOOST_TEST(std::fabs(after.value[v] - before.value[v]) <=
               1e-9 * (1.0 + std::fabs(before.value[v])));
}

BOOST_DATA_TEST_CASE(dependent_columns_are_replaced_by_slacks, engines, name) {
  LinearProgram lp = sparseLp(6, 6, 3, 2);
  lp.matrix = {
      3, 3, {0, 2, 4, 6}, {0, 1, 0, 1, 1, 2}, {1, 2, 2, 4, 1, 1}};  // column 1 = 2 column 0
  lp.objective.assign(3, 1.0);
  lp.columnLower.assign(3, 0.0);
  lp.columnUpper.assign(3, 9.0);
  lp.rowLower.assign(3, 0.0);
  lp.rowUpper.assign(3, 5.0);
  Bench bench(name, lp);
  auto const change = bench.engine->refactor({1, 1, 1, 0, 0, 0});
  BOOST_TEST(change.dropped.size() == 1u);
  BOOST_TEST(change.added.size() == 1u);
  BOOST_TEST((change.dropped[0] == 0 || change.dropped[0] == 1));
  BOOST_TEST(change.added[0] >= 3);
  BOOST_TEST(bench.tableauError() < 1e-14);
}

BOOST_DATA_TEST_CASE(solves_with_the_basis_leave_no_residual, engines, name) {
  Bench bench(name, denseLp(80, 50, 5, true));
  bench.run(Algorithm::primal, Phase::two, Pricing::steepest, 60);
  std::vector<double> b(80);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i));
  BOOST_TEST(bench.solveError(b) < 1e-12);
}

// A pivot near rounding ruins the tableau: no refinement by it gets anywhere, and the basis that
// later pivots leave is a good one. Then solves need factors of their own.
BOOST_DATA_TEST_CASE(solves_are_exact_where_the_tableau_is_ruined, engines, name) {
  LinearProgram lp = denseLp(60, 40, 11, true);
  lp.sense = Sense::minimize;
  lp.matrix.values[0] = 3e-14;  // of what pivots see, sparse factors drop up to 1e-14
  lp.rowUpper[0] = 0.0;         // blocks at once
  lp.objective.assign(40, 1.0);
  lp.objective[0] = -1e3;
  lp.columnLower.assign(40, 0.0);
  Bench bench(name, lp);
  bench.engine->computeWeights(Algorithm::primal, Pricing::dantzig);
  PivotRequest request;
  request.pricing = Pricing::dantzig;
  request.harris = request.pivotTolerance = request.relativePivot = 0.0;
  request.budget = 1;
  PivotReport const first = bench.engine->run(request);
  BOOST_TEST(first.iterations == 1);
  BOOST_TEST(first.worstPivot < 1e-13);
  bench.run(Algorithm::primal, Phase::two, Pricing::dantzig, 3);
  // Double-double has digits to spare; sparse factors notice and are formed anew.
  if (name != "precise" && name != "factors") BOOST_TEST(bench.tableauError() > 1e-4);
  std::vector<double> b(60);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<double>(i));
  BOOST_TEST(bench.solveError(b) < 1e-12);
}

BOOST_DATA_TEST_CASE(phase_1_costs_follow_the_basic_variables, engines, name) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Bench bench(name, sparseLp(40, 50, 6, seed));
    bench.run(Algorithm::primal, Phase::one, Pricing::steepest, static_cast<int>(5 + 3 * seed));
    std::vector<double> const updated = bench.engine->snapshot().reducedCost;
    bench.engine->computePhase1Costs(1e-7);
    std::vector<double> const fresh = bench.engine->snapshot().reducedCost;
    for (std::size_t v = 0; v < fresh.size(); ++v)
      BOOST_TEST(std::fabs(updated[v] - fresh[v]) < 1e-9 * (1.0 + std::fabs(fresh[v])));
  }
}

BOOST_DATA_TEST_CASE(the_budget_is_obeyed, engines, name) {
  Bench bench(name, denseLp(60, 40, 7, true));
  PivotReport const report = bench.run(Algorithm::primal, Phase::two, Pricing::steepest, 7);
  BOOST_TEST(report.iterations == 7);
  BOOST_TEST((report.stop == Stop::budget));
}

BOOST_DATA_TEST_CASE(every_rule_reaches_the_same_optimum, engines, name) {
  for (PricingRule const& rule : pricingRules) {
    Bench bench(name, denseLp(100, 60, 8, true));
    PivotReport const report = bench.run(Algorithm::primal, Phase::two, rule.rule, 5000);
    BOOST_TEST((report.stop == Stop::optimal));
    Measure const measure = bench.engine->measure(1e-7, 1e-7);
    BOOST_TEST(measure.primalCount == 0);
    BOOST_TEST(measure.dualCount == 0);
    static double const objective = measure.objective;
    BOOST_TEST(std::fabs(measure.objective - objective) < 1e-9 * std::fabs(objective));
  }
}

/// What each column would gain, from the engine's tableau as it tells it.
std::vector<double> improvementsOf(Bench& bench, Snapshot const& s, double harris) {
  auto const variable = [&](int v) {
    auto const k = static_cast<std::size_t>(v);
    return testing::PlainTableau::Variable{s.value[k], bench.form.lower[k], bench.form.upper[k]};
  };
  testing::PlainTableau t;
  std::vector<std::vector<double>> columns;
  for (int v : s.basicVariable) t.basic.push_back(variable(v));
  for (int v : s.nonbasicVariable) {
    columns.push_back(bench.engine->column(static_cast<int>(columns.size())));
    t.nonbasic.push_back(variable(v));
    t.reducedCost.push_back(s.reducedCost[static_cast<std::size_t>(v)]);
  }
  t.entry = [&](std::size_t i, std::size_t j) { return columns[j][i]; };
  return testing::plainImprovements(t, 1e-7, harris);
}

/// Of boxed columns, so that some flip, and of negative ones, which go down.
LinearProgram boxedLp(std::uint64_t seed) {
  LinearProgram lp = denseLp(45, 35, seed, true);
  for (std::size_t j = 0; j < lp.columnUpper.size(); j += 2) lp.columnUpper[j] = 0.02;
  for (int j = 1; j < lp.columns(); j += 4) {
    auto const k = static_cast<std::size_t>(j);
    for (std::int64_t e = lp.matrix.starts[k]; e < lp.matrix.starts[k + 1]; ++e)
      lp.matrix.values[static_cast<std::size_t>(e)] *= -1.0;
    lp.objective[k] *= -1.0;
    lp.columnUpper[k] = -lp.columnLower[k];
    lp.columnLower[k] = -infinity;
  }
  return lp;
}

BOOST_DATA_TEST_CASE(greatest_improvement_gains_most, tableauEngines, name) {
  int pivots = 0, flips = 0;
  for (LinearProgram const& lp : {denseLp(70, 50, 3, true), boxedLp(4), boxedLp(5)}) {
    Bench bench(name, lp);
    bench.run(Algorithm::primal, Phase::two, Pricing::devex, 5);  // K may be used in part
    bench.engine->computeWeights(Algorithm::primal, Pricing::greatest);
    for (int step = 0; step < 200; ++step) {
      Snapshot const before = bench.engine->snapshot();
      PivotRequest request;
      request.pricing = Pricing::greatest;
      request.budget = 10;
      std::vector<double> const gain = improvementsOf(bench, before, request.harris);
      double const most = *std::max_element(gain.begin(), gain.end());
      PivotReport const report = bench.engine->run(request);
      BOOST_TEST((report.stop == Stop::optimal) == (most == 0.0));
      if (report.stop == Stop::optimal) break;
      BOOST_REQUIRE((report.stop == Stop::full && report.iterations == 1));
      Snapshot const after = bench.engine->snapshot();
      for (std::size_t j = 0; j < gain.size(); ++j) {
        int const v = before.nonbasicVariable[j];
        bool const entered = after.nonbasicVariable[j] != v;
        bool const flipped =
            after.value[static_cast<std::size_t>(v)] != before.value[static_cast<std::size_t>(v)];
        if (entered || flipped) BOOST_TEST(gain[j] >= most * (1.0 - 1e-12), "step " << step);
      }
      pivots += report.iterations;
      flips += report.flips;
    }
    BOOST_TEST(bench.engine->measure(1e-7, 1e-7).dualCount == 0);
    BOOST_TEST(bench.tableauError() < 1e-11);
  }
  BOOST_TEST(pivots > 60);
  BOOST_TEST(flips > 5);
}

BOOST_DATA_TEST_CASE(the_block_size_changes_only_rounding, engines, name) {
  std::vector<int> iterations;
  for (int blockSize : {1, 3, 64}) {
    EngineOptions options;
    options.blockSize = blockSize;
    Bench bench(name, denseLp(50, 30, 9, true), options);
    iterations.push_back(
        bench.run(Algorithm::primal, Phase::two, Pricing::steepest, 5000).iterations);
  }
  BOOST_TEST(iterations[0] == iterations[1]);
  BOOST_TEST(iterations[0] == iterations[2]);
}

BOOST_DATA_TEST_CASE(a_dual_run_stops_at_the_cutoff, engines, name) {
  // min x1 + x2, x1 >= 1, x2 >= 2: the first pivot raises the objective from 0 to 2.
  LinearProgram lp;
  lp.matrix = {2, 2, {0, 1, 2}, {0, 1}, {1, 1}};
  lp.objective = {1.0, 1.0};
  lp.columnLower.assign(2, 0.0);
  lp.columnUpper.assign(2, infinity);
  lp.rowLower = {1.0, 2.0};
  lp.rowUpper.assign(2, infinity);
  Bench bench(name, lp);
  bench.engine->computeWeights(Algorithm::dual, Pricing::dantzig);
  PivotRequest request;
  request.algorithm = Algorithm::dual;
  request.pricing = Pricing::dantzig;
  request.budget = 10;
  request.useCutoff = true;
  request.cutoff = 1.5;
  PivotReport const report = bench.engine->run(request);
  BOOST_TEST((report.stop == Stop::cutoff));
  BOOST_TEST(report.iterations == 1);
  BOOST_TEST(report.objective == 2.0);
}

BOOST_DATA_TEST_CASE(a_run_is_the_same_every_time, engines, name) {
  auto runOnce = [&](int threads) {
    EngineOptions options;
    options.threads = threads;
    Bench bench(name, denseLp(300, 200, 10, false), options);
    bench.run(Algorithm::primal, Phase::one, Pricing::sketched, 200);
    return bench.engine->snapshot();
  };
  Snapshot const first = runOnce(1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    Snapshot const again = runOnce(1 + repeat);
    BOOST_TEST((again.basicVariable == first.basicVariable));
    BOOST_TEST((again.value == first.value));
    BOOST_TEST((again.reducedCost == first.reducedCost));
  }
}

BOOST_AUTO_TEST_SUITE_END()
