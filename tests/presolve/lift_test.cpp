// SPDX-License-Identifier: EPL-2.0
// Where the smaller problem is infeasible: its multipliers taken back prove it of the given one.
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "osi_cuda/presolve/presolve.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/presolve/tiny_problems.hpp"
#include "tests/support/sparse_problem.hpp"

using namespace osi_cuda;

namespace {

Options hostWithPresolve() {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = Toggle::on;
  return options;
}

enum class Lifted { notTried, refused, proved };

/// The solution, and what the trace says about the way back.
std::pair<Solution, Lifted> solve(LinearProgram const& lp) {
  Lifted lifted = Lifted::notTried;
  Callbacks callbacks;
  callbacks.trace = [&lifted](TraceEvent const& event) {
    if (std::string_view(event.kind) != "lift") return;
    for (TraceField const& field : event.fields)
      if (std::string_view(field.name) == "proved")
        lifted = std::get<bool>(field.value) ? Lifted::proved : Lifted::refused;
  };
  Solution solution = Solver(lp).solve(hostWithPresolve(), callbacks);
  return {std::move(solution), lifted};
}

bool isProvedInfeasible(LinearProgram const& lp, Solution const& s) {
  return s.status == Status::infeasible && verifyFarkas(lp, s.farkas, s.farkasLow).proved;
}

/// x + y + z <= 2 against two rows that ask for 3, with a fourth column and a row of it.
LinearProgram contradictory(Sense sense) {
  LinearProgram lp = testing::tinyProblem({{1, 0, 9}, {1, 0, 9}, {1, 0, 9}, {1, 0, 1}},
                                          {{{1, 2, 3, 0}, -infinity, 2},
                                           {{2, 1, 1, 0}, 5, infinity},
                                           {{1, 3, 1, 0}, 1, infinity},
                                           {{0, 0, 0, 1}, -1, 4}});
  lp.sense = sense;
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lifting)

BOOST_AUTO_TEST_CASE(random_problems_need_no_pivot_in_the_given_problem) {
  int tried = 0, proved = 0;
  for (std::uint64_t seed = 0; seed < 3200; ++seed) {
    testing::SparseProblem const problem = testing::sparseProblem(seed);
    auto const [solution, lifted] = solve(problem.lp);
    if (lifted == Lifted::notTried) continue;
    ++tried;
    BOOST_TEST(isProvedInfeasible(problem.lp, solution), problem.description);
    BOOST_TEST(solution.basis.columns.size() == problem.lp.columnLower.size());
    if (lifted == Lifted::proved) {
      ++proved;
      BOOST_TEST(solution.presolve.iterationsAfter == 0, problem.description);
    } else {
      BOOST_TEST_MESSAGE(problem.description << ": " << solution.presolve.iterationsAfter
                                             << " pivots after");
    }
  }
  BOOST_TEST_MESSAGE(tried << " infeasible smaller problems, " << proved << " lifted");
  BOOST_TEST(tried >= 30);
  BOOST_TEST(4 * proved >= 3 * tried);
}

BOOST_AUTO_TEST_CASE(goes_on_to_solves_from_there) {
  for (Sense const sense : {Sense::minimize, Sense::maximize}) {
    LinearProgram const lp = contradictory(sense);
    Solver solver(lp);
    Solution const first = solver.solve(hostWithPresolve());
    BOOST_TEST(isProvedInfeasible(lp, first));
    solver.setRowBounds(0, -infinity, 20.0);  // room for all
    Solution const second = solver.solve(hostWithPresolve());
    BOOST_TEST((second.status == Status::optimal), toString(second.status));
  }
}

BOOST_AUTO_TEST_CASE(an_exact_proof_is_made_by_a_solve) {
  LinearProgram const lp = contradictory(Sense::minimize);
  Options options = hostWithPresolve();
  options.exact = Toggle::on;
  Solution const s = Solver(lp).solve(options);
  BOOST_TEST(isProvedInfeasible(lp, s));
  BOOST_TEST(s.exact.proved, s.exact.message);
}

BOOST_AUTO_TEST_CASE(what_proves_nothing_is_not_claimed) {
  LinearProgram const lp = contradictory(Sense::minimize);
  PresolveOutcome const outcome = presolve(lp, {});
  BOOST_REQUIRE(outcome.presolved);
  LinearProgram const& smaller = outcome.presolved->problem;
  Options options = hostWithPresolve();
  options.presolve = Toggle::off;
  Solution reduced = Solver(smaller).solve(options);
  BOOST_REQUIRE((reduced.status == Status::infeasible));
  Budget budget;
  BOOST_TEST(liftInfeasibility(makeFactoredEngine, lp, *outcome.presolved, reduced, options, budget)
                 .has_value());
  for (double& y : reduced.farkas) y = -y;
  BOOST_TEST(
      !liftInfeasibility(makeFactoredEngine, lp, *outcome.presolved, reduced, options, budget)
           .has_value());
  reduced.farkas.assign(reduced.farkas.size(), 0.0);
  BOOST_TEST(
      !liftInfeasibility(makeFactoredEngine, lp, *outcome.presolved, reduced, options, budget)
           .has_value());
  reduced.farkas.clear();
  BOOST_TEST(
      !liftInfeasibility(makeFactoredEngine, lp, *outcome.presolved, reduced, options, budget)
           .has_value());
}

BOOST_AUTO_TEST_SUITE_END()
