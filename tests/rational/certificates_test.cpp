// SPDX-License-Identifier: EPL-2.0
// Exact proofs of infeasibility and of unboundedness, and what must not pass for one.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/exact_pivots.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/rational/small_problem.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::rational {
namespace {

using testing::problemOf;
using testing::slackBasis;
using S = VariableStatus;

bool proves(CertificateCheck const& check) {
  return check.outcome == Outcome::proved;
}

Solution solveOnHost(LinearProgram const& lp) {
  Options options;
  options.engine = EngineChoice::host;
  return Solver(lp).solve(options);
}

BOOST_AUTO_TEST_SUITE(certificates)

BOOST_AUTO_TEST_CASE(farkasByHand) {
  // x + y >= 3, x + y <= 3 - tiny: infeasible by one unit in the last place.
  LinearProgram lp = problemOf({{1, 1}, {1, 1}}, 2);
  lp.rowLower[0] = 3;
  lp.rowUpper[1] = std::nextafter(3.0, 0.0);
  std::vector<double> const y{1, -1};
  CertificateCheck const check = proveInfeasible(lp, {}, y);
  BOOST_TEST(proves(check), check.message);
  BOOST_TEST(check.certificate == y, boost::test_tools::per_element());
  // x basic in row 0, which rests at 3: the row 1 is basic and violates; its row of B^-1 proves it.
  Basis const basis{{S::basic, S::atLower}, {S::atLower, S::basic}};
  BOOST_TEST(proves(proveInfeasible(lp, basis, 2 + 1)));
  BOOST_TEST(!proves(proveInfeasible(lp, basis, 0)));
  // Multipliers that are off by rounding are put right by the basis.
  std::vector<double> const rounded{1 + 3e-16, -1 + 2e-16};
  BOOST_TEST(proves(proveInfeasible(lp, basis, rounded)));
  lp.rowUpper[1] = 3;
  BOOST_TEST(!proves(proveInfeasible(lp, {}, y)));
  BOOST_TEST(!proves(proveInfeasible(lp, basis, 2 + 1)));
}

/// 3 x >= 3 and x <= 1 - 2^-10: multipliers whose largest is 1 would not be exact.
BOOST_AUTO_TEST_CASE(certificatesAreWholeNumbersTimesAPowerOfTwo) {
  LinearProgram lp = problemOf({{3}, {1}}, 1);
  lp.columnLower[0] = -infinity;
  lp.rowLower[0] = 3;
  lp.rowUpper[1] = 1 - 0x1p-10;
  CertificateCheck const check =
      proveInfeasible(lp, slackBasis(lp), std::vector<double>{1.0 / 3.0, -1.0});
  BOOST_TEST(proves(check), check.message);
  BOOST_TEST(check.certificate == (std::vector<double>{0.25, -0.75}),
             boost::test_tools::per_element());
  BOOST_TEST(check.certificateLow.empty());
}

BOOST_AUTO_TEST_CASE(aColumnThatNearlyCancelsVoidsIt) {
  // x + y = 2, x + (1 + 2e-9) y = 2 + 2e-9, both free: feasible at (1, 1). The multipliers (-1, 1)
  // leave 2e-9 on y, which is not 0.
  LinearProgram lp = problemOf({{1, 1}, {1, 1 + 2e-9}}, 2);
  lp.columnLower = {-infinity, -infinity};
  lp.rowLower = lp.rowUpper = {2, 2 + 2e-9};
  for (std::vector<double> const& y : {std::vector<double>{-1, 1}, {1, -1}, {1, 1}, {0, 1}}) {
    CertificateCheck const check = proveInfeasible(lp, slackBasis(lp), y);
    BOOST_TEST((check.outcome == Outcome::refuted), check.message);
    BOOST_TEST(check.certificate.empty());
  }
}

BOOST_AUTO_TEST_CASE(crossedBoundsAreAProof) {
  LinearProgram lp = problemOf({{1, 1}}, 2);
  lp.columnLower[1] = 1;
  lp.columnUpper[1] = std::nextafter(1.0, 0.0);
  CertificateCheck const check = proveInfeasible(lp, {}, std::vector<double>{});
  BOOST_TEST(proves(check));
  BOOST_TEST(check.crossed == 1);
  lp.columnUpper[1] = 1;
  BOOST_TEST((proveInfeasible(lp, {}, std::vector<double>{}).outcome == Outcome::refuted));
  std::vector<double> const nan{std::nan("")};
  BOOST_TEST((proveInfeasible(lp, {}, nan).outcome == Outcome::refuted));
}

BOOST_AUTO_TEST_CASE(randomInfeasibleProblems) {
  int byMultipliers = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    testing::RandomLp const random = testing::randomLp(seed, {.status = Status::infeasible});
    BOOST_TEST(proves(proveInfeasible(random.lp, {}, random.farkas)), random.description);
    Solution const s = solveOnHost(random.lp);
    BOOST_TEST_REQUIRE((s.status == Status::infeasible), random.description);
    CertificateCheck const check = proveInfeasible(random.lp, s.basis, s.farkas);
    BOOST_TEST(proves(check), random.description << ": " << check.message);
    if (check.crossed < 0) ++byMultipliers;
  }
  BOOST_TEST(byMultipliers > 150);
}

BOOST_AUTO_TEST_CASE(feasibleProblemsAreNeverProvedInfeasible) {
  std::mt19937_64 engine(2);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    testing::RandomLp const random = testing::randomLp(seed, {.status = Status::optimal});
    std::vector<double> y(random.y.size());
    for (double& value : y) value = static_cast<double>(engine() % 5) - 2.0;
    BOOST_TEST(!proves(proveInfeasible(random.lp, random.basis, y)), random.description);
    BOOST_TEST(!proves(proveInfeasible(random.lp, random.basis, random.y)), random.description);
    for (int v = 0; v < random.lp.columns() + random.lp.rows(); ++v) {
      bool const basic =
          v < random.lp.columns()
              ? random.basis.columns[static_cast<std::size_t>(v)] == S::basic
              : random.basis.rows[static_cast<std::size_t>(v - random.lp.columns())] == S::basic;
      if (basic)
        BOOST_TEST(!proves(proveInfeasible(random.lp, random.basis, v)), random.description);
    }
  }
}

BOOST_AUTO_TEST_CASE(rayByHand) {
  // min -x - y, x - y <= 1: from (1, 0) along (1, 1).
  LinearProgram lp = problemOf({{1, -1}}, 2);
  lp.objective = {-1, -1};
  lp.rowUpper = {1};
  Basis const basis{{S::basic, S::atLower}, {S::atUpper}};
  CertificateCheck const check = proveUnbounded(lp, basis, 1, 1);
  BOOST_TEST(proves(check), check.message);
  BOOST_TEST(check.certificate == (std::vector<double>{1, 1}), boost::test_tools::per_element());
  BOOST_TEST(check.point == (std::vector<double>{1, 0}), boost::test_tools::per_element());
  std::vector<double> const rounded{1 + 2e-16, 1};
  BOOST_TEST(proves(proveUnbounded(lp, basis, rounded)));
  BOOST_TEST(!proves(proveUnbounded(lp, basis, 1, -1)));                  // towards the bound 0
  BOOST_TEST(!proves(proveUnbounded(lp, basis, std::vector<double>{})));  // no direction at all
  // A slope of exactly 0.
  lp.objective = {-1, 1};
  BOOST_TEST(!proves(proveUnbounded(lp, basis, 1, 1)));
  lp.objective = {-1, std::nextafter(1.0, 0.0)};
  BOOST_TEST(proves(proveUnbounded(lp, basis, 1, 1)));
  lp.sense = Sense::maximize;
  BOOST_TEST(!proves(proveUnbounded(lp, basis, 1, 1)));
  lp.sense = Sense::minimize;
  // A vertex that misses a bound by a little.
  lp.columnLower[0] = std::nextafter(1.0, 2.0);
  CertificateCheck const outside = proveUnbounded(lp, basis, 1, 1);
  BOOST_TEST((outside.outcome == Outcome::refuted));
  BOOST_TEST(outside.message.find("beyond a bound") != std::string::npos, outside.message);
}

BOOST_AUTO_TEST_CASE(aRowThatNearlyCancelsVoidsTheRay) {
  // max x + y, x - y <= 1, x - (1 + 2e-9) y >= -1: bounded at values of 1e9, as nothing can grow
  // along (1, 1) or (1 + 2e-9, 1).
  LinearProgram lp = problemOf({{1, -1}, {1, -(1 + 2e-9)}}, 2);
  lp.sense = Sense::maximize;
  lp.objective = {1, 1};
  lp.rowUpper[0] = 1;
  lp.rowLower[1] = -1;
  Basis const basis{{S::basic, S::atLower}, {S::atUpper, S::basic}};
  for (Basis const& from : {slackBasis(lp), basis})
    for (std::vector<double> const& ray : {std::vector<double>{1, 1}, {0, 1}, {1 + 2e-9, 1}})
      BOOST_TEST((proveUnbounded(lp, from, ray).outcome == Outcome::refuted));
  lp.rowLower[1] = -infinity;
  BOOST_TEST(proves(proveUnbounded(lp, basis, std::vector<double>{1, 1})));
}

BOOST_AUTO_TEST_CASE(randomUnboundedProblems) {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    testing::RandomLp const random = testing::randomLp(seed, {.status = Status::unbounded});
    Solution const s = solveOnHost(random.lp);
    BOOST_TEST_REQUIRE((s.status == Status::unbounded), random.description);
    CertificateCheck const check = proveUnbounded(random.lp, s.basis, s.ray);
    BOOST_TEST(proves(check), random.description << ": " << check.message);
    if (proves(check)) ++proved;
  }
  BOOST_TEST(proved == 300);
}

BOOST_AUTO_TEST_CASE(optimalProblemsAreNeverProvedUnbounded) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    testing::RandomLp const random = testing::randomLp(seed, {.status = Status::optimal});
    for (int v = 0; v < random.lp.columns() + random.lp.rows(); ++v)
      for (int const direction : {-1, 1})
        BOOST_TEST(!proves(proveUnbounded(random.lp, random.basis, v, direction)),
                   random.description);
  }
}

// Exact pivots leave their basis and multipliers that are rounded: in doubles that may be nothing.
BOOST_AUTO_TEST_CASE(proofsForOthersAreFoundAgainFromTheBasis) {
  for (Status const status : {Status::infeasible, Status::unbounded})
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      testing::RandomLp const random = testing::randomLp(seed, {.status = status});
      Solution s;
      s.status = status;
      auto const last = rational::exactPivots(random.lp, testing::slackBasis(random.lp));
      s.basis = last.basis;
      s.farkas.assign(random.lp.rowLower.size(), 0.0);
      s.ray.assign(random.lp.columnLower.size(), 0.0);
      ExactCertificate const found = certificateOf(random.lp, s);
      BOOST_TEST(found.proved, random.description << ": " << found.message);
      if (status == Status::unbounded) BOOST_TEST(!found.ray.empty());
      if (status == Status::infeasible && found.crossed < 0)
        BOOST_TEST(found.columnMultipliers.size() == random.lp.columnLower.size());
    }
}

BOOST_AUTO_TEST_CASE(wrongBasesAreTold) {
  LinearProgram lp = problemOf({{1, 2}, {2, 4}}, 2);
  Basis const singular{{S::basic, S::basic}, {S::atLower, S::atLower}};
  BOOST_TEST((proveInfeasible(lp, singular, 0).outcome == Outcome::singular));
  BOOST_TEST((proveUnbounded(lp, singular, 2, 1).outcome == Outcome::singular));
  BOOST_TEST((proveInfeasible(lp, {}, 0).outcome == Outcome::notABasis));
  BOOST_TEST((proveUnbounded(lp, {}, 0, 1).outcome == Outcome::notABasis));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::rational
