// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <vector>

#include "osi_cuda/solve/solver.hpp"

using namespace osi_cuda;

BOOST_AUTO_TEST_SUITE(flips)

// max sum x, 0 <= x <= 1, under a row that leaves room for more: each variable goes from one bound
// to the other, and the basis stays.
BOOST_AUTO_TEST_CASE(a_bound_of_the_entering_variable_ends_its_step) {
  constexpr int n = 5;
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.matrix.rows = 1;
  lp.matrix.columns = n;
  lp.matrix.starts = {0, 1, 2, 3, 4, 5};
  lp.matrix.indices.assign(n, 0);
  lp.matrix.values.assign(n, 1.0);
  lp.objective.assign(n, 1.0);
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, 1.0);
  lp.rowLower = {-infinity};
  lp.rowUpper = {100.0};
  for (Pricing const pricing : {Pricing::steepest, Pricing::dantzig}) {
    Options options;
    options.engine = EngineChoice::host;
    options.algorithm = AlgorithmChoice::primal;
    options.pricing = pricing;
    Solution const s = Solver(lp).solve(options);
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST(s.objective == n);
    BOOST_TEST(s.iterations == n);
    BOOST_TEST((s.basis.rows[0] == VariableStatus::basic));
    for (VariableStatus const status : s.basis.columns)
      BOOST_TEST((status == VariableStatus::atUpper));
  }
}

BOOST_AUTO_TEST_SUITE_END()
