// SPDX-License-Identifier: EPL-2.0
// Enclosures of the optimal value against optima in rational arithmetic.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/located_point.hpp"
#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;

namespace {

/// Problems that are hard on doubles: magnitudes 2^50 apart, rows and columns that nearly repeat
/// others, wide boxes.
class HardProblems {
 public:
  explicit HardProblems(std::uint64_t seed) : random_(seed) {}

  LinearProgram operator()() {
    int const m = 2 + below(7), n = 2 + below(9);
    LinearProgram lp;
    lp.matrix.rows = m;
    lp.matrix.columns = n;
    bool const wild = below(2) == 0, near = below(2) == 0, wide = below(2) == 0;
    std::vector<double> activity(static_cast<std::size_t>(m), 0.0), last;
    for (int j = 0; j < n; ++j) {
      double const x = below(3) == 0 ? 0.0 : below(20) / 3.0;
      std::vector<double> column;
      for (int i = 0; i < m; ++i) {
        double a = below(3) == 0 ? 0.0 : uniform();
        if (wild && below(4) == 0) a = std::ldexp(a, below(51));
        column.push_back(a);
      }
      if (near && j > 0 && below(3) == 0) {
        column = last;
        column[static_cast<std::size_t>(below(m))] += 1e-9 * uniform();
      }
      for (int i = 0; i < m; ++i) {
        double const a = column[static_cast<std::size_t>(i)];
        if (a == 0.0) continue;
        lp.matrix.indices.push_back(i);
        lp.matrix.values.push_back(a);
        activity[static_cast<std::size_t>(i)] += a * x;
      }
      lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.values.size()));
      lp.objective.push_back(below(4) == 0 ? 0.0 : uniform());
      lp.columnLower.push_back(below(6) == 0 ? -infinity : 0.0);
      lp.columnUpper.push_back(wide && below(2) == 0 ? 1e12
                               : below(3) == 0       ? infinity
                                                     : x + below(4));
      last = std::move(column);
    }
    for (double const a : activity) {
      int const kind = below(3);
      lp.rowLower.push_back(kind == 0 ? a : kind == 1 ? a - below(3) : -infinity);
      lp.rowUpper.push_back(kind == 0 ? a : kind == 1 ? infinity : a + below(3));
    }
    if (below(2) == 0) lp.sense = Sense::maximize;
    return lp;
  }

 private:
  int below(int n) { return random_.below(n); }
  double uniform() { return random_.between(-1.0, 1.0); }

  testing::Random random_;
};

/// Degenerate on both sides: few different numbers, thirds among them, rows that are sums of
/// others, entries at bounds and reduced costs of 0, free columns.
LinearProgram degenerateProblem(std::uint64_t seed) {
  testing::Random random(seed);
  int const m = 2 + random.below(7), n = 3 + random.below(9);
  auto const number = [&] { return (random.below(7) - 3) / (random.below(3) == 0 ? 3.0 : 1.0); };
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < m; ++i) {
    rows.emplace_back(static_cast<std::size_t>(n));
    for (double& a : rows.back()) a = random.below(2) == 0 ? 0.0 : number();
    if (i > 1 && random.below(3) == 0)
      for (std::size_t j = 0; j < rows[0].size(); ++j) rows.back()[j] = rows[0][j] + rows[1][j];
  }
  LinearProgram lp;
  lp.matrix.rows = m;
  if (random.below(2) == 0) lp.sense = Sense::maximize;
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  std::vector<double> activity(rows.size()), y(rows.size());
  std::vector<int> kinds;  // 0: equation, 1: at the lower side, 2: at the upper one, 3: loose
  for (double& value : y) {
    kinds.push_back(random.below(4));
    double const size = random.below(3) / 3.0;
    value = kinds.back() == 0 ? number() : kinds.back() == 1 ? size : kinds.back() == 2 ? -size : 0;
  }
  for (std::size_t j = 0; j < at(n); ++j) {
    double const x = random.below(2) == 0 ? 0.0 : random.below(9) / 3.0;
    double cost = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double const a = rows[i][j];
      activity[i] += a * x;
      cost += a * y[i];
      if (a != 0.0) lp.matrix.add(static_cast<int>(i), a);
    }
    lp.matrix.endColumn();
    bool const rests = x == 0.0 && random.below(3) > 0;
    lp.objective.push_back(sign * (cost + (rests ? random.below(3) / 3.0 : 0.0)));
    lp.columnLower.push_back(rests || random.below(2) == 0 ? 0.0 : -infinity);
    lp.columnUpper.push_back(random.below(3) == 0 ? x + 1.0 : infinity);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double const a = activity[i];
    lp.rowLower.push_back(kinds[i] == 2 ? -infinity : kinds[i] == 3 ? a - 1.0 : a);
    lp.rowUpper.push_back(kinds[i] == 1 ? infinity : kinds[i] == 3 ? a + 1.0 : a);
  }
  return lp;
}

/// The vertices that searches for points ask for.
std::vector<double> vertexOf(LinearProgram const& lp, double&) {
  Options options;
  options.engine = EngineChoice::host;
  options.exact = Toggle::off;
  options.enclose = Toggle::off;
  Solution const s = Solver(lp).solve(options);
  return s.status == Status::optimal ? s.columnValues : std::vector<double>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(enclosures)

BOOST_AUTO_TEST_CASE(pointsThatExistEncloseDegenerateOptima) {
  int optima = 0, byPoint = 0, byMultipliers = 0, both = 0, quickly = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    LinearProgram const lp = degenerateProblem(seed);
    Options options;
    options.engine = EngineChoice::host;
    options.exact = Toggle::off;
    options.enclose = Toggle::off;
    Solution const s = Solver(lp).solve(options);
    if (s.status != Status::optimal) continue;
    options.exact = Toggle::on;
    Solution const exact = Solver(lp).solve(options);
    if (exact.status != Status::optimal || !exact.exact.proved) continue;
    ++optima;
    proof::SearchLimits limits, lies;
    limits.solve = vertexOf;
    double const point = proof::endByPoint(lp, lp.matrix.transposed(), s.columnValues, limits),
                 multipliers =
                     proof::BoundedOptima(lp, s.objective, limits).endNear(s.rowDuals, limits);
    bool const maximize = lp.sense == Sense::maximize;
    ObjectiveEnclosure const end = exact.objectiveEnclosure;
    // Nearer than this ends prove nothing wrong: the exact one is rounded to the other side.
    BOOST_TEST((maximize ? point <= end.upper : point >= end.lower), "seed " << seed);
    BOOST_TEST((maximize ? multipliers >= end.lower : multipliers <= end.upper), "seed " << seed);
    // Whatever the small problems are said to have for a vertex.
    testing::Random random(seed);
    lies.solve = [&random](LinearProgram const& small, double&) {
      std::vector<double> x(at(small.columns()));
      for (double& value : x) value = random.between(-0.5, 2.0);
      return x;
    };
    double const byLies = proof::endByPoint(lp, lp.matrix.transposed(), s.columnValues, lies),
                 dualByLies = proof::BoundedOptima(lp, random.between(-20.0, 20.0), lies)
                                  .endNear(s.rowDuals, lies);
    BOOST_TEST((maximize ? byLies <= end.upper : byLies >= end.lower), "seed " << seed);
    BOOST_TEST((maximize ? dualByLies >= end.lower : dualByLies <= end.upper), "seed " << seed);
    // Where rounded numbers contradict each other the exact optimum may be another one.
    if (std::isfinite(point)) BOOST_TEST(std::fabs(point - s.objective) < 1e-3);
    byPoint += std::isfinite(point);
    byMultipliers += std::isfinite(multipliers);
    options.exact = Toggle::off;
    options.enclose = Toggle::on;
    Solution const enclosed = Solver(lp).solve(options);
    BOOST_TEST(enclosed.objectiveEnclosure.lower <= end.upper, "seed " << seed);
    BOOST_TEST(enclosed.objectiveEnclosure.upper >= end.lower, "seed " << seed);
    both += std::isfinite(enclosed.objectiveEnclosure.errorOf(enclosed.objective));
    options.enclose = Toggle::automatic;
    Solver solver(lp);
    Solution beside = solver.solve(options);
    solver.enclose(beside);
    BOOST_TEST(beside.objectiveEnclosure.lower <= end.upper, "seed " << seed);
    BOOST_TEST(beside.objectiveEnclosure.upper >= end.lower, "seed " << seed);
    quickly += std::isfinite(beside.objectiveEnclosure.errorOf(beside.objective));
  }
  BOOST_TEST(optima > 2000);
  BOOST_TEST(100 * byPoint > 97 * optima);
  BOOST_TEST(100 * byMultipliers > 97 * optima);
  BOOST_TEST(both == optima);
  BOOST_TEST(100 * quickly > 97 * optima);
  BOOST_TEST_MESSAGE(optima << " optima, " << byPoint << " by points, " << byMultipliers
                            << " by multipliers, " << both << " of both ends, " << quickly
                            << " beside the solve");
}

// min x + z / 10, x + a z >= 10, 0 <= x, z with a little more than 1 / 10: of the multiplier 1 the
// reduced cost of z is negative, and no row bounds z. At most 21 of costs do.
BOOST_AUTO_TEST_CASE(theObjectiveBoundsColumnsThatRowsDoNot) {
  LinearProgram lp;
  double const more = std::nextafter(0.1, 1.0), exact = 10.0 / (more / 0.1);
  for (double const c : {1.0, 0.1}) {
    lp.matrix.add(0, c == 1.0 ? 1.0 : more);
    lp.endColumn(c, 0.0, infinity);
  }
  lp.addRow(10.0, infinity);
  std::vector<double> const y{1.0}, negative{-1.0};
  BOOST_TEST(proof::boundOf(lp, y, proof::impliedBounds(lp, 9)) == -infinity);
  proof::SearchLimits limits;
  double const end = proof::BoundedOptima(lp, 10.0, limits).endBy(y);
  BOOST_TEST(end <= exact);
  BOOST_TEST(end > 10.0 - 1e-14);
  // No point is as good as that: the end is what the others are worth at least.
  BOOST_TEST(proof::BoundedOptima(lp, 0.0, limits).endBy(y) == 1.0);
  // Nor does an objective that a column leaves unbounded.
  LinearProgram unbounded = lp;
  unbounded.objective[0] = -1.0;
  BOOST_TEST(proof::BoundedOptima(unbounded, -10.0, limits).endBy(y) == -infinity);
  BOOST_TEST(proof::BoundedOptima(unbounded, -10.0, limits).endNear(y, limits) == -infinity);
  lp.objectiveOffset = 2.0;
  BOOST_TEST(std::fabs(proof::BoundedOptima(lp, 12.0, limits).endBy(y) - 12.0) < 1e-14);
  lp.sense = Sense::maximize;
  for (double& c : lp.objective) c = -c;
  double const above = proof::BoundedOptima(lp, -8.0, limits).endBy(negative);
  BOOST_TEST(above >= 2.0 - exact);
  BOOST_TEST(above < -8.0 + 1e-14);
}

// min x + u / 2 + q - v, x + z / 3 >= 1, z <= u, v <= q, z free: as v has no bound that the
// objective could use, no other one has. y = (1, -1/3, -1); where it is off, z has a reduced cost.
BOOST_AUTO_TEST_CASE(multipliersAreLocatedForColumnsThatNothingBounds) {
  LinearProgram lp;
  auto const add = [&lp](std::vector<double> column, double cost, double lower) {
    for (int i = 0; i < 3; ++i) lp.matrix.add(i, column[at(i)]);
    lp.endColumn(cost, lower, infinity);
  };
  add({1.0, 0.0, 0.0}, 1.0, 0.0);
  add({1.0 / 3.0, 1.0, 0.0}, 0.0, -infinity);
  add({0.0, -1.0, 0.0}, 0.5, 0.0);
  add({0.0, 0.0, -1.0}, 1.0, 0.0);
  add({0.0, 0.0, 1.0}, -1.0, 0.0);
  lp.addRow(1.0, infinity);
  lp.addRow(-infinity, 0.0);
  lp.addRow(-infinity, 0.0);
  std::vector<double> const y{1.0, std::nextafter(-1.0 / 3.0, 0.0), -1.0};
  proof::SearchLimits limits;
  proof::BoundedOptima const optima(lp, 1.0, limits);
  BOOST_TEST(optima.endBy(y) == -infinity);
  double const end = optima.endNear(y, limits);
  BOOST_TEST(end <= 1.0);
  BOOST_TEST(end > 1.0 - 1e-14);
}

BOOST_AUTO_TEST_CASE(aRegionWithoutPointsHasNone) {
  proof::SearchLimits limits;
  limits.solve = vertexOf;
  // x + y = 1 and 3 (x + y) = 3 + d: for each d but 0 there is none, however small it is.
  for (double const d : {0.0, 0x1p-51, -0x1p-51, 0x1p-20}) {
    SparseMatrix byRows;
    byRows.rows = 2;
    for (double const a : {1.0, 3.0}) {
      byRows.add(0, a);
      byRows.add(1, a);
      byRows.endColumn();
    }
    std::vector<double> const sides{1.0, 3.0 + d}, lower{0.0, 0.0}, upper{infinity, infinity};
    BOOST_TEST(
        proof::locate({byRows, sides, sides, lower, upper}, {0.25, 0.75}, limits).has_value() ==
        (d == 0.0));
  }
  // 3 x = 1 has a point, but x <= 1/3 in doubles, which is less, leaves none.
  SparseMatrix single;
  single.rows = 1;
  single.add(0, 3.0);
  single.endColumn();
  std::vector<double> const one{1.0}, none{-infinity}, third{1.0 / 3.0},
      more{std::nextafter(1.0 / 3.0, 1.0)};
  BOOST_TEST(!proof::locate({single, one, one, none, third}, {1.0 / 3.0}, limits).has_value());
  auto const found = proof::locate({single, one, one, none, more}, {1.0 / 3.0}, limits);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->radius[0] < 1e-30);
}

BOOST_AUTO_TEST_CASE(workOfSearchesIsBounded) {
  LinearProgram const lp = degenerateProblem(3);
  Options options;
  options.engine = EngineChoice::host;
  options.enclose = Toggle::off;
  Solution const s = Solver(lp).solve(options);
  BOOST_REQUIRE(s.status == Status::optimal);
  proof::SearchLimits all;
  double const end = proof::endByPoint(lp, lp.matrix.transposed(), s.columnValues, all);
  BOOST_TEST(std::isfinite(end));
  proof::SearchLimits counted;
  counted.work = 1e6;
  BOOST_TEST(proof::endByPoint(lp, lp.matrix.transposed(), s.columnValues, counted) == end);
  double const taken = 1e6 - counted.work;
  BOOST_TEST(taken > 0.0);
  proof::SearchLimits less;
  less.work = taken / 2.0;
  BOOST_TEST(!std::isfinite(proof::endByPoint(lp, lp.matrix.transposed(), s.columnValues, less)));
}

BOOST_AUTO_TEST_CASE(rowsMovedInsideCloseDenseProblems) {
  int finite = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    testing::Random random(seed);
    LinearProgram lp;
    int const n = seed > 17 ? 160 : 20, m = 2 * n;
    lp.matrix.rows = m;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) lp.matrix.add(i, random.between(0.1, 1.0));
      lp.matrix.endColumn();
      lp.objective.push_back(-random.between(0.5, 1.0));
      lp.columnLower.push_back(0.0);
      lp.columnUpper.push_back(infinity);
    }
    lp.rowLower.assign(at(m), -infinity);
    for (int i = 0; i < m; ++i) lp.rowUpper.push_back(random.between(5.0, 9.0));
    Options options;
    options.engine = EngineChoice::host;
    options.exact = Toggle::off;
    Solver solver(lp);
    Solution s = solver.solve(options);
    solver.enclose(s);
    if (s.objectiveEnclosure.errorOf(s.objective) <= 1e-12 * std::fabs(s.objective)) ++finite;
  }
  BOOST_TEST(finite == 20);
}

BOOST_AUTO_TEST_CASE(containTheExactOptimumOfHardProblems) {
  int proved = 0, lower = 0, upper = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    LinearProgram const lp = HardProblems(seed)();
    Options options;
    options.engine = EngineChoice::host;
    Solution const s = Solver(lp).solve(options);
    if (s.status != Status::optimal) continue;
    options.exact = Toggle::on;
    Solution const exact = Solver(lp).solve(options);
    if (exact.status != Status::optimal || !exact.exact.proved) continue;
    ++proved;
    lower += std::isfinite(s.objectiveEnclosure.lower);
    upper += std::isfinite(s.objectiveEnclosure.upper);
    // The objective is the double nearest to the exact optimum.
    BOOST_TEST(s.objectiveEnclosure.lower <= exact.objective, "seed " << seed);
    BOOST_TEST(s.objectiveEnclosure.upper >= exact.objective, "seed " << seed);
    BOOST_TEST(exact.objectiveEnclosure.lower <= exact.objective);
    BOOST_TEST(exact.objectiveEnclosure.upper >= exact.objective);
    BOOST_TEST(exact.objectiveEnclosure.errorOf(exact.objective) <=
               3e-16 * std::fabs(exact.objective) + 1e-323);
  }
  BOOST_TEST(proved > 300);
  BOOST_TEST(lower > proved / 10);
  BOOST_TEST(upper > proved / 10);
  BOOST_TEST_MESSAGE(proved << " proved, " << lower << " lower, " << upper << " upper ends finite");
}

BOOST_AUTO_TEST_CASE(exactProblemsHaveExactEnclosures) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    auto const made = osi_cuda::testing::randomLp(seed);
    if (made.expected != Status::optimal) continue;
    Options options;
    options.engine = EngineChoice::host;
    Solution const s = Solver(made.lp).solve(options);
    BOOST_TEST(s.objectiveEnclosure.lower <= made.objective, made.description);
    BOOST_TEST(s.objectiveEnclosure.upper >= made.objective, made.description);
  }
}

BOOST_AUTO_TEST_CASE(otherStatusesHaveNone) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto const made = osi_cuda::testing::randomLp(seed);
    if (made.expected == Status::optimal) continue;
    Solution const s = Solver(made.lp).solve(Options{});
    BOOST_TEST(s.objectiveEnclosure.lower == -infinity);
    BOOST_TEST(s.objectiveEnclosure.upper == infinity);
  }
}

BOOST_AUTO_TEST_SUITE_END()
