// SPDX-License-Identifier: EPL-2.0
//
// The rule of docs/guide/proofs.md: a point within the tolerances makes a problem optimal, whatever
// way leads there.
#include <boost/test/unit_test.hpp>

#include "osi_cuda/solve/solver.hpp"
#include "tests/support/edge_problems.hpp"
#include "tests/support/ways_to_solve.hpp"

namespace osi_cuda::testing {

BOOST_AUTO_TEST_SUITE(edge)

BOOST_AUTO_TEST_CASE(all_ways_agree) {
  std::vector<Way> const ways = waysToSolve();
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, 57);
    EdgeProblem const made = edgeProblem(random);
    for (Way const& way : ways) {
      Status const found = way.solve(made.lp, made.tolerance);
      BOOST_TEST((found == made.right()), made.family << " " << seed << ", " << made.times << " x "
                                                      << made.tolerance << ", by " << way.name
                                                      << ": " << toString(found));
    }
  }
}

/// x >= 1 and x <= 1 - gap, by rows.
LinearProgram slabOf(double gap) {
  LinearProgram lp;
  lp.addRow(1.0, infinity);
  lp.addRow(-infinity, 1.0 - gap);
  lp.matrix.add(0, 1.0);
  lp.matrix.add(1, 1.0);
  lp.endColumn(1.0, -infinity, infinity);
  return lp;
}

BOOST_AUTO_TEST_CASE(what_is_infeasible_by_single_precision_is_optimal) {
  for (double const gap : {1.5e-8, 6e-8}) {
    Solution const s = Solver(slabOf(gap)).solve();
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST((s.exact.status == Status::infeasible));
    BOOST_TEST(!s.exact.proved);
    BOOST_TEST(s.message.find("infeasible") != std::string::npos);
    BOOST_TEST(s.message.find("or more") != std::string::npos);
  }
  BOOST_TEST((Solver(slabOf(1e-5)).solve().status == Status::infeasible));
  Options loose;
  loose.primalTolerance = 1e-4;
  BOOST_TEST((Solver(slabOf(1e-5)).solve(loose).status == Status::optimal));
}

BOOST_AUTO_TEST_CASE(the_exact_status_is_the_status_where_it_is_asked_for) {
  Options exact;
  exact.exact = Toggle::on;
  Solution const s = Solver(slabOf(1.5e-8)).solve(exact);
  BOOST_TEST((s.status == Status::infeasible));
  BOOST_TEST((s.exact.status == Status::infeasible));
  BOOST_TEST(s.exact.proved);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
