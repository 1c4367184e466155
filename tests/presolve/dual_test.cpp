// SPDX-License-Identifier: EPL-2.0
// The dual as a smaller problem: the same answers, and a basis that is optimal as it stands.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/presolve/presolve.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/plan.hpp"
#include "tests/presolve/proved.hpp"
#include "tests/support/random.hpp"
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
  BOOST_TEST(testing::isProved(lp, with),
             what << ": " << toString(with.status) << " is not proved");
  if (with.presolve.rows == lp.rows() && with.presolve.columns == lp.columns()) return;
  ++tally.dual;
  if (with.status == Status::infeasible && with.presolve.iterationsAfter == 0) ++tally.lifted;
  if (with.status != Status::optimal || without.status != Status::optimal) return;
  BOOST_TEST(
      std::fabs(with.objective - without.objective) <= 1e-8 * (1.0 + std::fabs(without.objective)),
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

namespace {

/// min sum |y_i - x_i'b|, as b free and two residuals >= 0 for each of n rows of p numbers.
LinearProgram l1Regression(int n, int p) {
  testing::Random random(7);
  LinearProgram lp;
  lp.matrix.rows = n;
  lp.matrix.columns = p + 2 * n;
  auto const add = [&](double cost, double lower) {
    lp.objective.push_back(cost);
    lp.columnLower.push_back(lower);
    lp.columnUpper.push_back(infinity);
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  };
  for (int j = 0; j < p; ++j) {
    for (int i = 0; i < n; ++i) {
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(random.normal());
    }
    add(0.0, -infinity);
  }
  for (int k = 0; k < 2 * n; ++k) {
    lp.matrix.indices.push_back(k % n);
    lp.matrix.values.push_back(k < n ? 1.0 : -1.0);
    add(1.0, 0.0);
  }
  for (int i = 0; i < n; ++i) lp.rowLower.push_back(random.normal());
  lp.rowUpper = lp.rowLower;
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tall_regression_goes_by_its_dual) {
  LinearProgram const lp = l1Regression(600, 8);
  Options options = onHost(Toggle::automatic);
  std::vector<Basis> saved;
  Callbacks callbacks;
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) { saved.push_back(checkpoint.basis); };
  Solver solver(lp);
  Solution const dual = solver.solve(options, callbacks);
  BOOST_TEST((dual.status == Status::optimal));
  BOOST_TEST(dual.presolve.rows == 8);
  BOOST_TEST(dual.presolve.columns == 600);
  BOOST_TEST(dual.presolve.iterationsAfter == 0);
  BOOST_TEST(testing::isProved(lp, dual));
  BOOST_REQUIRE(!saved.empty());
  for (Basis const& basis : saved) {
    auto const count =
        std::count(basis.columns.begin(), basis.columns.end(), VariableStatus::basic) +
        std::count(basis.rows.begin(), basis.rows.end(), VariableStatus::basic);
    BOOST_TEST(count == lp.rows());
  }
  options.presolve = Toggle::off;
  Solution const given = Solver(lp).solve(options);
  BOOST_TEST(!given.presolve.used);
  BOOST_TEST(std::fabs(given.objective - dual.objective) <= 1e-9 * given.objective);
  // A changed problem goes on from the basis in its own space.
  solver.setRowBounds(3, lp.rowLower[3] + 1.0, lp.rowUpper[3] + 1.0);
  Solution const again = solver.solve(onHost(Toggle::automatic));
  BOOST_TEST((again.status == Status::optimal));
  BOOST_TEST(!again.presolve.used);
  BOOST_TEST(again.iterations <= dual.iterations / 2);
}

BOOST_AUTO_TEST_CASE(a_limit_within_the_dual_leaves_a_point_of_the_given_problem) {
  LinearProgram const lp = l1Regression(600, 8);
  Options options = onHost(Toggle::automatic);
  options.iterationLimit = 5;
  Solution const stopped = Solver(lp).solve(options);
  BOOST_TEST((stopped.status == Status::iterationLimit));
  BOOST_TEST(stopped.columnValues.size() == static_cast<std::size_t>(lp.columns()));
  BOOST_TEST(std::isfinite(stopped.residuals.primal));
  options.iterationLimit = Options().iterationLimit;
  options.algorithm = AlgorithmChoice::dual;  // of the given problem
  BOOST_TEST(Solver(lp).solve(options).presolve.rows == lp.rows());
}
