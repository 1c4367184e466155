// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/verifier.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/support/small_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::smallLp;

namespace {

Solution point(std::vector<double> x, std::vector<double> y) {
  Solution solution;
  solution.status = Status::numerical;
  solution.columnValues = std::move(x);
  solution.rowDuals = std::move(y);
  return solution;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(judge)

BOOST_AUTO_TEST_CASE(an_optimum_is_claimed_with_its_residuals_only) {
  LinearProgram const lp = smallLp();
  Options const options;
  Verifier const verifier(lp, options);
  Solution right = point({2.0, 1.0}, {1.0});
  BOOST_TEST(verifier.claimOptimal(right));
  BOOST_TEST((right.status == Status::optimal));
  BOOST_TEST((right.proof == ProofGrade::tolerance));
  // Infeasible; the wrong sign of a reduced cost; dual multipliers that leave a gap.
  for (Solution wrong :
       {point({1.0, 1.0}, {1.0}), point({2.0, 1.0}, {2.0}), point({2.0, 1.0}, {0.0})}) {
    BOOST_TEST(!verifier.claimOptimal(wrong));
    BOOST_TEST((wrong.status == Status::numerical));
    BOOST_TEST(!verifier.claimInterior(wrong));
  }
  BOOST_TEST(verifier.claimInterior(right));
  BOOST_TEST((right.status == Status::interior));
}

// y1 - y2 has to be 0.1, and doubles of their size lie 4.8e-7 apart: the nearest ones differ by
// 3.8e-7 more.
BOOST_AUTO_TEST_CASE(doubles_of_multipliers_that_cancel_are_found) {
  LinearProgram lp;
  lp.objective = {0.1};
  lp.columnLower = {-infinity};
  lp.columnUpper = {infinity};
  lp.rowLower = lp.rowUpper = {0.0, 0.0};
  lp.matrix = {2, 1, {0, 2}, {0, 1}, {1.0, -1.0}};
  Options const options;
  Verifier const verifier(lp, options);
  double const ulp = 0x1p-21, difference = 0.1 - 209715 * ulp;
  Solution parts = point({0.0}, {0x1p31 + 209716 * ulp, 0x1p31});
  parts.rowDualsLow = {0.4 * ulp + difference - ulp, 0.4 * ulp};
  verifier.assess(parts);
  BOOST_TEST(verifier.accepts(parts.residuals));
  Solution nearest = parts;
  nearest.rowDualsLow.clear();
  BOOST_TEST(!verifier.claimOptimal(nearest));
  Solution const rounded = verifier.rounded(parts);
  BOOST_TEST(rounded.rowDualsLow.empty());
  BOOST_TEST(verifier.accepts(rounded.residuals));
  BOOST_TEST(rounded.reducedCosts[0] == 0.1 - (rounded.rowDuals[0] - rounded.rowDuals[1]));
}

BOOST_AUTO_TEST_CASE(each_residual_has_its_tolerance) {
  LinearProgram const lp = smallLp();
  Options const options;
  Verifier const verifier(lp, options);
  BOOST_TEST(verifier.accepts({1e-8, 1e-8, 1e-8}));
  BOOST_TEST(!verifier.accepts({1e-6, 1e-8, 1e-8}));
  BOOST_TEST(!verifier.accepts({1e-8, 1e-6, 1e-8}));
  BOOST_TEST(!verifier.accepts({1e-8, 1e-8, 1e-6}));
}

BOOST_AUTO_TEST_CASE(infeasibility_is_claimed_with_multipliers_only) {
  LinearProgram lp = smallLp();
  lp.columnUpper[0] = 1.0;  // x1 + 2 x2 <= 3
  Options const options;
  Verifier const verifier(lp, options);
  Solution s = point({1.0, 1.0}, {1.0});
  BOOST_TEST(!verifier.claimInfeasible(s));
  s.farkas = {-1.0};
  BOOST_TEST(!verifier.claimInfeasible(s));
  BOOST_TEST((s.status == Status::numerical));
  s.farkas = {1.0};
  BOOST_TEST(verifier.claimInfeasible(s));
  BOOST_TEST((s.status == Status::infeasible));
  BOOST_TEST(s.margin > 0.0);
}

BOOST_AUTO_TEST_CASE(unboundedness_is_claimed_with_a_ray_only) {
  LinearProgram lp = smallLp();
  lp.objective[0] = -1.0;
  Options const options;
  Verifier const verifier(lp, options);
  Solution s = point({4.0, 0.0}, {0.0});
  BOOST_TEST(!verifier.claimUnbounded(s));
  s.ray = {0.0, 1.0};  // x2 has an upper bound
  BOOST_TEST(!verifier.claimUnbounded(s));
  BOOST_TEST((s.status == Status::numerical));
  s.ray = {1.0, 0.0};
  BOOST_TEST(verifier.claimUnbounded(s));
  BOOST_TEST((s.status == Status::unbounded));
}

BOOST_AUTO_TEST_CASE(a_passed_objective_limit_is_claimed_with_a_bound_only) {
  LinearProgram const lp = smallLp();
  Options options;
  Solution s = point({2.0, 1.0}, {1.0});  // the bound of these multipliers is 3
  options.objectiveLimit = 4.0;
  BOOST_TEST(!Verifier(lp, options).claimObjectiveLimit(s));
  BOOST_TEST((s.status == Status::numerical));
  options.objectiveLimit = 2.0;
  BOOST_TEST(Verifier(lp, options).claimObjectiveLimit(s));
  BOOST_TEST((s.status == Status::objectiveLimit));
}

BOOST_AUTO_TEST_SUITE_END()
