// SPDX-License-Identifier: EPL-2.0
// Solver::solve by way of a smaller problem: where it is taken, and what it tells.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/presolve/presolved_solves.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

BOOST_AUTO_TEST_SUITE(answers)

BOOST_AUTO_TEST_CASE(sizes_and_counts_are_reported) {
  LinearProgram const lp = chain(40);
  Heard heard;
  Solver solver(lp);
  Solution const s = solver.solve(withPresolve(Toggle::on), heard.callbacks());
  checkOptimal(lp, s);
  BOOST_TEST(s.presolve.used);
  BOOST_TEST(s.presolve.rowsBefore == 80);
  BOOST_TEST(s.presolve.columnsBefore == 41);
  BOOST_TEST(s.presolve.nonzerosBefore == 120);
  BOOST_TEST(s.presolve.rows <= 40);
  BOOST_TEST(s.presolve.nonzeros < 120);
  BOOST_TEST(s.presolve.seconds > 0.0);
  BOOST_TEST(s.seconds >= s.presolve.seconds);
  BOOST_TEST(s.iterations == s.presolve.iterations + s.presolve.iterationsAfter);
  BOOST_TEST(heard.said("presolve: 80 rows, 41 columns and 120 nonzeros become "));
  std::set<std::string> kinds;
  for (TraceEvent const& event : heard.trace) kinds.insert(event.kind);
  BOOST_TEST(kinds.count("presolve") == 1);
  BOOST_TEST(kinds.count("postsolve") == 1);
}

BOOST_AUTO_TEST_CASE(infeasible_with_multipliers) {
  // Found by the presolve; and x + y + z <= 2 against two rows that ask for 3, found by the solve.
  for (LinearProgram const& lp :
       {tinyProblem({{1, 0, 1}, {1, 0, 4}}, {{{2, 0}, 3, 9}, {{1, 1}, 0, 4}}),
        tinyProblem({{1, 0, 9}, {1, 0, 9}, {1, 0, 9}, {1, 0, 1}}, {{{1, 2, 3, 0}, -infinity, 2},
                                                                   {{2, 1, 1, 0}, 5, infinity},
                                                                   {{1, 3, 1, 0}, 1, infinity},
                                                                   {{0, 0, 0, 1}, -1, 4}})}) {
    Solution const s = Solver(lp).solve(withPresolve(Toggle::on));
    BOOST_TEST((s.status == Status::infeasible), toString(s.status));
    BOOST_TEST(verifyFarkas(lp, s.farkas, s.farkasLow).proved);
    BOOST_TEST(s.farkas.size() == lp.rowLower.size());
  }
}

BOOST_AUTO_TEST_CASE(unbounded_with_a_ray) {
  for (LinearProgram const& lp :
       {tinyProblem({{-1, 0, infinity}, {1, 0, 4}}, {{{2, 0}, 3, infinity}, {{1, 1}, 1, infinity}}),
        tinyProblem({{-1, 0, infinity}, {-1, 0, infinity}, {1, 0, 1}},
                    {{{1, -2, 0}, -5, 4}, {{-3, 1, 0}, -infinity, 7}, {{0, 0, 1}, -1, 4}})}) {
    Solution const s = Solver(lp).solve(withPresolve(Toggle::on));
    BOOST_TEST((s.status == Status::unbounded), toString(s.status));
    BOOST_TEST(
        verifyRay(lp, s.columnValues, s.ray, 1e-6, s.rayLow, -1.0, s.columnValuesLow).proved);
  }
}

BOOST_AUTO_TEST_CASE(exact_proofs_speak_of_the_given_problem) {
  LinearProgram const lp = chain(20);
  Options options = withPresolve(Toggle::on);
  options.exact = Toggle::on;
  Solution const s = Solver(lp).solve(options);
  checkOptimal(lp, s);
  BOOST_TEST(s.exact.tried);
  BOOST_TEST(s.exact.proved, s.exact.message);
}

BOOST_AUTO_TEST_CASE(changes_and_the_tableau_afterwards) {
  LinearProgram lp = chain(40);
  Solver solver(lp);
  checkOptimal(lp, solver.solve(withPresolve(Toggle::on)));
  BOOST_TEST(solver.basicVariables().size() == lp.rowLower.size());
  BOOST_TEST(solver.inverseRow(0).size() == lp.rowLower.size());
  lp.columnLower[3] = 2.0;
  lp.objective[5] = -1.0;
  solver.setColumnBounds(3, 2.0, 5.0);
  solver.setObjective(5, -1.0);
  Solution const again = solver.solve(withPresolve(Toggle::automatic));
  checkOptimal(lp, again);
  BOOST_TEST(!again.presolve.used);
  BOOST_TEST(again.iterations < 20);
}

BOOST_AUTO_TEST_CASE(a_basis_to_start_from_serves_both) {
  LinearProgram const lp = chain(60);
  Solver solver(lp);
  Solution const first = solver.solve(withPresolve(Toggle::off));
  Solver again(lp);
  again.setBasis(first.basis);
  Solution const second = again.solve(withPresolve(Toggle::on));
  checkOptimal(lp, second);
  BOOST_TEST(second.presolve.used);
  BOOST_TEST(second.iterations < first.iterations / 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(when)

BOOST_AUTO_TEST_CASE(large_sparse_problems_from_slacks) {
  LinearProgram const lp = chain(600);
  Solver solver(lp);
  Solution const s = solver.solve(withPresolve(Toggle::automatic));
  checkOptimal(lp, s);
  BOOST_TEST(s.presolve.used);
}

BOOST_AUTO_TEST_CASE(not_small_ones_nor_dense_ones_nor_with_a_basis) {
  BOOST_TEST(!Solver(chain(20)).solve(withPresolve(Toggle::automatic)).presolve.used);
  LinearProgram const dense = testing::denseLp(600, 520, 1, true);
  BOOST_TEST(!Solver(dense).solve(withPresolve(Toggle::automatic)).presolve.used);
  LinearProgram const lp = chain(600);
  Solver warm(lp);
  Basis const basis = warm.solve(withPresolve(Toggle::off)).basis;
  Solver other(lp);
  other.setBasis(basis);
  BOOST_TEST(!other.solve(withPresolve(Toggle::automatic)).presolve.used);
}

BOOST_AUTO_TEST_CASE(not_where_it_could_not_be_followed) {
  LinearProgram const lp = chain(600);
  Options options = withPresolve(Toggle::automatic);
  options.objectiveLimit = 1e9;
  BOOST_TEST(!Solver(lp).solve(options).presolve.used);
  options = withPresolve(Toggle::on);
  options.algorithm = AlgorithmChoice::barrier;
  options.crossover = false;
  BOOST_TEST(!Solver(lp).solve(options).presolve.used);
  options = withPresolve(Toggle::on);
  options.iterationLimit = 0;
  BOOST_TEST(!Solver(lp).solve(options).presolve.used);
}

BOOST_AUTO_TEST_CASE(off_is_off) {
  EngineMakers makers;
  makers.presolve = [](LinearProgram const&, PresolveRequest const&) -> PresolveOutcome {
    BOOST_FAIL("there was a presolve");
    return {};
  };
  Solver solver = solverWith(makers);
  solver.load(chain(600));
  BOOST_TEST((solver.solve(withPresolve(Toggle::off)).status == Status::optimal));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(iterations_count_together) {
  LinearProgram const lp = chain(60);
  Options options = withPresolve(Toggle::on);
  auto const all = Solver(lp).solve(options).iterations;
  BOOST_REQUIRE(all > 10);
  for (std::int64_t const limit : {std::int64_t{1}, all / 2, all - 1}) {
    options.iterationLimit = limit;
    Heard heard;
    Solver solver(lp);
    Solution const s = solver.solve(options, heard.callbacks());
    BOOST_TEST((s.status == Status::iterationLimit), toString(s.status));
    BOOST_TEST(s.iterations <= limit);
    BOOST_TEST(s.columnValues.size() == lp.columnLower.size());
    BOOST_TEST(s.rowActivity.size() == lp.rowLower.size());
    BOOST_TEST(s.reducedCosts.size() == lp.columnLower.size());
    BOOST_TEST(std::isfinite(s.residuals.primal));
    BOOST_REQUIRE(!heard.checkpoints.empty());
    BOOST_TEST((heard.checkpoints.back().status == Status::iterationLimit));
    BOOST_TEST((heard.checkpoints.back().basis == s.basis));
    // What was left goes on from there.
    checkOptimal(lp, solver.solve(withPresolve(Toggle::automatic)));
  }
}

BOOST_AUTO_TEST_CASE(an_interruption_during_the_presolve) {
  LinearProgram const lp = chain(60);
  Callbacks callbacks;
  int asked = 0;
  callbacks.interrupted = [&] { return ++asked > 3; };
  Solution const s = Solver(lp).solve(withPresolve(Toggle::on), callbacks);
  BOOST_TEST((s.status == Status::interrupted), toString(s.status));
  BOOST_TEST(s.iterations == 0);
  BOOST_TEST(s.basis.rows.size() == lp.rowLower.size());
}

BOOST_AUTO_TEST_CASE(an_interruption_of_the_smaller_solve) {
  LinearProgram const lp = chain(60);
  bool now = false;
  Callbacks callbacks;
  callbacks.progress = [&](Progress const&) { now = true; };
  callbacks.interrupted = [&] { return now; };
  Solution const s = Solver(lp).solve(withPresolve(Toggle::on), callbacks);
  BOOST_TEST((s.status == Status::interrupted), toString(s.status));
  BOOST_TEST(s.columnValues.size() == lp.columnLower.size());
}

BOOST_AUTO_TEST_CASE(no_time) {
  LinearProgram const lp = chain(60);
  Options options = withPresolve(Toggle::on);
  options.timeLimit = 1e-9;
  Solution const s = Solver(lp).solve(options);
  BOOST_TEST((s.status == Status::timeLimit), toString(s.status));
}

BOOST_AUTO_TEST_CASE(checkpoints_are_of_the_given_problem) {
  LinearProgram const lp = chain(60);
  Heard heard;
  Callbacks callbacks = heard.callbacks();
  callbacks.checkpointDue = [] { return true; };
  Solution const s = Solver(lp).solve(withPresolve(Toggle::on), callbacks);
  checkOptimal(lp, s);
  BOOST_REQUIRE(heard.checkpoints.size() >= 2);
  for (Checkpoint const& checkpoint : heard.checkpoints) {
    BOOST_TEST(checkpoint.basis.columns.size() == lp.columnLower.size());
    BOOST_TEST(checkpoint.basis.rows.size() == lp.rowLower.size());
    Solver resumed(lp);
    resumed.setBasis(checkpoint.basis);
    checkOptimal(lp, resumed.solve(withPresolve(Toggle::automatic)));
  }
  BOOST_TEST((heard.checkpoints.back().status == Status::optimal));
  BOOST_TEST(heard.checkpoints.back().iterations == s.iterations);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(devices)

namespace {

struct Counts {
  int made = 0, loads = 0;
  int mostRows = 0;
};

/// The host's engine under a device's name.
class Device : public host::HostEngine {
 public:
  explicit Device(Counts& counts) : HostEngine(EngineOptions{}), counts_(counts) {
    ++counts_.made;
    traits_.name = SolveEngine::cuda;
  }
  void load(StandardForm const& form) override {
    ++counts_.loads;
    counts_.mostRows = std::max(counts_.mostRows, form.rows());
    HostEngine::load(form);
  }

 private:
  Counts& counts_;
};

}  // namespace

// The device is opened once, holds the smaller problem only, and serves what follows.
BOOST_AUTO_TEST_CASE(one_device_for_both_problems) {
  LinearProgram const lp = chain(60);
  Counts counts;
  EngineMakers makers;
  makers.device = [&](EngineOptions const&) { return std::make_unique<Device>(counts); };
  Solver solver = solverWith(makers);
  solver.load(lp);
  Options options = withPresolve(Toggle::on);
  options.engine = EngineChoice::cuda;
  Solution const s = solver.solve(options);
  checkOptimal(lp, s);
  BOOST_TEST((s.engine == SolveEngine::cuda));
  BOOST_TEST(counts.made == 1);
  BOOST_TEST(counts.mostRows < lp.rows());
  BOOST_TEST(solver.basicVariables().size() == lp.rowLower.size());
  solver.setObjective(5, -1.0);
  Solution const again = solver.solve(options);
  BOOST_TEST((again.status == Status::optimal));
  BOOST_TEST((again.engine == SolveEngine::cuda));
  BOOST_TEST(counts.made == 1);
  // Another problem finds the device as well.
  solver.load(chain(50));
  checkOptimal(chain(50), solver.solve(options));
  BOOST_TEST(counts.made == 1);
}

BOOST_AUTO_TEST_SUITE_END()
