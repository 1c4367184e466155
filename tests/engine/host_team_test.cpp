// SPDX-License-Identifier: EPL-2.0
// The host team's updates of pricing weights against weights computed from a plain tableau.
#include "osi_cuda/engine/host/host_team.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;
using osi_cuda::host::HostTeam;
using osi_cuda::host::Tableau;

namespace {

/// A tableau on the slack basis of a dense LP, every x at 0.
Tableau slackTableau(LinearProgram const& lp, int blockSize) {
  Tableau t;
  t.resize(lp.rows(), lp.columns(), blockSize, 128);
  std::iota(t.basic.begin(), t.basic.end(), t.n);
  std::iota(t.nonbasic.begin(), t.nonbasic.end(), 0);
  for (int j = 0; j < t.n; ++j) {
    auto const values = lp.matrix.columnValues(j);
    for (int i = 0; i < t.m; ++i) t.baseRow(i)[j] = values[static_cast<std::size_t>(i)];
    t.columnUpper[static_cast<std::size_t>(j)] = infinity;
    t.reducedCost[static_cast<std::size_t>(j)] = -lp.objective[static_cast<std::size_t>(j)];
  }
  for (int i = 0; i < t.m; ++i) {
    t.rowLower[static_cast<std::size_t>(i)] = -lp.rowUpper[static_cast<std::size_t>(i)];
    t.rowUpper[static_cast<std::size_t>(i)] = infinity;
  }
  return t;
}

void run(Tableau& t, Algorithm algorithm, Pricing pricing, int pivots) {
  for (int done = 0; done < pivots;) {
    HostTeam team(t);
    PivotRequest request;
    request.algorithm = algorithm;
    request.pricing = pricing;
    request.budget = pivots - done;
    PivotReport const report =
        algorithm == Algorithm::primal ? primalPivots(team, request) : dualPivots(team, request);
    done += report.iterations;
    t.fold();
    if (report.stop != Stop::full && report.stop != Stop::budget) return;
  }
}

double columnNorm(Tableau const& t, int j) {
  double sum = 1.0;
  for (int i = 0; i < t.m; ++i) sum += t.baseRow(i)[j] * t.baseRow(i)[j];
  return sum;
}

/// Squared norm of row i of B^-1.
double rowNorm(Tableau const& t, int i) {
  double sum = t.basic[static_cast<std::size_t>(i)] >= t.n ? 1.0 : 0.0;
  for (int j = 0; j < t.n; ++j)
    if (t.nonbasic[static_cast<std::size_t>(j)] >= t.n) sum += t.baseRow(i)[j] * t.baseRow(i)[j];
  return sum;
}

/// A slack basis that is dual feasible and primal infeasible.
LinearProgram dualProblem() {
  LinearProgram lp = testing::denseLp(50, 40, 2, false);
  for (double& c : lp.objective) c = -std::fabs(c) - 0.1;
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_team)

BOOST_AUTO_TEST_CASE(exact_primal_weights_stay_exact) {
  for (int blockSize : {1, 8, 64}) {
    Tableau t = slackTableau(testing::denseLp(60, 40, 1, true), blockSize);
    for (int j = 0; j < t.n; ++j) t.columnWeight[static_cast<std::size_t>(j)] = columnNorm(t, j);
    run(t, Algorithm::primal, Pricing::steepest, 40);
    for (int j = 0; j < t.n; ++j) {
      double const exact = columnNorm(t, j);
      BOOST_TEST(std::fabs(t.columnWeight[static_cast<std::size_t>(j)] - exact) < 1e-9 * exact);
    }
  }
}

BOOST_AUTO_TEST_CASE(exact_dual_weights_stay_exact) {
  for (int blockSize : {1, 8, 64}) {
    Tableau t = slackTableau(dualProblem(), blockSize);
    run(t, Algorithm::dual, Pricing::steepest, 30);
    for (int i = 0; i < t.m; ++i) {
      double const exact = rowNorm(t, i);
      BOOST_TEST(std::fabs(t.rowWeight[static_cast<std::size_t>(i)] - exact) <
                 1e-9 * (1.0 + exact));
    }
  }
}

// Reference weights that grow for ever end beyond what numbers hold, and the choice with them.
BOOST_AUTO_TEST_CASE(devex_begins_anew_where_weights_have_outgrown_their_reference) {
  auto const largest = [](std::vector<double> const& weight) {
    return *std::max_element(weight.begin(), weight.end());
  };
  constexpr double outgrown = 2 * rules::largestDevexWeight;
  Tableau primal = slackTableau(testing::denseLp(60, 40, 1, true), 8);
  primal.columnWeight.assign(static_cast<std::size_t>(primal.n), outgrown);
  run(primal, Algorithm::primal, Pricing::devex, 1);
  BOOST_TEST(largest(primal.columnWeight) < 1e6);
  Tableau dual = slackTableau(dualProblem(), 8);
  dual.rowWeight.assign(static_cast<std::size_t>(dual.m), outgrown);
  run(dual, Algorithm::dual, Pricing::devex, 1);
  BOOST_TEST(largest(dual.rowWeight) < 1e6);
}

BOOST_AUTO_TEST_CASE(the_primal_sketch_follows_the_tableau) {
  Tableau t = slackTableau(testing::denseLp(60, 40, 1, true), 16);
  auto const k = static_cast<std::size_t>(t.sketchSize);
  auto sketchOf = [&](std::size_t l, int j) {
    double sum = 0.0;
    for (int i = 0; i < t.m; ++i)
      sum += rules::sketchSign(static_cast<int>(l), i) * t.baseRow(i)[j];
    return sum;
  };
  t.columnSketch.resize(k * static_cast<std::size_t>(t.n));
  for (std::size_t l = 0; l < k; ++l)
    for (int j = 0; j < t.n; ++j)
      t.columnSketch[l * static_cast<std::size_t>(t.n) + static_cast<std::size_t>(j)] =
          static_cast<float>(sketchOf(l, j));
  run(t, Algorithm::primal, Pricing::sketched, 30);
  for (int j = 0; j < t.n; ++j) {
    double const size = std::sqrt(columnNorm(t, j));
    for (std::size_t l = 0; l < k; ++l)
      BOOST_TEST(
          std::fabs(
              t.columnSketch[l * static_cast<std::size_t>(t.n) + static_cast<std::size_t>(j)] -
              sketchOf(l, j)) < 2e-4 * size);
    // 128 signs: relative standard deviation of the squared norm 1/8
    double const ratio = t.columnWeight[static_cast<std::size_t>(j)] / columnNorm(t, j);
    BOOST_TEST((ratio > 0.4 && ratio < 1.8));
  }
}

BOOST_AUTO_TEST_CASE(the_dual_sketch_follows_the_inverse) {
  Tableau t = slackTableau(dualProblem(), 16);
  auto const k = static_cast<std::size_t>(t.sketchSize), m = static_cast<std::size_t>(t.m);
  t.rowSketch.resize(k * m);
  for (std::size_t l = 0; l < k; ++l)  // slack basis: W = S'
    for (std::size_t i = 0; i < m; ++i)
      t.rowSketch[l * m + i] = rules::sketchSign(static_cast<int>(l), static_cast<int>(i));
  run(t, Algorithm::dual, Pricing::sketched, 25);
  for (int i = 0; i < t.m; ++i) {
    for (std::size_t l = 0; l < k; ++l) {
      double exact =
          t.basic[static_cast<std::size_t>(i)] >= t.n
              ? rules::sketchSign(static_cast<int>(l), t.basic[static_cast<std::size_t>(i)] - t.n)
              : 0.0;
      for (int j = 0; j < t.n; ++j) {
        int const v = t.nonbasic[static_cast<std::size_t>(j)];
        if (v >= t.n) exact += t.baseRow(i)[j] * rules::sketchSign(static_cast<int>(l), v - t.n);
      }
      BOOST_TEST(std::fabs(t.rowSketch[l * m + static_cast<std::size_t>(i)] - exact) <
                 2e-4 * (1.0 + std::sqrt(rowNorm(t, i))));
    }
    double const ratio = t.rowWeight[static_cast<std::size_t>(i)] / rowNorm(t, i);
    BOOST_TEST((ratio > 0.4 && ratio < 1.8));
  }
}

// A fold in strips gives the numbers of one product, and asks between them whether to go on.
BOOST_AUTO_TEST_CASE(a_fold_can_be_stopped_between_strips) {
  auto const unfolded = [] {
    Tableau t = slackTableau(testing::denseLp(50, 40, 1, true), 8);
    HostTeam team(t);
    PivotRequest request;
    request.budget = 100;
    primalPivots(team, request);
    return t;
  };
  Tableau whole = unfolded(), strips = whole;
  BOOST_REQUIRE(whole.used == 8);
  whole.fold();
  int asked = 0;
  strips.fold([&] { ++asked; }, 2.0 * 40 * 8 * 10);
  BOOST_TEST(asked == 4);
  for (std::size_t e = 0; e < whole.base.size(); ++e)
    BOOST_TEST(std::fabs(whole.base[e] - strips.base[e]) <=
               1e-12 * (1.0 + std::fabs(whole.base[e])));
  Tableau stopped = unfolded();
  BOOST_CHECK_THROW(stopped.fold([] { throw Interrupted{}; }, 2.0 * 40 * 8 * 10), Interrupted);
}

BOOST_AUTO_TEST_SUITE_END()
