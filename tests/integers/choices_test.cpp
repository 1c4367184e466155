// SPDX-License-Identifier: EPL-2.0
// Special ordered sets and semicontinuous columns in the own search: beside an enumeration of what
// may be nonzero with a linear program each, and what it refuses.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/model/choice_points.hpp"
#include "osi_cuda/search/branching.hpp"
#include "osi_cuda/search/points.hpp"
#include "osi_cuda/search/saved_search.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/integers/small_problems.hpp"

namespace osi_cuda {
namespace {

using testing::onHost;
using testing::Random;

/// Up to 6 columns: some semicontinuous, some integer, up to 3 sets.
LinearProgram problemWithChoices(unsigned seed) {
  LinearProgram lp =
      testing::smallProblem(seed, 2 + static_cast<int>(seed % 2), 4 + static_cast<int>(seed % 3),
                            seed % 2 ? Sense::minimize : Sense::maximize);
  Random random(seed + 1000);
  int const n = lp.columns();
  for (int j = 0; j < n; ++j) {
    lp.integer[j] = random.whole(0, 3) == 0;
    double const wide = random.whole(0, 3);
    double &lower = lp.columnLower[j], &upper = lp.columnUpper[j];
    switch (random.whole(0, 3)) {
      case 0:
        lower = 1.0 + random.whole(0, 3) / 2.0;
        upper = lower + wide;
        lp.choices.addSemicontinuous(j, lower, upper);
        break;
      case 1:
        upper = -0.5 - wide;
        lower = upper - wide;
        lp.choices.addSemicontinuous(j, lower, upper);
        break;
      default:
        lower = random.whole(0, 2) == 0 ? -wide : 0.0;
    }
  }
  for (int s = random.whole(0, 3); s > 0; --s) {
    OrderedSet set{"", random.whole(1, 2), random.whole(0, 2), {}, {}};
    for (int j = 0; j < n; ++j) {
      if (random.whole(0, 3) == 0) continue;
      set.columns.push_back(j);
      set.weights.push_back(random.whole(-9, 9));
    }
    lp.choices.sets.push_back(set);
  }
  lp.choices.sortSets();
  return lp;
}

/// Every support of the sets and every side of the semicontinuous columns, integers one value after
/// the other; what is left is a linear program.
void enumerate(LinearProgram lp, std::size_t column, std::size_t set, int integer,
               std::optional<double>& best) {
  if (column < lp.choices.semicontinuous.size()) {
    auto const [j, on] = lp.choices.semicontinuous[column];
    LinearProgram off = lp;
    off.columnLower[j] = std::max(off.columnLower[j], 0.0);
    off.columnUpper[j] = std::min(off.columnUpper[j], 0.0);
    enumerate(off, column + 1, set, integer, best);
    double& side = on > 0.0 ? lp.columnLower[j] : lp.columnUpper[j];
    side = on > 0.0 ? std::max(side, on) : std::min(side, on);
    return enumerate(lp, column + 1, set, integer, best);
  }
  if (set < lp.choices.sets.size()) {
    OrderedSet const& members = lp.choices.sets[set];
    int const size = static_cast<int>(members.columns.size());
    for (int first = 0; first < std::max(1, size - members.type + 1); ++first) {
      LinearProgram part = lp;
      for (int k = 0; k < size; ++k) {
        if (k >= first && k < first + members.type) continue;
        int const j = members.columns[k];
        part.columnLower[j] = std::max(part.columnLower[j], 0.0);
        part.columnUpper[j] = std::min(part.columnUpper[j], 0.0);
      }
      enumerate(part, column, set + 1, integer, best);
    }
    return;
  }
  for (; integer < lp.columns(); ++integer) {
    if (!lp.integer[integer]) continue;
    double const upper = lp.columnUpper[integer];
    for (double x = std::ceil(lp.columnLower[integer]); x <= upper; ++x) {
      lp.columnLower[integer] = lp.columnUpper[integer] = x;
      enumerate(lp, column, set, integer + 1, best);
    }
    return;
  }
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.columnLower[j] > lp.columnUpper[j]) return;
  lp.choices = {};
  lp.integer.clear();
  double const sense = lp.sense == Sense::minimize ? 1.0 : -1.0;
  Solver solver(lp);
  Solution const found = solver.solve(onHost());
  if (found.status == Status::optimal && (!best || sense * found.objective < sense * *best))
    best = found.objective;
}

/// As docs/guide/integers.md defines it, without the library's own check.
bool keepsToAll(LinearProgram const& lp, std::vector<double> const& x) {
  for (auto const& [j, on] : lp.choices.semicontinuous)
    if (x[j] != 0.0 && !(on > 0.0 ? x[j] >= on || x[j] < 0.0 : x[j] <= on || x[j] > 0.0))
      return false;
  for (OrderedSet const& set : lp.choices.sets) {
    std::vector<int> nonzero;
    for (int k = 0; k < static_cast<int>(set.columns.size()); ++k)
      if (x[set.columns[k]] != 0.0) nonzero.push_back(k);
    if (static_cast<int>(nonzero.size()) > set.type) return false;
    if (nonzero.size() == 2 && nonzero[1] != nonzero[0] + 1) return false;
  }
  return testing::isPoint(lp, x);
}

/// min -x0 - ... with all weights: the set alone keeps it from 1 each.
LinearProgram oneSet(int n, int type) {
  LinearProgram lp;
  OrderedSet set{"s", type, 0, {}, {}};
  for (int j = 0; j < n; ++j) {
    lp.endColumn(-1.0 - (j * 7) % 5, 0.0, 1.0);
    lp.integer.push_back(0);
    set.columns.push_back(j);
    set.weights.push_back(j);
  }
  lp.choices.sets.push_back(set);
  return lp;
}

BOOST_AUTO_TEST_SUITE(choices)

BOOST_AUTO_TEST_CASE(findsAndProvesWhatEnumerationFinds) {
  int points = 0, none = 0, kept = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    LinearProgram const lp = problemWithChoices(seed);
    BOOST_REQUIRE(findFault(lp).empty());
    std::optional<double> best;
    enumerate(lp, 0, 0, 0, best);
    Options options = onHost();
    options.searchBatch = 1 + static_cast<int>(seed % 7);
    IntegerSolution const found = solveIntegers(lp, options);
    Solution const& solution = found.solution;
    BOOST_TEST_CONTEXT("seed " << seed) {
      BOOST_TEST((solution.status == (best ? Status::optimal : Status::infeasible)),
                 toString(solution.status) << " " << solution.message);
      BOOST_TEST((solution.proof != ProofGrade::none));
      BOOST_TEST((solution.relaxed == RelaxedColumns()));
      if (!best) {
        ++none;
        continue;
      }
      ++points;
      kept += found.searched;
      BOOST_TEST(found.boundIsProved);
      BOOST_TEST(std::fabs(solution.objective - *best) < 1e-6);
      BOOST_TEST(keepsToAll(lp, solution.columnValues));
      BOOST_TEST(solution.objectiveEnclosure.lower <= *best + 1e-7);
      BOOST_TEST(solution.objectiveEnclosure.upper >= *best - 1e-7);
    }
  }
  BOOST_TEST(points > 100);
  BOOST_TEST(none > 20);
  BOOST_TEST(kept > 100);
}

BOOST_AUTO_TEST_CASE(setsOfBothTypes) {
  for (int const n : {1, 2, 3, 9, 40}) {
    IntegerSolution const one = solveIntegers(oneSet(n, 1), onHost());
    IntegerSolution const two = solveIntegers(oneSet(n, 2), onHost());
    double single = 0.0, pair = -1.0;
    for (int j = 0; j < n; ++j) {
      single = std::max(single, 1.0 + (j * 7) % 5);
      if (j > 0) pair = std::max(pair, 2.0 + (j * 7) % 5 + ((j - 1) * 7) % 5);
    }
    BOOST_TEST(one.solution.objective == -single);
    BOOST_TEST(two.solution.objective == (n == 1 ? -single : -pair));
    BOOST_TEST((two.solution.proof != ProofGrade::none));
  }
}

BOOST_AUTO_TEST_CASE(columnsWithoutAnUpperBound) {
  // min 3 x + 2 y, x + y >= 1.5, x = 0 or x >= 4; y = 0 or y >= 2: y alone.
  LinearProgram lp;
  lp.matrix.rows = 1;
  lp.rowLower = {1.5};
  lp.rowUpper = {infinity};
  for (double const cost : {3.0, 2.0}) {
    lp.matrix.add(0, 1.0);
    lp.endColumn(cost, cost == 3.0 ? 4.0 : 2.0, infinity);
  }
  for (int const j : {0, 1}) lp.choices.addSemicontinuous(j, lp.columnLower[j], lp.columnUpper[j]);
  BOOST_TEST(lp.columnLower[1] == 0.0);
  Solution const found = solveIntegers(lp, onHost()).solution;
  BOOST_TEST(found.columnValues == (std::vector<double>{0.0, 2.0}));
  // A bound that the user changes later holds as well.
  lp.columnUpper[1] = 1.0;
  BOOST_TEST(solveIntegers(lp, onHost()).solution.columnValues == (std::vector<double>{4.0, 0.0}));
  // What makes the relaxation unbounded says nothing of the problem: a set may keep it from that.
  lp.objective = {-1.0, -1.0};
  lp.columnUpper[1] = infinity;
  Solution const open = solveIntegers(lp, onHost()).solution;
  BOOST_TEST((open.status == Status::numerical));
  BOOST_TEST(open.message.find("finite bounds") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bothSidesOfABranchLeaveNothingOut) {
  LinearProgram const lp = oneSet(6, 2);
  search::PseudoCosts const costs(lp);
  proof::ImpliedBounds box;
  box.columnLower = lp.columnLower;
  box.columnUpper = lp.columnUpper;
  for (int first = 0; first < 6; ++first)
    for (int last = first; last < 6; ++last) {
      std::vector<double> x(6, 0.0);
      x[first] = 0.25;
      x[last] = 1.0;
      search::Branch const branch = costs.choose(x, box);
      BOOST_TEST(branch.isFractional == (last - first >= 2));
      BOOST_REQUIRE(branch.column == 6);
      int covered = 0;
      for (bool const upper : {false, true}) {
        std::vector<search::BoundChange> side{{6, upper, upper ? branch.value : branch.next}};
        search::spreadSets(lp, side);
        std::vector<char> zero(6, 0);
        for (search::BoundChange const& change : side) zero[change.column] = 1;
        BOOST_TEST(!side.empty());  // it is smaller than the node
        for (int k = 0; k + 1 < 6; ++k) covered |= (!zero[k] && !zero[k + 1]) << k;
        if (branch.isFractional) BOOST_TEST((zero[first] || zero[last]));
      }
      BOOST_TEST(covered == 31);  // every pair of neighbours
    }
}

BOOST_AUTO_TEST_CASE(setsOfTheFirstPriorityComeFirst) {
  LinearProgram lp = oneSet(4, 1);
  lp.choices.sets.push_back(lp.choices.sets[0]);
  lp.choices.sets[0].priority = 2;
  lp.choices.sets[1].priority = 1;
  proof::ImpliedBounds box;
  box.columnLower = lp.columnLower;
  box.columnUpper = lp.columnUpper;
  std::vector<double> const x(4, 1.0);
  BOOST_TEST(search::PseudoCosts(lp).choose(x, box).column == 5);
  lp.choices.sets[0].priority = 0;
  BOOST_TEST(search::PseudoCosts(lp).choose(x, box).column == 4);
}

BOOST_AUTO_TEST_CASE(pointsAreCheckedExactly) {
  LinearProgram lp = oneSet(3, 1);
  lp.choices.semicontinuous.push_back({2, 0.5});
  BOOST_TEST(keepsTo(lp, std::vector{0.0, 1.0, 0.0}));
  BOOST_TEST(!keepsTo(lp, std::vector{1e-300, 1.0, 0.0}));
  BOOST_TEST(keepsTo(lp, std::vector{0.0, 0.0, 0.5}));
  BOOST_TEST(!keepsTo(lp, std::vector{0.0, 0.0, std::nextafter(0.5, 0.0)}));
  std::vector<double> x{0.1, 0.0, 0.4};
  decide(lp, x);
  BOOST_TEST(x == (std::vector<double>{0.0, 0.0, 0.5}));
  search::PointMaker const points(lp, 1e-9);
  BOOST_TEST(!points.valueOf(std::vector{1e-12, 1.0, 0.0}));
  BOOST_TEST(points.valueOf(std::vector{0.0, 1.0, 0.0}).has_value());
}

BOOST_AUTO_TEST_CASE(anInterruptedSearchGoesOn) {
  // Piecewise linear costs of 8 amounts by sets of type 2, and what all of them are together.
  LinearProgram lp;
  int const parts = 8, places = 8;
  double const half = parts * (places - 1) / 2.0;
  Random random(6);
  lp.matrix.rows = 2 + parts;
  lp.rowLower.assign(2 + parts, 1.0);
  lp.rowUpper.assign(2 + parts, 1.0);
  lp.rowLower[0] = half;
  lp.rowUpper[0] = half + 0.1;
  lp.rowLower[1] = -infinity;
  lp.rowUpper[1] = half;
  for (int p = 0; p < parts; ++p) {
    OrderedSet set{"", 2, 0, {}, {}};
    for (int k = 0; k < places; ++k) {
      if (k > 0) lp.matrix.add(0, k);
      if (k > 0) lp.matrix.add(1, random.whole(1, 2 * places) / 2.0);
      lp.matrix.add(2 + p, 1.0);
      set.columns.push_back(lp.columns());
      set.weights.push_back(k);
      lp.endColumn(random.whole(-20, 20), 0.0, 1.0);
    }
    lp.choices.sets.push_back(set);
  }
  Options options = onHost();
  options.searchBatch = 2;
  IntegerSolution const whole = solveIntegers(lp, options);
  BOOST_REQUIRE((whole.solution.status == Status::optimal));
  BOOST_REQUIRE(whole.search.nodes > 20);
  std::string text;
  IntegerCallbacks callbacks;
  callbacks.saved = [&](search::SavedSearch const& saved) { text = textOf(saved, lp); };
  options.nodeLimit = whole.search.nodes / 2;
  BOOST_TEST((solveIntegers(lp, options, callbacks).solution.status == Status::iterationLimit));
  options.nodeLimit = onHost().nodeLimit;
  search::SavedSearch const saved = search::readSavedSearch(text, lp);
  IntegerSolution const resumed = solveIntegers(lp, options, {}, {}, {}, &saved);
  BOOST_TEST((resumed.solution.status == Status::optimal));
  BOOST_TEST(std::fabs(resumed.solution.objective - whole.solution.objective) < 1e-9);
  BOOST_TEST(resumed.boundIsProved);
  // It is one of this problem alone, and names no set that there is not.
  LinearProgram other = lp;
  other.choices.sets[0].type = 1;
  BOOST_CHECK_THROW(search::readSavedSearch(text, other), std::invalid_argument);
  search::SavedSearch wrong = saved;
  wrong.tree.back().change.column = lp.columns() + parts;
  BOOST_CHECK_THROW(search::readSavedSearch(textOf(wrong, lp), lp), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(whatIsRefused) {
  LinearProgram const lp = oneSet(4, 1);
  Options options = onHost();
  options.search = SearchChoice::cbc;
  BOOST_CHECK_THROW(solveIntegers(lp, options), std::invalid_argument);
  options.search = SearchChoice::automatic;
  IntegerCallbacks callbacks;
  std::vector<std::string> told;
  callbacks.notice = [&](std::string const& text) { told.push_back(text); };
  BOOST_TEST(solveIntegers(lp, options, callbacks).own);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0].find("own search") != std::string::npos);
  callbacks.tree = [](std::string_view) {};
  BOOST_CHECK_THROW(solveIntegers(lp, options, callbacks), std::invalid_argument);
  auto const faultWith = [&](auto const& change) {
    LinearProgram changed = lp;
    change(changed.choices);
    return findFault(changed);
  };
  BOOST_TEST(faultWith([](Choices&) {}).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.sets[0].type = 3; }).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.sets[0].columns[0] = 4; }).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.sets[0].columns[0] = 1; }).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.sets[0].weights[0] = 9.0; }).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.sets[0].weights.pop_back(); }).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.semicontinuous = {{1, 1.0}, {1, 2.0}}; }).empty());
  BOOST_TEST(!faultWith([](Choices& c) { c.semicontinuous = {{0, infinity}}; }).empty());
}

BOOST_AUTO_TEST_CASE(columnsComeAndGo) {
  LinearProgram lp = oneSet(4, 2);
  lp.choices.semicontinuous = {{1, 0.5}, {3, 0.25}};
  Solver solver(lp);
  solver.deleteColumns(std::vector{1});
  Choices const& left = solver.problem().choices;
  BOOST_TEST(left.sets[0].columns == (std::vector<int>{0, 1, 2}));
  BOOST_TEST(left.sets[0].weights == (std::vector<double>{0.0, 2.0, 3.0}));
  BOOST_REQUIRE(left.semicontinuous.size() == 1u);
  BOOST_TEST(left.semicontinuous[0].column == 2);
  solver.deleteColumns(std::vector{0, 1, 2});
  BOOST_TEST(left.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
