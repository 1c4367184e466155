// SPDX-License-Identifier: EPL-2.0
// The own branch and bound: beside enumeration, its parts, its limits, and what it proves.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/search/branching.hpp"
#include "osi_cuda/search/node_pool.hpp"
#include "osi_cuda/search/node_proof.hpp"
#include "osi_cuda/search/points.hpp"
#include "tests/integers/small_problems.hpp"
#include "tests/support/dense_mips.hpp"

namespace osi_cuda {
namespace {

using search::BoundChange;
using search::NodePool;
using search::NodeProver;
using testing::enumerated;
using testing::isPoint;
using testing::onHost;
using testing::smallProblem;

Options own() {
  Options options = onHost();
  options.search = SearchChoice::own;
  return options;
}

LinearProgram longSearch() {
  return testing::denseMip("knapsack:20x200:1");
}

BOOST_AUTO_TEST_SUITE(own_search)

BOOST_AUTO_TEST_CASE(findsAndProvesWhatEnumerationFinds) {
  int points = 0, none = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    LinearProgram const lp = smallProblem(seed, 2 + static_cast<int>(seed % 3), 5,
                                          seed % 2 ? Sense::minimize : Sense::maximize);
    std::optional<double> const best = enumerated(lp);
    Options options = own();
    options.searchBatch = 1 + static_cast<int>(seed % 7);
    IntegerSolution const found = solveIntegers(lp, options);
    Solution const& solution = found.solution;
    BOOST_TEST_CONTEXT("seed " << seed) {
      BOOST_TEST((solution.status == (best ? Status::optimal : Status::infeasible)));
      BOOST_TEST((solution.proof != ProofGrade::none));
      if (!best) {
        ++none;
        continue;
      }
      ++points;
      BOOST_TEST(found.boundIsProved);
      BOOST_TEST(std::fabs(solution.objective - *best) < 1e-7);
      BOOST_TEST(isPoint(lp, solution.columnValues));
      BOOST_TEST(solution.objectiveEnclosure.lower <= *best);
      BOOST_TEST(solution.objectiveEnclosure.upper >= *best);
      BOOST_TEST(solution.objectiveEnclosure.upper - solution.objectiveEnclosure.lower < 1e-5);
      BOOST_TEST(found.search.gap() < 1e-5);
    }
  }
  BOOST_TEST(points > 50);
  BOOST_TEST(none > 10);
}

BOOST_AUTO_TEST_CASE(theSameNodesForEveryNumberOfThreads) {
  Options options = own();
  options.nodeLimit = 600;
  IntegerSolution const once = solveIntegers(longSearch(), options);
  options.threads = 3;
  IntegerSolution const again = solveIntegers(longSearch(), options);
  BOOST_TEST(once.search.nodes == again.search.nodes);
  BOOST_TEST(once.search.bound == again.search.bound);
  BOOST_TEST(once.solves == again.solves);
  BOOST_TEST(once.solution.columnValues == again.solution.columnValues);
}

BOOST_AUTO_TEST_CASE(limitsKeepTheIncumbentAndAProvedBound) {
  LinearProgram const lp = longSearch();
  Options options = own();
  options.nodeLimit = 100;
  IntegerSolution const nodes = solveIntegers(lp, options);
  BOOST_TEST((nodes.solution.status == Status::iterationLimit));
  BOOST_TEST(nodes.search.nodes <= 100);
  BOOST_TEST(isPoint(lp, nodes.solution.columnValues));
  BOOST_TEST(nodes.boundIsProved);
  BOOST_TEST(nodes.search.bound < nodes.solution.objective);
  BOOST_TEST(nodes.solution.objectiveEnclosure.lower == nodes.search.bound);
  options.nodeLimit = 0;
  BOOST_TEST((solveIntegers(lp, options).solution.status == Status::iterationLimit));
  options = own();
  options.timeLimit = 1.0;
  IntegerSolution const timed = solveIntegers(lp, options);
  BOOST_TEST((timed.solution.status == Status::timeLimit));
  BOOST_TEST(timed.solution.seconds < 3.0);
  options = own();
  options.relativeGap = 0.1;
  IntegerSolution const gap = solveIntegers(lp, options);
  BOOST_TEST((gap.solution.status == Status::optimal));
  BOOST_TEST(gap.search.gap() <= 0.1);
  BOOST_TEST((gap.solution.proof != ProofGrade::none));
}

BOOST_AUTO_TEST_CASE(anInterruptAndCallbacks) {
  IntegerCallbacks callbacks;
  int incumbents = 0, told = 0;
  double last = infinity;
  callbacks.incumbent = [&](SearchProgress const& at, std::span<double const> values) {
    ++incumbents;
    BOOST_TEST(at.objective < last);
    last = at.objective;
    BOOST_TEST(values.size() == 200u);
  };
  callbacks.search = [&](SearchProgress const&) { ++told; };
  callbacks.interrupted = [&] { return told >= 3; };
  IntegerSolution const found = solveIntegers(longSearch(), own(), callbacks);
  BOOST_TEST((found.solution.status == Status::interrupted));
  BOOST_TEST(incumbents > 0);
  BOOST_TEST(std::fabs(found.solution.objective - last) < 1e-6);
  // At any moment: the bound is one, before the root was solved as well.
  LinearProgram const small = smallProblem(2, 3, 5, Sense::maximize);
  double const best = enumerated(small).value_or(-infinity);
  for (int polls = 0; polls < 40; ++polls) {
    int left = polls;
    IntegerCallbacks soon;
    soon.interrupted = [&] { return left-- <= 0; };
    BOOST_TEST(solveIntegers(small, own(), soon).search.bound >= best - 1e-9);
  }
  callbacks.interrupted = {};
  callbacks.incumbent = [](SearchProgress const&, std::span<double const>) {
    throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(solveIntegers(longSearch(), own(), callbacks), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(aStartIsTheFirstIncumbent) {
  LinearProgram const lp = longSearch();
  Options options = own();
  options.nodeLimit = 300;
  Solution const before = solveIntegers(lp, options).solution;
  options.nodeLimit = 1;
  Solution const after = solveIntegers(lp, options, {}, before.columnValues).solution;
  BOOST_TEST(after.objective <= before.objective);
}

BOOST_AUTO_TEST_CASE(withoutTheModule) {
  ::setenv("OSI_CUDA_CBC_PATH", "/nowhere", 1);
  LinearProgram const lp = smallProblem(1, 3, 5, Sense::minimize);
  IntegerSolution const found = solveIntegers(lp, onHost());
  Options options = onHost();
  options.search = SearchChoice::cbc;
  BOOST_CHECK_THROW(solveIntegers(lp, options), EngineUnavailable);
  ::unsetenv("OSI_CUDA_CBC_PATH");
  BOOST_TEST((found.own || !found.searched));
}

// Little room: the search plunges, and ends at the same optimum.
BOOST_AUTO_TEST_CASE(aFullPoolPlunges) {
  LinearProgram const lp = testing::denseMip("knapsack:5x30:1");
  IntegerSolution const wide = solveIntegers(lp, own());
  Options options = own();
  options.searchMemory = 1.0;
  IntegerSolution const narrow = solveIntegers(lp, options);
  BOOST_TEST(wide.solution.objective == narrow.solution.objective);
  BOOST_TEST((narrow.solution.status == Status::optimal));
}

BOOST_AUTO_TEST_CASE(thePoolIsBoundedAndOrdered) {
  NodePool pool(1);  // the least room
  double closed = 0.0;
  BOOST_TEST(pool.add(-1, {}, 0.0, 0.0) == 0);
  // A tree of 12 levels: far more nodes than the pool holds, of which it loses none.
  std::size_t most = 0;
  int leaves = 0;
  double bound = 1.0;
  for (std::vector<int> taken = pool.take(4, infinity, closed); !taken.empty();
       taken = pool.take(4, infinity, closed)) {
    for (int const node : taken) {
      if (pool[node].depth == 12) {
        ++leaves;
        pool.close(node);
        continue;
      }
      for (bool const up : {false, true})
        BOOST_REQUIRE(pool.add(node, {pool[node].depth, up, 0.0}, bound += 1.0, 0.5) >= 0);
    }
    most = std::max(most, pool.size());
  }
  BOOST_TEST(leaves == 4096);
  BOOST_TEST(most <= pool.capacity());
  BOOST_TEST(pool.size() == 0u);
  // All of it is closed by a cutoff, and the lowest bound of what was closed is told.
  NodePool small(1 << 20);
  small.add(-1, {}, 0.0, 0.0);
  int const root = small.take(1, infinity, closed).front();
  for (double const value : {3.0, 1.0, 2.0}) small.add(root, {0, true, value}, value, 0.0);
  BOOST_TEST(small.lowestBound() == 1.0);
  std::vector<int> const best = small.take(3, 2.5, closed);
  BOOST_TEST(best.size() == 2u);
  BOOST_TEST(small[best[0]].bound == 1.0);
  BOOST_TEST(closed == 3.0);
  std::vector<BoundChange> changes;
  small.changesOf(best[0], changes);
  BOOST_TEST((changes == std::vector<BoundChange>{{0, true, 1.0}}));
  for (int const node : best) small.close(node);
  BOOST_TEST(small.size() == 0u);
}

/// The least objective of the whole points that a node has; infinite without one.
double leastOf(LinearProgram lp, std::vector<BoundChange> const& node) {
  for (BoundChange const& change : node)
    (change.upper ? lp.columnUpper : lp.columnLower)[static_cast<std::size_t>(change.column)] =
        change.value;
  double least = infinity;
  int const n = lp.columns();
  for (int code = 0; code < 1 << (2 * n); ++code) {
    std::vector<double> x;
    for (int j = 0; j < n; ++j) x.push_back((code >> (2 * j)) & 3);
    bool inside = true;
    for (std::size_t j = 0; j < x.size(); ++j)
      inside = inside && x[j] >= lp.columnLower[j] && x[j] <= lp.columnUpper[j];
    if (!inside || !isPoint(lp, x)) continue;
    double objective = lp.objectiveOffset;
    for (std::size_t j = 0; j < x.size(); ++j) objective += lp.objective[j] * x[j];
    least = std::min(least, objective);
  }
  return least;
}

// Any multipliers prove something true: forged ones, too.
BOOST_AUTO_TEST_CASE(multipliersProveNothingFalse) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int empty = 0, fixed = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    LinearProgram const lp = smallProblem(seed, 3, 4, Sense::minimize);
    NodeProver prover(lp);
    std::vector<BoundChange> const node{{0, true, 1.0}, {1, false, 2.0}};
    double const least = leastOf(lp, node), all = leastOf(lp, {});
    Solver solver(lp);
    Solution const solution = solver.solve(own());
    for (int trial = 0; trial < 40; ++trial) {
      std::vector<double> y = trial % 2 && solution.status == Status::optimal
                                  ? solution.rowDuals
                                  : std::vector<double>(3, 0.0);
      for (double& value : y) value += trial < 2 ? 0.0 : normal(random) * (trial % 5);
      if (trial == 7) y[0] = std::nan("");
      prover.clean(y);
      BOOST_TEST(prover.boundOf(y, node) <= least);
      if (prover.isEmpty(y, node)) {
        ++empty;
        BOOST_TEST(std::isinf(least));
      }
      for (double const cutoff : {all, all - 1e-6, all + 2.0})
        for (BoundChange const& change : prover.boundsBelow(cutoff, y)) {
          ++fixed;
          // Beyond that bound there is no point below the cutoff.
          BoundChange const beyond{change.column, !change.upper,
                                   change.value + (change.upper ? 1.0 : -1.0)};
          BOOST_TEST(leastOf(lp, {beyond}) >= cutoff);
        }
    }
    BOOST_TEST(prover.isEmpty({}, std::vector<BoundChange>{{2, true, 1.0}, {2, false, 2.0}}));
  }
  BOOST_TEST(empty > 0);
  BOOST_TEST(fixed > 50);
}

// Beside sums that follow each rounding.
BOOST_AUTO_TEST_CASE(plainBoundsHoldTheTrueOne) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  int known = 0, decided = 0, close = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    int const m = 1 + static_cast<int>(seed % 40), n = 1 + static_cast<int>(seed % 23);
    double const huge = seed % 3 == 0 ? 1e9 : 1.0;
    testing::DenseMip mip(m);
    std::vector<double> entries(static_cast<std::size_t>(m));
    for (int j = 0; j < n; ++j) {
      for (double& entry : entries)
        entry = (seed + random()) % 4 == 0 && seed % 2 == 0 ? 0.0 : huge * normal(random) + 0.1;
      mip.column(entries, normal(random), j % 7 == 5 ? infinity : 1.0 + j, j % 2 == 0);
    }
    for (int i = 0; i < m; ++i) mip.row(i, -1.0 - i, i % 5 == 4 ? infinity : 2.0 / (3.0 + i));
    LinearProgram const lp = mip.take();
    NodeProver prover(lp);
    search::PlainBound const plain(lp);
    for (int trial = 0; trial < 30; ++trial) {
      std::vector<double> y(static_cast<std::size_t>(m));
      for (double& value : y) value = trial == 0 ? 0.0 : normal(random) / huge;
      if (trial == 9) y[0] = 1e300;
      prover.clean(y);
      double const exact = prover.boundOf(y, {});
      double const rounding = std::isfinite(exact) ? 1e-20 * (1.0 + std::fabs(exact)) : 0.0;
      auto const [least, off] = plain.of(y, prover.bounds(), true);
      if (least == least) {
        ++known;
        BOOST_TEST(least <= exact + rounding);
        BOOST_TEST(least + off >= exact - rounding);
        BOOST_TEST(off < 1e-9 * (1.0 + m * n * (1.0 + std::fabs(exact)) * huge));
      }
      for (double const wanted : {exact, std::nextafter(exact, infinity), exact - 1e-3, exact + 1.0,
                                  std::nextafter(exact, -infinity)}) {
        double const found = prover.boundOf(y, {}, wanted);
        BOOST_TEST(found <= exact + rounding);
        BOOST_TEST((found >= wanted) == (exact >= wanted));
        ++decided;
        close += found == exact;
      }
    }
  }
  BOOST_TEST(known > 500);
  BOOST_TEST(close > 500);            // plain sums leave it open
  BOOST_TEST(decided - close > 500);  // they do not
}

BOOST_AUTO_TEST_CASE(pausedNodesGoOnFromTheirStart) {
  NodePool pool(1 << 20);
  pool.add(-1, {}, -infinity, 0.0);
  double closed = 0.0;
  for (int round = 1; round <= 3; ++round) {
    std::vector<int> const taken = pool.take(4, infinity, closed);
    BOOST_REQUIRE(taken.size() == 1u);
    BOOST_TEST(pool[taken.front()].pauses == round - 1);
    BOOST_TEST(pool[taken.front()].start == (round == 1 ? -1 : 40 + round - 1));
    pool.pause(taken.front(), 40 + round);
    BOOST_TEST(pool.open() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(branchesLeaveNothingOut) {
  for (double const x : {0.0, 0.25, 1.0, 2.0000001, 2.9999999, 3.0}) {
    search::Branch const branch = search::branchAt(4, x, 0.0, 3.0);
    BOOST_TEST(branch.value >= 0.0);
    BOOST_TEST(branch.value + 1.0 <= 3.0);
    BOOST_TEST(branch.value == std::round(branch.value));
  }
}

BOOST_AUTO_TEST_CASE(pointsAreVerified) {
  LinearProgram const lp = smallProblem(3, 3, 5, Sense::minimize);
  search::PointMaker const points(lp, 1e-7);
  for (int code = 0; code < 1024; ++code) {
    std::vector<double> x;
    for (int j = 0; j < 5; ++j) x.push_back((code >> (2 * j)) & 3);
    BOOST_TEST(points.valueOf(x).has_value() == isPoint(lp, x));
    std::vector<double> rounded = x;
    for (double& value : rounded) value += 0.3;
    if (points.round(rounded, true)) BOOST_TEST(isPoint(lp, rounded));
    x[0] += 1e-9;
    BOOST_TEST(!points.valueOf(x).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
