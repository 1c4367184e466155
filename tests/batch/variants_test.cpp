// SPDX-License-Identifier: EPL-2.0
// Variants of one problem on the processor against single solves of each.
#include "osi_cuda/batch/variants.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "osi_cuda/solve/solver.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/batch_contract.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/random_variants.hpp"

using namespace osi_cuda;
using testing::checkVariants;
using testing::randomVariants;
using testing::solvedAlone;
using testing::variantOf;
using What = VariantChange::What;

namespace {

VariantOptions onHost(int threads = 2) {
  VariantOptions options;
  options.engine = BatchEngine::host;
  options.threads = threads;
  return options;
}

/// max 3 x + 2 y, x + y <= 4, x - y <= 1, x, y >= 0: 10.5 at (2.5, 1.5).
LinearProgram twoByTwo() {
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.matrix.rows = lp.matrix.columns = 2;
  lp.matrix.starts = {0, 2, 4};
  lp.matrix.indices = {0, 1, 0, 1};
  lp.matrix.values = {1, 1, 1, -1};
  lp.objective = {3, 2};
  lp.columnLower = {0, 0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {-infinity, -infinity};
  lp.rowUpper = {4, 1};
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variants)

BOOST_AUTO_TEST_CASE(random_variants_are_solved_as_each_by_itself) {
  testing::checkRandomVariants(testing::randomLps(1, 120, {10, 10, 30}), onHost());
}

BOOST_AUTO_TEST_CASE(variants_begin_where_others_ended) {
  testing::checkStarts(testing::randomLps(1, 120, {10, 10, 30}), onHost());
  VariantOptions pooled = onHost();
  pooled.poolBytes = std::size_t{1} << 24;
  pooled.threads = 3;
  testing::checkStarts(testing::randomLps(200, 20, {30}), pooled);
}

BOOST_AUTO_TEST_CASE(pivots_end_beyond_a_cutoff) {
  testing::checkCutoffs(testing::randomLps(1, 160, {10, 10, 30}), onHost());
}

BOOST_AUTO_TEST_CASE(starts_are_kept_where_points_are) {
  LinearProgram const lp = testing::denseLp(8, 6, 1, true);
  PackedVariants const variants = randomVariants(lp, 1);
  VariantSolver solver(lp, {});
  BatchResults results;
  VariantOptions options = onHost();
  options.keepStarts = true;
  options.points = false;
  BOOST_CHECK_THROW(solver.solve(variants.view(), options, results), std::invalid_argument);
  BatchVariants view = variants.view();
  std::vector<std::int64_t> const one(1);
  view.start = one;
  BOOST_TEST(findFault(view).find("start") != std::string::npos);
}

// Sums over the problem's own coefficients less what a variant has not would keep their rounding.
BOOST_AUTO_TEST_CASE(large_coefficients_that_a_variant_replaces_leave_nothing_behind) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = seed % 3 == 0 ? 40 : 8;
    testing::RandomLp const made = testing::randomLp(seed, shape);
    testing::Restored const restored = testing::restoredVariant(made.lp, seed);
    BOOST_TEST_CONTEXT(made.description)
    for (Basis const& basis : {Basis{}, solvedAlone(made.lp).basis}) {
      BatchResults const results =
          solveVariants(restored.large, basis, restored.variants.view(), onHost(1));
      BOOST_TEST(toString(results.status[0]) == toString(made.expected));
      if (made.expected == Status::optimal)
        BOOST_TEST(std::fabs(results.objective[0] - made.objective) <=
                   1e-9 * (1.0 + std::fabs(made.objective)));
      testing::checkAnswer(made.lp, results, 0);
    }
  }
}

// The row's stored sum is 2^60 and some: less 2^60 it would be off by hundreds.
BOOST_AUTO_TEST_CASE(the_activity_of_a_row_is_that_of_the_variant) {
  for (double const large : {1e12, 0x1p60}) {
    LinearProgram lp;
    lp.matrix.rows = 1;
    lp.matrix.columns = 3;
    lp.matrix.starts = {0, 1, 2, 3};
    lp.matrix.indices = {0, 0, 0};
    lp.matrix.values = {large, 3.0, 0.7};
    lp.objective = {1.0, 1.0, 1.0};
    lp.columnLower = {1.0, 0.0, 0.3};
    lp.columnUpper = {infinity, infinity, 0.3};
    lp.rowLower = {10.0};
    lp.rowUpper = {infinity};
    PackedVariants variants;
    variants.add(std::vector<VariantChange>{{What::coefficient, 0, 1.0, 0}});
    BatchResults const results =
        solveVariants(lp, solvedAlone(lp).basis, variants.view(), onHost(1));
    BOOST_TEST((results.status[0] == BatchStatus::optimal));
    BOOST_TEST(std::fabs(results.objective[0] - (1.0 + (10.0 - 0.21 - 1.0) / 3.0 + 0.3)) <= 1e-12);
    testing::checkAnswer(variantOf(lp, variants, 0), results, 0);
  }
}

BOOST_AUTO_TEST_CASE(any_basis_is_a_beginning) {
  for (std::uint64_t seed = 200; seed < 230; ++seed) {
    testing::RandomLp const made = testing::randomLp(seed);
    PackedVariants const variants = randomVariants(made.lp, seed);
    BOOST_TEST_CONTEXT(made.description) checkVariants(made.lp, {}, variants, onHost());
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_on_a_dense_array_is_the_same_matrix) {
  LinearProgram const lp = twoByTwo();
  std::vector<double> const byRows = {1, 1, 1, -1};
  LinearProgram onArray = lp;
  onArray.matrix = denseMatrix(2, 2, byRows.data(), true, {});
  testing::VariantDraw draw;
  draw.count = 8;
  PackedVariants const variants = randomVariants(lp, 5, draw);
  Basis const basis = solvedAlone(lp).basis;
  BatchResults const results = solveVariants(onArray, basis, variants.view(), onHost());
  checkVariants(lp, variants, results);
  BOOST_TEST(results.objective == solveVariants(lp, basis, variants.view(), onHost()).objective,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_rule_of_pricing_finds_the_optima) {
  LinearProgram const lp = testing::denseLp(40, 30, 3, false);
  testing::VariantDraw draw;
  draw.count = 12;
  PackedVariants const variants = randomVariants(lp, 5, draw);
  Basis const basis = solvedAlone(lp).basis;
  for (auto const pricing : {BatchPricing::steepest, BatchPricing::devex, BatchPricing::dantzig}) {
    VariantOptions options = onHost();
    options.pricing = pricing;
    checkVariants(lp, basis, variants, options);
  }
}

BOOST_AUTO_TEST_CASE(variants_that_outgrow_their_factors_go_on_elsewhere) {
  LinearProgram const lp = testing::denseLp(60, 40, 1, true);
  testing::VariantDraw draw;
  draw.count = 10;
  PackedVariants const variants = randomVariants(lp, 9, draw);
  VariantOptions options = onHost();
  options.factors = 2;
  // From the slack basis, which is far from any optimum.
  BatchResults const results = checkVariants(lp, {}, variants, options);
  BOOST_TEST(results.again >= 5u);  // bounds that rule out any point show at once
  options.points = false;
  BatchResults const without = solveVariants(lp, {}, variants.view(), options);
  for (std::size_t k = 0; k < 10; ++k) {
    BOOST_TEST((without.status[k] == results.status[k]));
    BOOST_TEST(std::fabs(without.objective[k] - results.objective[k]) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(neither_order_nor_threads_nor_company_change_a_bit) {
  LinearProgram const lp = testing::sparseLp(40, 60, 4, 11);
  testing::VariantDraw draw;
  draw.count = 200;
  testing::checkSameBits(lp, randomVariants(lp, 4, draw), onHost(1), onHost(3));
}

BOOST_AUTO_TEST_CASE(a_bad_variant_costs_only_itself) {
  LinearProgram const lp = twoByTwo();
  double const nan = std::numeric_limits<double>::quiet_NaN();
  PackedVariants variants;
  using Changes = std::vector<VariantChange>;
  variants.add(Changes{});
  variants.add(Changes{{What::cost, 0, nan}});
  variants.add(Changes{{What::columnLower, 1, nan}});
  variants.add(Changes{{What::coefficient, 0, infinity, 1}});
  variants.add(Changes{{What::cost, 2, 1.0}});
  variants.add(Changes{{What::coefficient, 0, 1.0, 2}});
  variants.add(Changes{{What::rowUpper, 0, -1.0}});                                 // infeasible
  variants.add(Changes{{What::columnLower, 0, 3.0}, {What::columnUpper, 0, 2.0}});  // they cross
  variants.add(Changes{{What::rowUpper, 0, infinity}});                             // unbounded
  variants.add(Changes{{What::rowUpper, 0, 6.0}, {What::rowUpper, 0, 5.0}});  // the last counts
  variants.add(Changes{{What::coefficient, 0, 0.0, 0}, {What::coefficient, 1, 0.0, 0}});
  BatchResults const results = solveVariants(lp, solvedAlone(lp).basis, variants.view(), onHost());
  char const* const expected[] = {"optimal",   "invalid", "invalid",    "invalid",
                                  "invalid",   "invalid", "infeasible", "infeasible",
                                  "unbounded", "optimal", "unbounded"};
  for (std::size_t k = 0; k < std::size(expected); ++k)
    BOOST_TEST(toString(results.status[k]) == expected[k], "variant " << k);
  BOOST_TEST(results.objective[0] == 10.5);
  BOOST_TEST(std::fabs(results.objective[9] - 13.0) <= 1e-12);
  BOOST_TEST(results.notes.size() == 5u);
  BOOST_TEST(results.notes[3].sentence == "it changes column 2 of a problem that has 2");
  for (std::size_t const k : {0, 6, 7, 8, 9, 10})
    testing::checkAnswer(variantOf(lp, variants, k), results, k);
}

BOOST_AUTO_TEST_CASE(what_only_rounding_misses_is_judged_by_the_tolerances) {
  // max x + y, 123456789.3 x - 123456781.7 y <= 1, x + y <= b: both are basic, and no doubles come
  // nearer to the first row's bound than its coefficients' rounding, some 1e-8.
  LinearProgram lp = twoByTwo();
  lp.objective = {1, 1};
  lp.matrix.values = {123456789.3, 1, -123456781.7, 1};
  lp.rowUpper = {1, 3};
  lp.rowLower = {1, -infinity};
  PackedVariants variants;
  for (int k = 0; k < 12; ++k)
    variants.add(std::vector<VariantChange>{{What::rowUpper, 1, 3.0 + k / 7.0}});
  Basis const basis = solvedAlone(lp).basis;
  BatchResults const results = solveVariants(lp, basis, variants.view(), onHost());
  BOOST_TEST(results.again == 0u);
  for (std::size_t k = 0; k < 12; ++k) {
    BOOST_TEST((results.status[k] == BatchStatus::optimal));
    BOOST_TEST(std::fabs(results.objective[k] - (3.0 + static_cast<double>(k) / 7.0)) <= 1e-12);
    BOOST_TEST(results.residual[k] <= 1e-7);
  }
  BOOST_TEST(*std::max_element(results.residual.begin(), results.residual.end()) > 1e-9);
  // Tighter tolerances leave them to the ordinary solver, and its points in two parts.
  VariantOptions tight = onHost();
  tight.primalTolerance = 1e-9;
  BOOST_TEST(solveVariants(lp, basis, variants.view(), tight).again > 0u);
}

BOOST_AUTO_TEST_CASE(bounds_that_cross_in_the_problem_may_be_mended) {
  LinearProgram lp = twoByTwo();
  lp.columnUpper[1] = -1.0;
  PackedVariants variants;
  variants.add({});
  variants.add(std::vector<VariantChange>{{What::columnUpper, 1, 2.0}});
  BatchResults const results = checkVariants(lp, {}, variants, onHost());
  BOOST_TEST(toString(results.status[0]) == "infeasible");
  BOOST_TEST(toString(results.status[1]) == "optimal");
}

BOOST_AUTO_TEST_CASE(limits_leave_the_basis_that_was_come_to) {
  LinearProgram const lp = testing::denseLp(60, 40, 2, true);
  Basis const basis = solvedAlone(lp).basis;
  double const optimum = solvedAlone(lp).objective;
  PackedVariants variants;
  for (int j = 0; j < 40; ++j)
    variants.add(std::vector<VariantChange>{{What::columnLower, j, 3.0}});
  VariantOptions options = onHost();
  options.iterationLimit = 2;
  BatchResults const limited = solveVariants(lp, basis, variants.view(), options);
  BatchResults const whole = solveVariants(lp, basis, variants.view(), onHost());
  int stopped = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    if (limited.status[k] != BatchStatus::iterationLimit) {
      BOOST_TEST((limited.status[k] == whole.status[k]));
      continue;
    }
    ++stopped;
    auto const begin = limited.columnStatus.begin() + static_cast<std::ptrdiff_t>(40 * k);
    auto const rows = limited.rowStatus.begin() + static_cast<std::ptrdiff_t>(60 * k);
    BOOST_TEST(std::count(begin, begin + 40, VariableStatus::basic) +
                   std::count(rows, rows + 60, VariableStatus::basic) ==
               60);
    // The dual simplex goes from the optimum, a maximum, downwards to the variant's.
    BOOST_TEST(limited.objective[k] <= optimum + 1e-9 * std::fabs(optimum));
    if (whole.status[k] == BatchStatus::optimal)
      BOOST_TEST(limited.objective[k] >= whole.objective[k] - 1e-9 * std::fabs(optimum));
  }
  BOOST_TEST(stopped > 10);
  options = onHost();
  options.timeLimit = 0.0;
  BatchCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  PackedVariants many;
  for (int k = 0; k < 20000; ++k)
    many.add(std::vector<VariantChange>{{What::columnLower, k % 40, 3.0}});
  BOOST_TEST(
      (solveVariants(lp, basis, many.view(), options).status.back() == BatchStatus::timeLimit));
  BOOST_TEST((solveVariants(lp, basis, many.view(), onHost(), callbacks).status.back() ==
              BatchStatus::interrupted));
}

BOOST_AUTO_TEST_CASE(starts_that_do_not_fit_are_refused) {
  std::vector<std::size_t> const starts{0, 2};
  std::vector<VariantChange> const one(1);
  LinearProgram const lp = twoByTwo();
  BOOST_CHECK_THROW(solveVariants(lp, {}, {starts, one}), std::invalid_argument);
  BOOST_TEST(!findFault(BatchVariants{{}, one}).empty());
  BOOST_TEST(findFault(BatchVariants{}).empty());
  BOOST_TEST(solveVariants(lp, {}, {}, onHost()).status.empty());
  LinearProgram bad = lp;
  bad.objective[0] = infinity;
  BOOST_CHECK_THROW(VariantSolver(bad, {}), std::invalid_argument);
}

// The module is opened once in a process, by batch_test.cpp or this test.
BOOST_AUTO_TEST_CASE(a_device_that_fails_costs_nothing_but_time) {
  setenv("OSI_CUDA_ENGINE_PATH", OSI_CUDA_LOST_MODULE, 1);
  LinearProgram const lp = testing::denseLp(20, 15, 2, true);
  PackedVariants const variants = randomVariants(lp, 3);
  VariantOptions options = onHost();
  options.engine = BatchEngine::cuda;
  Basis const basis = solvedAlone(lp).basis;
  BatchResults const lost = solveVariants(lp, basis, variants.view(), options),
                     host = solveVariants(lp, basis, variants.view(), onHost());
  BOOST_TEST(lost.deviceLost);
  BOOST_TEST(lost.onDevice == 0u);
  for (std::size_t k = 0; k < variants.view().count(); ++k)
    testing::checkSameBits(lost, k, host, k);
}

BOOST_AUTO_TEST_SUITE_END()
