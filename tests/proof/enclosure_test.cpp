// SPDX-License-Identifier: EPL-2.0
// Enclosures of the optimal value against optima in rational arithmetic.
#include <boost/test/unit_test.hpp>
#include <cmath>

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

}  // namespace

BOOST_AUTO_TEST_SUITE(enclosures)

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
