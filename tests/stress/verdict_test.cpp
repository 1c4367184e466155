// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/verdict.hpp"

#include <boost/test/unit_test.hpp>

using namespace osi_cuda;
using namespace osi_cuda::stress;

namespace {

Claim optimal(std::string solver, double residual) {
  Claim claim;
  claim.solver = std::move(solver);
  claim.answer = Answer::optimal;
  claim.judged = {residual, 0.0, 0.0, 1.0};
  return claim;
}

Claim without(std::string solver, Answer answer, Proof proof) {
  Claim claim;
  claim.solver = std::move(solver);
  claim.answer = answer;
  claim.proof = proof;
  claim.judged = {0.0, infinity, infinity, 0.0};
  return claim;
}

Verdict verdictOf(std::vector<Claim> const& claims) {
  return judge(claims, 0).verdict;
}
bool missing(std::vector<Claim> const& claims) {
  return judge(claims, 0).missing;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdicts)

BOOST_AUTO_TEST_CASE(an_optimum_stands_by_its_residuals) {
  BOOST_TEST((verdictOf({optimal("own", 1e-9)}) == Verdict::right));
  BOOST_TEST((verdictOf({optimal("own", 2e-6)}) == Verdict::wrong));
  BOOST_TEST((verdictOf({optimal("own", infinity)}) == Verdict::wrong));
  // Infeasible by 1e-10: both answers are true.
  auto const proved = without("clp", Answer::infeasible, Proof::exact);
  BOOST_TEST((verdictOf({optimal("own", 1e-10), proved}) == Verdict::right));
  BOOST_TEST((verdictOf({without("own", Answer::infeasible, Proof::exact),
                         optimal("clp", 1e-10)}) == Verdict::right));
}

BOOST_AUTO_TEST_CASE(what_the_truth_denies_is_false) {
  Claim claim = optimal("own", 1e-9);
  claim.settled = -1;  // its enclosure misses the optimum
  BOOST_TEST((verdictOf({claim}) == Verdict::wrong));
  claim = without("own", Answer::infeasible, Proof::tight);
  claim.settled = -1;
  BOOST_TEST((verdictOf({claim}) == Verdict::wrong));
  claim.settled = 1;
  BOOST_TEST((verdictOf({claim}) == Verdict::right));
}

BOOST_AUTO_TEST_CASE(what_is_not_proved_is_settled_exactly) {
  for (Answer const answer : {Answer::infeasible, Answer::unbounded}) {
    auto const claim = without("own", answer, Proof::tight);
    auto other = optimal("exact", 0.0);
    BOOST_TEST((verdictOf({claim, other}) == Verdict::wrong));
    other.answer = answer;
    BOOST_TEST((verdictOf({claim, other}) == Verdict::right));
    BOOST_TEST((verdictOf({claim}) == Verdict::unsettled));
    BOOST_TEST(needsExact({claim, optimal("clp", 0.0)}));
  }
  BOOST_TEST(!needsExact({optimal("own", 0.0)}));
  BOOST_TEST(needsExact({optimal("own", 1.0)}));
}

BOOST_AUTO_TEST_CASE(unbounded_but_infeasible_by_a_rounding) {
  auto const claim = without("own", Answer::unbounded, Proof::tight);
  auto exact = without("exact", Answer::infeasible, Proof::exact);
  BOOST_TEST((verdictOf({claim, exact}) == Verdict::wrong));
  exact.improvingRay = true;
  BOOST_TEST((verdictOf({claim, exact}) == Verdict::right));
  auto outside = claim;
  outside.judged.primal = 1.0;
  BOOST_TEST((verdictOf({outside, exact}) == Verdict::wrong));
}

BOOST_AUTO_TEST_CASE(others_contradict_where_exact_arithmetic_is_silent) {
  auto const claim = without("own", Answer::infeasible, Proof::none);
  BOOST_TEST((verdictOf({claim, optimal("clp", 1e-12)}) == Verdict::wrong));
  // Such a point says nothing of a problem that is infeasible by less.
  BOOST_TEST((verdictOf({claim, optimal("clp", 1e-7)}) == Verdict::unsettled));
  BOOST_TEST(missing({claim, optimal("clp", 1e-7)}));
  BOOST_TEST(
      (verdictOf({claim, without("clp", Answer::infeasible, Proof::exact)}) == Verdict::right));
}

BOOST_AUTO_TEST_CASE(no_answer_is_missing_where_another_one_stands_up) {
  for (Answer const answer : {Answer::numerical, Answer::timeLimit, Answer::crash, Answer::hang}) {
    auto const claim = without("own", answer, Proof::none);
    BOOST_TEST((verdictOf({claim}) == Verdict::none));
    BOOST_TEST(!missing({claim}));
    BOOST_TEST(missing({claim, optimal("clp", 1e-9)}));
    BOOST_TEST(!missing({claim, optimal("clp", 1e-3)}));
    BOOST_TEST(!missing({claim, optimal("own", 1e-9)}));  // our other runs do not count
    BOOST_TEST(missing({claim, without("exact", Answer::infeasible, Proof::exact)}));
  }
}

BOOST_AUTO_TEST_CASE(a_claim_survives_its_line) {
  Claim claim = optimal("own", 0.1);
  claim.variant = "host/dual/auto";
  claim.objective = 1.0 / 3.0;
  claim.reported = {1e-300, infinity, 0.0};
  claim.proof = Proof::tight;
  claim.improvingRay = true;
  claim.seconds = 0.25;
  claim.iterations = 12345678901;
  claim.message = "a sentence\twith a tab";
  Claim const read = claimFrom(lineOf(claim));
  BOOST_TEST(read.solver == claim.solver);
  BOOST_TEST(read.variant == claim.variant);
  BOOST_TEST((read.answer == claim.answer));
  BOOST_TEST(read.objective == claim.objective);
  BOOST_TEST(read.reported.primal == 1e-300);
  BOOST_TEST(read.reported.dual == infinity);
  BOOST_TEST(read.judged.primal == 0.1);
  BOOST_TEST((read.proof == Proof::tight));
  BOOST_TEST(read.improvingRay);
  BOOST_TEST(read.iterations == claim.iterations);
  BOOST_TEST(read.message == "a sentence with a tab");
  BOOST_CHECK_THROW(claimFrom("own\tonly"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
