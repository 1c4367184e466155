// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/enumeration.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "lab/stress/dense_problem.hpp"
#include "lab/stress/integer_families.hpp"

using namespace osi_cuda;
using namespace osi_cuda::stress;

namespace {

/// min sum of costs over x in [0, 3]^n (whole but for the last `continuous`), one row a x >= side.
LinearProgram cover(std::vector<double> const& costs, std::vector<double> const& a, double side,
                    int continuous = 0) {
  int const n = static_cast<int>(costs.size());
  DenseProblem problem(1, n);
  for (int j = 0; j < n; ++j) problem.at(0, j) = a[j];
  problem.lp.objective = costs;
  problem.lp.columnUpper.assign(n, 3.0);
  problem.lp.integer.assign(n, 1);
  for (int k = 0; k < continuous; ++k) problem.lp.integer[n - 1 - k] = 0;
  problem.lp.rowLower[0] = side;
  return problem.finished();
}

/// All points of a pure problem one after the other, in doubles, which are exact for its numbers.
double counted(LinearProgram const& lp) {
  std::vector<double> x;
  for (double const lower : lp.columnLower) x.push_back(std::ceil(lower));
  double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
  double best = infinity;
  for (;;) {
    bool feasible = true;
    for (std::size_t j = 0; j < x.size(); ++j) feasible = feasible && x[j] <= lp.columnUpper[j];
    std::vector<double> activity(lp.rows(), 0.0);
    double value = lp.objectiveOffset;
    for (int j = 0; j < lp.columns(); ++j) {
      value += lp.objective[j] * x[j];
      for (std::int64_t k = lp.matrix.starts[j]; k < lp.matrix.starts[j + 1]; ++k)
        activity[lp.matrix.indices[k]] += lp.matrix.values[k] * x[j];
    }
    for (int i = 0; i < lp.rows(); ++i)
      feasible = feasible && lp.rowLower[i] <= activity[i] && activity[i] <= lp.rowUpper[i];
    if (feasible) best = std::min(best, sign * value);
    std::size_t j = 0;
    while (j < x.size() && x[j] + 1.0 > lp.columnUpper[j]) {
      x[j] = std::ceil(lp.columnLower[j]);
      ++j;
    }
    if (j == x.size()) return sign * best;
    x[j] += 1.0;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(enumerations)

BOOST_AUTO_TEST_CASE(optima_of_small_problems) {
  IntegerTruth truth = enumerated(cover({3, 2}, {2, 1}, 3));
  BOOST_TEST((truth.known && truth.feasible));
  BOOST_TEST((truth.optimum == 5));
  truth = enumerated(cover({3, 2}, {2, 1}, 3, 1));  // x = 1, y = 1
  BOOST_TEST((truth.optimum == 5));
  truth = enumerated(cover({5, 3}, {2, 1.5}, 3.25, 1));  // x = 0: 13/6 of 3
  BOOST_TEST((truth.optimum == mpq_class(13, 2)));
  truth = enumerated(cover({3, 2}, {2, 1}, 9.5));
  BOOST_TEST((truth.known && !truth.feasible));
}

BOOST_AUTO_TEST_CASE(with_and_without_a_tolerance) {
  LinearProgram const lp = cover({4, 4}, {1, 1}, 2.00000001);
  BOOST_TEST((enumerated(lp).optimum == 12));
  BOOST_TEST((enumerated(lp, {1e-7, 0.0}).optimum == 8));
  LinearProgram const whole = cover({4, 4}, {1e6, 1}, 3.5);
  BOOST_TEST((enumerated(whole, {1e-7, 0.0}).optimum == 4));
  BOOST_TEST((enumerated(whole, {1e-7, 1e-6}).optimum == 4));
  BOOST_TEST((enumerated(cover({4}, {1e6}, 0.5)).optimum == 4));
  BOOST_TEST((enumerated(cover({4}, {1e6}, 0.5), {1e-7, 1e-6}).optimum == 0));
}

BOOST_AUTO_TEST_CASE(one_equation_in_free_integers) {
  LinearProgram lp = cover({0, 0, 0}, {6, -10, 15}, 1);
  lp.columnLower.assign(3, -infinity);
  lp.columnUpper.assign(3, infinity);
  lp.rowUpper[0] = 1;
  BOOST_TEST((enumerated(lp).known && enumerated(lp).feasible));
  lp.matrix.values = {10, 15, -20};
  lp.rowLower[0] = lp.rowUpper[0] = 7;
  BOOST_TEST((enumerated(lp).known && !enumerated(lp).feasible));
  lp.matrix.values[0] = 6;
  lp.objective[0] = 1;  // no multiple of the row: there may be no best point
  BOOST_TEST(!enumerated(lp).known);
}

BOOST_AUTO_TEST_CASE(what_is_beyond_it_is_not_known) {
  LinearProgram lp = cover({1, 1}, {1, 1}, 2);
  lp.columnUpper[0] = infinity;
  BOOST_TEST(!enumerated(lp).known);
  lp = cover({1, -1}, {1, 1}, 2, 1);
  lp.columnUpper[1] = infinity;  // no bound
  BOOST_TEST(!enumerated(lp).known);
  BOOST_TEST(!enumerated(cover({1, 1, 1}, {1, 2, 3}, 7), {}, 1).known);
}

BOOST_AUTO_TEST_CASE(the_same_as_all_points_one_by_one) {
  int compared = 0;
  for (IntegerFamily const& family : integerFamilies()) {
    if (family.name != "bounded" && family.name != "negative" && family.name != "ranges" &&
        family.name != "fractional")
      continue;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      LinearProgram const lp = makeIntegerProblem(family, seed).lp;
      // Tenths are no doubles: sums one by one would round.
      auto const exact = [](double value) {
        return std::isinf(value) || value * 2 == std::round(value * 2);
      };
      if (std::ranges::find(lp.integer, 0) != lp.integer.end() ||
          !std::ranges::all_of(lp.matrix.values, exact))
        continue;
      IntegerTruth const truth = enumerated(lp);
      double const best = counted(lp);
      BOOST_TEST_CONTEXT(lp.name) {
        BOOST_TEST((truth.known && truth.feasible == std::isfinite(best)));
        if (truth.feasible) BOOST_TEST(truth.optimum.get_d() == best);
      }
      ++compared;
    }
  }
  BOOST_TEST(compared > 100);
}

BOOST_AUTO_TEST_CASE(problems_are_the_same_again) {
  for (IntegerFamily const& family : integerFamilies()) {
    BOOST_TEST((makeIntegerProblem(family, 7).lp == makeIntegerProblem(family, 7).lp), family.name);
    BOOST_TEST(!(makeIntegerProblem(family, 7).lp == makeIntegerProblem(family, 8).lp),
               family.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
