// SPDX-License-Identifier: EPL-2.0
// The same answer with presolve and without, and how often the basis that postsolve gives is
// optimal in the given problem as it stands.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "osi_cuda/solve/solver.hpp"
#include "tests/presolve/proved.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/sparse_problem.hpp"

using namespace osi_cuda;

namespace {

struct Tally {
  int problems = 0, reduced = 0, optimal = 0, atOnce = 0;
  int undecided = 0;  ///< without a status whether there is a presolve or not

  double share() const { return optimal == 0 ? 1.0 : static_cast<double>(atOnce) / optimal; }
  std::string text() const {
    return std::to_string(problems) + " problems, " + std::to_string(reduced) + " reduced; of " +
           std::to_string(optimal) + " optima " + std::to_string(atOnce) +
           " in 0 pivots from the postsolved basis";
  }
};

Solution solve(LinearProgram const& lp, Toggle presolve, AlgorithmChoice algorithm,
               std::string* notices = nullptr) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = presolve;
  options.algorithm = algorithm;
  options.exact = Toggle::off;  // whose pivots are not presolve's
  Callbacks callbacks;
  if (notices)
    callbacks.notice = [notices](std::string const& sentence) { *notices += sentence + "; "; };
  return Solver(lp).solve(options, callbacks);
}

/// Whether both are right about a problem that may well be infeasible and have a ray.
bool agree(Solution const& a, Solution const& b) {
  if (a.status != b.status) return false;
  return a.status != Status::optimal ||
         std::fabs(a.objective - b.objective) <= 1e-8 * (1.0 + std::fabs(a.objective));
}

void compare(LinearProgram const& lp, std::string const& what, std::uint64_t seed, Tally& tally) {
  auto const algorithm = seed % 2 == 0 ? AlgorithmChoice::automatic : AlgorithmChoice::primal;
  Solution const without = solve(lp, Toggle::off, algorithm);
  std::string notices;
  Solution const with = solve(lp, Toggle::on, algorithm, &notices);
  ++tally.problems;
  BOOST_TEST(agree(without, with),
             what << ": " << toString(without.status) << " " << without.objective << " without, "
                  << toString(with.status) << " " << with.objective << " with presolve");
  if (without.status == Status::numerical && with.status == Status::numerical) {
    BOOST_TEST_MESSAGE(what << ": " << with.message);
    ++tally.undecided;
    return;
  }
  BOOST_TEST(testing::isProved(lp, with),
             what << ": " << toString(with.status) << " is not proved");
  BOOST_TEST(!without.presolve.used, what);
  PresolveReport const& report = with.presolve;
  bool const reduced = report.rows < report.rowsBefore || report.columns < report.columnsBefore;
  if (!reduced) return;
  ++tally.reduced;
  BOOST_TEST(report.iterations + report.iterationsAfter == with.iterations, what);
  if (with.status != Status::optimal) return;
  ++tally.optimal;
  if (report.iterationsAfter == 0)
    ++tally.atOnce;
  else
    BOOST_TEST_MESSAGE(what << ": " << report.iterationsAfter << " pivots after "
                            << report.iterations << ", " << report.rowsBefore << " x "
                            << report.columnsBefore << " to " << report.rows << " x "
                            << report.columns << ": " << notices);
}

Tally compareSparse(std::uint64_t from, std::uint64_t to) {
  Tally tally;
  for (std::uint64_t seed = from; seed < to; ++seed) {
    testing::SparseProblem const problem = testing::sparseProblem(seed);
    compare(problem.lp, problem.description, seed, tally);
  }
  BOOST_TEST_MESSAGE(tally.text());
  return tally;
}

Tally compareSmall(std::uint64_t from, std::uint64_t to) {
  Tally tally;
  for (std::uint64_t seed = from; seed < to; ++seed) {
    testing::RandomLp const problem = testing::randomLp(seed);
    if (problem.lp.rows() == 0 || problem.lp.columns() == 0) continue;
    compare(problem.lp, problem.description, seed, tally);
  }
  BOOST_TEST_MESSAGE(tally.text());
  return tally;
}

constexpr double leastShare = 0.99;
/// Problems that have no solution by less than rounding: one in some thousand.
constexpr int mostUndecided = 2;

void checkTally(Tally const& tally) {
  BOOST_TEST(tally.share() >= leastShare);
  BOOST_TEST(tally.undecided <= mostUndecided);
  BOOST_TEST(tally.reduced >= tally.problems / 2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sparse_problems_have_the_same_answer) {
  checkTally(compareSparse(0, 300));
}

BOOST_AUTO_TEST_CASE(small_problems_have_the_same_answer) {
  checkTally(compareSmall(0, 300));
}

BOOST_AUTO_TEST_SUITE(presolve_long)

BOOST_AUTO_TEST_CASE(five_thousand_problems_have_the_same_answer) {
  checkTally(compareSparse(1000, 4500));
  checkTally(compareSmall(1000, 2500));
}

BOOST_AUTO_TEST_SUITE_END()
