// SPDX-License-Identifier: EPL-2.0
// The CUDA engine beside the host's, on a device that does nothing before somebody waits for it.
// The contract of all engines (engine.emulated_device) says more; here is what needs the device's
// own answers.
#include <boost/test/unit_test.hpp>

#include "osi_cuda/model/scaling.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

EngineOptions shortBlocks() {
  EngineOptions options;
  options.blockSize = 16;
  return options;
}

/// Pivots to the end, with exact weights where the shadow is of use; the objective.
double pivoted(Engine& engine, StandardForm const& form, Pricing pricing) {
  engine.setValues(boundValues(form));
  for (int launch = 0; launch < 40; ++launch) {
    bool const infeasible = engine.measure(1e-7, 1e-7).primalCount > 0;
    if (!infeasible) engine.setCosts(form.cost);  // phase 1 leaves others
    PivotReport const report =
        pivots(engine, Algorithm::primal, infeasible ? Phase::one : Phase::two, pricing, 16);
    if (report.stop == Stop::optimal && !infeasible) break;
  }
  Measure const end = engine.measure(1e-7, 1e-7);
  BOOST_TEST(end.primalCount == 0);
  BOOST_TEST(end.dualCount == 0);
  return end.objective;
}

double solved(Engine& engine, StandardForm const& form, Pricing pricing) {
  engine.load(form);
  return pivoted(engine, form, pricing);
}

}  // namespace

/// The first engine that keeps a basis loads libraries on a thread, whose calls no test may count.
struct LoadedLibraries {
  LoadedLibraries() {
    LinearProgram const lp = denseLp(4, 3, 1, false);
    StandardForm const form = makeStandardForm(lp, true);
    cuda::CudaEngine engine({});
    engine.load(form);
    engine.keepBasis();
  }
};
BOOST_TEST_GLOBAL_FIXTURE(LoadedLibraries);

BOOST_AUTO_TEST_SUITE(emulated_engine)

BOOST_AUTO_TEST_CASE(it_finds_the_hosts_optima_in_every_order) {
  LinearProgram const lp = denseLp(30, 20, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  double const expected = solved(*makeHostEngine({}), form, Pricing::steepest);
  for (Pricing const pricing : {Pricing::sketched, Pricing::steepest, Pricing::devex}) {
    std::vector<double> first;
    for (unsigned long long seed : {1, 1000}) {
      emulated_runtime::reset();
      emulated_runtime::setSeed(seed);
      cuda::CudaEngine engine(shortBlocks());
      double const objective = solved(engine, form, pricing);
      BOOST_TEST(std::fabs(objective - expected) <= 1e-9 * (1.0 + std::fabs(expected)));
      std::vector<double> const value = engine.snapshot().value;
      BOOST_TEST((first.empty() || value == first));  // the same bits
      first = value;
      BOOST_TEST(emulated_runtime::faults().empty());
    }
  }
}

// Of runs by exact weights, others between them, and folds: the shadow has to be that of D each
// time, or weights drift away from the norms.
BOOST_AUTO_TEST_CASE(the_shadow_follows_the_tableau_through_runs_of_other_rules) {
  LinearProgram const lp = denseLp(60, 40, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  cuda::CudaEngine engine(shortBlocks());
  engine.load(form);
  engine.setValues(boundValues(form));
  for (Pricing const pricing : {Pricing::steepest, Pricing::dantzig, Pricing::steepest,
                                Pricing::greatest, Pricing::steepest}) {
    pivots(engine, Algorithm::primal, Phase::one, pricing, 5);
    Drift const drift = engine.drift();
    BOOST_TEST(drift.primal <= 1e-9);
  }
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_CASE(of_bounds_only_what_changed_travels) {
  LinearProgram const lp = denseLp(30, 20, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  cuda::CudaEngine engine(shortBlocks());
  engine.load(form);
  engine.setValues(boundValues(form));
  std::vector<double> lower = form.lower, upper = form.upper;
  auto const uploadedBy = [&] {
    std::size_t const before = emulated_runtime::uploaded();
    engine.setBounds(lower, upper);
    return emulated_runtime::uploaded() - before;
  };
  BOOST_TEST(uploadedBy() == 0);
  lower[3] = 0.25;
  BOOST_TEST(uploadedBy() == 0);  // few numbers travel with a launch
  lower[7] -= 1.0;
  upper[4] = upper[19] = 2.0;
  BOOST_TEST(uploadedBy() == 16 * sizeof(double));
  BOOST_TEST(uploadedBy() == 0);
  // They have arrived: dual infeasibilities depend on which bounds the values are at.
  engine.setValues(std::vector<double>(form.lower.size(), 2.0));
  Measure const both = engine.measure(1e-7, 1e-7);
  auto const host = makeHostEngine({});
  host->load(form);
  host->setBounds(lower, upper);
  host->setValues(std::vector<double>(form.lower.size(), 2.0));
  Measure const expected = host->measure(1e-7, 1e-7);
  BOOST_TEST(both.primalCount == expected.primalCount);
  BOOST_TEST(both.dualCount == expected.dualCount);
}

// A hot start from a kept basis asks nothing of the bus that has not changed: what is uploaded is
// the bounds, and of rows that come no more than their entries, bounds, costs and places.
BOOST_AUTO_TEST_CASE(of_changes_only_what_is_new_travels) {
  LinearProgram lp = denseLp(60, 50, 1, false);
  StandardForm form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  cuda::CudaEngine engine(shortBlocks());
  engine.load(form);
  engine.setValues(boundValues(form));
  pivots(engine, Algorithm::primal, Phase::one, Pricing::sketched, 9);
  engine.setCosts(form.cost);
  auto const uploadedBy = [&](auto const& work) {
    std::size_t const before = emulated_runtime::uploaded();
    work();
    return emulated_runtime::uploaded() - before;
  };
  Snapshot const point = engine.snapshot();
  BOOST_TEST(uploadedBy([&] {
               engine.keepBasis();
               pivots(engine, Algorithm::primal, Phase::two, Pricing::sketched, 5);
               BOOST_TEST(engine.restoreBasis());
               engine.setValues(point.value);
               engine.setCosts(form.cost);
             }) == 0);
  std::size_t const variables = form.lower.size();
  SparseMatrix const row{lp.columns(), 1, {0, 2}, {1, 4}, {1.0, -1.0}};
  Reshape const change{reshapeMap(lp.rows(), {}, 1), reshapeMap(lp.columns(), {}, 0)};
  appendRows(lp.matrix, row);
  lp.rowLower.push_back(-1.0);
  lp.rowUpper.push_back(1.0);
  reshapeForm(form, lp, change);
  BOOST_TEST(uploadedBy([&] { BOOST_TEST(engine.reshape(change, form)); }) < 80 * variables);
  long const waits = emulated_runtime::waits();
  Snapshot const told = engine.snapshotOf(SnapshotContent::basis);
  BOOST_TEST(emulated_runtime::waits() == waits);  // the host knows how the lines moved
  engine.setValues(boundValues(form));
  engine.measure(1e-7, 1e-7);
  BOOST_TEST((told.basicVariable == engine.snapshot().basicVariable));
  BOOST_TEST((told.nonbasicVariable == engine.snapshot().nonbasicVariable));
  BOOST_TEST(engine.row(lp.rows() - 1).size() == 50u);
  BOOST_TEST(emulated_runtime::faults().empty());
}

// Each call takes the host some microseconds, and allocations more: most rounds of rows have none.
BOOST_AUTO_TEST_CASE(rows_that_come_and_go_take_few_calls) {
  LinearProgram lp = denseLp(60, 50, 1, false);
  StandardForm form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  cuda::CudaEngine engine(shortBlocks());
  engine.load(form);
  SparseMatrix const row{lp.columns(), 1, {0, 2}, {1, 4}, {1.0, -1.0}};
  long fewest = 1000;
  for (int k = 0; k < 12; ++k) {
    std::vector<int> const gone(k % 3 == 2 ? 1 : 0, lp.rows() - 1);
    Reshape const change{reshapeMap(lp.rows(), gone, 1), reshapeMap(lp.columns(), {}, 0)};
    replaceRows(lp.matrix, gone, row);
    lp.rowLower.resize(change.rows.size(), -1.0);
    lp.rowUpper.resize(change.rows.size(), 1.0);
    reshapeForm(form, lp, change);
    long const before = emulated_runtime::calls();
    BOOST_TEST_REQUIRE(engine.reshape(change, form));
    fewest = std::min(fewest, emulated_runtime::calls() - before);
  }
  BOOST_TEST(fewest <= 26);
  BOOST_TEST(emulated_runtime::faults().empty());
}

// The device has the scaled matrix: of rows that come and go the host reads the new entries only.
// The others are no numbers meanwhile: whoever reads them has them in the form from then on.
BOOST_AUTO_TEST_CASE(rows_come_and_go_without_a_scaled_matrix_on_the_host) {
  LinearProgram lp = denseLp(30, 20, 1, false);
  for (std::size_t e = 0; e < lp.matrix.values.size(); ++e)
    lp.matrix.values[e] *= std::exp2(2 * lp.matrix.indices[e]);
  for (std::size_t i = 0; i < lp.rowUpper.size(); ++i)
    lp.rowUpper[i] *= std::exp2(2 * static_cast<double>(i));
  StandardForm form = makeStandardForm(lp, true);
  BOOST_TEST_REQUIRE(&form.matrix() != &lp.matrix);
  emulated_runtime::reset();
  cuda::CudaEngine engine(shortBlocks());
  solved(engine, form, Pricing::sketched);
  SparseMatrix numbers;
  auto const change = [&](std::vector<int> const& gone, SparseMatrix const& rows) {
    Reshape const how{reshapeMap(lp.rows(), gone, rows.columns), reshapeMap(lp.columns(), {}, 0)};
    replaceRows(lp.matrix, gone, rows);
    osi_cuda::reshape(lp.rowLower, how.rows, -infinity);
    osi_cuda::reshape(lp.rowUpper, how.rows, 1.0);
    numbers = lp.matrix;
    for (std::size_t e = 0; e < lp.matrix.values.size(); ++e)
      if (how.rows[at(lp.matrix.indices[e])] >= 0) lp.matrix.values[e] = std::nan("");
    reshapeForm(form, lp, how);
    BOOST_TEST(engine.reshape(how, form));
    pivoted(engine, form, Pricing::sketched);
    std::optional<VerifiedPoint> const point = engine.verifiedPoint(lp);
    lp.matrix = numbers;
    BOOST_TEST_REQUIRE(point.has_value());
    Solution solution;
    solution.columnValues = point->columnValues;
    solution.rowDuals = point->rowDuals;
    BOOST_TEST(residualsOf(lp, solution).largest() < 1e-7);
  };
  change({}, {20, 2, {0, 2, 4}, {1, 4, 0, 7}, {1.0, -1.0, 1.0, 3.0}});
  change({3, 11, 30}, {20, 1, {0, 2}, {5, 9}, {2.0, 1.0}});
  change({28}, {});
  BOOST_TEST((form.matrix() == scaledBy(form.rowScale, form.columnScale, numbers)));
  BOOST_TEST(emulated_runtime::faults().empty());
}

// The host waits for what it decides by: the measure of the point that a re-solve begins at, and
// the pivots. Both bring the proof along where the basis is optimal then.
BOOST_AUTO_TEST_CASE(re_solves_after_rows_wait_once_or_twice) {
  emulated_runtime::reset();
  {
    EngineMakers makers;
    makers.device = [](EngineOptions const& options) {
      return std::make_unique<cuda::CudaEngine>(options);
    };
    Solver solver = solverWith(makers);
    Options options;
    options.engine = EngineChoice::cuda;
    options.presolve = Toggle::off;
    LinearProgram const lp = denseLp(30, 40, 1, false);
    solver.load(lp);
    Solution solution = solver.solve(options);
    BOOST_TEST_REQUIRE((solution.status == Status::optimal));
    auto const waitsWithRow = [&](double upper) {
      SparseMatrix const row{lp.columns(), 1, {0, 2}, {1, 4}, {1.0, 1.0}};
      long const before = emulated_runtime::waits();
      solver.addRows(row, std::vector{-infinity}, std::vector{upper});
      solution = solver.solve(options);
      BOOST_TEST((solution.status == Status::optimal));
      return emulated_runtime::waits() - before;
    };
    double const present = solution.columnValues[1] + solution.columnValues[4];
    BOOST_TEST(waitsWithRow(present + 100.0) == 2);
    long const before = emulated_runtime::waits();
    solver.deleteRows(std::vector{lp.rows()});
    BOOST_TEST((solver.solve(options).status == Status::optimal));
    BOOST_TEST(emulated_runtime::waits() - before == 1);
    BOOST_TEST(waitsWithRow(present - 0.1) == 2);
    BOOST_TEST(solution.iterations > 0);
  }
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_CASE(a_wish_to_stop_ends_long_operations) {
  Forms const forms(false);
  emulated_runtime::reset();
  {
    cuda::CudaEngine engine(shortBlocks());
    engine.load(forms.second);
    engine.setValues(boundValues(forms.second));
    int asked = 0;
    engine.watch([&] { return ++asked > 1; });
    BOOST_CHECK_THROW(engine.refactor(structuralBasis(forms.second, 4)), Interrupted);
    BOOST_TEST(asked > 1);
  }
  BOOST_TEST(emulated_runtime::held().empty());
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_CASE(problems_without_rows_or_columns_are_loaded_and_left) {
  LinearProgram rowless, columnless;
  rowless.matrix = {0, 3, {0, 0, 0, 0}, {}, {}};
  rowless.objective = {1.0, -1.0, 0.0};
  rowless.columnLower = {0.0, 0.0, 0.0};
  rowless.columnUpper = {1.0, 1.0, 1.0};
  columnless.matrix = {2, 0, {0}, {}, {}};
  columnless.rowLower = {-1.0, -1.0};
  columnless.rowUpper = {1.0, 1.0};
  for (LinearProgram const& lp : {rowless, columnless}) {
    StandardForm const form = makeStandardForm(lp, true);
    emulated_runtime::reset();
    cuda::CudaEngine engine(shortBlocks());
    engine.load(form);
    engine.setValues(boundValues(form));
    for (Pricing const pricing : {Pricing::sketched, Pricing::steepest})
      pivots(engine, Algorithm::primal, Phase::two, pricing, 4);
    BOOST_TEST(engine.measure(1e-7, 1e-7).primalCount == 0);
    BOOST_TEST(engine.snapshot().value.size() == form.lower.size());
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
