// SPDX-License-Identifier: EPL-2.0
// Solves that start from a caller's point.
#include "osi_cuda/model/start_point.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::sparseLp;

namespace {

Options hostOptions() {
  Options options;
  options.engine = EngineChoice::host;
  return options;
}

/// Each number off by about `error` of itself and of 1, as a first-order method leaves it.
std::vector<double> blurred(std::vector<double> values, double error, unsigned seed) {
  testing::Random random(seed);
  for (double& v : values) v += random.between(-error, error) * (1.0 + std::fabs(v));
  return values;
}

StartPoint blurred(Solution const& s, double error) {
  return {blurred(s.columnValues, error, 1), blurred(s.rowDuals, error, 2)};
}

struct Run {
  Solution solution;
  std::vector<std::string> notices;

  bool says(std::string const& text) const {
    for (std::string const& notice : notices)
      if (notice.find(text) != std::string::npos) return true;
    return false;
  }
};

Run solved(Solver& solver, Options const& options = hostOptions()) {
  Run run;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& text) { run.notices.push_back(text); };
  run.solution = solver.solve(options, callbacks);
  return run;
}

Run solvedFrom(LinearProgram const& lp, StartPoint start, Options const& options = hostOptions()) {
  Solver solver(lp);
  solver.setStart(std::move(start));
  return solved(solver, options);
}

bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-9 * (1.0 + std::fabs(b));
}

std::string refusalOf(StartPoint start) {
  Solver solver(denseLp(3, 5, 1, false));
  try {
    solver.setStart(std::move(start));
  } catch (std::invalid_argument const& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(start_point)

// Of degenerate, maximised, ranged, free and empty problems alike, however far off the point is.
BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers) {
  for (int const size : {5, 12, 40}) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = size;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      auto const r = testing::randomLp(seed, shape);
      StartPoint start{r.x, r.y};
      start.x.resize(r.lp.objective.size());
      start.y.resize(r.lp.rowLower.size());
      for (double const error : {0.0, 1e-8, 1e-4, 1e-2}) {
        StartPoint const point{blurred(start.x, error, 1), blurred(start.y, error, 2)};
        for (StartPoint const& part : {point, StartPoint{point.x, {}}, StartPoint{{}, point.y}}) {
          Solution const s = solvedFrom(r.lp, part).solution;
          BOOST_TEST(toString(s.status) == toString(r.expected), r.description);
          if (s.status != Status::optimal) continue;
          BOOST_TEST(near(s.objective, r.objective), r.description);
          BOOST_TEST(residualsOf(r.lp, s).largest() <= 1e-9, r.description);
        }
      }
    }
  }
}

// y has the signs of Solution::rowDuals whichever way is optimised, or its residual would be large.
BOOST_AUTO_TEST_CASE(a_good_point_saves_nearly_all_pivots) {
  for (bool const sparse : {false, true})
    for (Sense const sense : {Sense::minimize, Sense::maximize}) {
      LinearProgram lp = sparse ? sparseLp(150, 200, 4, 3) : denseLp(120, 60, 3, false);
      if (lp.sense != sense) {
        lp.sense = sense;
        for (double& c : lp.objective) c = -c;
      }
      Solution const cold = Solver(lp).solve(hostOptions());
      BOOST_TEST_REQUIRE(toString(cold.status) == "optimal");
      BOOST_TEST_REQUIRE(cold.iterations >= 60);
      int const times = sparse ? 2 : 8;  // the sparse one's vertex has many bases
      StartPoint const whole = blurred(cold, 1e-6);
      for (StartPoint const& start : {whole, StartPoint{whole.x, {}}, StartPoint{{}, whole.y}}) {
        Run const run = solvedFrom(lp, start);
        BOOST_TEST(toString(run.solution.status) == "optimal");
        BOOST_TEST(near(run.solution.objective, cold.objective));
        BOOST_TEST(run.solution.iterations * times <= cold.iterations,
                   run.solution.iterations << " of " << cold.iterations << " pivots with x "
                                           << start.x.size() << ", y " << start.y.size());
        BOOST_TEST(!run.says("too far"));
      }
      BOOST_TEST(solvedFrom(lp, blurred(cold, 1e-3)).solution.iterations < cold.iterations);
    }
}

BOOST_AUTO_TEST_CASE(a_point_that_is_no_help_is_not_used) {
  LinearProgram const lp = denseLp(60, 40, 5, false);
  Solver solver(lp);
  Solution const cold = solver.solve(hostOptions());
  std::vector<double> const x(40, 0.0), y(60, 0.0);
  Solution huge = cold;
  for (double& v : huge.columnValues) v *= 1e300;
  for (double& v : huge.rowDuals) v *= -1e300;
  for (StartPoint const& start :
       {StartPoint{x, y}, StartPoint{x, {}}, StartPoint{{}, y}, blurred(cold, 10.0),
        StartPoint{huge.columnValues, {}}, StartPoint{{}, huge.rowDuals},
        StartPoint{huge.columnValues, huge.rowDuals}}) {
    Run const run = solvedFrom(lp, start);
    BOOST_TEST(run.says("too far"));
    BOOST_TEST(run.solution.iterations == cold.iterations);
    BOOST_TEST(run.solution.objective == cold.objective);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_point_of_the_problem_is_refused_with_its_sizes) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(refusalOf({{1.0, 2.0}, {}}) ==
             "the start's x has length 2 instead of 5, the number of columns");
  BOOST_TEST(refusalOf({{}, {1.0}}) ==
             "the start's y has length 1 instead of 3, the number of rows");
  BOOST_TEST(refusalOf({{0, 0, nan, 0, 0}, {}}) == "the start's x[2] is not finite");
  BOOST_TEST(refusalOf({{0, 0, 0, 0, 0}, {0, infinity, 0}}) == "the start's y[1] is not finite");
  BOOST_TEST(refusalOf({}).empty());
}

BOOST_AUTO_TEST_CASE(it_is_used_once_and_the_last_call_counts) {
  LinearProgram const lp = denseLp(60, 40, 7, false);
  Solver solver(lp);
  Solution const cold = solver.solve(hostOptions());
  solver.setBasis({});
  solver.setStart(blurred(cold, 1e-6));
  Run const first = solved(solver);
  BOOST_TEST(first.says("start: "));
  BOOST_TEST(first.solution.iterations * 4 <= cold.iterations);
  BOOST_TEST(!solved(solver).says("start: "));
  solver.setStart(blurred(cold, 1e-6));
  solver.setBasis({});
  Run const withBasis = solved(solver);
  BOOST_TEST(!withBasis.says("start: "));
  BOOST_TEST(withBasis.solution.iterations * 2 > cold.iterations);
  solver.setStart(blurred(cold, 1e-6));
  std::vector<int> const row{3};
  solver.deleteRows(row);  // it would have a row too many
  BOOST_TEST(!solved(solver).says("start: "));
  solver.load(lp);
  solver.setStart(blurred(cold, 1e-6));
  solver.load(lp);
  BOOST_TEST(!solved(solver).says("start: "));
}

// Presolve would make another problem, and the barrier a point of its own.
BOOST_AUTO_TEST_CASE(it_takes_the_place_of_presolve_and_barrier) {
  LinearProgram const lp = sparseLp(80, 120, 3, 11);
  Solution const cold = Solver(lp).solve(hostOptions());
  for (AlgorithmChoice const algorithm :
       {AlgorithmChoice::barrier, AlgorithmChoice::race, AlgorithmChoice::primal}) {
    Options options = hostOptions();
    options.presolve = Toggle::on;
    options.algorithm = algorithm;
    Run const run = solvedFrom(lp, blurred(cold, 1e-6), options);
    BOOST_TEST(run.solution.barrierIterations == 0);
    BOOST_TEST(!run.solution.presolve.used);
    BOOST_TEST(near(run.solution.objective, cold.objective));
    BOOST_TEST(solvedFrom(lp, {}, options).solution.presolve.used);
  }
}

BOOST_AUTO_TEST_CASE(limits_hold) {
  LinearProgram const lp = sparseLp(150, 200, 4, 3);
  Solution const cold = Solver(lp).solve(hostOptions());
  Options options = hostOptions();
  options.iterationLimit = 2;
  Run const run = solvedFrom(lp, blurred(cold, 1e-6), options);
  BOOST_TEST(toString(run.solution.status) == "iteration_limit");
  BOOST_TEST(run.solution.iterations <= 2);
  options.iterationLimit = std::numeric_limits<std::int64_t>::max();
  options.timeLimit = 0.0;
  BOOST_TEST(toString(solvedFrom(lp, blurred(cold, 1e-3), options).solution.status) ==
             "time_limit");
}

BOOST_AUTO_TEST_SUITE_END()
