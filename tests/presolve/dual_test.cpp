// SPDX-License-Identifier: EPL-2.0
// The dual as a smaller problem: the same answers, and a basis that is optimal as it stands.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "osi_cuda/engine_makers.hpp"
#include "osi_cuda/plan.hpp"
#include "osi_cuda/presolve/dual_problem.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/sparse_problem.hpp"

using namespace osi_cuda;

namespace {

/// A solver that begins with the dual, whatever it gains.
Solver byDual(LinearProgram lp) {
  EngineMakers makers;
  makers.presolve = [](LinearProgram const& given, PresolveRequest const&) {
    return dualise(given);
  };
  Solver solver = solverWith(makers);
  solver.load(std::move(lp));
  return solver;
}

Options onHost(Toggle presolve) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = presolve;
  options.exact = Toggle::off;
  return options;
}

bool isProved(LinearProgram const& lp, Solution const& s) {
  switch (s.status) {
    case Status::optimal:
      return residualsOf(lp, s).largest() <= 1e-7;
    case Status::infeasible:
      return verifyFarkas(lp, s.farkas, s.farkasLow).proved;
    case Status::unbounded:
      return verifyRay(lp, s.columnValues, s.ray, 1e-6, s.rayLow, -1.0, s.columnValuesLow).proved;
    default:
      return false;
  }
}

struct Tally {
  int problems = 0, dual = 0, optimal = 0, atOnce = 0, lifted = 0, undecided = 0;
};

void compare(LinearProgram const& lp, std::string const& what, Tally& tally) {
  Solution const without = Solver(lp).solve(onHost(Toggle::off));
  std::string notices;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& notice) { notices += notice + "; "; };
  Solution const with = byDual(lp).solve(onHost(Toggle::on), callbacks);
  ++tally.problems;
  if (without.status == Status::numerical && with.status == Status::numerical) {
    ++tally.undecided;
    return;
  }
  BOOST_TEST((without.status == with.status),
             what << ": " << toString(without.status) << " without, " << toString(with.status));
  BOOST_TEST(isProved(lp, with), what << ": " << toString(with.status) << " is not proved");
  if (with.presolve.rows == lp.rows() && with.presolve.columns == lp.columns()) return;
  ++tally.dual;
  if (with.status == Status::infeasible && with.presolve.iterationsAfter == 0) ++tally.lifted;
  if (with.status != Status::optimal || without.status != Status::optimal) return;
  BOOST_TEST(std::fabs(with.objective - without.objective) <=
                 1e-8 * (1.0 + std::fabs(without.objective)),
             what);
  ++tally.optimal;
  if (with.presolve.iterationsAfter == 0)
    ++tally.atOnce;
  else
    BOOST_TEST_MESSAGE(what << ": " << with.presolve.iterationsAfter << " pivots after "
                            << with.presolve.iterations << ": " << notices);
}

void check(Tally const& tally) {
  BOOST_TEST_MESSAGE(tally.problems << " problems, " << tally.dual << " by the dual; of "
                                    << tally.optimal << " optima " << tally.atOnce
                                    << " without a pivot, " << tally.lifted << " rays lifted");
  BOOST_TEST(tally.atOnce >= 0.97 * tally.optimal);
  BOOST_TEST(tally.dual >= tally.problems / 2);
  BOOST_TEST(tally.undecided <= 2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_problems_have_the_same_answer_by_the_dual) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    testing::RandomLp const problem = testing::randomLp(seed);
    if (problem.lp.rows() == 0 || problem.lp.columns() == 0) continue;
    compare(problem.lp, problem.description, tally);
  }
  check(tally);
}

BOOST_AUTO_TEST_CASE(sparse_problems_have_the_same_answer_by_the_dual) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    testing::SparseProblem const problem = testing::sparseProblem(seed);
    compare(problem.lp, problem.description, tally);
  }
  check(tally);
}
